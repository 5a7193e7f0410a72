"""Claims about ranks and ended states, made by rule from the sentences of a page.

"The second-largest city of Finland" refutes "the largest city of Finland"; "served as mayor from 1990 to 1998" supports
"was mayor" and refutes "is mayor".
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from retrieval.text.sentences import pair_text
from retrieval.types import Sentence
from training.data.pairs import REFUTES, SUPPORTS, Pair

ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_BEST = "largest|highest|tallest|longest|oldest|smallest|deepest|busiest|biggest|most populous|fastest|youngest|richest"
_RANK = re.compile(
    rf"\b(is|was) the (?:({'|'.join(ORDINALS)})[- ])?({_BEST}) ((?:[\w'’-]+ ){{0,7}}?[\w'’-]+)(?=[,.;(]| and | with | which | that |$)"
)
_OPPOSITE = {
    "largest": "smallest",
    "highest": "lowest",
    "tallest": "shortest",
    "longest": "shortest",
    "oldest": "youngest",
    "smallest": "largest",
    "youngest": "oldest",
    "biggest": "smallest",
}
_SERVED = re.compile(
    r"\b(?:served as|was) (?:the )?((?:[\w'’.-]+ ){1,9}?)(?:from|between) (?:\w+ )?(?:\d{1,2},? )?\d{4} (?:to|until|till|and|[-–]) (?:\w+ )?(?:\d{1,2},? )?\d{4}"
)
_ROLE = re.compile(
    r"(?i)\b(?:president|minister|mayor|governor|chairman|king|queen|chancellor|coach|captain|director|editor|ambassador|secretary|bishop|member|leader|manager|speaker|senator|judge|ceo|champion|capital|head)\b"
)


def rank_pairs(sentences: Iterable[Sentence], rng: random.Random) -> Iterator[Pair]:
    """Two or three pairs for every sentence that gives its page's subject a rank."""
    for sentence in sentences:
        subject = sentence.title.split(" (")[0]
        match = _RANK.search(sentence.text)
        if match is None or not sentence.text.startswith((subject, "It ", "The ")) or match.start() > len(subject) + 60:
            continue
        verb, ordinal, best, rest = match.groups()
        beside, lead = pair_text(sentence.title, sentence.text), f"{subject} {verb} the"
        rank = f"{ordinal}-{best}" if ordinal else best
        yield Pair(f"{lead} {rank} {rest}.", beside, 1, SUPPORTS)
        other = best if ordinal else f"{rng.choice(ORDINALS[:3])}-{best}"
        yield Pair(f"{lead} {other} {rest}.", beside, 1, REFUTES)
        if ordinal:
            moved = rng.choice([word for word in ORDINALS[:6] if word != ordinal])
            yield Pair(f"{lead} {moved}-{best} {rest}.", beside, 1, REFUTES)
        elif best in _OPPOSITE:
            yield Pair(f"{lead} {_OPPOSITE[best]} {rest}.", beside, 1, REFUTES)


def ended_pairs(sentences: Iterable[Sentence], rng: random.Random) -> Iterator[Pair]:
    """Three pairs for every sentence that says in which years its page's subject held a role."""
    for sentence in sentences:
        subject = sentence.title.split(" (")[0]
        match = _SERVED.search(sentence.text)
        if match is None or not sentence.text.startswith((subject, "He ", "She ", "It ")) or not _ROLE.search(match[1]):
            continue
        beside, role = pair_text(sentence.title, sentence.text), match[1].strip()
        article = "" if role.split()[0] in ("a", "an", "the") or role[0].isupper() else "the "
        yield Pair(f"{subject} was {article}{role}.", beside, 1, SUPPORTS)
        now = rng.choice(("is", "is currently", "is still"))
        yield Pair(f"{subject} {now} {article}{role}.", beside, 1, REFUTES)
        yield Pair(f"{subject} is no longer {article}{role}.", beside, 1, SUPPORTS)
