"""Where a claim and the sentences that refute it differ: the two spans that exclude each other.

Quantities are compared exactly. Other spans of the claim that the sentence lacks are exchanged for spans of the sentence of
the same kind, and the claim is read again: if it is then supported, these two were the difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from retrieval.models.english.parts import ADJECTIVE, NAME, NOUN, NUMBER, TIME, VERB, Part, parts_of
from retrieval.models.pair_scorers import judge_texts
from retrieval.protocols import PairScorer
from retrieval.text.quantities.comparing import DENIAL, Relation, compare
from retrieval.text.sentences import as_read
from retrieval.text.words import content_words
from retrieval.types import Claim, Difference, Evidence
from retrieval.verdicts.conflict import refuting

MOST_READ = 10  # exchanged claims that are read again, of one sentence
HOLDS = 0.0  # support less refutation of a claim that holds after the exchange
BETTER_BY = 0.15  # how much better a later pair must be
LONGEST_STATEMENT = 60  # characters of a sentence that contradict a denial
_DENYING = re.compile(rf"{DENIAL.pattern}|\b(?:except|unlike|rather than|instead of)\b", re.IGNORECASE)
_UNTRUE = re.compile(r"\b(?:wrong|incorrect|myth|lie|hoax|debunked)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[^,;:.()]{0,50}")
_WORD = re.compile(r"[\w'’-]+")
# Kinds that may stand for each other, the likeliest first.
_LIKE = {
    NAME: (NAME, ADJECTIVE, NOUN),
    NUMBER: (NUMBER, TIME),
    TIME: (TIME, NUMBER),
    NOUN: (NOUN, NAME, ADJECTIVE),
    ADJECTIVE: (ADJECTIVE, NAME, NOUN),
    VERB: (VERB, ADJECTIVE),
}


def marked(claim: Claim, evidence: Sequence[Evidence], scorer: PairScorer | None) -> tuple[Evidence, ...]:
    """The evidence of a refuted claim, with `differs` set where the two parts are found. A difference that a rule found stays.

    scorer: reads the claim again, with a part exchanged, beside the sentence that decides; None: only words are compared.
    """
    against = [one for one in evidence if one.stance.refutes > one.stance.supports]
    deciding = max(against or evidence, key=refuting, default=None)
    found = []
    for one in evidence:
        if claim.turned:  # the "not" is only in the claim as typed
            differs = _denied(claim.text, one.title, one.sentence.text) if one in against else None
            found.append(replace(one, differs=differs))
            continue
        differs = one.differs or (_of_quantities(claim.reading, one) if one in against or one is deciding else None)
        if differs is None and one is deciding:
            differs = _by_words(claim.reading, one, scorer)
        found.append(_as_typed(claim, replace(one, differs=differs)) if differs else one)
    return tuple(found)


def _by_words(claim: str, evidence: Evidence, scorer: PairScorer | None) -> Difference | None:
    """The difference by a denial in one of the two, else by reading."""
    if DENIAL.search(claim):
        return _denied(claim, evidence.title, evidence.sentence.text)
    if found := _denying(claim, evidence.title, evidence.sentence.text):
        return found
    return exchanged(scorer, claim, evidence) if scorer else None


def _as_typed(claim: Claim, evidence: Evidence) -> Evidence:
    """The difference in the claim as typed: the same words, else those in the same position, which may be misspelt."""
    if evidence.differs is None or claim.reading == claim.text:
        return evidence
    start, end = evidence.differs.claim
    typed = claim.text.find(claim.reading[start:end])
    place = (typed, typed + end - start) if typed >= 0 else None
    ours, theirs = list(_WORD.finditer(claim.reading)), list(_WORD.finditer(claim.text))
    if place is None and len(ours) == len(theirs):
        marked = [there.span() for here, there in zip(ours, theirs, strict=True) if start <= here.start() < end]
        place = (marked[0][0], marked[-1][1]) if marked else None
    return replace(evidence, differs=replace(evidence.differs, claim=place) if place else None)


def _of_quantities(claim: str, evidence: Evidence) -> Difference | None:
    found = compare(claim, evidence.title_as_read, evidence.sentence.text)
    return Difference(found.claim, found.sentence) if found and found.relation is Relation.DIFFERENT else None


def exchanged(scorer: PairScorer, claim: str, evidence: Evidence) -> Difference | None:
    """The two spans after whose exchange the sentence supports the claim; None if it never does.

    Less likely pairs are read only if none of the likelier ones makes the claim hold. Of two pairs with similar results,
    the first counts.
    """
    text, read = evidence.sentence.text, 0
    for _, pairs in groupby(likely_pairs(claim, evidence.sentence.title, text), key=lambda pair: pair.rank):
        best, most = None, HOLDS
        for pair in islice(pairs, MOST_READ - read):
            ours, theirs = pair.claim, pair.sentence
            changed = claim[: ours.start] + text[theirs.start : theirs.end] + claim[ours.end :]
            _, (stance,) = judge_texts(scorer, changed, [as_read(evidence)])
            read += 1
            gain = stance.supports - stance.refutes
            if gain > most + (BETTER_BY if best else 0.0):
                best, most = Difference((ours.start, ours.end), (theirs.start, theirs.end)), gain
        if best or read == MOST_READ:
            return best
    return None


def _denied(claim: str, title: str, sentence: str) -> Difference | None:
    """The claim's "not", and the sentence's statement about the claim's words."""
    denial = DENIAL.search(claim) or _UNTRUE.search(claim)
    asked = content_words(claim)
    for wanted in (asked - content_words(title), asked):
        spans = [word.span() for word in _WORD.finditer(sentence) if content_words(word[0]) & wanted]
        if spans:
            break
    if not denial or not spans:
        return None
    last = max((end for _, end in spans if end - spans[0][0] <= LONGEST_STATEMENT), default=spans[0][1])
    return Difference(denial.span(), (spans[0][0], last))


def _denying(claim: str, title: str, sentence: str) -> Difference | None:
    """The sentence's "not" with the claim's words that it denies, and those words of the claim."""
    wanted = content_words(claim) - content_words(title)
    for denial in _DENYING.finditer(sentence):
        clause = _CLAUSE.match(sentence, denial.end())
        words = [word for word in _WORD.finditer(clause[0] if clause else "") if content_words(word[0]) & wanted]
        denied = frozenset[str]().union(*(content_words(word[0]) for word in words))
        ours = [word.span() for word in _WORD.finditer(claim) if content_words(word[0]) & denied]
        if words and ours:
            return Difference((ours[0][0], ours[-1][1]), (denial.start(), denial.end() + words[-1].end()))
    return None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A span of the claim, and one of the sentence that may stand for it. rank: the likeliest pairs have the least."""

    rank: tuple[int, int]
    claim: Part
    sentence: Part


def likely_pairs(claim: str, title: str, sentence: str) -> list[Exchange]:
    """Spans and names of the claim, each with spans of the sentence that may stand for it, the likeliest first."""
    words, asked = content_words(f"{title} {sentence}"), content_words(claim)
    ours = [part for part in parts_of(claim) if part.kind == NAME or not part.words <= words]
    theirs = [part for part in parts_of(sentence) if not part.words <= asked]
    pairs = [Exchange(_rank(a, b, words), a, b) for a in ours for b in theirs if b.kind in _LIKE[a.kind]]
    return sorted(pairs, key=lambda pair: (pair.rank, -pair.claim.start, pair.sentence.start, -pair.sentence.end))


def _rank(ours: Part, theirs: Part, words: frozenset[str]) -> tuple[int, int]:
    """The rank of a pair: lower for the same type, a similar kind, the same word before and, above all, behind, and if the sentence
    has none of the claim's words; verbs come last."""
    same_type = bool(ours.type) and ours.type == theirs.type
    same_head = bool(ours.behind) and ours.behind == theirs.behind
    like = _LIKE[ours.kind].index(theirs.kind) - same_type + (ours.before != theirs.before) - 2 * same_head
    unlikely = 2 * (ours.kind == VERB) + 4 * (ours.words <= words)  # a name that the sentence has too comes last
    return (like + unlikely, len(ours.words & words))
