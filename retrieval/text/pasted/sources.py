"""Finds sources and item numbers in running text: "(2)", "(britannica.com)", "(Smith et al., 2004)", "Wikipedia+2"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.pasted.citations import MARK
from retrieval.text.pasted.inline import ADDRESS, LINK, Cut, closing_bracket
from retrieval.text.pasted.unseen import INVISIBLE

_HOST = r"(?:https?://)?(?:[a-z\d][a-z\d-]{0,40}\.){1,4}[a-z]{2,6}(?:/[^\s()\[\]]{0,200})?"
_SITES = "Wikipedia|Wikidata|(?:Encyclopa?edia )?Britannica|Reuters|Statista|PolitiFact|Snopes|BBC News|CNN|(?:The )?(?:New York Times|Guardian)"
_LED_BY = r"(?:(?i:sources?|via|see(?: also)?|read more(?: at)?|more at|ref)[:.]?\s)?"
_AUTHOR = r"(?:[Ss]ee |[Cc]f\.? |e\.g\.,? )?[A-Z][\w’'-]{1,30}(?:(?:,? [A-Z][\w’'-]{1,30}){0,3}(?:,? (?:and|&) [A-Z][\w’'-]{1,30})?|,? et al\.?)"
_WORK = rf"{_AUTHOR},? \(?(?:[12]\d{{3}}[a-z]?|n\.d\.)\)?(?:[:,] ?(?:pp?\. ?)?\d{{1,4}}(?:[–-]\d{{1,4}})?)?"
_PLACE = r"(?:ibid|op\. ?cit|loc\. ?cit)\.?(?:,? (?:pp?\. ?)?\d{1,4}(?:[–-]\d{1,4})?)?|(?:[Ss]ee )?[Rr]efs?\.? ?\d{1,3}(?:[,–-] ?\d{1,3}){0,9}"
_SITE = r"(?:[\w’'&-]|\.(?=[a-z]))"  # a letter in the name of a site: a full stop ends a sentence, except in "britannica.com"
_PILL = rf"(?:[A-Z]{_SITE}{{1,30}}|[a-z][a-z\d-]{{1,30}}(?:\.[a-z]{{2,10}}){{0,2}})\+[1-9]\d?"  # "Wikipedia+2"
_LONG_PILL = rf"(?<=[.!?)”\"])\s?[A-Z]{_SITE}{{1,30}}(?: [A-Z]{_SITE}{{1,30}}){{1,3}}\+[1-9]\d?"  # "The Guardian+1"
_CITED = re.compile(
    rf"(?P<alone>(?:(?<=\n)|\A)[ \t]*{_LED_BY}{ADDRESS}[ \t]*(?=\n|\Z))|(?<=[.!?…\"”’»)]) {_LED_BY}{ADDRESS}"
    rf"|(?<!\b(?i:at|on|is|to|in))(?<!\b(?i:see|via|and|are|was|the|for))(?<!\b(?i:from|read))(?<!\b(?i:visit|under))[ \t]{ADDRESS}(?=[ \t]*(?:\n|\Z))"
    rf"|\s?\((?:{_SITES})\)(?=[.!?](?:\s|\Z)|[ \t]*(?:\n|\Z))"
    rf"|\s?[(\[]{_LED_BY}{_HOST}(?:(?:[,;]| and)?\s{_HOST}){{0,9}}[)\]]"
    r"|\s?\((?i:sources?|references?|credits?|photo(?: credit)?): [^()\n]{1,100}\)"
    rf"|\s?[(\[](?:{_PLACE})[)\]]"
    rf"|\s?\[{_WORK}(?:; {_WORK}){{0,9}}\]"
    rf"|\s?\((?=[^()\n]{{0,200}}(?:et al|&|\d: ?\d|, pp?\. ?\d)){_WORK}(?:; {_WORK}){{0,9}}\)"
    r"|\s?\[[A-Z][A-Za-z+]{1,8}\d{2}[a-z]?\](?=[\s.,;:)])"
    rf"|\s?\[[A-Za-z][\w.-]{{1,40}} ?\+[1-9]\d?\]|(?:{_LONG_PILL}|(?<=\S)\s?(?<![\w+]){_PILL})(?:{_PILL}){{0,4}}(?=[.,;]?(?:\s|\Z))"
)
_PILL_END = re.compile(r"\+\d{1,2}\]?\Z")
# "in 1993.wikipedia The"
_BARE_PILL = re.compile(r"(?<=[a-z\d)][.!?])[a-z][a-z\d-]{2,30}(?=\s+[\"“‘(]?[A-Z]|\s*\Z|\s*\n)")
_NUMBERED = re.compile(
    r"(?P<year>(?<=(?<![\d.,$€£¥])[12]\d{3}))?(?P<space>\s?)\((?P<numbers>[1-9]\d{0,2}(?:\s?[,;–-]\s?[1-9]\d{0,2}){0,9})\)"
    r"(?:(?=[.,;:!?](?:\s|\Z)|\Z|\n)|(?P<item>[ \t]{1,8})(?=[\"“‘'(]?[^\W_]))"
)
_BEFORE_ITEM = re.compile(r"(?:\n[ \t]{0,8}|[.!?:;,\])”\"][ \t]|[ \t](?:and|or|but)[ \t])\Z")
_SPELT = re.compile(r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}) \Z")  # "two (2)"
LONGEST_ITEM_NUMBER = 2  # digits
SEEN_BEFORE_NUMBER = 12  # characters
_PART = re.compile(r"(\d+)(?:\s?[–-]\s?(\d+))?")
FEWEST_SOURCES = 2  # numbers that count sources, or links at ends of sentences; a single one may be something else
_LINK = re.compile(rf"(?<![\\!]){LINK}")
_IN_BRACKETS = re.compile(
    rf"(?i)\s?(?<!\\)(?:\((?P<led>(?:see|via|sources?):?\s)?(?:{LINK}[\s,;]{{0,3}}){{1,9}}\)|\[(?:{LINK}[\s,;]{{0,3}}){{1,9}}\](?!\())"
)
_OF_SENTENCE = re.compile(r"[a-z]+(?: |\Z)")  # begins the text of a bracketed link that is part of its sentence
_CITES = re.compile(
    r"(?i)\[?\^?\d{1,3}\]?|(?:web|note|source):? ?\d{1,3}|sources?(?::[^\[\]]{0,80})?|citation|ref(?:erence)?|\[?\d{1,3}†[^\]]{0,60}\]?|oai_citation.{0,80}"
)
# A statement's source after it: "[Britannica](https://www.britannica.com/topic/…)".
_SITE_OF = re.compile(r"\(\s?<?https?://(?P<host>[^\s()<>/]{3,100})(?P<path>[^\s()<>]{0,500})")
_BEHIND = re.compile(r"[.,;:!?)]*(?:\s|\Z|\[)")
LONGEST_SITE = 60  # characters of a site's name
_NO_OWNER = re.compile(
    r"(?i)(?:\A|\W)(?:an?|the|of|in|on|at|by|to|for|from|with|and|or|as|than|is|was|are|were|via|called|named|joined|founded|"
    r"its|his|her|their|our|my|about|into|see|visit|use|using|like|wrote|owns?|owned|bought|said)\Z"
)
_MOST_BEFORE = 40  # characters to look at before a link


def source_cuts(text: str) -> Iterator[Cut]:
    """The cuts for words that only name a source, in a text without Markdown, in text order."""
    cuts = [(*match.span(), "") for match in _CITED.finditer(text)]
    if any(_PILL_END.search(text, start, end) for start, end, _ in cuts):
        cuts += [(*match.span(), "") for match in _BARE_PILL.finditer(text)]
    yield from sorted([*cuts, *_numbered(text)])


def _numbered(text: str) -> Iterator[Cut]:
    """Numbers in round brackets that count sources or items; a single one only after a year, a stop, or before an item."""
    found = list(_NUMBERED.finditer(text))
    sources, items = [match for match in found if not match["item"]], [match for match in found if match["item"]]
    counted = len(sources) >= FEWEST_SOURCES and _counts_on(sources)
    yield from ((*match.span(), "") for match in sources if counted or match["year"] is not None)
    listed = len(items) >= FEWEST_SOURCES and items[0]["numbers"] == "1" and _counts_on(items)
    for match in items:
        place = match.end("space")
        before = f"\n{text[:place]}" if place < SEEN_BEFORE_NUMBER else text[place - SEEN_BEFORE_NUMBER : place]
        if re.search(r"[.!?]\Z", before):
            yield place, match.start("item"), ""
        elif len(match["numbers"]) > LONGEST_ITEM_NUMBER:
            continue  # "(400) men"
        elif _BEFORE_ITEM.search(before) or (listed and match["space"] and not _SPELT.search(before)):
            yield place, match.end(), ""


def _counts_on(found: list[re.Match[str]]) -> bool:
    numbers = [(int(first), int(last or first)) for match in found for first, last in _PART.findall(match["numbers"])]
    highest = 0
    for first, last in numbers:
        if highest and first > highest + 1:
            return False
        highest = max(highest, last)
    return highest > numbers[0][0]


def source_links(text: str) -> list[tuple[int, int]]:
    """Links that only cite, each with the space before it: numbers, words for a source, links in brackets, names of sites."""
    groups = _IN_BRACKETS.finditer(text)
    cited = [each.span() for each in groups if each["led"] or not any(map(_states_something, _LINK.finditer(each[0])))]
    named: list[tuple[int, int]] = []
    for match in _LINK.finditer(text):
        start, end = match.span()
        close = closing_bracket(text, start, end)
        name = text[start + 1 : close].strip()
        first = start
        while first and (text[first - 1] == " " or INVISIBLE.match(text[first - 1])):
            first -= 1
        if _CITES.fullmatch(name) or (text[close + 1] == "[" and re.fullmatch(MARK, text[start : close + 1])):
            cited.append((first, end))
        elif len(name) <= LONGEST_SITE and _names_host(name, text, close + 1) and not _belongs(text, first):
            named.append((first, end))
    sure = [span for span in named if _is_behind_end(text, span[0])]
    ending = [end for _, end in named if text[end : end + 1] in ("", ".", "!", "?", "\n", "[", ")")]
    return sorted([*cited, *(named if len(ending) >= FEWEST_SOURCES else sure)])


def _states_something(link: re.Match[str]) -> bool:
    """Whether a link in brackets states something: "([built in 1811](…))"."""
    name = link[0][1 : closing_bracket(link[0], 0, len(link[0]))].strip()
    return _OF_SENTENCE.match(name) is not None and not _CITES.fullmatch(name)


def _names_host(name: str, text: str, place: int) -> bool:
    """Whether a link's text names its site, rather than being the page's title. place: where the target begins."""
    site = _SITE_OF.match(text, place)
    if site is None or not _BEHIND.match(text, text.find(")", site.end()) + 1):
        return False
    bare, host, path = (re.sub(r"[\W_]", "", part.casefold()) for part in (name, site["host"], site["path"]))
    return len(bare) > 2 and bare in host and bare not in path


def _belongs(text: str, start: int) -> bool:
    """Whether the word before a link needs it ("founded by [Google](…)"), or nothing precedes it on its line."""
    before = _before(text, start).rstrip(" ")
    return before[-1:] in ("", "\n") or _NO_OWNER.search(before) is not None


def _is_behind_end(text: str, start: int) -> bool:
    """Whether the end of a sentence or a figure precedes."""
    before = _before(text, start)
    return before[-1:] in ".!?)]" or any(map(str.isdigit, "".join(before.split()[-1:])))


def _before(text: str, start: int) -> str:
    return text[max(0, start - _MOST_BEFORE) : start]
