"""One claim under several recipes or corpora: what the checks share, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from app.checks.service import submit
from app.checks.words import NO_VERDICT, Quotation, ReadPage, quoted
from app.compare.forms import CitedForm, ComparedForm
from app.home.service import choice_named
from app.http.problems import Problem
from app.http.services import services
from app.jobs.jobs import Submitted
from app.tables.stored_check import DONE, StoredCheck
from retrieval.output.headline import headline
from retrieval.output.record import evidence_forms
from retrieval.stores.named import CORPUS
from retrieval.types import Evidence, FactCheck

FEWEST, MOST = 2, 4  # columns


@dataclass(frozen=True)
class Cited:
    """A sentence of evidence with its page. also: names of other finished columns that cite it. only: whether none does.
    common: whether all do.
    """

    quotation: Quotation
    page: ReadPage
    also: tuple[str, ...]
    only: bool
    common: bool = False


@dataclass(frozen=True)
class Column:
    """A check beside the others. differs: whether another finished one has another verdict."""

    check: StoredCheck
    name: str
    record: FactCheck
    sentences: tuple[Cited, ...]
    differs: bool

    @property
    def done(self) -> bool:
        """Whether it has a verdict."""
        return self.check.state == DONE


def compare(checks: Sequence[StoredCheck], names: Sequence[str]) -> list[Column]:
    """The checks side by side, under these names."""
    done = [check.state == DONE for check in checks]
    cited = [{_key(one) for one in check.complete.evidence} for check in checks]
    verdicts = [verdict_of(check) for check in checks]
    found = []
    for number, (check, name) in enumerate(zip(checks, names, strict=True)):
        others = [n for n in range(len(checks)) if n != number and done[n]]
        sentences = []
        for quotation, page in quoted(check.complete) if done[number] else ():
            also = tuple(names[n] for n in others if _key(quotation.evidence) in cited[n])
            common = bool(others) and len(also) == len(others)
            sentences.append(Cited(quotation, page, also, bool(others) and not also, common))
        differs = done[number] and any(verdicts[n] != verdicts[number] for n in others)
        found.append(Column(check, name, check.complete, tuple(sentences), differs))
    return found


def column_form(column: Column) -> ComparedForm:
    forms = evidence_forms(column.record, column.record.evidence)
    evidence = [CitedForm.of(forms[one.quotation.number - 1], also=one.also, only=one.only) for one in column.sentences]
    verdict = verdict_of(column.check)
    return ComparedForm.of(column.check, verdict=verdict, differs=column.differs, evidence=evidence)


def verdict_of(check: StoredCheck) -> str:
    """The verdict in words; empty if there is none."""
    verdict = check.complete.verdict if check.state == DONE else None
    return headline(verdict) if verdict else ""


def differences(columns: Sequence[Column]) -> str:
    """What differs, in a sentence or two."""
    done = [column for column in columns if column.done]
    if len(done) < FEWEST:
        return ""
    names: dict[str, list[str]] = {}
    for column in done:
        names.setdefault(verdict_of(column.check) or NO_VERDICT, []).append(column.name)
    every = "Both" if len(done) == 2 else "All"
    if len(names) == 1:
        first = f"{every if len(done) == 2 else f'All {len(done)}'} say “{next(iter(names))}”."
    else:
        first = f"They differ: {'; '.join(f'“{verdict}” by {_list(by)}' for verdict, by in names.items())}."
    keys = [{_key(cited.quotation.evidence) for cited in column.sentences} for column in done]
    shared, everything = len(set.intersection(*keys)), len(set.union(*keys))
    if not everything:
        return first
    if shared == everything:
        return f"{first} {every} cite the same sentence{'s' * (everything != 1)}."
    if not shared:
        return f"{first} No sentence is cited by {every.lower()}."
    return f"{first} {every} cite {shared} of the {everything} sentences."


def _key(evidence: Evidence) -> tuple[str, str]:
    return evidence.sentence.title, " ".join(evidence.sentence.text.split())


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def start_checks(claim: str, recipes: Iterable[str], against: Iterable[str]) -> list[Submitted]:
    """Check the claim in every way. Raises Problem 422 if the ways are too few or too many, and what `submit` raises."""
    ways = list(product(dict.fromkeys(recipes), dict.fromkeys(against)))
    if not FEWEST <= len(ways) <= MOST:
        raise Problem(
            422,
            f"You chose {len(ways)} way{'s' * (len(ways) != 1)} to check, each recipe with each corpus. Choose {FEWEST} to {MOST}.",
        )
    return [submit(claim, recipe, False, _named(name)) for recipe, name in ways]


def name_of(check: StoredCheck) -> str:
    """A column's heading: the way to check, and what was read if not the default corpus."""
    way = choice_named(check.recipe, language_model=False).title
    return f"{way}, {services().sources.title(check.against) or 'deleted documents'}" if check.against else way


def _named(against: str) -> str:
    """How a check names what it reads: the corpus has a name only if the default is more than the corpus."""
    return "" if against == CORPUS and CORPUS not in dict(services().sources.choices()) else against
