"""Claims that compare the subjects of two pages, made by rule from one sentence of each; both are read together.

They say who was born first, what was founded or released first, or that both share a nationality or a director.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from retrieval.text.sentences import with_title, without_title
from retrieval.types import Page
from training.data.pairs import REFUTES, SUPPORTS, UNKNOWN, Pair, read_as_one

_DATE = r"(?:\d{1,2} [A-Z][a-z]+ |[A-Z][a-z]+ \d{1,2} ?, )?(\d{4})"
_BORN = re.compile(rf"\( ?(?:born |b\. )?{_DATE}(?: ?(?:[-–—]|--) ?{_DATE})? ?\) (?:is|was) an? ")
_FOUNDED = re.compile(rf"\b(?:founded|established|formed) (?:in|on) (?:[A-Z][a-z]+ )?{_DATE}")
_RELEASED = re.compile(r"^[^.]{3,60}? (?:is|was) an? (\d{4}) [^.]{0,80}?\b(film|album|song|novel|video game|single)\b")
_NATION = re.compile(r"\) (?:is|was) an? ([A-Z][a-z]+(?:an|ish|ch|ese|man|ian))(?= [a-z])")
_DIRECTED = re.compile(r"\bfilm\b[^.]*? directed by ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+){1,2})(?=[,. ]|$)")
_FACTS = {"born": _BORN, "founded": _FOUNDED, "released": _RELEASED, "nation": _NATION, "director": _DIRECTED}
LEAST_APART = 2  # years; closer dates would need days
LONGEST_COMPARED_SENTENCE = 260  # characters of a sentence


@dataclass(frozen=True)
class Known:
    """A fact about a page's subject from its first sentence. value: a year, a nationality or a name."""

    subject: str
    text: str
    value: str
    died: str | None = None


def compared_pairs(pages: Iterable[Page], count: int, rng: random.Random) -> Iterator[Pair]:
    """At most `count` pairs, about as many of each kind; half are refuted."""
    known: dict[str, list[Known]] = {kind: [] for kind in _FACTS}
    for page in pages:
        for kind, fact in _facts(page):
            known[kind].append(fact)
    makers = (_lives, _beginnings, _beginnings, _alike("both {}"), _alike("both directed by {}"))
    for (kind, facts), maker in zip(known.items(), makers, strict=True):
        rng.shuffle(facts)
        if kind in ("nation", "director"):  # pairs with equal values, besides pairs with different ones
            facts[: len(facts) // 2] = sorted(facts[: len(facts) // 2], key=lambda fact: fact.value)
        made = [pair for one, other in zip(facts[::2], facts[1::2], strict=False) for pair in maker(one, other, rng)]
        yield from rng.sample(made, min(count // len(known), len(made)))


def _facts(page: Page) -> Iterator[tuple[str, Known]]:
    first = next(iter(page.sentences()), None)
    if first is None or len(first.text) > LONGEST_COMPARED_SENTENCE:
        return
    for kind, pattern in _FACTS.items():
        if match := pattern.search(first.text):
            died = match[2] if kind == "born" else None
            yield kind, Known(page.title.split(" (")[0], with_title(first), match[1].strip(), died)


def _lives(one: Known, other: Known, rng: random.Random) -> Iterator[Pair]:
    """Claims about who was born first, and whether one died before the other was born."""
    if one.died and (gap := int(other.value) - int(one.died)) and abs(gap) >= LEAST_APART and rng.random() < 0.4:
        yield _pair(f"{one.subject} died before {other.subject} was born.", one, other, gap > 0, rng)
        return
    phrase = rng.choice(("was born before", "is older than", "was older than", "was born earlier than"))
    yield from _ordered(phrase, one, other, rng)
    yield from _ordered(rng.choice(("was born after", "was younger than")), other, one, rng)


def _beginnings(one: Known, other: Known, rng: random.Random) -> Iterator[Pair]:
    earlier, later = "was founded before|is older than|formed before|was established before", "was founded after"
    if _RELEASED.search(without_title(one.text)):
        earlier, later = "came out before|was released before|is older than", "came out after"
    yield from _ordered(rng.choice(earlier.split("|")), one, other, rng)
    yield from _ordered(later, other, one, rng)


def _ordered(phrase: str, one: Known, other: Known, rng: random.Random) -> Iterator[Pair]:
    """A claim that the first one named is earlier, or later if the phrase has "after" or "younger"."""
    later = "after" in phrase or "younger" in phrase
    gap = int(one.value) - int(other.value) if later else int(other.value) - int(one.value)
    if abs(gap) >= LEAST_APART:
        ending = " did." if phrase.split()[0] in ("came", "formed") and rng.random() < 0.5 else "."
        yield _pair(f"{one.subject} {phrase} {other.subject}{ending}", one, other, gap > 0, rng)


def _alike(words: str) -> Callable[[Known, Known, random.Random], Iterator[Pair]]:
    def pairs(one: Known, other: Known, rng: random.Random) -> Iterator[Pair]:
        named, same = rng.choice((one, other)).value, one.value == other.value
        yield _pair(f"{one.subject} and {other.subject} were {words.format(named)}.", one, other, same, rng)
        if "directed" in words and rng.random() < 0.5:
            yield _pair(f"{one.subject} and {other.subject} had the same director.", one, other, same, rng)

    return pairs


def _pair(claim: str, one: Known, other: Known, true: bool, rng: random.Random) -> Pair:
    shown = [one.text, other.text]
    rng.shuffle(shown)
    return Pair(claim, read_as_one(shown), UNKNOWN, SUPPORTS if true else REFUTES)
