"""The other names that a page gives its subject in its first sentence: "The United Nations (UN), also known as …, is …"; and
the titles that a page of meanings lists: "JFK are the initials of John F. Kennedy (…)".

Anybody may have written the page, so names are limited in number and length and contain no verb. A name helps to find the
page, and the networks read it beside the title; it is never evidence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from retrieval.text.quantities.dates import MONTHS
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page

LONGEST_HEAD = 400  # characters before the first verb
LONGEST_OTHER_NAME, MOST_NAME_WORDS, MOST_NAMES = 60, 6, 12  # characters and words of a name; names of a page
MOST_MEANINGS_LINES = 20  # lines read of a page of meanings
DEEPEST_BRACKET = 3  # nested brackets
SAME_LETTERS = 5  # that two forms of one word share at their beginning

# "is" and the like end the part of a sentence that names its subject.
_VERB = re.compile(r"\b(?:is|are|was|were|refers?|means|consists?|includes?|has been|have been|may|can)\b")
_ADVERB = (
    r"(?:also|most|more|very|commonly|often|sometimes|better|best|widely|popularly|usually|generally|formerly|previously|originally|"
    r"officially|formally|informally|unofficially|colloquially|simply|professionally|alternatively|alternately|variously|frequently|"
    r"occasionally|historically|locally|mononymously|otherwise|now|once|later|since|collectively|loosely|inaccurately|rarely|"
    r"incorrectly|traditionally|federally|legally|first|today|still|in short|for short|less|internationally|nationally|either|just|hereafter)"
)
_CALLED = (
    r"(?:known|called|referred to|abbreviated|shortened|nicknamed|stylized|stylised|named|dubbed|spelled|spelt|written|transliterated|"
    r"branded|marketed|credited|billed|designated|titled|styled|aka|a\.k\.a\.)"
)
_BY = (
    r"(?:by (?:the |his |her |its |their )?(?:stage |ring |pen |birth |full |common |short |brand )?"
    r"(?:nicknames?|initials|initialism|acronym|abbreviation|names?|pseudonym|moniker|alias),?|as|to|by|in english as|in short as)"
)
# "also known as", "commonly called", "or, inaccurately,", "formerly": a name follows.
_PHRASE = re.compile(
    rf"(?<!\w)(?:(?:(?:{_ADVERB}(?:,? (?:and|or))?,? )+{_CALLED}|(?P<bare>{_CALLED}))(?: {_ADVERB},?| {_BY})*|"
    rf"(?:officially|formerly|originally|previously|commonly|often|colloquially|also|informally|popularly)|"
    rf"(?P<birth>née|nee|born)|or,?)(?= )",
    re.IGNORECASE,
)
# Between two names of a list, and before a name.
_NEXT = re.compile(r"\s*(?:,\s*(?:(?:and|or)\s+)?|;\s*|\s(?:and|or)\s+|/)\s*")
_LEAD = re.compile(rf"\s*(?:(?:{_ADVERB}|as|by|the|a|an|and|or)[,]?\s+)*", re.IGNORECASE)
_ARTICLE = re.compile(r"\A(?:the|a|an)\s+", re.IGNORECASE)
_NAME = re.compile(
    r"[“\"'‘](?P<quoted>[^“”\"‘()\[\]]{1,60})[”\"'’]|(?P<plain>[^\s,;:()\[\]“”\"/]+(?: (?!and\b|or\b|is\b)[^\s,;:()\[\]“”\"/]+){0,8})"
)
_BRACKET = re.compile(r"\s*(?:\([^()]*\))?")
_LISTS = re.compile(r"\b(?:may|can) (?:also )?(?:refer|stand) (?:to|for) ?:")
_PARTS = re.compile(r"[,;]|\s(?:or|and)\s")
_INITIALS = re.compile(r"[A-Z][A-Z0-9&/-]{1,7}|(?:[A-Z]\.){2,6}|[A-Z]{2,6}s")
_SUBJECT_END = re.compile(r"[,;:]|\sor\b")
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
# Words that no name contains, and those with which no name in lower case begins.
_UNNAMED = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|did|do|not|never|will|would|can|could|may|should|must|which|who|whose|that|says?|said|"
    r"true|false|born|died|he|she|it|they|this|these|there)\b",
    re.IGNORECASE,
)
_NO_START = frozenset(
    "a an as at by for from in into its on of or and to with among between within around after before during since until "
    "under over because located based formed founded released published played directed written sometimes especially "
    "such particularly meaning literally lit pronounced according other others both including see his her their one two three".split()
)
_DATE = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b|\d{{4}}|\d+ BC")
_MEANING = re.compile(r"[^,(:;–]{1,200}")  # of a line of meanings
_CAPITALS = re.compile(r"[A-Z][\w.'’-]*(?: (?:(?:of|the|and|de|van|von) )*[A-Z0-9][\w.'’-]*)*")


def other_names(title: str, sentence: str) -> tuple[str, ...]:
    """The names besides its title that a page gives its subject in the first sentence; at most `MOST_NAMES`. None folds to the
    title, with or without its bracket.
    """
    head, bare = _head(sentence), without_bracket(title)
    if head is None or not _about(head, bare):
        return ()
    known = {fold(name) for name in (title, bare, _ARTICLE.sub("", bare, count=1))}
    found: dict[str, str] = {}
    for name in (*_subject(head, bare), *_named(head), *_in_brackets(title, head)):
        key = fold(name)
        if key not in known and len(key) > 1 and not key.isdecimal():
            found.setdefault(key, name)
    return tuple(found.values())[:MOST_NAMES]


def _head(sentence: str) -> str | None:
    """The text before the first verb outside brackets; None if no such verb is near enough."""
    near = sentence[:LONGEST_HEAD]
    for verb in _VERB.finditer(near):
        at = verb.start()
        if at and near.count("(", 0, at) <= near.count(")", 0, at) and near.count("[", 0, at) <= near.count("]", 0, at):
            head = near[:at].strip()
            return head if head.isascii() else unicodedata.normalize("NFC", head)
    return None


def _about(head: str, bare: str) -> bool:
    """Whether the sentence mentions the title or one of its words: not every page begins with its subject."""
    if bare in head:
        return True
    words = fold(head)
    return any(word[:SAME_LETTERS] in words for word in fold(bare).split() if len(word) > 2)


def _subject(head: str, bare: str) -> Iterator[str]:
    """The name that the sentence begins with, such as "John Fitzgerald Kennedy", unless it is the title or a part of it."""
    if _ARTICLE.sub("", head, count=1).startswith(bare):
        return
    flat = head
    for _ in range(DEEPEST_BRACKET if "(" in head or "[" in head else 0):
        flat = _BRACKETS.sub("", flat)
    name, known = _SUBJECT_END.split(flat, maxsplit=1)[0], fold(bare)
    key = fold(_ARTICLE.sub("", name, count=1))
    if not f"{fold(flat)} ".startswith(f"{known} ") and not known.endswith((f" of {key}", f" in {key}")):
        yield from _fit(name, first=True)


def _named(head: str) -> Iterator[str]:
    """The lists of names after "also known as", "formerly", "or"."""
    for phrase in _PHRASE.finditer(head):
        # "a figure called a map" does not name the subject; "Flea, called …" does.
        if phrase["bare"] and head[: phrase.start()].rstrip()[-1:] not in (",", "(", ")", ";"):
            continue
        names = _listed(head, phrase.end())
        # A family name alone belongs to many people.
        yield from (name for name in names if " " in name) if phrase["birth"] else names


def _listed(text: str, start: int) -> Iterator[str]:
    """The names of a list that begins here: "marijuana, weed, and Mary Jane"."""
    for number in range(MOST_NAMES):
        found = _NAME.match(text, _end(_LEAD, text, start))
        if not found or text[found.end() : found.end() + 1] == ":":  # "UK: /…/" gives a pronunciation
            return
        fit = list(_fit(found["quoted"] or found["plain"] or "", first=number == 0))
        if not fit:
            return
        yield from fit
        more = _NEXT.match(text, _end(_BRACKET, text, found.end()))
        if not more:
            return
        start = more.end()


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def _in_brackets(title: str, head: str) -> Iterator[str]:
    """Initials in brackets, "(UN)" or "(WWII or WW2)", of the words before them."""
    for bracket in _BRACKETS.finditer(head):
        for part in _PARTS.split(bracket[1] or bracket[2] or ""):
            name = part.strip(" “”\"'")
            if not _INITIALS.fullmatch(name) or name in title:
                continue
            if any(word[0] == name[0].lower() for word in fold(f"{title} {head}").split()):
                yield name


def _fit(text: str, first: bool) -> Iterator[str]:
    """The text as a name, if it can be one. first: of a list; it may be longer if it is in lower case."""
    name = _ARTICLE.sub("", text.strip(" .“”\"'‘’`*"), count=1).strip()
    words = name.split()
    if not words or len(words) > MOST_NAME_WORDS or len(name) > LONGEST_OTHER_NAME:
        return
    if _UNNAMED.search(name) or _DATE.search(name) or fold(words[0]) in _NO_START:
        return
    if any(char in '“”"‘<>|=' for char in name) or (not name[0].isalnum() and name[0] not in "$#@"):
        return
    if name[0].isupper() or name[0].isdecimal() or len(words) <= (3 if first else 2):
        yield name


def lists_meanings(page: Page) -> bool:
    """Whether the page merely lists what its title may mean."""
    return page.disambiguation or page.title.endswith(" (disambiguation)") or bool(_LISTS.search(page.text[:200]))


def with_other_names(page: Page) -> Page:
    """The page with the names from its first sentence, unless they were read already."""
    if page.other_names or not page.lines or page.part > 1 or lists_meanings(page):
        return page
    _, start, end = page.lines[0]
    names = other_names(page.title, page.text[start:end])
    return replace(page, other_names=names) if names else page


def meanings(page: Page) -> list[str]:
    """Titles that the page's title may stand for: those that have it as initials, or that share a word with it. Other
    titles in such a list name something else: "Taipei is the capital of the Republic of China".
    """
    base = without_bracket(page.title)
    found: dict[str, None] = {}
    for _, start, end in page.lines[:MOST_MEANINGS_LINES]:
        head = _MEANING.match(page.text, start, end)
        for name in _CAPITALS.findall(head[0]) if head else ():
            if name != base and len(name) <= LONGEST_OTHER_NAME and _may_mean(fold(base), fold(name)):
                found[name] = None
    return list(found)


def _may_mean(base: str, name: str) -> bool:
    """Whether the folded names share a word, or the one is the other's initials, with or without short words such as "of"."""
    words = name.split()
    long_words = [word for word in words if word not in ("of", "the", "and", "de", "for")]
    initials = ["".join(word[0] for word in some) for some in (words, long_words)]
    return base.replace(" ", "") in initials or not set(words).isdisjoint(base.split())
