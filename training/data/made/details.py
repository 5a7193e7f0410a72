"""Claims with a detail that the sentence leaves out, so that it does not decide them.

FEVER's open claims are often of this kind (a month, a place, a maker that the page does not mention), but published
pairs hardly ever are. Each claim also comes with the sentence that has the detail, so that no claim alone reveals its
stance.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from retrieval.text.sentences import pair_text
from training.data.made.twins import Named, names_by_type, spoken
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair

_LEADS_IN = re.compile(r",?\s(?:in|on|at|from|by|with|near|since|during|for|to|alongside)(?: the)?\s$")
_SHORTEST = 25  # least length of a sentence without its detail, in characters


def detail_pairs(sentences: Sequence[Named], rng: random.Random) -> Iterator[Pair]:
    """Five pairs for every sentence with a detail: with it, without it, and with another in its place."""
    names = names_by_type(sentences)
    for named in sentences:
        found = without_detail(named, rng)
        if found is None:
            continue
        short, (start, end, kind) = found
        full, title = named.sentence.text, named.sentence.title
        beside_full, beside_short = pair_text(title, full), pair_text(title, short)
        yield Pair(spoken(title, full), beside_full, 1, SUPPORTS)
        yield Pair(spoken(title, full), beside_short, UNKNOWN, NEUTRAL)
        yield Pair(spoken(title, short), beside_full, 1, SUPPORTS)
        other = rng.choice(names[kind])
        if other not in full:
            changed = spoken(title, full[:start] + other + full[end:])
            yield Pair(changed, beside_full, 1, REFUTES)
            yield Pair(changed, beside_short, UNKNOWN, NEUTRAL)


def without_detail(named: Named, rng: random.Random) -> tuple[str, tuple[int, int, str]] | None:
    """The sentence without one name and the preposition before it, and that name; None if there is no such name."""
    text = named.sentence.text
    candidates: list[tuple[str, tuple[int, int, str]]] = []
    for name in named.names:
        start, end, _ = name
        lead = _LEADS_IN.search(text[:start])
        if lead and (end == len(text) or text[end] in ",.;") and text[start:end] not in named.sentence.title:
            short = text[: lead.start()] + text[end:]
            if len(short) >= _SHORTEST:
                candidates.append((short, name))
    return rng.choice(candidates) if candidates else None
