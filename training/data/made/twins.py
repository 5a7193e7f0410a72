"""Claims made by rule: a sentence and a copy with one fact changed, each as a claim about the other.

Every claim comes once with a sentence that agrees and once with one that disagrees, so that neither the claim
nor the sentence alone reveals the stance.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from retrieval.text.sentences import pair_text
from retrieval.types import Sentence
from training.data.pairs import REFUTES, SUPPORTS, Pair

SWAPPED = ("PERSON", "GPE", "ORG", "NORP", "WORK_OF_ART")  # spaCy's types of names that are replaced by others
NUMBER = re.compile(r"(?<![\w.,])(\d{1,4})(?![\w,]|\.\d)")
_VERB = re.compile(r"\b(is|was|are|were|has been|had been|can|will)\b(?! not)")
PRONOUN = re.compile(r"^(He|She|It)\b")
_NOT = re.compile(r"\b(is|was|are|were|did|has|had|can|could) (?:not|never)\b|\bnever ")
AUXILIARY = r"(?:is|was|has|had)"
PAST = r"(?:\w+ed|won|wrote|became|made|took|led|began|held|went|left|met|sold|sang|taught|fought|gave|ran)"


@dataclass(frozen=True)
class Named:
    """A sentence with its names: (start, end, type), offsets into the sentence."""

    sentence: Sentence
    names: tuple[tuple[int, int, str], ...]


def twin_pairs(sentences: Sequence[Named], rng: random.Random) -> Iterator[Pair]:
    """Four pairs for every sentence that can have a twin."""
    names = names_by_type(sentences)
    for named in sentences:
        text = named.sentence.text
        changed = change_fact(named, names, rng)
        if changed is None:
            continue
        title = named.sentence.title
        claims = (spoken(title, text), spoken(title, changed))
        beside = (pair_text(title, text), pair_text(title, changed))
        for i, claim in enumerate(claims):
            for j, sentence in enumerate(beside):
                yield Pair(claim, sentence, 1, SUPPORTS if i == j else REFUTES)


def change_fact(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    """The sentence with one fact changed: a number, a name, two names swapped, a "not" or "never" added or removed.

    None if nothing can be changed.
    """
    ways = [_other_number, _other_name, _names_exchanged, _negated, _never, _affirmed]
    rng.shuffle(ways)
    text = named.sentence.text
    changed = (way(named, names, rng) for way in ways)
    return next((new for new in changed if new and new != text), None)


def names_by_type(sentences: Iterable[Named]) -> dict[str, list[str]]:
    """All names by type, each as often as it occurs."""
    found: dict[str, list[str]] = defaultdict(list)
    for named in sentences:
        for start, end, kind in named.names:
            found[kind].append(named.sentence.text[start:end])
    return found


def spoken(title: str, text: str) -> str:
    """The sentence as a claim: cut at a semicolon, a leading pronoun replaced by the page's subject."""
    text = PRONOUN.sub(lambda _: title.split(" (")[0], text.split(";")[0].rstrip(" ."))
    return text + "."


def _other_number(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    text = named.sentence.text
    numbers = list(NUMBER.finditer(text))
    if not numbers:
        return None
    match = rng.choice(numbers)
    value = int(match[1])
    step = rng.choice((1, 1, 2, 3, 10))
    other = value + step if value <= step or rng.random() < 0.5 else value - step
    return text[: match.start()] + str(other) + text[match.end() :]


def _other_name(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    text = named.sentence.text
    swapped = [
        name for name in named.names if name[2] in SWAPPED and text[name[0] : name[1]] not in named.sentence.title
    ]
    if not swapped:
        return None
    start, end, kind = rng.choice(swapped)
    other = rng.choice(names[kind])
    return None if other in text else text[:start] + other + text[end:]


def _names_exchanged(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    """Two names of one type swapped, if a verb is between them: in a list, the result would still be true."""
    text = named.sentence.text
    swapped = [name for name in named.names if name[2] in SWAPPED]
    for (a, b, kind), (c, d, other) in pairwise(swapped):
        if kind == other and b <= c and re.search(r"\b(by|than|after|before|beat|defeated|over|from)\b", text[b:c]):
            return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
    return None


def _negated(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    """The sentence with "not" after its auxiliary, which is the first word of the verb."""
    text, match = named.sentence.text, _VERB.search(named.sentence.text)
    if match is None:
        return None
    end = match.start() + len(match[0].split()[0])
    return f"{text[:end]} not{text[end:]}"


def _never(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    """The sentence with "never" after the auxiliary, or before the verb that follows the page's subject."""
    title, text = re.escape(named.sentence.title.split(" (")[0]), named.sentence.text
    match = re.match(rf"(?:He|She|It|They|{title})(?: \([^)]*\))? (?:{AUXILIARY}|(?={PAST}\b))", text)
    if match is None:
        return None
    return f"{text[: match.end()].rstrip()} never {text[match.end() :].lstrip()}"


def _affirmed(named: Named, names: dict[str, list[str]], rng: random.Random) -> str | None:
    """The sentence without its "not" or "never"."""
    text = named.sentence.text
    match = _NOT.search(text)
    return text[: match.start()] + (match[1] or "") + text[match.end() :] if match else None
