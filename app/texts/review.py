"""The review of a text before its claims are checked: its sentences, which are chosen, and which are folded away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from werkzeug.datastructures import MultiDict

from app.http.problems import Problem
from app.reports.service import new_claim
from app.tables.reports import MOST_CLAIMS, ReportClaim
from app.tables.texts import StoredText
from retrieval.errors import ClaimError
from retrieval.text.claims import fold_claim, read_claim
from retrieval.text.extraction.finder import THRESHOLD, FoundClaim
from retrieval.text.extraction.kinds import CLAIM, FACT, OPINION

WORTHY = (CLAIM, FACT, OPINION)  # kinds that are chosen by their score; others are never chosen
TOO_MANY = (
    "{:,} claims are chosen, and a report holds at most {:,}, so nothing was started. Raise the score below, or remove {:,} "
    "ticks; the rest can be a second report."
)


@dataclass(frozen=True)
class Sentence:
    """A row of the review. text: the claim as worded here. twin: number of an earlier row with the same claim. begins: whether
    it begins a paragraph. fault: why it cannot be checked as worded, else empty.
    """

    number: int
    found: FoundClaim
    text: str
    twin: int | None
    begins: bool
    fault: str = ""
    chosen: bool = False

    @property
    def worthy(self) -> bool:
        """Whether its score decides if it is chosen."""
        return self.found.kind in WORTHY and self.twin is None

    @property
    def weighed(self) -> bool:
        """Whether the threshold decides. A claim that cannot be checked is never chosen for you."""
        return self.worthy and not self.fault

    @property
    def rewritten(self) -> bool:
        """Whether the claim is worded differently from its sentence."""
        return " ".join(self.text.split()) != " ".join(self.found.original.split())


def review(text: StoredText, longest: int, threshold: float = THRESHOLD) -> list[Sentence]:
    """The rows. Chosen are claims that can be checked and whose score reaches the threshold, each once. longest: most
    characters of a claim.
    """
    first: dict[str, int] = {}
    found: list[Sentence] = []
    end = 0
    for number, claim in enumerate(text.sentences):
        twin = first.get(fold_claim(claim.text))
        if claim.kind in WORTHY:
            first.setdefault(fold_claim(claim.text), number)
        begins = "\n" in text.content[end : claim.start] or not found
        end = max(end, claim.end)
        found.append(Sentence(number, claim, claim.text, twin, begins, _fault(claim.text, longest)))
    return chosen_anew(found, threshold)


def folded(rows: Sequence[Sentence]) -> list[tuple[bool, list[list[Sentence]]]]:
    """The rows by sentence, in runs: (whether the run is folded, because nothing in it is chosen or faulty; its sentences)."""
    whole = [list(claims) for _, claims in groupby(rows, key=lambda row: (row.found.start, row.found.original))]
    runs = groupby(whole, key=lambda claims: any(row.chosen or (row.worthy and row.fault) for row in claims))
    return [(not shown, list(run)) for shown, run in runs]


def as_sent(rows: Sequence[Sentence], form: MultiDict[str, str], longest: int) -> list[Sentence]:
    """The rows as the form has them: what is ticked, and how each claim is worded."""
    ticked = set(form.getlist("chosen"))
    found = []
    for row in rows:
        typed = form.get(f"claim-{row.number}", "").strip() or row.text
        twin = row.twin if fold_claim(typed) == fold_claim(row.text) else None
        sent = replace(row, text=typed, twin=twin, chosen=str(row.number) in ticked)
        found.append(replace(sent, fault=_fault(typed, longest)))
    return found


def chosen_anew(rows: Sequence[Sentence], threshold: float) -> list[Sentence]:
    """The rows, chosen by this threshold where a threshold decides."""
    return [replace(row, chosen=row.found.score >= threshold) if row.weighed else row for row in rows]


def chosen_claims(rows: Sequence[Sentence]) -> list[ReportClaim]:
    """The chosen claims as worded, each once."""
    once: dict[str, Sentence] = {}
    for row in rows:
        if row.chosen:
            once.setdefault(fold_claim(row.text), row)
    pairs = ((row.text, row.found) for row in once.values())
    return [new_claim(text, one.original, one.start, one.end, one.speaker, one.context) for text, one in pairs]


def read_threshold(typed: str | None) -> float:
    """The threshold in a form, from 0 to 1 with two decimals; the default if it is not a share."""
    try:
        share = float(typed or THRESHOLD)
    except ValueError:
        return THRESHOLD
    return round(share, 2) if 0 <= share <= 1 else THRESHOLD


def refuse_faults(found: Sequence[ReportClaim]) -> None:
    """Raises Problem 422 if there are too many claims, or one cannot be checked, which would show only after the run."""
    if over := max(0, len(found) - MOST_CLAIMS):
        raise Problem(422, TOO_MANY.format(len(found), MOST_CLAIMS, over))
    if many := sum(bool(claim.error) for claim in found):
        raise Problem(
            422,
            f"{many:,} of the chosen claims cannot be checked as worded, so nothing was started. Each says why below: "
            "shorten it, or untick it.",
        )


def _fault(claim: str, longest: int) -> str:
    try:
        read_claim(claim, longest)
    except ClaimError as error:
        return str(error)
    return ""
