"""Claims in which two names have swapped places, made by rule from sentences that say who did what to whom.

"Ali beat Foreman" supports "Foreman lost to Ali" and refutes "Foreman beat Ali": neither the order of the names nor the
words alone decide.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from retrieval.text.sentences import pair_text
from training.data.made.twins import SWAPPED, Named
from training.data.pairs import REFUTES, SUPPORTS, Pair

# (words between two names, words that say the same of the names in the other order). The first match is used.
CONVERSES = (
    ("beat", "lost to"),
    ("was the father of", "was a child of"),
    ("was the mother of", "was a child of"),
    ("was the son of", "was a parent of"),
    ("was the daughter of", "was a parent of"),
    ("was a student of", "taught"),
    ("was a pupil of", "taught"),
    ("was an assistant of", "was assisted by"),
    ("was the uncle of", "was a nephew or niece of"),
    ("was named after", "gave its name to"),
    ("bought", "was bought by"),
    ("wrote", "was written by"),
    *(
        (deed, f"was {deed} by")
        for deed in (
            "defeated succeeded replaced followed acquired owned founded killed murdered attacked conquered influenced inspired "
            "discovered portrayed played directed produced signed hired managed supported nominated appointed trained"
        ).split()
    ),
    ("defeated", "lost to"),
    ("succeeded", "preceded"),
    *(
        (f"is {more} than", f"is {less} than")
        for more, less in (("larger", "smaller"), ("older", "younger"), ("taller", "shorter"))
    ),
    ("was older than", "was younger than"),
    ("is north of", "is south of"),
    ("is east of", "is west of"),
    ("is part of", "contains"),
    ("is located in", "contains"),
    ("is a subsidiary of", "is the parent of"),
    ("is based on", "is the basis of"),
    ("married", "was married to"),
)
EITHER_WAY = frozenset({"married"})  # true in either order
_LEADING = re.compile(r"^(?:was|is) ")


@dataclass(frozen=True)
class Relation:
    """Two names of a sentence and their relation. tail: the words after the second name that are part of the relation."""

    first: str
    second: str
    words: str
    converse: str
    tail: str


def _directions() -> dict[str, tuple[str, str]]:
    """The words, in any tense of "to be" -> (the words that claims use, their converse)."""
    found: dict[str, tuple[str, str]] = {}
    for words, converse in [*CONVERSES, *((converse, words) for words, converse in CONVERSES)]:
        bare = _LEADING.sub("", words)
        forms = {words, *(f"{be} {bare}" for be in ("is", "was", "has been") if bare != words)}
        for form in forms:
            found.setdefault(form, (words, converse))
    return found


DIRECTIONS = _directions()
MENTIONS = re.compile(rf"[A-Z][^ ]* (?:{'|'.join(map(re.escape, sorted(DIRECTIONS)))}) (?:the )?[A-Z]")
_PART_OF_MORE = re.compile(r"(?:\b[A-Z][\w.]*|\bof(?: the)?|'s?|-)\s?$")  # before what is only the end of a longer name
_TAIL = re.compile(r"^((?: (?:in|at|on|for|during|as|by|with)\b[^,.;]{0,60})?)(?=[,.; ]|$)")


def exchanged_pairs(sentences: Iterable[Named], rng: random.Random) -> Iterator[Pair]:
    """Six pairs for every sentence with such a relation; two if it is true in either order.

    sentences: with the page's subject in place of a pronoun, as `spoken` writes it.
    """
    for named in sentences:
        relation = find_relation(named)
        if relation is None:
            continue
        title, text = named.sentence.title, named.sentence.text
        a, b, tail = relation.first, relation.second, relation.tail
        true = [f"{a} {relation.words} {b}{tail}.", f"{b} {relation.converse} {a}{tail}."]
        exchanged = [f"{b} {relation.words} {a}{tail}.", f"{a} {relation.converse} {b}{tail}."]
        beside = pair_text(title, text)
        for claim in true:
            yield Pair(claim, beside, 1, SUPPORTS)
        if relation.words in EITHER_WAY:
            yield from (Pair(claim, beside, 1, SUPPORTS) for claim in exchanged)
            continue
        for claim in exchanged:
            yield Pair(claim, beside, 1, REFUTES)
        if text.count(a) == text.count(b) == 1 and a not in b and b not in a:
            other = pair_text(title, text.replace(a, "\0").replace(b, a).replace("\0", b))
            yield Pair(rng.choice(true), other, 1, REFUTES)
            yield Pair(rng.choice(exchanged), other, 1, SUPPORTS)


def find_relation(named: Named) -> Relation | None:
    """The first two names of one type with only a known relation between them; try the faster `MENTIONS` first."""
    text = named.sentence.text
    names = [name for name in named.names if name[2] in SWAPPED]
    for (a, b, kind), (c, d, other) in pairwise(names):
        between = text[b:c].strip().removesuffix(" the")
        whole = not _PART_OF_MORE.search(text[:a]) and not re.match(r"'s|-| [A-Z]", text[d:])
        if kind == other and whole and between in DIRECTIONS and text[a:b] != text[c:d]:
            words, converse = DIRECTIONS[between]
            found = _TAIL.match(text[d:])
            return Relation(text[a:b], text[c:d], words, converse, found[1].rstrip() if found else "")
    return None
