"""The dates of a text as statements: the event of each, and the two ends of a span."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.text.quantities.dates import Date, Days
from retrieval.text.quantities.finding import Kind, Quantity
from retrieval.text.quantities.stated import FOREVER, LASTED, Statement, bound_before
from retrieval.text.words import stem

YEAR = 372  # days in a year of `day_number`
_SPAN = re.compile(r"\s*(?:[–—-]|to|until|till|and|through)\s*(?:the )?\Z")
_YEAR_BEHIND = re.compile(r"[),]? ?,? ?(?:in )?")
_BRACKET = 60  # characters of a bracket before a life's dates: another name, a pronunciation
_OPENED = re.compile(r"\([^()]*\Z")
_BETWEEN = 14  # most characters between the two dates of a span
_LATER = 60  # characters behind a date that may hold its event
_EVENTS = {
    "begin": "began begin begins begun start starts started commenced beginning outbreak onset erupted starting broke since launched",
    "end": "ended end ends ending finished concluded ceased fell collapsed fall until surrendered defunct dissolved abolished",
    "born": "born birth",
    "die": "died dies death killed assassinated murdered executed assassination dead",
    "found": "founded founding established formed created establishment formation incorporated cofounded co-founded",
    "release": "released release published premiered debuted issued publication premiere aired airing",
    "build": "built constructed erected construction completed",
    "open": "opened inaugurated opening",
    "win": "won winning win awarded received",
    "elect": "elected election reelected re-elected",
    "discover": "discovered discovery invented invention",
    "sink": "sank sunk sinking",
    "marry": "married marriage wed",
    "hold": "held hosted fought battle",
    "arrive": "landed reached arrived",
    "leave": "retired resigned left departed",
    "join": "joined signed drafted",
    "record": "recorded",
    "independent": "independence independent",
    "become": "became become appointed crowned",
}
_OF = {word: event for event, words in _EVENTS.items() for word in words.split()}
_WORD = re.compile(r"\b(?:came out|took place|broke out|passed away|[A-Za-z]+(?:-[a-z]+)?)\b")
_PHRASES = {"came out": "release", "took place": "hold", "broke out": "begin", "passed away": "die"}
_NO_VERB = frozenset(
    "hundred indeed united related named called based supposed aged located need used red bed limited noted renowned".split()
)
ONCE = frozenset("begin end born die found build open sink discover arrive hold release marry independent".split())
LIFE = frozenset({"born", "die"})
# Event of a claim -> the end of a span that tells it. A span behind a name in brackets is the life of a person or thing.
SPAN_ENDS = {
    "begin": ("begin", "life begins"),
    "found": ("life begins",),
    "born": ("life begins",),
    "end": ("end", "life ends"),
    "die": ("life ends",),
}


def dated(text: str, quantities: Sequence[Quantity]) -> Iterator[Statement]:
    """Single dates by their event; of a span its first day as the beginning and its last as the end.

    quantities: the text's dates, in order.
    """
    words = list(event_words(text)) if quantities else []
    dates = list(_with_their_year(text, quantities))
    done = 0
    for place, quantity in enumerate(dates):
        if quantity.start < done or quantity.date is None:
            continue
        event = _event_at(words, quantity, dates[place - 1].end if place else 0)
        until = dates[place + 1] if place + 1 < len(dates) else None
        if quantity.date.until:
            last: tuple[Days, ...] = (quantity.date.until,)
            yield from _span(text, quantity, event, quantity.date.readings, last, (quantity.start, quantity.end))
        elif until and until.date and _joined(text, quantity, until):
            done, last = until.end, until.date.readings
            first = _in_year_of(quantity.date, until.date)
            yield from _span(text, quantity, event, first, last, (until.start, until.end))
        else:
            yield _single(text, quantity, quantity.date, event)


def _joined(text: str, quantity: Quantity, until: Quantity) -> bool:
    """Whether only "to" or a dash is between two dates."""
    between = text[quantity.end : until.start]
    return len(between) < _BETWEEN and _SPAN.match(between) is not None


def _in_year_of(first: Date, last: Date) -> tuple[Days, ...]:
    """ "28 July to 11 November 1918": the first day takes the year of the last."""
    if not first.yearless or last.yearless:
        return first.readings
    year = last.readings[0].first // YEAR * YEAR
    return tuple(Days(days.first + year, days.last + year) for days in first.readings)


def _with_their_year(text: str, dates: Sequence[Quantity]) -> Iterator[Quantity]:
    """A day takes its year from behind a bracket or a comma: "(15 March) 44 BC"."""
    done = 0
    for place, one in enumerate(dates):
        year = dates[place + 1] if place + 1 < len(dates) else None
        if one.start < done:
            continue
        if one.date and one.date.yearless and year and year.date and _is_its_year(text, one, year):
            day = year.date.readings[0].first + one.date.readings[0].first
            date = replace(one.date, readings=(Days(day, day),), yearless=False)
            one, done = replace(one, end=year.end, date=date), year.end
        yield one


def _is_its_year(text: str, day: Quantity, year: Quantity) -> bool:
    days = year.date.readings[0] if year.date else Days(0, 0)
    return days.last - days.first == YEAR - 1 and _YEAR_BEHIND.fullmatch(text, day.end, year.start) is not None


def _single(text: str, quantity: Quantity, date: Date, event: str) -> Statement:
    """A date that is no span, with its bound ("before 1950"), or as one end of something ("since 1950")."""
    bound = bound_before(text, quantity.start, quantity.end)
    low, high = float(date.readings[0].first), float(date.readings[0].last)
    if bound == "until":
        event, bound = "end", ""
    elif bound == "after" and text[: quantity.start].rstrip().lower().endswith("since"):
        event, bound = "begin", ""
    if bound in ("before", "less"):
        low, high = -FOREVER, low - 1
    elif bound in ("by", "most"):
        low = -FOREVER
    elif bound in ("after", "more"):
        low, high = high + 1, FOREVER
    bound = "about" if bound == "early" else bound
    place = (Kind.DATE, quantity.start, quantity.end)
    return Statement(*place, event, low, high, bound, alternatives=date.readings[1:], yearless=date.yearless)


def _span(
    text: str, quantity: Quantity, event: str, first: tuple[Days, ...], last: tuple[Days, ...], end: tuple[int, int]
) -> Iterator[Statement]:
    """The two ends of a span, and how long it lasts. In brackets behind a name, it is a life. end: of the words of its last day."""
    lived = event in LIFE or _OPENED.search(text, max(0, quantity.start - _BRACKET), quantity.start) is not None
    begins, ends = ("life begins", "life ends") if lived else ("begin", "end")
    start = (Kind.DATE, quantity.start, quantity.end)
    yield Statement(*start, begins, first[0].first, first[0].last, alternatives=first[1:])
    yield Statement(Kind.DATE, *end, ends, last[0].first, last[0].last, alternatives=last[1:])
    shortest, longest = (
        days / YEAR * 365.25 for days in (last[0].first - first[0].last, last[0].last - first[0].first)
    )
    if 0 <= shortest <= longest and first[0].first > YEAR:
        yield Statement(Kind.MEASURE, quantity.start, end[1], LASTED, shortest, longest, unit="span")


def _event_at(words: list[tuple[int, int, str]], quantity: Quantity, since: int) -> str:
    """The nearest event between the previous date and this one; else the next one after it; empty if there is none."""
    before = [event for _, end, event in words if since <= end <= quantity.start]
    if before:
        return before[-1]
    if not since:
        return next((event for start, _, event in words if quantity.end <= start <= quantity.end + _LATER), "")
    return ""


def event_words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, event) of each word that names one, in order."""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        event = _PHRASES.get(word) or _OF.get(word)
        if event is None and word.endswith("ed") and len(word) > 4 and word not in _NO_VERB:
            event = stem(word)
        if event:
            yield *match.span(), event
