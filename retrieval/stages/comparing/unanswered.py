"""Takes the side from sentences that do not say what the claim asks: "a German-born physicist" does not say where he died."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from decimal import Decimal

from retrieval.stages.comparing.silencing import neutral
from retrieval.text.names.nations import ANY_NATION, names_a_state, nation_of, nations_in
from retrieval.text.quantities.dates import MONTHS
from retrieval.text.quantities.finding import Kind, quantities
from retrieval.text.titles import fold
from retrieval.text.words import stem, stems
from retrieval.types import FactCheck, Sentence
from retrieval.verdicts.rules.comparatives import Comparison, asked_of, is_own, speaks_of_measure
from retrieval.verdicts.rules.only_one.whereabouts import gives_another_place, place_located
from retrieval.verdicts.rules.ruling import ClaimForms
from retrieval.verdicts.rules.slots import FLOWS_THROUGH

_DIED = re.compile(
    rf"^[^,;:?!\d]+ (?:(?:died|passed away|(?:is|was) buried) (?:in|at|near|on) (?:the )?(?!{'|'.join(MONTHS)})[A-Z]|died (?:of|from|by) )[^,;:?!\d]+$"
)
_IS_DEAD = ClaimForms(r"[^,;:?!]{2,60} is (?:now |already )?dead")
_DEATH = re.compile(
    r"\b(?:di(?:es|ed|e)|dying|dead|deaths?|deceased|kill\w*|assassinat\w*|murder\w*|execut\w*|suicide|drown\w*|bur(?:y|ied|ial)|cremat\w*|"
    r"posthumous\w*|perish\w*|succumb\w*|widow\w*|passed away|hang(?:ed|ing)|behead\w*|fatal\w*|tomb|graves?|mausoleum|funeral|shot|overdos\w*|"
    r"crash\w*|late|last|martyr\w*|poison\w*|memorial|guillotin\w*|mortally)\b",
    re.IGNORECASE,
)  # fmt: skip
# "14 March 1879 – 18 April 1955"
_LIFE = re.compile(r"\d{3,4}[^()\d]{0,12}[–-][^()\d]{0,20}(?:\d\d?,? )?[^()\d]{0,12}\d{3,4}")
# A nation of then is no other place.
_NOW_IN = re.compile(r" born in (?:what is (?:now|today)|present-day|modern(?:-day)?|today['’]s) ")
_IN_A_STATE = ClaimForms(r"[^,;:?!]{2,60} (?:is|are|lies|is located|is situated) in [^,;:?!]{3,40}")
_GROWS = re.compile(
    r"^[^,;:?!]{2,40} (?:is |are )?(?:lives?|grows?|grown|farmed|kept|cultivated|found) (?:in|on) [^,;:?!]{3,40}[.!]?$"
)
# Where it began is not where it is today.
_BEGAN = re.compile(r"\b(?:originat\w+|origins?|first domesticated|(?:was|were) domesticated)\b")
_FLOWS = re.compile(rf"^[^,;:?!]{{2,40}} {FLOWS_THROUGH} (?P<where>[^,;:?!]{{3,40}}?)[.!]?$")
_COURSE = re.compile(r"\b(?:flow\w*|through|past|pass\w*|along|bank\w*|border\w*|rises?|source|empt\w+)\b")
_COMES_FROM = ClaimForms(
    rf"[^,;:?!]{{2,40}} (?:comes?|came|originat\w+|is|are|was|were) (?:originally )?(?:from|in) (?:the )?(?:{ANY_NATION})"
)
_IS_LIKED = re.compile(r"\b(?:popular|performed|played|eaten|common|widespread|sold|enjoyed|famous)\b")
_ARISES = re.compile(r"\b(?:origin\w*|born|first|invent\w+|develop\w+|began|begun|native|created|emerg\w+)\b")
_WINS = re.compile(r"\b(?:won|wins?|winning|received|awarded|got)\b")
_NOMINATED = re.compile(r"\bnominat\w+", re.IGNORECASE)
_CLAUSES = re.compile(r"[;,:]| and | but | of which ")
_SAME = re.compile(
    r" and .* (?:(?:born|died) (?:in|during) the same year|from the same (?:country|nation)|of the same nationality)\b"
)
# "Ladybugs are beetles": a film of this name says nothing about them.
_GENERAL = re.compile(
    r"(?i)^(?:(?:the|all|most) )?[\w' -]{2,40}?s (?:are|have|eat|live|can|cannot|lay|make|need|breathe|sleep)\b"
)
_A_WORK = re.compile(
    r"\((?:\d{4} )?(?:[\w ]+ )?(?:film|album|song|novel|series|book|game|play|comics|musical|single)\)$"
)
_WORKS = re.compile(
    r"(?i)\b(?:films?|movies?|albums?|songs?|novels?|series|books?|games?|plays?|comics|musicals?|singles?)\b"
)
_MONEY = re.compile(
    rf"(?i)^(?:the (?:[a-z]+ )?currency (?:of|in) (?:the )?(?P<land>{ANY_NATION}) is|(?:the )?(?P<land2>{ANY_NATION})['’]s? (?:[a-z]+ )?currency is) "
)

_RAISED_BY = re.compile(r"\b(?:raised|brought up|reared) by\b")
_RAISES = re.compile(r"\b(?:rais\w+|brought up|rear\w*|upbringing|grew up|adopt\w*|foster\w*|childhood|orphan\w*)\b")
# "They eat mostly bamboo" allows for other food.
_MOSTLY = re.compile(
    r"\b(?:almost|mostly|mainly|usually|largely|primarily|generally|nearly|typically|chiefly)\b", re.IGNORECASE
)
_AT_TIMES = re.compile(r"\b(?:occasional(?:ly)?|sometimes|rarely|seldom)\b", re.IGNORECASE)

Silent = Callable[[Sentence, bool], bool]  # of a sentence, and whether it supports the claim


def unless_unanswered(check: FactCheck) -> FactCheck:
    """The check; sentences without what the claim asks take no side."""
    tests = list(_silent(check.claim.reading))
    other = [
        one
        for one in check.sentences
        if any(silent(one.sentence, one.stance.supports > one.stance.refutes) for silent in tests)
    ]
    return replace(check, sentences=neutral(check.sentences, other)) if other else check


def _silent(claim: str) -> Iterator[Silent]:
    """For what the claim asks, whether a sentence takes a side without saying anything of it."""
    if _DIED.match(claim):
        yield lambda one, _: not _DEATH.search(one.text)
    if _IS_DEAD.match(claim):
        yield lambda one, _: not (_DEATH.search(one.text) or _LIFE.search(one.text))
    if _IN_A_STATE.match(claim) and names_a_state(claim):  # but not in the United States alone
        yield (
            lambda one, supports: (
                not supports and set(nations_in(one.text)) == {"United States"} and not names_a_state(one.text)
            )
        )
    if _NOW_IN.search(claim):
        yield lambda one, supports: not supports and not re.search(r"\bborn\b", one.text)
    if _GROWS.match(claim):
        yield lambda one, supports: not supports and bool(_BEGAN.search(one.text))
    if flows := _FLOWS.match(claim):
        where = stem(fold(flows["where"]).split()[-1])
        yield lambda one, _: not _COURSE.search(one.text) and where not in stems(one.text)
    if money := _MONEY.match(claim):
        land = nation_of(money["land"] or money["land2"])
        yield lambda one, _: land not in nations_in(f"{one.title} {one.text}")
    if _RAISED_BY.search(claim):
        yield lambda one, _: not _RAISES.search(one.text)
    if _MOSTLY.search(claim):
        yield lambda one, supports: not supports and bool(_AT_TIMES.search(one.text))
    if _COMES_FROM.match(claim):
        yield lambda one, supports: supports and bool(_IS_LIKED.search(one.text)) and not _ARISES.search(one.text)
    if _WINS.search(claim) and not _NOMINATED.search(claim):
        won = {one.value for one in quantities(claim) if one.kind is Kind.NUMBER}
        yield lambda one, supports: supports and _counts_nominations(won, one.text)
    if _SAME.search(claim):  # a sentence about one of two says nothing of the other
        yield lambda one, _: "same" not in one.text
    if _GENERAL.match(claim) and not _WORKS.search(claim):
        yield lambda one, _: bool(_A_WORK.search(one.title))
    if (place := place_located(claim)) is not None:
        yield lambda one, _: gives_another_place(place, one)
    if asked := asked_of(claim):
        yield lambda one, _: not speaks_of_measure(asked, one.text) or _compares_another(asked, one)


def _compares_another(asked: Comparison, sentence: Sentence) -> bool:
    """Whether the sentence is about a third thing: that a viola "is slightly larger than a violin" says nothing of a cello."""
    first, second = (stem(fold(name).split()[-1]) for name in (asked.first, asked.second))
    called, text = stems(" ".join((sentence.title, *sentence.all_names))), sentence.text
    return is_own(sentence) and first not in called | stems(text) and (second not in called or " than " in text)


def _counts_nominations(asked: Set[Decimal], text: str) -> bool:
    """Whether the sentence has one of these numbers only of nominations, not of what was won."""
    counting = [clause for clause in _CLAUSES.split(text) if asked & {one.value for one in quantities(clause)}]
    return bool(counting) and all(_NOMINATED.search(clause) and not _WINS.search(clause) for clause in counting)
