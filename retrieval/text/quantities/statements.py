"""What a text states with its quantities: which kind of fact, within which bounds, of what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

from retrieval.text.quantities.dates import Days
from retrieval.text.quantities.events import LIFE, SPAN_ENDS, event_words
from retrieval.text.quantities.finding import LONGEST_REMEMBERED, Kind, Quantity, quantities, units_without_number
from retrieval.text.quantities.ranks import ranks
from retrieval.text.quantities.units import in_base
from retrieval.text.words import stem

FOREVER = 10**9
LASTED = "lasted"  # what a time measures that a span of dates tells too
_BOUND = re.compile(
    r"\b(?:(?P<about>about|around|approximately|roughly|circa|c\.|ca\.|some|estimated|approx\.?|~)|(?P<nearly>nearly|almost|close to|just under)|"
    r"(?P<more>more than|over|above|exceed(?:s|ed|ing)?|greater than|upwards of|higher than|longer than|in excess of|surpass(?:es|ed|ing)?)|"
    r"(?P<least>at least|no less than|no fewer than|minimum of)|(?P<less>less than|fewer than|under|below|lower than|shorter than)|"
    r"(?P<most>at most|up to|no more than|maximum of|only)|(?P<before>before|prior to)|(?P<after>after|since|following)|"
    r"(?P<by>by)|(?P<until>until|till|through)|(?P<early>early|late|mid))(?: (?:the|an?|in|of|just|about))?[ -]*\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 24  # characters before a quantity in which the word stands that bounds it
_BEHIND = re.compile(r" (?:or|and) (?:(?P<least>more|above|over|longer|greater)|(?P<most>less|fewer|under|below))\b")
_SPAN = re.compile(r"\s*(?:[–—-]|to|until|till|and|through)\s*(?:the )?\Z")
_YEAR_BEHIND = re.compile(r"[),]? ?,? ?(?:in )?")
_BRACKET = 60  # characters of a bracket before a life's dates: another name, how it is said
_OPENED = re.compile(r"\([^()]*\Z")
_LASTS = re.compile(r"\b(?:last|lasted|lasts|lasting)\b", re.IGNORECASE)
_WORDS = re.compile(r"[\w'’-]+")
_PLURALS = frozenset("people children men women feet species series goals".split())
_STOPS = re.compile(r"(?i)[,;:.()–—]| (?:of|in|on|at|to|for|and|or|with|from|by|that|which|who|is|was|are|were|has|have|had|as|than|the|a|an)\b")
_MANY = 4  # words between a number and what it counts


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity and what it says. low, high: what the value may be, in base units or days; both ends count.

    of: the dimension of a measure, the event of a date, the stem of what is counted or ranked. exact: no word makes it
    vague. detail: stems of the words that say which one of its kind it is. alternatives: further readings of a date.
    """

    kind: Kind
    start: int
    end: int
    of: str
    low: float
    high: float
    bound: str = ""
    half: float = 0.0
    detail: frozenset[str] = frozenset()
    alternatives: tuple[Days, ...] = ()
    yearless: bool = False
    unit: str = ""

    @property
    def exact(self) -> bool:
        """Whether no word bounds it."""
        return not self.bound


def statements(text: str) -> tuple[Statement, ...]:
    """In order of the text. Linear in its length."""
    return _remembered(text) if len(text) <= LONGEST_REMEMBERED else _stated(text)


@lru_cache(maxsize=4096)
def _remembered(text: str) -> tuple[Statement, ...]:
    return _stated(text)


def _stated(text: str) -> tuple[Statement, ...]:
    found = sorted((*quantities(text), *units_without_number(text)), key=lambda one: one.start)
    ranked = list(ranks(text, found))
    ranking = {quantity.start for quantity, _ in ranked if quantity is not None}
    stated = [*_dates(text, [one for one in found if one.kind is Kind.DATE])]
    stated += [one for quantity in found if quantity.start not in ranking for one in _amount(text, quantity)]
    stated += [Statement(Kind.RANK, r.start, r.end, r.of, r.place, r.place, detail=r.detail) for _, r in ranked]
    return tuple(sorted(stated, key=lambda one: one.start))


def bound_before(text: str, start: int, end: int) -> str:
    """The name of the bound that stands before a quantity, or behind it ("or more"); empty without one."""
    before = _BOUND.search(text, max(0, start - _LOOK_BACK), start)
    if before and before.lastgroup:
        return before.lastgroup
    behind = _BEHIND.match(text, end)
    return behind.lastgroup or "" if behind else ""


def _dates(text: str, dates: list[Quantity]) -> Iterator[Statement]:
    """Single dates by their event; of a span its first day as the beginning and its last as the end."""
    words = list(event_words(text)) if dates else []
    dates = list(_with_their_year(text, dates))
    skip = -1
    for place, quantity in enumerate(dates):
        date = quantity.date
        assert date
        event = _event_at(words, quantity, dates[place - 1].end if place else 0)
        if place == skip:
            continue
        following = dates[place + 1] if place + 1 < len(dates) else None
        if date.until:
            first, last, end = date.readings, (date.until,), quantity.end
        elif following and following.date and following.start - quantity.end < 14 and _SPAN.match(text[quantity.end : following.start] ):
            skip = place + 1
            first, last, end = date.readings, following.date.readings, following.end
            if date.yearless and not following.date.yearless:
                first = (Days(_with_year(date.readings[0].first, last[0].first), _with_year(date.readings[0].last, last[0].last)),)
        else:
            yield _dated(text, quantity, event, date.readings)
            continue
        yield from _span(text, quantity, event, (first, last), (following.start if skip == place + 1 and following else quantity.start, end))


def _with_their_year(text: str, dates: list[Quantity]) -> Iterator[Quantity]:
    """A day whose year stands behind a bracket or a comma takes it: "(15 March) 44 BC"."""
    place = 0
    while place < len(dates):
        one, following = dates[place], dates[place + 1] if place + 1 < len(dates) else None
        if one.date and one.date.yearless and following and following.date and _whole_year(following.date.readings[0]):
            if _YEAR_BEHIND.fullmatch(text, one.end, following.start):
                first, day = following.date.readings[0].first, one.date.readings[0].first
                one = replace(one, end=following.end, date=replace(one.date, readings=(Days(first + day, first + day),), yearless=False))
                place += 1
        yield one
        place += 1


def _whole_year(days: Days) -> bool:
    return days.last - days.first == 371


def _with_year(day: int, other: int) -> int:
    return day + other // 372 * 372


def _dated(text: str, quantity: Quantity, event: str, readings: tuple[Days, ...]) -> Statement:
    bound = bound_before(text, quantity.start, quantity.end)
    low, high = float(readings[0].first), float(readings[0].last)
    if bound == "until":
        event, bound = "end", ""
    if bound == "after" and text[: quantity.start].rstrip().lower().endswith("since"):
        event, bound = "begin", ""
    if bound in ("before", "less"):
        low, high = -FOREVER, low - 1
    elif bound in ("by", "most"):
        low = -FOREVER
    elif bound in ("after", "more"):
        low, high = high + 1, FOREVER
    elif bound == "early":
        bound = "about"
    assert quantity.date
    return Statement(
        Kind.DATE, quantity.start, quantity.end, event, low, high, bound, alternatives=readings[1:], yearless=quantity.date.yearless
    )  # fmt: skip


def _span(
    text: str, quantity: Quantity, event: str, both: tuple[tuple[Days, ...], tuple[Days, ...]], place: tuple[int, int]
) -> Iterator[Statement]:
    """Its two ends, and how long it lasts. In brackets behind a name, it is a life."""
    first, last = both
    lived = event in LIFE or _OPENED.search(text, max(0, quantity.start - _BRACKET), quantity.start) is not None
    begins, ends = ("life begins", "life ends") if lived else ("begin", "end")
    yield Statement(Kind.DATE, quantity.start, quantity.end, begins, first[0].first, first[0].last, alternatives=first[1:])
    start = place[0]
    yield Statement(Kind.DATE, start, place[1], ends, last[0].first, last[0].last, alternatives=last[1:])
    shortest, longest = (last[0].first - first[0].last) / 372 * 365.25, (last[0].last - first[0].first) / 372 * 365.25
    if 0 <= shortest <= longest and first[0].first > 372:
        yield Statement(Kind.MEASURE, quantity.start, place[1], LASTED, shortest, longest, unit="span")


def _event_at(words: list[tuple[int, int, str]], quantity: Quantity, since: int) -> str:
    """The event nearest before a date, but not before the date in front; else the next behind it; empty without one."""
    before = [event for _, end, event in words if since <= end <= quantity.start]
    if before:
        return before[-1]
    if not since:
        return next((event for start, _, event in words if quantity.end <= start <= quantity.end + 60), "")
    return ""


def _amount(text: str, quantity: Quantity) -> Iterator[Statement]:
    """A number with its unit, or with what it counts."""
    bound = bound_before(text, quantity.start, quantity.end)
    value, half = float(quantity.value), float(quantity.step) / 2
    if quantity.kind in (Kind.MEASURE, Kind.MONEY) and quantity.unit:
        unit = quantity.unit
        base, half = in_base(value, unit), half * unit.factor
        of = unit.dimension if quantity.kind is Kind.MEASURE else unit.name
        of = LASTED if of == "time" and _LASTS.search(text) else of
        yield _bounded(Statement(quantity.kind, quantity.start, quantity.end, of, base, base, bound, half, unit=unit.name))
    elif quantity.kind is Kind.PERCENT:
        yield _bounded(Statement(Kind.PERCENT, quantity.start, quantity.end, "%", value, value, bound, half))
    elif quantity.kind is Kind.NUMBER:
        noun, detail = _counted(text, quantity.end) or ("", frozenset())
        yield _bounded(Statement(Kind.NUMBER, quantity.start, quantity.end, noun, value, value, bound, half, detail))


def _bounded(stated: Statement) -> Statement:
    """The values that its bound leaves."""
    value = stated.low
    low, high = {
        "about": (value - abs(value) * 0.05, value + abs(value) * 0.05),
        "early": (value - abs(value) * 0.05, value + abs(value) * 0.05),
        "nearly": (value - abs(value) * 0.1, value),
        "more": (value, inf),
        "after": (value, inf),
        "least": (value, inf),
        "less": (-inf, value),
        "before": (-inf, value),
        "most": (-inf, value),
    }.get(stated.bound, (value, value))
    if stated.bound == "most" and stated.half == 0.5:  # "only 12"
        low = value
    bound = "" if stated.bound in ("by", "until") else stated.bound
    return replace(stated, low=low, high=high, bound=bound)


def _counted(text: str, end: int) -> tuple[str, frozenset[str]] | None:
    """Stem of the noun that a number counts, and of the words between: the last plural before the phrase ends."""
    rest = text[end : end + 60]
    if not rest.startswith(" "):
        return None
    if stop := _STOPS.search(rest, 1):
        rest = rest[: stop.start()]
    words = [word.lower() for word in _WORDS.findall(rest)][:_MANY]
    plurals = [place for place, word in enumerate(words) if word in _PLURALS or (len(word) > 3 and word[-1] == "s" and word[-2:] != "ss")]
    if not plurals:
        return None
    last = plurals[-1]
    return stem(words[last]), frozenset(stem(word) for word in words[:last])


__all__ = ["SPAN_ENDS", "Statement", "statements"]
