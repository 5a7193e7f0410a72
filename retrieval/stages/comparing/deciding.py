"""Puts first the sentences that decide a claim by a rule of `retrieval.verdicts.rules`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.protocols import PairScorer
from retrieval.stages.comparing.of_another import unless_of_another
from retrieval.stages.comparing.silencing import RULED_WEIGHT, neutral, unless_given_elsewhere, unless_only_believed
from retrieval.stages.comparing.unanswered import unless_unanswered
from retrieval.stages.sentences import best_first
from retrieval.text.quantities.stances import exactly
from retrieval.text.sentences import as_read
from retrieval.text.titles import fold, starts_of, without_bracket
from retrieval.text.witnesses import hollow_pages, witnesses
from retrieval.text.words import content_words
from retrieval.types import RULE, Difference, Evidence, FactCheck, Page, Progress, Sentence, Stance
from retrieval.verdicts.rules.comparatives import Compared, compared
from retrieval.verdicts.rules.compound import each_of, either_of, of_some, same
from retrieval.verdicts.rules.events.battles import won
from retrieval.verdicts.rules.events.finals import won_final
from retrieval.verdicts.rules.events.recurring import recurring
from retrieval.verdicts.rules.events.sides import attacked, fought_between
from retrieval.verdicts.rules.existence import existence
from retrieval.verdicts.rules.kinds import of_another_kind
from retrieval.verdicts.rules.lacking import lacking
from retrieval.verdicts.rules.only_one.capitals import is_of_elsewhere
from retrieval.verdicts.rules.only_one.holder import holder_of, is_of_another_order, is_of_fewer
from retrieval.verdicts.rules.only_one.place import Place, place_of
from retrieval.verdicts.rules.only_one.ranked import ranked
from retrieval.verdicts.rules.only_one.whereabouts import whereabouts
from retrieval.verdicts.rules.past import once, parted, renamed, surpassed
from retrieval.verdicts.rules.people.aged import aged
from retrieval.verdicts.rules.people.bands import in_band
from retrieval.verdicts.rules.people.deaths import death
from retrieval.verdicts.rules.people.ended import ended
from retrieval.verdicts.rules.people.fame import fame
from retrieval.verdicts.rules.people.kin import kin
from retrieval.verdicts.rules.people.origins import origin
from retrieval.verdicts.rules.people.real_names import real_name
from retrieval.verdicts.rules.places.countries import currency, member
from retrieval.verdicts.rules.places.geography import located, neighbours
from retrieval.verdicts.rules.places.habitats import habitat
from retrieval.verdicts.rules.relations import related
from retrieval.verdicts.rules.ruling import Ruling
from retrieval.verdicts.rules.same_thing import one_thing
from retrieval.verdicts.rules.slots import slot
from retrieval.verdicts.rules.works.makers import maker, of_makers_nation, same_maker
from retrieval.verdicts.rules.works.screen import in_cast, shown_on
from retrieval.verdicts.rules.works.unfinished import unfinished

METHOD = "comparison"
READ_EACH, CLEAR = 5, 0.6  # sentences read of each of two things; the least share of a side that decides
_TWO_NAMES = re.compile(r"[\w'’.-]+ [A-Z]")  # "Robbie Collin" is no Margot Robbie
LONGEST_BETWEEN = 30  # characters between the first and the last word of a name
RULES = (  # the first that decides counts
    *(origin, maker, of_makers_nation, in_cast, shown_on, kin, member, in_band),
    *(neighbours, located, currency, habitat, parted, renamed, once, surpassed),
    *(won, won_final, attacked, fought_between, recurring, related, lacking),
    *(ended, death, aged, real_name, existence, slot, whereabouts, ranked, of_another_kind),
    *(one_thing, fame, unfinished),
)


@dataclass(frozen=True)
class CompareThings:
    """Puts first, on their side, the sentences that decide by rule. Other claims pass unchanged.

    reader: reads a claim about two things as a claim about each; without one, only rules decide it.
    """

    reader: PairScorer | None = None
    name = stage_names.COMPARING
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim, pages = check.claim.reading, [hit.page for hit in check.pages]
        check = unless_of_another(unless_given_elsewhere(unless_only_believed(check, pages)), pages)
        check = unless_unanswered(check)
        if comparison := compared(claim, pages):
            check = with_comparison(check, comparison)
        elif rulings := rulings_on(claim, check, self.reader):
            check = with_rulings(check, rulings)
        elif some := of_some(claim, check.sentences):
            check = with_rulings(check, [some])
        elif place := place_of(claim):
            check = with_place(check, place)
        yield Progress(self.name, 1, 1, check)


def with_comparison(check: FactCheck, comparison: Compared) -> FactCheck:
    """The check with both sentences first, and a note that gives the values. Others no longer take the other side."""
    values = (comparison.first, comparison.second)
    note = "; ".join(f"{without_bracket(value.sentence.title)}: {value.text}" for value in values)
    check = with_rulings(check, [Ruling(value.sentence, comparison.holds) for value in values])
    return check.noting(f"Compared: {note}.")


def with_place(check: FactCheck, place: Place) -> FactCheck:
    """The check decided by who holds the place; else, sentences on another order or another capital take no side."""
    if ruling := _held(check.claim.reading, check):
        return with_rulings(check, [ruling])
    elsewhere = [
        one
        for one in check.sentences
        if is_of_elsewhere(place, one.sentence.text, one.sentence.title)
        or is_of_another_order(place, one.sentence.text)
        or is_of_fewer(place, one.sentence.text)
    ]
    return replace(check, sentences=neutral(check.sentences, elsewhere))


def _held(claim: str, check: FactCheck) -> Ruling | None:
    """The sentence that says who holds the place of which the claim speaks."""
    place = place_of(claim)
    if place is None:
        return None
    counted = [sentence for _, sentence in witnesses(check.claim.reading, check.pages).sentences]
    return holder_of(place, counted, [hit.page for hit in check.pages])


def rulings_on(claim: str, check: FactCheck, reader: PairScorer | None) -> list[Ruling]:
    """The rulings that decide the claim; for a claim about two things, one on each, or those that refute it. Empty if
    anything is left open, or if a page that is no evidence would decide.

    reader: if rules leave one of the two open, it reads the best sentences of that thing's page beside the claim about it alone.
    """
    pages = [hit.page for hit in check.pages]
    if either := either_of(claim):
        return _of_either([_first_ruling(one, pages) for one in either], hollow_pages(claim, pages))
    each = each_of(claim)
    found: Sequence[Ruling | None] = (
        same_maker(claim, pages) or same(claim, pages) or [_first_ruling(one, pages) for one in each]
    )
    hollow = hollow_pages(claim, pages) if any(found) or len(each) > 1 else {}
    rulings = [one if one and one.sentence.page_id not in hollow else None for one in found]
    for number, one in enumerate(each if len(each) == len(rulings) > 1 else ()):
        known = rulings[number] or _held(one, check)
        if known is None and reader:
            known = _read(one, _best_of(one, check, hollow), reader)
        if known and not known.holds:
            return [known]
        rulings[number] = known
    decided = [one for one in rulings if one]
    return ([one for one in decided if not one.holds] or decided) if len(decided) == len(rulings) else []


def _of_either(rulings: Sequence[Ruling | None], hollow: Container[str]) -> list[Ruling]:
    """What supports a claim about one of two things, else what refutes it of both."""
    known = [one for one in rulings if one and one.sentence.page_id not in hollow]
    holding = [one for one in known if one.holds]
    return holding[:1] or (known if len(known) == len(rulings) else [])


def _best_of(claim: str, check: FactCheck, hollow: Container[str]) -> list[Evidence]:
    """The sentences that share most words with the claim, of the pages with whose name, or the last word of whose title, it begins."""
    begins, titled, called, ends = fold(claim), set[str](), set[str](), set[str]()
    outdone = _outdone(check)
    for page in (hit.page for hit in check.pages if hit.page.id not in hollow and hit.page.id not in outdone):
        title = without_bracket(page.title)
        if page.title == title and starts_of(begins, [fold(title)]):
            titled.add(page.id)
        elif starts_of(begins, map(fold, (title, *page.all_names))):
            called.add(page.id)
        elif page.title == title and starts_of(begins, [fold(title.split()[-1])]) and not _TWO_NAMES.match(claim):
            ends.add(page.id)
    named = titled or called or ends
    words = content_words(claim)

    def shared(one: Sentence) -> int:
        return len((words & content_words(one.text)) - content_words(one.title))

    found = [known for known in check.sentences if known.sentence.page_id in named]
    return sorted(found, key=lambda known: -shared(known.sentence))[:READ_EACH]


def _outdone(check: FactCheck) -> set[str]:
    """The pages whose title begins that of a page with a more relevant sentence: a claim on Apple Inc. means no fruit."""
    best: dict[str, float] = {}
    for one in check.sentences:
        best[one.sentence.page_id] = max(one.relevance, best.get(one.sentence.page_id, 0.0))
    titles = {hit.page.id: f"{fold(hit.page.title)} " for hit in check.pages if hit.page.id in best}
    return {
        id
        for id, title in titles.items()
        if any(
            other != title and other.startswith(title) and best[longer] > best[id] for longer, other in titles.items()
        )
    }


def _read(claim: str, sentences: Sequence[Evidence], reader: PairScorer) -> Ruling | None:
    """The sentence that clearly refutes the claim by its quantities, else one that clearly supports it, else one that clearly refutes it."""
    texts = [as_read(one) for one in sentences]
    read = [pair for rows, _, stances in reader.score(claim, texts) for pair in zip(rows, stances, strict=True)]
    exact = [exactly(claim, one.title_as_read, one.sentence.text) for one in sentences]
    against, row = max(((stance.refutes, row) for row, stance in read if exact[row] < 0), default=(0.0, 0))
    if against >= CLEAR and 1 not in exact:
        return Ruling(sentences[row].sentence, False)
    support, row = max(((stance.supports, row) for row, stance in read), default=(0.0, 0))
    if support >= CLEAR:
        return Ruling(sentences[row].sentence, True)
    against, row = max(((stance.refutes, row) for row, stance in read), default=(0.0, 0))
    # If another sentence may support the claim, this one may be about something else, as a second prize is.
    return Ruling(sentences[row].sentence, False) if against >= CLEAR and support < 1 - CLEAR else None


def _first_ruling(claim: str, pages: Sequence[Page]) -> Ruling | None:
    return next(filter(None, (rule(claim, pages) for rule in RULES)), None)


def with_rulings(check: FactCheck, rulings: Sequence[Ruling]) -> FactCheck:
    """The check with the deciding sentences first, all on one side. Others no longer take the other side: they are about
    something else ("the capital of Bavaria") that the network mistook for the claim's.
    """
    holds = all(one.holds for one in rulings)
    rest = (1 - RULED_WEIGHT) / 2
    stance = Stance(RULED_WEIGHT, rest, rest) if holds else Stance(rest, RULED_WEIGHT, rest)
    against = [one for one in check.sentences if (one.stance.refutes > one.stance.supports) == holds]
    known = {one.sentence: one for one in neutral(check.sentences, against)}
    for one in rulings:
        before = known.get(one.sentence) or Evidence(one.sentence, RULED_WEIGHT, stance, METHOD)
        differs = _difference(check.claim.reading, one)
        known[one.sentence] = replace(before, stance=stance, rank_score=RULED_WEIGHT, rank_method=RULE, differs=differs)
    return replace(check, sentences=best_first(tuple(known.values()))).noting(*(one.note for one in rulings))


def _difference(claim: str, ruling: Ruling) -> Difference | None:
    """The offsets of the words that exclude each other, in the claim as it is read and in the sentence."""
    if ruling.differ is None:
        return None
    ours, theirs = _span_of(ruling.differ[0], claim), _span_of(ruling.differ[1], ruling.sentence.text)
    return Difference(ours, theirs) if ours and theirs else None


def _span_of(words: str, text: str) -> tuple[int, int] | None:
    """The offsets of the words, or of a name with others between its first and last: "Neil Alden Armstrong"."""
    first, *_, last = *words.split(), words.split()[-1]
    between = rf"{re.escape(first)}\b[^,;:.()]{{0,{LONGEST_BETWEEN}}}?\b{re.escape(last)}"
    found = re.search(rf"\b(?:{re.escape(words)}|{between})", text, re.IGNORECASE)
    return found and found.span()
