"""One quantity of a text as a statement: the record that is compared, and the words that bound it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.text.quantities.dates import Days
from retrieval.text.quantities.finding import Kind

FOREVER = 10**9  # a day later than any
LASTED = "lasted"  # a duration, which a span of dates gives too
LIVED = "lived"  # the age at death, in years, which the dates of a life give too
SPAN = "span"  # as the unit of a time: it follows from two dates
SHARED_NOUN = "shared noun"  # as the unit of a count: it shares its noun with the next
PARTS = {"early": (0.0, 0.45), "mid": (0.25, 0.75), "late": (0.5, 1.0)}  # of a time, and vaguely of a number
WHILE = "while"  # the event of all the time between two dates
_BOUND = re.compile(
    r"\b(?:(?P<about>about|around|approximately|roughly|circa|c\.|ca\.|some|estimated|approx\.?|~)|(?P<nearly>nearly|almost|close to|just under)|"
    r"(?P<more>more than|over|above|exceed(?:s|ed|ing)?|(?:greater|higher|taller|longer|deeper|wider|bigger|larger|heavier|older|farther) than|upwards of|in excess of|surpass(?:es|ed|ing)?)|"
    r"(?P<least>at least|no less than|no fewer than|minimum of)|(?P<less>less than|fewer than|under|below|(?:lower|shorter|smaller|lighter|younger|narrower) than)|"
    r"(?P<most>at most|up to|no more than|maximum of|only)|(?P<before>before|prior to)|(?P<after>after|since|following)|"
    r"(?P<by>by)|(?P<until>until|till|through)|(?P<early>early)|(?P<mid>mid)|(?P<late>late))(?: (?:the|an?|in|of|just|about))?[ -]*\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 24  # characters before a quantity that may contain the word that bounds it
_BOUND_AFTER = re.compile(
    r" (?:or|and) (?:(?P<least>more|above|over|longer|greater)|(?P<most>less|fewer|under|below))\b"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity as a statement. low, high: the range of the value, in base units or days; both ends count. of: the dimension
    of a measure, the event of a date, the stem of what is counted or ranked. detail: stems of the words that say which one of
    its kind it is, or what went on for a time. alternatives: further readings of a date. once: the event of a date happens
    once, as far as its words show. loose: another value would contradict nothing.
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
    once: bool = True
    loose: bool = False

    @property
    def exact(self) -> bool:
        """Whether no word bounds it."""
        return not self.bound


def bound_before(text: str, start: int, end: int) -> str:
    """The name of the bound before a quantity or after it ("or more"); empty without one."""
    match = _BOUND.search(text, max(0, start - _LOOK_BACK), start) or _BOUND_AFTER.match(text, end)
    return match.lastgroup or "" if match else ""
