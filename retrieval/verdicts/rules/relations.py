"""Claims that reverse a relation: "Socrates was a student of Plato", "Google is a subsidiary of YouTube".

A network finds both names and the relation in a sentence, but seldom sees who has which role. A sentence with the roles reversed
refutes the claim, unless a page agrees with the claim: that supports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import (
    YEAR_IN_TEXT,
    ClaimForms,
    Ruling,
    is_about,
    pages_meant,
    sentences_of,
    spellings,
)

SENTENCES_ON_RELATIONS = 40  # of a page


@dataclass(frozen=True)
class Relation:
    """What an agent does to a patient, in words. agents, patients: nouns, "A is B's teacher", "B is a student of A". deeds: nouns, "A's
    invasion of B". dated: the relation can hold both ways, so the claim and the sentence must name the same year. far: most words
    between the relation and a name.
    """

    verbs: str
    participles: str = "-"
    agents: str = "-"
    patients: str = "-"
    deeds: str = "-"
    dated: bool = False
    far: int = 4


# Of two things that follow each other, a sentence may use either word.
_BEFORE = Relation(
    "preceded|came before|predates|predated", "preceded", "predecessor|precursor|forerunner", "successor"
)
_AFTER = Relation(
    "succeeded|came after|followed|replaced",
    "succeeded|followed|replaced",
    "successor",
    "predecessor|precursor|forerunner",
)
_TURNED = {_BEFORE: _AFTER, _AFTER: _BEFORE}
_RELATIONS = (
    Relation(
        "owns|owned|bought|acquired|purchased|took over",
        "owned|bought|acquired|purchased|taken over",
        "owner|parent company|parent",
        "subsidiary|subsidiaries|division|brand",
    ),
    Relation(
        "taught|tutored|mentored",
        "taught|tutored|mentored",
        "teacher|tutor|mentor",
        "students?|pupils?|disciples?|apprentice|protégé",
    ),
    Relation("killed|murdered|assassinated|shot", "killed|murdered|assassinated|shot", "killer|murderer|assassin"),
    Relation("causes|caused", "caused", "cause|agent", far=6),
    _BEFORE,
    _AFTER,
    Relation("orbits|circles|revolves around|goes around|moves around|orbited", "orbited|circled", "moon|satellite"),
    Relation(
        "invaded|attacked|conquered|annexed|occupied|bombed|declared war on",
        "invaded|attacked|conquered|annexed|occupied|bombed",
        deeds="invasion|attack|conquest|annexation|occupation|bombing",
        dated=True,
    ),
    Relation("defeated|beat", "defeated|beaten", dated=True),
)
_ONE, _OTHER = r"(?:the )?(?P<{}>[^,;:?!]{{2,50}}?)", r"(?:the )?(?!by |of |to )(?P<{}>[^,;:?!]{{2,50}}?)"
_REST = r"(?P<rest> (?:in|on|during|at|as|for) [^;:?!]{2,40})?"
_WHICH_IS = re.compile(r"\b(?:that|which|who) (?:is|was) (?:an? |the )?(?:[a-z-]+ ){0,2}$")
_ADVERB = r"(?:[a-z]+ly|also|always|once|later|soon|then|first|has|had|have|even)"
_BE = r"(?:is|was|are|were)"
_SOME = r"(?-i:(?!is |was |are |were |by |only |first |last |most |[a-z]+est |[a-z]+(?:nd|rd|th)\b)[a-z-]+ ){0,2}?"  # words between, none of them a name


def related(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of either's page that agrees with the claim; if no page does, one that reverses the roles."""
    stated = ((relation, match) for relation in _RELATIONS if (match := _claims(relation).match(claim)))
    relation, match = next(stated, (None, None))
    if relation is None or match is None:
        return None
    agent, patient, years = match["agent"], match["patient"], set[str]()
    if relation.dated:
        years = set(YEAR_IN_TEXT.findall(claim))
    if fold(agent) == fold(patient) or (relation.dated and not years):
        return None
    agreeing, reversing = (
        (one for one in _either_way(relation, *names, pages) if years <= set(YEAR_IN_TEXT.findall(one.text)))
        for names in ((agent, patient), (patient, agent))
    )
    if agreed := list(agreeing):
        own = {page.id for name in (agent, patient) for page in pages_meant(name, pages)}
        deciding = (one for one in agreed if one.page_id in own and (years or not match["rest"]))
        return next((Ruling(one, True) for one in deciding), None)
    note = "“{}” tells it the other way round."
    return next((Ruling(one, False, note.format(without_bracket(one.title))) for one in reversing), None)


@cache
def _claims(relation: Relation) -> ClaimForms:
    """Forms of claims that state the relation; those that begin with the agent come first."""
    active = f"(?:{_ADVERB} ){{0,2}}?(?:{relation.verbs})"
    passive = f"{_BE} {_SOME}(?:{relation.participles}) by"
    forms = []
    for first, verb, nouns, second in (
        ("agent", active, relation.agents, "patient"),
        ("patient", passive, relation.patients, "agent"),
    ):
        one, other = _ONE.format(first), _OTHER.format(second)
        forms += [
            f"{one} {verb} {other}{_REST}",
            f"{one} {_BE} (?:an?|the|one of the) {_SOME}(?:{nouns}) (?:of|to) {other}{_REST}",
            f"{one} {_BE} {other}['’]s? {_SOME}(?:{nouns}){_REST}",
        ]
    return ClaimForms(*forms)


def _either_way(relation: Relation, agent: str, patient: str, pages: Sequence[Page]) -> Iterator[Sentence]:
    """The sentences that say so, also by the opposite of the relation: who came before was succeeded."""
    yield from _telling(relation, agent, patient, pages)
    if opposite := _TURNED.get(relation):
        yield from _telling(opposite, patient, agent, pages)


def _telling(relation: Relation, agent: str, patient: str, pages: Sequence[Page]) -> Iterator[Sentence]:
    """The sentences that say that the agent does it to the patient: those that name both, then those of a page of either."""
    of_agent, of_patient = pages_meant(agent, pages), pages_meant(patient, pages)
    doer, done_to = (
        rf"(?:{spellings(name, found).pattern})(?!\w)" for name, found in ((agent, of_agent), (patient, of_patient))
    )
    some = rf"(?:(?!by |of |to )[a-z-]+ ){{0,{relation.far}}}\(?"
    both = re.compile(
        rf"\b(?:{doer}(?:, (?:which|who))? {_SOME}(?:{relation.verbs}) {some}{done_to}"
        rf"|{doer}['’]s? {_SOME}(?:{relation.deeds}) (?:of|on) {some}{done_to}|(?:{relation.deeds}) (?:of|on) {some}{done_to} by {some}{doer}"
        rf"|{done_to} {_BE} {_SOME}(?:{relation.participles}) by {some}{doer})"
    )
    # On their pages, either may be called by the last name alone.
    done_to, doer = (rf"(?:{full}{_last_name(name)})" for full, name in ((done_to, patient), (doer, agent)))
    by_agent = re.compile(
        rf"\b(?:(?:{relation.verbs}) {some}{done_to}|(?:{relation.agents}) (?:of|to) {some}{done_to}"
        rf"|(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir) {_SOME}(?:{relation.patients}),? {some}{done_to})"
    )
    first = r"(?:The )?(?:[A-Z][a-z]+ )?"  # "The Walt Disney Company"
    by_patient = re.compile(
        rf"\b(?:(?:{relation.participles}) by {some}{first}{doer}|(?:{relation.patients}) (?:of|to) {some}{first}{doer}"
        rf"|(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir) {_SOME}(?:{relation.agents}),? {some}{doer})"
    )
    yield from (sentence for sentence in sentences_of(pages, SENTENCES_ON_RELATIONS) if both.search(sentence.text))
    for meant, pattern in ((of_agent, by_agent), (of_patient, by_patient)):
        for sentence in sentences_of(meant, SENTENCES_ON_RELATIONS):
            match = pattern.search(sentence.text)
            before = sentence.text[: match.start()] if match else ""
            if match and (is_about(sentence.title, before) or (sentence.line == 0 and _WHICH_IS.search(before))):
                yield sentence


def _last_name(name: str) -> str:
    """A further form for a pattern: the last of several words, if no other name follows it."""
    words = name.split()
    return rf"|{re.escape(words[-1])}(?!\w| [A-Z]|['’])" if len(words) > 1 and words[-1][0].isupper() else ""
