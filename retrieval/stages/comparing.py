"""Puts the sentences first that decide a claim by a rule of `retrieval.verdicts.rules`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval import stage_names
from retrieval.protocols import PairScorer
from retrieval.stages.bridges import bridges_of
from retrieval.stages.sentences import best_first
from retrieval.text.names.first_sentence import lists_meanings
from retrieval.text.names.forms import number_forms
from retrieval.text.quantities.comparing import AMOUNTS, compare, is_dated, of_one_measure, only_begins
from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.stances import settles
from retrieval.text.ranking import holds_title
from retrieval.text.sentences import as_read, begins_with_pronoun
from retrieval.text.titles import fold, without_bracket
from retrieval.text.witnesses import hollow_pages, witnesses
from retrieval.text.words import stem
from retrieval.types import RANKER, RULE, Difference, Evidence, FactCheck, Page, Progress, Stance
from retrieval.verdicts.rules.believed import only_believed
from retrieval.verdicts.rules.both import each_of
from retrieval.verdicts.rules.comparatives import Compared, compared
from retrieval.verdicts.rules.existence import existence
from retrieval.verdicts.rules.kinds import of_another_kind
from retrieval.verdicts.rules.lacking import lacking
from retrieval.verdicts.rules.members import member
from retrieval.verdicts.rules.only_one.capitals import is_of_elsewhere
from retrieval.verdicts.rules.only_one.holder import holder_of, is_of_another_order
from retrieval.verdicts.rules.only_one.place import Place, place_of
from retrieval.verdicts.rules.only_one.ranked import ranked
from retrieval.verdicts.rules.people.bands import in_band
from retrieval.verdicts.rules.people.deaths import death
from retrieval.verdicts.rules.people.ended import ended
from retrieval.verdicts.rules.people.kin import kin
from retrieval.verdicts.rules.people.makers import maker, same_maker
from retrieval.verdicts.rules.people.origins import origin
from retrieval.verdicts.rules.quantifiers import of_some
from retrieval.verdicts.rules.relations import turned_round
from retrieval.verdicts.rules.slots import slot
from retrieval.verdicts.rules.told import YEAR_IN_TEXT, Told

SURE = 0.96  # what the two sentences weigh, and the share of their side
NO_SIDE = Stance((1 - SURE) / 2, (1 - SURE) / 2, SURE)
METHOD = "comparison"
OF_ANOTHER = 0.1  # most that a sentence on something else weighs
READ_EACH, CLEAR = 3, 0.7  # sentences of each of two things, and the least share of a side that decides
_ARTICLE = re.compile(r"^(?:the|an?) ")
LONGEST_BETWEEN = 30  # characters between the first and the last word of a name


@dataclass(frozen=True)
class CompareThings:
    """Puts the sentences that decide by rule first, on their side. Other claims pass unchanged.

    reader: reads a claim about two things as a claim about each; without one, only rules decide it.
    """

    reader: PairScorer | None = None
    name = stage_names.COMPARING
    reads = ("claim", "pages", "sentences")
    writes = ("sentences", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim, pages = check.claim.reading, [hit.page for hit in check.pages]
        check = unless_of_another(unless_given_elsewhere(unless_only_believed(check, pages)), pages)
        if found := compared(claim, pages):
            check = with_comparison(check, found)
        elif told := told_of_each(claim, check, self.reader):
            check = with_told(check, told)
        elif some := of_some(claim, check.sentences):
            check = with_told(check, [some])
        elif place := place_of(claim):
            check = with_place(check, place)
        yield Progress(self.name, 1, 1, check)


def unless_only_believed(check: FactCheck, pages: Sequence[Page]) -> FactCheck:
    """Silences sentences that support the claim, but only report that somebody believes it."""
    supporting = [one.sentence for one in check.sentences if one.stance.supports > one.stance.refutes]
    believed = only_believed(check.claim.reading, pages, supporting)
    other = [one for one in check.sentences if one.sentence in believed]
    return replace(check, sentences=_silenced(check.sentences, other)) if other else check


def unless_given_elsewhere(check: FactCheck) -> FactCheck:
    """Silences sentences that refute the claim by another amount or date, if a sentence of the same page gives the claim's: a part
    of a tunnel says nothing of its length, and a first episode nothing of a later year.

    A date also silences the pages of namesakes, but no other date of the same event. That something began in 1960 does not refute
    that it went on in 1965.
    """
    claim = check.claim.reading
    found = {one.sentence: compare(claim, one.title_as_read, one.sentence.text) for one in check.sentences}
    agreed = {one: given for one, given in found.items() if given and settles(given)}
    measured = {one.page_id for one, given in agreed.items() if given.kind in AMOUNTS}
    dated = {fold(without_bracket(one.title)) for one, given in agreed.items() if given.kind is Kind.DATE}
    other = [
        one
        for one in check.sentences
        if one.sentence not in agreed and one.stance.refutes > one.stance.supports
        if (one.sentence.page_id in measured and of_one_measure(claim, one.sentence.text))
        or only_begins(claim, one.sentence.text)
        or (
            fold(without_bracket(one.sentence.title)) in dated
            and found[one.sentence] is None
            and is_dated(one.sentence.text)
        )
    ]
    return replace(check, sentences=_silenced(check.sentences, other)) if other else check


def _silenced(sentences: Sequence[Evidence], other: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The sentences, best first, with no side and little weight for `other`."""
    return best_first(
        tuple(
            replace(one, stance=NO_SIDE, rank_score=min(one.weight, OF_ANOTHER), rank_method=RANKER)
            if one in other
            else one
            for one in sentences
        )
    )


def unless_of_another(check: FactCheck, pages: Sequence[Page]) -> FactCheck:
    """Silences sentences about something else: "Silver is an element with symbol Ag" says nothing about gold.

    Applies if the claim begins with the name of a page. A sentence of another page that does not name that subject cannot
    support the claim, unless a sentence leads to its page (`bridges_of`) and the subject's page does not refute the claim. Nor
    do its own subject's years refute it.
    """
    claim = fold(check.claim.reading)
    named = [(name, page) for page in pages for name in _names_at_the_start(claim, page)]
    longest = max((len(name) for name, _ in named), default=0)
    subjects = {page.id: name for name, page in named if len(name) == longest}
    words = {
        stem(word.split()[-1])
        for page in pages
        if page.id in subjects
        for word in map(fold, (subjects[page.id], without_bracket(page.title), *page.all_names))
        if word
    }
    other = [
        one
        for one in check.sentences
        if words
        and one.stance.supports > max(one.stance.refutes, one.stance.neutral)
        and one.sentence.page_id not in subjects
        and words.isdisjoint(map(stem, fold(f"{one.sentence.title} {one.sentence.text}").split()))
    ]
    if not any(one.sentence.page_id in subjects and one.stance.refutes > 1 / 2 for one in check.sentences):
        other = [one for one, bridge in zip(other, bridges_of(check, other), strict=True) if bridge is None]
    if words and (years := YEAR_IN_TEXT.findall(claim)):
        others = (one for one in check.sentences if one.sentence.page_id not in subjects)
        other += [one for one in others if _is_on_itself(one, check.claim.reading, years)]
    return replace(check, sentences=_silenced(check.sentences, other)) if other else check


def _is_on_itself(one: Evidence, claim: str, years: Sequence[str]) -> bool:
    """Whether the sentence refutes the claim by other years than the claim's and is about its own page's subject, which the claim
    does not name: when "HP Israel" was founded says nothing of Israel.
    """
    text = fold(one.sentence.text)
    own = begins_with_pronoun(one.sentence.text) or text.removeprefix("the ").split(" ")[0] not in fold(claim).split()
    found = YEAR_IN_TEXT.findall(text)
    other = bool(found) and set(years).isdisjoint(found) and one.stance.refutes > one.stance.supports
    return own and other and not holds_title(claim, one.sentence.title, one.sentence.all_names)


def _names_at_the_start(claim: str, page: Page) -> list[str]:
    """The names of the page with which the folded claim begins, in the singular or plural."""
    if lists_meanings(page):
        return []
    names = [fold(without_bracket(page.title)), *map(fold, page.all_names)]
    forms = {form for name in names for form in (name, *number_forms(name)) if len(name) > 2}
    text = _ARTICLE.sub("", claim)
    starts = {form: _ARTICLE.sub("", form) for form in forms}
    return [
        form for form, start in starts.items() if text.startswith(f"{start} ") and not text.startswith(f"{start} and ")
    ]


def with_comparison(check: FactCheck, found: Compared) -> FactCheck:
    """The check with both sentences first, and a note that gives the values."""
    stance = _sure(found.holds)
    known = {one.sentence: one for one in check.sentences}
    for given in (found.first, found.second):
        before = known.get(given.sentence) or Evidence(given.sentence, SURE, stance, METHOD)
        known[given.sentence] = replace(before, stance=stance, rank_score=SURE, rank_method=RULE)
    values = "; ".join(
        f"{without_bracket(given.sentence.title)}: {given.text}" for given in (found.first, found.second)
    )
    return replace(check, sentences=best_first(tuple(known.values())), notes=(*check.notes, f"Compared: {values}."))


def with_place(check: FactCheck, place: Place) -> FactCheck:
    """The check decided by who holds the place. If no sentence says, ranks in another order and capitals of something else take no
    side."""
    heard = [sentence for _, sentence in witnesses(check.claim.reading, check.pages).sentences]
    if held := holder_of(place, heard, [hit.page for hit in check.pages]):
        return with_told(check, [held])
    elsewhere = [
        one
        for one in check.sentences
        if is_of_elsewhere(place, one.sentence.text, one.sentence.title)
        or is_of_another_order(place, one.sentence.text)
    ]
    return replace(check, sentences=_neutral(check.sentences, elsewhere))


def told_of_each(claim: str, check: FactCheck, reader: PairScorer | None) -> list[Told]:
    """The sentences that decide the claim; for a claim about two things, one for each, or those that refute it. Empty if
    anything is left open, or if a page that is no evidence would decide.

    reader: if rules leave one of the two open, it reads the best sentences of that thing's page beside the claim about it alone.
    """
    each, pages = each_of(claim), [hit.page for hit in check.pages]
    ruled: list[Told | None] = [*same_maker(claim, pages)] or [_told(one, pages) for one in each]
    hollow = hollow_pages(claim, pages) if any(ruled) or len(each) > 1 else {}
    told = [one if one and one.sentence.page_id not in hollow else None for one in ruled]
    if reader and len(each) == len(told) > 1 and not all(told):
        for number, one in enumerate(each):
            told[number] = found = told[number] or _read(one, _best_of(one, check, hollow), reader)
            if found and not found.holds:
                return [found]
    decided = [one for one in told if one]
    return ([one for one in decided if not one.holds] or decided) if len(decided) == len(told) else []


def _best_of(claim: str, check: FactCheck, hollow: Container[str]) -> list[Evidence]:
    """The best sentences of the pages with whose name the claim begins."""
    named = {hit.page.id for hit in check.pages if hit.page.id not in hollow and _begins_with(claim, hit.page)}
    return [known for known in check.sentences if known.sentence.page_id in named][:READ_EACH]


def _begins_with(claim: str, page: Page) -> bool:
    """Whether the claim begins with a name of the page, or with the last word of its title."""
    names = (without_bracket(page.title), without_bracket(page.title).split()[-1], *page.all_names)
    return any(fold(claim).startswith(f"{fold(name)} ") for name in names)


def _read(claim: str, sentences: Sequence[Evidence], reader: PairScorer) -> Told | None:
    """The sentence that clearly supports the claim, else the one that clearly refutes it; None if there is neither."""
    texts = [as_read(one) for one in sentences]
    read = [pair for rows, _, stances in reader.score(claim, texts) for pair in zip(rows, stances, strict=True)]
    support, row = max(((stance.supports, row) for row, stance in read), default=(0.0, 0))
    if support >= CLEAR:
        return Told(sentences[row].sentence, True)
    against, row = max(((stance.refutes, row) for row, stance in read), default=(0.0, 0))
    # If another sentence may support the claim, this one may be about something else: a second prize.
    return Told(sentences[row].sentence, False) if against >= CLEAR and support < 1 - CLEAR else None


def _told(claim: str, pages: Sequence[Page]) -> Told | None:
    rules = (
        origin,
        maker,
        kin,
        member,
        in_band,
        turned_round,
        lacking,
        ended,
        death,
        existence,
        slot,
        ranked,
        of_another_kind,
    )
    return next(filter(None, (rule(claim, pages) for rule in rules)), None)


def with_told(check: FactCheck, told: Sequence[Told]) -> FactCheck:
    """The check with the deciding sentences first, all on one side. Others no longer take the other side: they are about
    something else ("the capital of Bavaria") that the network mistook for the claim's.
    """
    holds = all(one.holds for one in told)
    stance, sides = _sure(holds), ((one.stance.supports, one.stance.refutes) for one in check.sentences)
    other = [one for one, (side, against) in zip(check.sentences, sides, strict=True) if (against > side) == holds]
    known = {one.sentence: one for one in _neutral(check.sentences, other)}
    for one in told:
        before = known.get(one.sentence) or Evidence(one.sentence, SURE, stance, METHOD)
        differs = _difference(check.claim.reading, one)
        known[one.sentence] = replace(before, stance=stance, rank_score=SURE, rank_method=RULE, differs=differs)
    notes = tuple(one.note for one in told if one.note)
    return replace(check, sentences=best_first(tuple(known.values())), notes=(*check.notes, *notes))


def _difference(claim: str, told: Told) -> Difference | None:
    """The offsets of the words that exclude each other, in the claim as it is read and in the sentence."""
    if told.differ is None:
        return None
    ours, theirs = _place(told.differ[0], claim), _place(told.differ[1], told.sentence.text)
    return Difference(ours, theirs) if ours and theirs else None


def _place(words: str, text: str) -> tuple[int, int] | None:
    """The offsets of the words, or of a name with others between its first and last: "Neil Alden Armstrong"."""
    first, *_, last = *words.split(), words.split()[-1]
    between = rf"{re.escape(first)}\b[^,;:.()]{{0,{LONGEST_BETWEEN}}}?\b{re.escape(last)}"
    found = re.search(rf"\b(?:{re.escape(words)}|{between})", text, re.IGNORECASE)
    return found and found.span()


def _neutral(sentences: Sequence[Evidence], some: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The sentences, with the stance of `some` made neutral."""
    return tuple(replace(one, stance=NO_SIDE) if one in some else one for one in sentences)


def _sure(supports: bool) -> Stance:
    rest = (1 - SURE) / 2
    return Stance(SURE, rest, rest) if supports else Stance(rest, SURE, rest)
