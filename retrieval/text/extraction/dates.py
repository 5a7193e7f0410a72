"""Makes relative dates absolute, if the text says when it was written, or which year "that year" is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from retrieval.text.extraction.mentions import Edit
from retrieval.text.files.plain_text import SENTENCE_END
from retrieval.text.grammar import capitalised
from retrieval.text.quantities.dates import MONTHS

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
_FULL = (
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (?P<year>(?:19|20)\d\d)\b"),
    re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>(?:19|20)\d\d)\b"),
    re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b"),
)
LONGEST_DATELINE = 120  # characters; a longer line is a sentence that happens to mention a date
FIRST_LINES = 8
MOST_WORDS_OF_DATELINE = 4  # "London, 3 May 2024."; with more, it is a sentence: "It opened on 3 May 2001."
YEAR_WITHIN = 2  # sentences to look back for the year that "that year" means
_YEAR = re.compile(
    r"(?<![\d.,$€£#-])\b(1\d{3}|20\d\d)\b(?![,.]?\d|%| (?:people|euros|dollars|pounds|metres|meters|feet|miles|km|m)\b)"
)
_SAME_OR_NEXT = re.compile(
    r"(?P<before>\b(?i:during|since|until|by|from|of|than|before|after|for|on|in) )?\b(?P<words>[Tt]hat(?: same)? year|[Tt]he same year|"
    r"[Tt]he (?:next|following) year|[Tt]he (?:previous year|year before(?! (?:he|she|they|it|the)\b)))\b(?! (?:of|that|which|when|in which)\b)(?!['’]s)"
)
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_APPROXIMATE = "about nearly almost around roughly than over some under within every".split()
_ROUGHLY = "".join(rf"(?<!\b[{word[0].upper()}{word[0]}]{word[1:]} )" for word in _APPROXIMATE)
_COUNT = rf"{_ROUGHLY}(?<![\d.,-])(?P<number>[Aa]|\d{{1,2}}|(?i:{'|'.join(_NUMBERS)})) years?"
_YEARS_FROM_THEN = re.compile(rf"\b{_COUNT} (?P<way>later|afterwards|earlier)\b(?! (?:than|on)\b)")
_YEARS_AGO = re.compile(rf"\b{_COUNT} ago\b(?! (?:that|when)\b)")
# Times after which "the next year" counts from a year other than the last one named.
_SOME_TIME = re.compile(r"(?i)\b(?:later|earlier|afterwards|ago|eventually|since then|decades?|centur(?:y|ies))\b")
MOST_YEARS = 20  # ago; for longer times, people give round numbers
_SAYS_SO = re.compile(
    r"(?i)\b(?:published|updated|posted|written|dated?|issued|last modified)\b|\A(?:meeting )?held on\b"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
# Days of the week without "last" may be past or future, so they stay.
_RELATIVE = re.compile(
    r"(?<!\b[Tt]he )(?<!\b[Hh]is )(?<!\b[Hh]er )(?<!\b[Ii]ts )(?<!\btheir )(?<!\b[Oo]ne )(?<!\bago )"
    r"(?P<before>\b(?:during|since|until|by|from|of|than|before|after|for|on|in) )?"
    r"\b(?P<words>[Yy]esterday|[Tt]oday|[Tt]omorrow|(?:[Tt]his|[Ll]ast|[Nn]ext) (?:year|month)|"
    r"[Ll]ast (?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday))\b(?! (?:of|to|that|before|after)\b)(?!['’]s)"
)


def written_on(text: str) -> date | None:
    """The date in one of the text's first or last lines, if that line is short and not a sentence; else None."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for line in (*lines[:FIRST_LINES], *lines[FIRST_LINES:][-2:]):
        dateline = line[:LONGEST_DATELINE]
        found = _date_in(dateline)
        is_sentence = SENTENCE_END.search(line) and len(_WORD.findall(line)) > MOST_WORDS_OF_DATELINE
        is_short = len(line) <= 60 and not is_sentence
        if found and (is_short or _SAYS_SO.search(dateline) or _OPENS.match(dateline)):
            return found
    return None


# "LONDON, 3 May 2024 —" before the first sentence.
_OPENS = re.compile(r"[A-Z][A-Za-z .]{1,30}[,(][^—–-]{4,40}[)]?\s*[—–-]")
_DATELINE = re.compile(
    r"[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){0,3}(?:, [^—–\n]{1,50}?)?(?: ?\((?:[A-Z]{2,6}|[A-Z][a-z]+)\)| /[\w ]{2,20}/)? ?(?:—|–|--|-) ?(?=[\"“A-Z])"
    r"|[A-Z][\w .]{2,25}(?:, [A-Z][\w .]{2,25})? \((?:[A-Z]{2,6}|Reuters|Bloomberg)\) ?(?:—|–|--|-) ?(?=[\"“A-Z])"
)


def after_dateline(text: str, start: int, end: int) -> int:
    """Where the sentence after "LONDON, March 3 (Reuters) - " begins, at the start of a line."""
    at_head = start == 0 or text[start - 1] == "\n"
    found = _DATELINE.match(text, start, end) if at_head else None
    return found.end() if found and (" " in found[0].strip(" —–-") or "(" in found[0] or "—" in found[0]) else start


def _date_in(line: str) -> date | None:
    match = next(filter(None, (pattern.search(line) for pattern in _FULL)), None)
    if match is None:
        return None
    parts = match.groupdict()
    names = (number for number, name in enumerate(MONTHS, 1) if name.startswith(parts.get("month", "?")[:3]))
    try:
        return date(int(parts["year"]), int(parts.get("number") or next(names)), int(parts["day"]))
    except ValueError:
        return None


def absolute(sentence: str, written: date) -> str:
    """The sentence with "yesterday", "last year" and the like as dates. written: the day of the text."""
    sentence = _YEARS_AGO.sub(lambda match: _years_ago(match, written), sentence)
    return _RELATIVE.sub(lambda match: _absolute(match, written), sentence)


def _years_ago(match: re.Match[str], written: date) -> str:
    count = _count(match["number"])
    return _cased_like(match, f"in {written.year - count}") if count <= MOST_YEARS else match[0]


def _absolute(match: re.Match[str], written: date) -> str:
    preposition, moment = _moment(match["words"].lower(), written)
    before = match["before"] or "in "
    return _cased_like(match, f"{preposition} {moment}" if before in ("on ", "in ") else f"{before}{moment}")


def _cased_like(match: re.Match[str], text: str) -> str:
    """The text with a capital, if the words that it replaces have one."""
    return capitalised(text) if match[0][:1].isupper() else text


def _moment(words: str, written: date) -> tuple[str, str]:
    """The preposition that fits, and the day, month or year meant."""
    days = {"yesterday": -1, "today": 0, "tomorrow": 1}
    if words in days:
        return "on", _day(written + timedelta(days=days[words]))
    which, unit = words.split()
    step = {"last": -1, "this": 0, "next": 1}[which]
    if unit == "year":
        return "in", str(written.year + step)
    if unit == "month":
        month = written.month - 1 + step
        return "in", f"{MONTHS[month % 12]} {written.year + month // 12}"
    back = (written.weekday() - WEEKDAYS.index(unit.capitalize())) % 7 or 7
    return "on", _day(written - timedelta(days=back))


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def years_meant(sentences: Sequence[str]) -> list[list[Edit]]:
    """For each sentence, the edits for "that year" or "the next year", if a sentence shortly before names one year."""
    found: list[list[Edit]] = []
    known: int | None = None
    since = 0
    for sentence in sentences:
        named = {int(year) for year in _YEAR.findall(sentence)}
        since += 1
        edits = [] if named or known is None or since > YEAR_WITHIN else _year_edits(sentence, known)
        found.append(edits)
        if named:
            known, since = (named.pop() if len(named) == 1 else None), 0
        elif edits:
            known, since = int(edits[-1].text[-4:]), 0
        elif _SOME_TIME.search(sentence):
            known = None
    return found


def _year_edits(sentence: str, year: int) -> list[Edit]:
    edits = [_meant(match, year) for match in _SAME_OR_NEXT.finditer(sentence)]
    for match in _YEARS_FROM_THEN.finditer(sentence):
        meant = year + (-1 if match["way"] == "earlier" else 1) * _count(match["number"])
        edits.append(Edit(*match.span(), _cased_like(match, f"in {meant}")))
    return sorted(edits)


def _count(number: str) -> int:
    words = ["a", *_NUMBERS]
    return int(number) if number.isdecimal() else max(1, words.index(number.lower()))


def _meant(match: re.Match[str], year: int) -> Edit:
    words = match["words"].lower()
    year += 1 if "next" in words or "following" in words else -1 if "previous" in words or "before" in words else 0
    return Edit(*match.span(), _cased_like(match, f"{match['before'] or 'in '}{year}"))
