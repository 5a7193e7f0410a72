"""Takes the side from sentences that do not speak of what the claim asks: "a German-born physicist" does not say where he died.

A network takes a person's country for the place of any event, and a border for a size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from decimal import Decimal

from retrieval.stages.comparing.silencing import neutral
from retrieval.text.names.nations import ANY_NATION, names_a_state, nation_of, nations_in
from retrieval.text.quantities.dates import MONTHS
from retrieval.text.quantities.finding import Kind, quantities
from retrieval.text.sentences import begins_with_pronoun
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem, stems
from retrieval.types import Evidence, FactCheck
from retrieval.verdicts.rules.comparatives import Comparison, asked_of, speaks_of_measure
from retrieval.verdicts.rules.only_one.whereabouts import gives_another_place, place_located

_DIED = re.compile(
    rf"^[^,;:?!\d]+ (?:(?:died|passed away|(?:is|was) buried) (?:in|at|near|on) (?:the )?(?!{'|'.join(MONTHS)})[A-Z]|died (?:of|from|by) )[^,;:?!\d]+$"
)
_IS_DEAD = re.compile(r"^[^,;:?!]{2,60} is (?:now |already )?dead[.!]?$", re.IGNORECASE)
_DEATH = re.compile(
    r"\b(?:di(?:es|ed|e)|dying|dead|deaths?|deceased|kill\w*|assassinat\w*|murder\w*|execut\w*|suicide|drown\w*|bur(?:y|ied|ial)|cremat\w*|"
    r"posthumous\w*|perish\w*|succumb\w*|widow\w*|passed away|hang(?:ed|ing)|behead\w*|fatal\w*|tomb|graves?|mausoleum|funeral|shot|overdos\w*|"
    r"crash\w*|late|last|martyr\w*|poison\w*|memorial|guillotin\w*|mortally)\b",
    re.IGNORECASE,
)  # fmt: skip
_LIFE = re.compile(
    r"\d{3,4}[^()\d]{0,12}[–-][^()\d]{0,20}(?:\d\d?,? )?[^()\d]{0,12}\d{3,4}"
)  # "14 March 1879 – 18 April 1955"
_NOW_IN = re.compile(
    r" born in (?:what is (?:now|today)|present-day|modern(?:-day)?|today['’]s) "
)  # a nation of then is no other place
_IN_A_STATE = re.compile(
    r"^[^,;:?!]{2,60} (?:is|are|lies|is located|is situated) in [^,;:?!]{3,40}[.!]?$", re.IGNORECASE
)
_GROWS = re.compile(
    r"^[^,;:?!]{2,40} (?:is |are )?(?:lives?|grows?|grown|farmed|kept|cultivated|found) (?:in|on) [^,;:?!]{3,40}[.!]?$"
)
_BEGAN = re.compile(
    r"\b(?:originat\w+|origins?|first domesticated|(?:was|were) domesticated)\b"
)  # where, is not where it is today
_FLOWS = re.compile(r"^[^,;:?!]{2,40} (?:flows|runs|passes) through (?P<where>[^,;:?!]{3,40}?)[.!]?$")
_COURSE = re.compile(r"\b(?:flow\w*|through|past|pass\w*|along|bank\w*|border\w*|rises?|source|empt\w+)\b")
_COMES_FROM = re.compile(
    rf"^[^,;:?!]{{2,40}} (?:comes?|came|originat\w+|is|are|was|were) (?:originally )?(?:from|in) (?:the )?(?:{ANY_NATION})[.!]?$",
    re.IGNORECASE,
)
_IS_LIKED = re.compile(r"\b(?:popular|performed|played|eaten|common|widespread|sold|enjoyed|famous)\b")
_ARISES = re.compile(r"\b(?:origin\w*|born|first|invent\w+|develop\w+|began|begun|native|created|emerg\w+)\b")
_WINS = re.compile(r"\b(?:won|wins?|winning|received|awarded|got)\b")
_NOMINATED = re.compile(r"\bnominat\w+", re.IGNORECASE)
_CLAUSES = re.compile(r"[;,:]| and | but | of which ")
_SAME = re.compile(
    r" and .* (?:(?:born|died) (?:in|during) the same year|from the same (?:country|nation)|of the same nationality)\b"
)
# "Ladybugs are beetles": what a film of this name tells, it tells of the film.
_GENERAL = re.compile(
    r"^(?:(?:the|all|most) )?[\w' -]{2,40}?s (?:are|have|eat|live|can|cannot|lay|make|need|breathe|sleep)\b",
    re.IGNORECASE,
)
_A_WORK = re.compile(
    r"\((?:\d{4} )?(?:[\w ]+ )?(?:film|album|song|novel|series|book|game|play|comics|musical|single)\)$"
)
_WORKS = re.compile(
    r"\b(?:films?|movies?|albums?|songs?|novels?|series|books?|games?|plays?|comics|musicals?|singles?)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    rf"^(?:the (?:[a-z]+ )?currency (?:of|in) (?:the )?(?P<land>{ANY_NATION}) is|(?:the )?(?P<land2>{ANY_NATION})['’]s? (?:[a-z]+ )?currency is) ",
    re.IGNORECASE,
)

Asks = Callable[[Evidence], bool]


def unless_unanswered(check: FactCheck) -> FactCheck:
    """The check; sentences without what the claim asks take no side."""
    claim = check.claim.reading
    other = [one for one in check.sentences if any(silent(one) for silent in _silent(claim))]
    return replace(check, sentences=neutral(check.sentences, other)) if other else check


def _silent(claim: str) -> Iterator[Asks]:
    """For what the claim asks, whether a sentence takes a side without saying anything of it."""
    if _DIED.match(claim):
        yield lambda one: not _DEATH.search(one.sentence.text)
    if _IS_DEAD.match(claim):
        yield lambda one: not (_DEATH.search(one.sentence.text) or _LIFE.search(one.sentence.text))
    if _IN_A_STATE.match(claim) and names_a_state(claim):
        yield lambda one: not _supports(one) and _names_the_country_alone(one.sentence.text)
    if _NOW_IN.search(claim):
        yield lambda one: not _supports(one) and not re.search(r"\bborn\b", one.sentence.text)
    if _GROWS.match(claim):
        yield lambda one: not _supports(one) and _BEGAN.search(one.sentence.text) is not None
    if flows := _FLOWS.match(claim):
        where = stem(fold(flows["where"]).split()[-1])
        yield lambda one: not _COURSE.search(one.sentence.text) and where not in stems(one.sentence.text)
    if money := _MONEY.match(claim):
        yield (
            lambda one: (
                nation_of(money["land"] or money["land2"])
                not in nations_in(f"{one.sentence.title} {one.sentence.text}")
            )
        )
    if _COMES_FROM.match(claim):
        yield (
            lambda one: (
                _supports(one) and bool(_IS_LIKED.search(one.sentence.text)) and not _ARISES.search(one.sentence.text)
            )
        )
    if _WINS.search(claim) and not _NOMINATED.search(claim):
        won = {one.value for one in quantities(claim) if one.kind is Kind.NUMBER}
        yield lambda one: _supports(one) and _counts_nominations(won, one.sentence.text)
    if _SAME.search(claim):  # a sentence about one of two says nothing of the other
        yield lambda one: "same" not in one.sentence.text
    if _GENERAL.match(claim) and not _WORKS.search(claim):
        yield lambda one: _A_WORK.search(one.sentence.title) is not None
    if (place := place_located(claim)) is not None:
        yield lambda one: gives_another_place(place, one.sentence)
    if asked := asked_of(claim):
        yield lambda one: not speaks_of_measure(asked, one.sentence.text) or _compares_another(asked, one)


def _compares_another(asked: Comparison, one: Evidence) -> bool:
    """Whether the sentence is about a third thing: that a viola "is slightly larger than a violin" says nothing of a cello."""
    first, second = (stem(fold(name).split()[-1]) for name in (asked.first, asked.second))
    called, text = stems(" ".join((one.sentence.title, *one.sentence.all_names))), one.sentence.text
    own = begins_with_pronoun(text) or fold(text).startswith(fold(without_bracket(one.sentence.title)))
    return own and first not in called | stems(text) and (second not in called or " than " in text)


def _counts_nominations(asked: Set[Decimal], text: str) -> bool:
    """Whether the sentence has one of these numbers only of nominations, not of what was won."""
    counting = [clause for clause in _CLAUSES.split(text) if asked & {one.value for one in quantities(clause)}]
    return bool(counting) and all(_NOMINATED.search(clause) and not _WINS.search(clause) for clause in counting)


def _supports(one: Evidence) -> bool:
    return one.stance.supports > one.stance.refutes


def _names_the_country_alone(text: str) -> bool:
    """Whether it names the United States, but no state and no other country."""
    return set(nations_in(text)) == {"United States"} and not names_a_state(text)
