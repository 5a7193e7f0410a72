"""Finds citation marks in running text, as Wikipedia, papers and language models write them: "[12]", "¹", "【4†source】"."""

from __future__ import annotations

import re
from itertools import takewhile
from string import ascii_lowercase

_NUMBERS = r"\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9}(?:, pp?\. ?\d{1,4}(?:[–-]\d{1,4})?)?"
_WORDS = (
    r"(?:[a-z]+[ -]){1,3}needed(?: [a-z]+)?|(?i:note|nb|n|refs?|fn|web|sources?|citations?)[:.]{0,2} ?\d{1,3}(?:, ?\d{1,3}){0,9}|(?:by |according to )?(?:who|whom|when|"
    r"where|which|why|how)\?|dubious(?: ?[–-] discuss)?|failed verification|dead link|edit(?: source| \| edit source)?|original research\??|update|vague"
)
_SUPERSCRIPT = r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]"
_SUPERSCRIPTS = rf"\u207d?{_SUPERSCRIPT}{{1,3}}(?:[\u207b\u02d2,–-] ?{_SUPERSCRIPT}{{1,3}}){{0,3}}\u207e?"
_INDEX = r"(?:\{index=\d{1,4}\})?"
_OF_MODELS = (
    rf"【[^【】\n]{{1,60}}】|:?contentReference\[oaicite:\d{{1,4}}\]{_INDEX}|\[oaicite:\d{{1,4}}\]{_INDEX}|(?<!\w):?oaicite:\d{{1,4}}{_INDEX}|"
    r"\[oai_citation[^\[\]\n]{1,80}\]|\ue200[^\ue200\ue201\n]{0,200}\ue201|\bcite(?:turn\d{1,3}[a-z]{1,10}\d{1,3}){1,9}|"
    r"\[(?:(?:cite|citation|reference):\s?\d{1,3}(?:,\s?\d{1,3}){0,20}|(?:web|post|file|doc|attached_file|memory):\d{1,3}|\d{1,3}†[^\[\]\n]{0,60}|"
    r"(?:turn\d{1,3}[a-z]{1,10}\d{1,3}[, ]{0,2}){1,9})\]"
)
_OF_PAGE = r":\s?\d{1,4}(?:[–-]\d{1,4})?(?!\w)"  # "[12]: 45"
_PAGE = rf"(?:{_OF_PAGE})?"
_AFTER_STOP = r"(?<=[.!?])(?:\(\d{1,3}\)|\^\d{1,3}\b)"  # "in 1940.(4) The"
_STAGE = (
    r"[\[(](?i:applause|laughter|laughs|laughing|cheers|cheering|booing|crosstalk|inaudible|music|pause|silence|sighs|"
    r"audience laughs|unintelligible|off[ -]mic|background noise|interruption)[\])]"
)
_SOURCE = r"\[(?:[Ss]ources?|[Rr]ef(?:erence)?s?|[Cc]itations?): [^\[\]\n]{1,100}\]"
_SIGNS = r"(?:\*{1,3}|[†‡§]{1,3})(?!\w)"  # "400 tonnes.*"

# A mark in brackets or superscript, anywhere after the end of a sentence.
MARK = (
    rf"(?:{_AFTER_STOP}|{_SOURCE}|\[\^?(?:{_NUMBERS}|{_WORDS}|[a-z]{{1,2}}|\^?[\w-]{{1,30}}\^)\]{_PAGE}|\[\^[\w-]{{1,30}}\]|{_SUPERSCRIPTS}|{_OF_MODELS}|"
    rf"(?<=[.!?]){_OF_PAGE}|(?<=[.!?”’»)\"]){_SIGNS})"
)
# A number that was superscript and was pasted as part of the line: "long.12 The", "in 1889.3 It", but not "3.12".
PASTED = r"(?:(?<=[a-z)”’»\]][.!?])|(?<=[a-z][23]\.)|(?<=[.!?][”’»)])|(?<=(?<![\d.,$€£¥])[12]\d{3}\.))(?:[1-9]\d{0,2})(?:[,–-][1-9]\d{0,2}){0,4}(?![\d.,])"

_UNIT = re.compile("(?:kilo|centi)?met(?:re|er)s?|feet|miles|inches|yards|acres|hectares")
_ANY = re.compile(
    rf"(?P<start>\[cite_start\]\s?)|(?P<models>\s?(?:{_OF_MODELS}))"
    rf"|(?P<note>(?:(?<=\n)|\A)[ \t]{{0,9}}{_SUPERSCRIPTS}[ \t]+(?=\S))"
    rf"|(?P<stage>\s?{_STAGE})|(?P<source>\s?{_SOURCE}|{_AFTER_STOP})"
    rf"|(?P<range>\s?\[{_NUMBERS}\][–-]\[{_NUMBERS}\])"
    rf"|(?P<glued>(?<=\S)\[\^?(?:{_NUMBERS}|{_WORDS})\]{_PAGE}|\s?\[\^[\w-]{{1,30}}\])"
    rf"|(?P<apart>(?<=\S)(?<! in)(?<! of)(?<! by)(?<! to)(?<!see)(?<!from)(?<!with) \[\^?(?:{_NUMBERS}|{_WORDS})\](?=\s?(?:\[|[.,;:!?)]|\Z|\n)|\s(?:and|but|or|which|while|as|with)\b))"
    rf"|(?P<page>(?<=[.!?]){_OF_PAGE}(?=\s+[\"“‘(]?[A-Z]|\s*\Z|\s*\n))"
    rf"|(?P<sign>(?:(?<=[.!?,;:)”\"])|(?<=[^\W\d_]{{3}})|(?<=\d{{3}})){_SIGNS}(?=[\s.,;:)]|\Z))"
    r"|(?P<sic>(?<=\w) \[sic!?\])"
    rf"|(?P<after>(?<=[.!?]) \[{_NUMBERS}\](?=\s))"
    rf"|(?P<letter>(?<=[.!?,;:)”\"\]])\[[a-z]{{1,2}}\](?!\w))|(?P<counted>(?<=[^\W_]{{2}})\[(?P<place>[a-z])\](?!\w))"
    rf"|(?P<raised>(?:(?<=[.!?,;:)”\"’\]\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207e])|(?<=[^\W\d_]{{4}})|(?<=(?<!\d)[12]\d{{3}}))[ \t]?{_SUPERSCRIPTS}(?!\w))"
    rf"|(?P<pasted>(?:{PASTED})(?=\s+[\"'“‘«(]?[^\W\d_a-z]|\s*\Z|\s*\n))"
)
_LAST_WORD = re.compile(r"[^\W\d_]*\Z")


def mark_spans(text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the marks, in order, each with the space before it if the text after it needs none."""
    found = [match for match in _ANY.finditer(text) if not _is_power(text, match)]
    used = {match[0][1] for match in found if match["letter"] or match["place"]}
    counted = set(takewhile(used.__contains__, ascii_lowercase))  # "Bell[a] … Lee[b]", unlike "it work[s]"
    return [match.span() for match in found if not match["place"] or match["place"] in counted]


def _is_power(text: str, match: re.Match[str]) -> bool:
    """Whether a superscript figure is the exponent of a unit: "square metres²"."""
    word = _LAST_WORD.search(text[max(0, match.start() - 20) : match.start()])
    return match.lastgroup == "raised" and word is not None and _UNIT.fullmatch(word[0].lower()) is not None
