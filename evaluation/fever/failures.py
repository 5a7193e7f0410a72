"""Claims on which a run failed, each with the gold answer and what was found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evaluation.fever.answers import SUBMITTED_EVIDENCE, Answer
from evaluation.fever.data import FEVER_NAMES, GoldClaim, Pointer, holds_group, holds_pages, pointer_to
from evaluation.fever.scores import Pairs
from retrieval.protocols import PageStore
from retrieval.types import Label

EXAMPLES_SHOWN = 12  # examples of each kind
READ_PAGES = 10

Texts = Callable[[Iterable[Pointer]], dict[Pointer, str]]

_SIGNS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "-COLON-": ":"}


@dataclass(frozen=True)
class Quotation:
    """A sentence in readable form. gold: whether it is in a gold group."""

    title: str
    line: int
    text: str
    gold: bool


@dataclass(frozen=True)
class Example:
    """A claim that went wrong. pages: titles found, best first, with whether each is gold."""

    id: str
    claim: str
    gold_label: str
    predicted_label: str
    confidence: float | None
    gold: tuple[Quotation, ...]
    found: tuple[Quotation, ...]
    pages: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Failures:
    """Examples of one kind, out of `total`, and what the kind means."""

    name: str
    meaning: str
    total: int
    examples: tuple[Example, ...]


def choose_examples(pairs: Pairs, texts: Texts) -> list[Failures]:
    """Three kinds, in the order of a check; in each, `natural` claims first, then the most confident errors."""
    kinds = (
        ("Missed pages", f"no gold group has all its pages among the first {READ_PAGES}", _missed_page),
        ("Missed sentences", "the pages were found, no whole gold group is in the first five sentences", _missed_line),
        ("Wrong labels", "the evidence was found, or there is none to find, and the label is wrong", _wrong_label),
    )
    failures = []
    for name, meaning, failed in kinds:
        wrong = [pair for pair in pairs if failed(*pair)]
        wrong.sort(key=lambda pair: (not pair[0].natural, -(pair[1].confidence or 0.0)))
        chosen = wrong[:EXAMPLES_SHOWN]
        known = texts({pointer for pair in chosen for pointer in _pointers(*pair)})
        failures.append(Failures(name, meaning, len(wrong), tuple(_example(*pair, known) for pair in chosen)))
    return failures


def _missed_page(claim: GoldClaim, answer: Answer) -> bool:
    return claim.verifiable and not holds_pages(claim, answer.pages[:READ_PAGES])


def _missed_line(claim: GoldClaim, answer: Answer) -> bool:
    missed = not holds_group(claim, answer.sentences[:SUBMITTED_EVIDENCE])
    return claim.verifiable and missed and not _missed_page(claim, answer)


def _wrong_label(claim: GoldClaim, answer: Answer) -> bool:
    found = holds_group(claim, answer.sentences[:SUBMITTED_EVIDENCE])
    return answer.label != FEVER_NAMES[claim.label] and (found or claim.label is Label.NOT_ENOUGH_EVIDENCE)


def _shortest_group(claim: GoldClaim) -> list[Pointer]:
    return min((sorted(group) for group in claim.evidence), key=len, default=[])


def _pointers(claim: GoldClaim, answer: Answer) -> list[Pointer]:
    return [*_shortest_group(claim), *answer.sentences[:SUBMITTED_EVIDENCE]]


def _example(claim: GoldClaim, answer: Answer, known: dict[Pointer, str]) -> Example:
    gold_pages = {page for page, _ in claim.pointers}

    def quote(pointers: Sequence[Pointer]) -> tuple[Quotation, ...]:
        return tuple(
            Quotation(readable(p), line, known.get((p, line), ""), (p, line) in claim.pointers) for p, line in pointers
        )

    return Example(
        id=claim.id,
        claim=claim.text,
        gold_label=FEVER_NAMES[claim.label],
        predicted_label=answer.label,
        confidence=answer.confidence,
        gold=quote(_shortest_group(claim)),
        found=quote(answer.sentences[:SUBMITTED_EVIDENCE]),
        pages=tuple((readable(page), page in gold_pages) for page in answer.pages[:READ_PAGES]),
    )


def readable(page_id: str) -> str:
    """A page id of the FEVER dump in readable form."""
    text = re.sub("|".join(_SIGNS), lambda match: _SIGNS[match[0]], page_id)
    return unicodedata.normalize("NFC", text.replace("_", " "))


def store_texts(store: PageStore) -> Texts:
    """Looks up sentences in a corpus; missing ones are left out."""

    def texts(pointers: Iterable[Pointer]) -> dict[Pointer, str]:
        wanted = set(pointers)
        pages = store.get(sorted({page for page, _ in wanted}))
        sentences = (sentence for page in pages.values() for sentence in page.sentences())
        return {place: s.text for s in sentences if (place := pointer_to(s)) in wanted}

    return texts
