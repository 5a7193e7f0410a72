"""A sentence that decides a claim by rule, and the page that a claim's subject has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.text.names.first_sentence import lists_meanings
from retrieval.text.names.forms import number_forms, numbered_forms
from retrieval.text.names.nations import nation_of
from retrieval.text.quantities.dates import MONTHS
from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page, Sentence

PAGES_FOR_LAST_NAMES = 3  # pages in which a last name is looked for
YEAR_IN_TEXT = re.compile(r"\b[12]\d{3}\b")
_PREFIXES = ("the ", "mount ", "lake ", "river ")
_SUFFIXES = (" city", " ocean", " river", " sea", " language")  # "the Vatican", "the Pacific", "Danish"
_HONORIFICS = re.compile(
    r"^(?:king|queen|emperor|empress|president|pope|sir|dame|lord|lady|saint|st|dr|prince|princess) (?=\w+ )"
)
_NO_FIRST_NAMES = frozenset("of in on at to for with and the a an my your".split())
_INITIAL = re.compile(r"[a-hj-uwyz]$")  # I, V and X count kings
_INITIALS = re.compile(r"\b(\w) (?=\w\b)")  # "hp lovecraft" is H. P. Lovecraft
_PERSON = re.compile(r"[^,()]+")  # not "Schenectady, New York"
_REGNAL = re.compile(r"[a-z] [IVX]+$")  # Elizabeth I has the page Elizabeth I of England
_NAME_BEFORE = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+")
# "Feynman, jointly with Julian Schwinger, received"
_JOINTLY = re.compile(r",? (?:jointly|together|along|alongside) with [^;:.()]+?, (?=[a-z])")
_IN_BRACKETS = re.compile(r" ?\([^()]*\)")
_IN_LAW = re.compile(r"[- ](?:in[- ]law)\b|\b(?:step|half|grand|god|foster|adopt|ex)[- ]?\w*$", re.IGNORECASE)

Words = tuple[str, str]  # of the claim, and of a sentence


@dataclass(frozen=True)
class Ruling:
    """A rule's decision: a sentence that decides the claim. holds: whether it supports the claim. note: for people, or empty.
    differ: the words of the claim and of the sentence that exclude each other, if the rule knows both.
    """

    sentence: Sentence
    holds: bool
    note: str = ""
    differ: Words | None = None

    @classmethod
    def quoting(cls, sentence: Sentence, words: str, differ: Words | None = None, holds: bool = False) -> Ruling:
        """A ruling against the claim, or for it if `holds`, with a note that quotes these words, or names them as what the
        sentence points to: “Norwegian pilot” to Norway.
        """
        verb = "says" if words in sentence.text else "points to"
        return cls(sentence, holds, f"“{without_bracket(sentence.title)}” {verb}: {words}.", differ)


class ClaimForms:
    """Patterns for whole claims in any case, with or without a full stop."""

    def __init__(self, *forms: str) -> None:
        self.patterns = [re.compile(f"^{form}[.!]?$", re.IGNORECASE) for form in forms]

    def match(self, claim: str) -> re.Match[str] | None:
        """How the claim, with single spaces, fits the first form that it fits; None if it fits none."""
        text = " ".join(claim.split())
        return next(filter(None, (pattern.match(text) for pattern in self.patterns)), None)


def sentences_of(pages: Iterable[Page], first: int | None = None) -> Iterator[Sentence]:
    """The first sentences of each page, or all."""
    return (sentence for page in pages for sentence in page.sentences()[:first])


def matches(
    pages: Iterable[Page], pattern: re.Pattern[str], first: int | None = None, own: bool = False
) -> Iterator[tuple[Sentence, re.Match[str]]]:
    """Where the first sentences of the pages match the pattern. own: only if no one but the page's subject is named before."""
    for sentence in sentences_of(pages, first):
        for match in pattern.finditer(sentence.text):
            if not own or is_about(sentence.title, sentence.text[: match.start()]):
                yield sentence, match


def matches_about(page: Page, pattern: re.Pattern[str]) -> Iterator[tuple[Sentence, re.Match[str]]]:
    """The `matches` on the page before which no one is named whom its title and first sentence do not name."""
    known = " ".join([page.title, *(sentence.text for sentence in page.sentences()[:1])])
    return ((one, match) for one, match in matches([page], pattern) if is_about(known, one.text[: match.start()]))


def matches_on_a(
    kind: re.Pattern[str], page: Page, pattern: re.Pattern[str], first: int
) -> Iterator[tuple[Sentence, re.Match[str]]]:
    """The `matches` on a page whose first sentence says that its subject is of this kind."""
    if any(kind.search(sentence.text) for sentence in page.sentences()[:1]):
        yield from matches([page], pattern, first)


def pages_called(name: str, pages: Iterable[Page]) -> list[Page]:
    """The pages that have this name as a title; those with a bracket last. "Queen Elizabeth II" has the page Elizabeth II.

    A name that a page only gives itself counts if no other page has it, because any text can claim one. A last name alone is
    not enough: search finds others of that name too. "The Pacific" has the page Pacific Ocean, and "Lyndon Johnson" that of
    Lyndon B. Johnson, if no other page is called so.
    """
    folded, named, self_named, longer = fold(name), list[Page](), list[Page](), list[Page]()
    wanted = {folded, _HONORIFICS.sub("", folded), *numbered_forms(folded)}
    for page in sorted(pages, key=lambda one: one.title != without_bracket(one.title)):
        if lists_meanings(page):
            continue
        title = fold(without_bracket(page.title))
        if not wanted.isdisjoint({title, *map(fold, page.names), *(title.removeprefix(word) for word in _PREFIXES)}):
            named.append(page)
        elif not wanted.isdisjoint(map(fold, page.other_names)):
            self_named.append(page)
        elif _is_short_for(title, name):
            longer.append(page)
    return named or self_named or longer


def _is_short_for(title: str, name: str) -> bool:
    """Whether people shorten the folded title so: "sammy davis jr" is Sammy Davis."""
    folded, words = fold(name), title.removesuffix(" jr").split()
    plain = [word for place, word in enumerate(words) if place in (0, len(words) - 1) or not _INITIAL.match(word)]
    short = {" ".join(plain), _INITIALS.sub(r"\1", title), *(title.removesuffix(word) for word in _SUFFIXES)}
    return folded in short or (_REGNAL.search(name) is not None and title.startswith(f"{folded} of "))


def pages_meant(name: str, pages: Sequence[Page]) -> list[Page]:
    """The pages of this name. If none has it as its whole title ("Beethoven (film)"), a page whose title ends with it comes
    first, "Ludwig van Beethoven": the one that most other pages name, one of the first pages, or the only one.
    """
    found = pages_called(name, pages)
    if any(fold(page.title) == fold(name) for page in found):
        return found
    ends = [page for page in pages if _is_person_called(fold(name), page.title)]
    full = _best_known(ends, pages) or [page for page in ends if page in pages[:PAGES_FOR_LAST_NAMES] or len(ends) == 1]
    return full[:1] + [page for page in found if page not in full]


def _is_person_called(last: str, title: str) -> bool:
    """Whether the title may be that of a person of this folded last name: not "House of Gucci"."""
    first, is_person = fold(title).removesuffix(f" {last}"), _PERSON.fullmatch(title) is not None
    return is_person and first != fold(title) and _NO_FIRST_NAMES.isdisjoint(first.split())


def _best_known(bearers: Sequence[Page], pages: Sequence[Page]) -> list[Page]:
    """Of several bearers of a last name, the one whom most of the other pages name in full; empty if none stands out."""
    if len(bearers) < 2:
        return []
    texts = [(page, fold(f"{page.title} {page.text}")) for page in pages]
    named = {page.id: sum(fold(page.title) in text for one, text in texts if one != page) for page in bearers}
    first, second = (*sorted(named.values(), reverse=True), 0)[:2]
    return [page for page in bearers if named[page.id] == first > second]


def called_in_any_number(name: str, pages: Sequence[Page]) -> list[Page]:
    """The pages that have this name in the singular or plural."""
    return [page for form in (name, *number_forms(fold(name))) for page in pages_called(form, pages)]


def pages_in_any_number(name: str, pages: Sequence[Page]) -> list[Page]:
    """The pages of this name in the singular or plural, those with a bracket last; else those that `pages_meant` finds."""
    found = called_in_any_number(name, pages)
    return sorted(found, key=lambda page: page.title.endswith(")")) or pages_meant(name, pages)


def spellings(name: str, pages: Sequence[Page]) -> re.Pattern[str]:
    """The names that a sentence may use: the claim's, or the titles of the pages of that name, with further first names between
    the words."""
    names = {name, *(without_bracket(page.title) for page in pages)}
    between = r"(?: [A-Z][\w.]*){0,2} "
    spelt = (between.join(map(re.escape, one.split())) for one in sorted(names, key=len, reverse=True))
    return re.compile("|".join(spelt), re.IGNORECASE)


def without_brackets(text: str) -> str:
    """The text without what is in round brackets: names in other languages, dates of a life."""
    return _IN_BRACKETS.sub("", text)


def is_about(title: str, before: str) -> bool:
    """Whether a sentence has named no one but the subject of its page so far, so that "his" and "son of" are the subject's."""
    if _IN_LAW.search(before.rstrip()[-12:]):
        return False
    plain = _JOINTLY.sub(" ", re.sub(r"\([^()]*\)", " ", f"{before} x"))
    subject, names = fold(without_bracket(title)).split(), (one.group() for one in _NAME_BEFORE.finditer(plain))
    return all(fold(name) in subject or name in MONTHS or bool(nation_of(name)) for name in names)


def first_that_holds(found: Iterable[Ruling | None]) -> Ruling | None:
    """Of the rulings by pages with one name, the first that supports the claim, else the first; None if there is none.

    Pages that share a title and differ decide nothing: one of them may be a false copy.
    """
    rulings, sides = list(filter(None, found)), defaultdict[str, set[bool]](set)
    for one in rulings:
        sides[one.sentence.title].add(one.holds)
    clear = [one for one in rulings if len(sides[one.sentence.title]) == 1]
    return next((one for one in clear if one.holds), next(iter(clear), None))
