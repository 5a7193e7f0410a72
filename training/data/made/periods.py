"""Claims about a point in time, made by rule from sentences that name a year or a period.

A period supports a year inside it, though the sentence names other years: "from 1940 to 1945" supports "in 1943".
Every claim comes with a sentence that agrees, and with one that disagrees because its period differs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from retrieval.text.sentences import pair_text
from retrieval.types import Sentence
from training.data.made.twins import spoken
from training.data.pairs import REFUTES, SUPPORTS, Pair

_YEAR = r"(1[0-9]{3}|20[0-2][0-9])"
_ANY_YEAR = re.compile(rf"\b{_YEAR}\b")
_FORMS = (
    re.compile(rf"\bfrom {_YEAR} (?:to|until|till|through) {_YEAR}\b"),
    re.compile(rf"\b(?:until|till) {_YEAR}\b"),
    re.compile(rf"\bsince {_YEAR}\b"),
    re.compile(rf"\bin {_YEAR}\b"),
)
_NOT = re.compile(r"\b(?:not|never|no)\b")  # "not until" means the years after
LONGEST_STEP = 15  # years between a claim's year and the end of the period that excludes it
FIRST_PLACE_SHARE = 0.4  # of claims that begin with their year
LAST_YEAR = 2025


@dataclass(frozen=True)
class Period:
    """Years from first to last; None: open on that side. start, end: its words in the text."""

    first: int | None
    last: int | None
    start: int
    end: int

    def words(self) -> str:
        """The period in words, for a sentence."""
        if self.first == self.last:
            return f"in {self.first}"
        if self.first is None:
            return f"until {self.last}"
        return f"since {self.first}" if self.last is None else f"from {self.first} to {self.last}"


def period_pairs(sentences: Iterable[Sentence], rng: random.Random) -> Iterator[Pair]:
    """Four pairs for every sentence with one period: two claims, each with a sentence for and one against it."""
    for sentence in sentences:
        period = find_period(sentence.text)
        if period is None:
            continue
        made = point_claims(period, rng) if period.first == period.last else year_claims(period, rng)
        if made is None:
            continue
        title, text = sentence.title, sentence.text
        for words, others, agrees in made:
            claim = _claim(title, text, period, words, rng)
            changed = text[: period.start] + others.words() + text[period.end :]
            yield Pair(claim, pair_text(title, text), 1, SUPPORTS if agrees else REFUTES)
            yield Pair(claim, pair_text(title, changed), 1, REFUTES if agrees else SUPPORTS)


def find_period(text: str) -> Period | None:
    """The one period of a sentence that names no other year; None if there is none."""
    if _NOT.search(text):
        return None
    years = _ANY_YEAR.findall(text)
    for form in _FORMS:
        match = form.search(text)
        if match is None:
            continue
        found = [int(year) for year in match.groups()]
        if len(found) != len(years) or found != sorted(found):
            return None
        first, last = found[0], found[-1]
        if match[0].startswith(("until", "till")):
            return Period(None, last, match.start(), match.end())
        return Period(first, None if match[0].startswith("since") else last, match.start(), match.end())
    return None


def year_claims(period: Period, rng: random.Random) -> list[tuple[str, Period, bool]] | None:
    """Two claims, one true and one false: (words about time, a period that reverses the stance, whether it is true)."""
    first, last = period.first, period.last
    if first is not None and last is not None:
        if last - first < 2:
            return None
        inside = rng.randint(first + 1, last - 1)
        outside = rng.choice((first - rng.randint(1, LONGEST_STEP), last + rng.randint(1, LONGEST_STEP)))
    elif last is not None:
        inside, outside = last - rng.randint(1, LONGEST_STEP), last + rng.randint(1, LONGEST_STEP)
    else:
        assert first is not None
        inside, outside = min(first + rng.randint(1, LONGEST_STEP), LAST_YEAR), first - rng.randint(1, LONGEST_STEP)
    return [
        (f"in {inside}", _around(period, outside, inside, rng), True),
        (f"in {outside}", _around(period, outside, inside, rng), False),
    ]


def _around(period: Period, inside: int, outside: int, rng: random.Random) -> Period:
    """A period of the same form that contains year `inside` and excludes year `outside`."""
    near, far = rng.randint(1, 3), rng.randint(1, LONGEST_STEP)
    if period.first is None and inside < outside:
        return Period(None, rng.randint(inside, outside - 1), period.start, period.end)
    if period.last is None and inside > outside:
        return Period(rng.randint(outside + 1, inside), None, period.start, period.end)
    if inside < outside:
        return Period(inside - far, min(inside + near, outside - 1), period.start, period.end)
    return Period(max(inside - near, outside + 1), inside + far, period.start, period.end)


def point_claims(period: Period, rng: random.Random) -> list[tuple[str, Period, bool]] | None:
    """As `year_claims`, for a sentence about one year: before or after another year, or in a decade."""
    year = period.first
    assert year is not None
    step = rng.randint(2, LONGEST_STEP)
    earlier, later = year - step, year + step
    decade = year // 10 * 10
    kind = rng.randrange(3)
    if kind == 0:
        true, false, other = f"before {later}", f"after {later}", later + rng.randint(1, LONGEST_STEP)
    elif kind == 1:
        true, false, other = f"after {earlier}", f"before {earlier}", earlier - rng.randint(1, LONGEST_STEP)
    else:
        other = decade + rng.choice((-20, -10, 10, 20)) + rng.randrange(10)
        true, false = f"in the {decade}s", f"in the {other // 10 * 10}s"
    if other > LAST_YEAR:
        return None
    against = Period(other, other, period.start, period.end)
    return [(true, against, True), (false, against, False)]


def _claim(title: str, text: str, period: Period, words: str, rng: random.Random) -> str:
    if rng.random() < FIRST_PLACE_SHARE and period.start > 0:
        rest = spoken(title, " ".join((text[: period.start].rstrip(" ,") + text[period.end :]).split()))
        rest = rest[0].lower() + rest[1:] if rest.startswith(("The ", "A ", "An ", "Its ", "His ", "Her ")) else rest
        return f"{words[0].upper()}{words[1:]}, {rest}"
    return spoken(title, text[: period.start] + words + text[period.end :])
