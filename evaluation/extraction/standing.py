"""Measures whether claims stand alone: does searching for a claim made from a sentence find the sentence's page?"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from evaluation.fever.data import identified
from evaluation.json_lines import read_lines
from evaluation.machine import machine
from evaluation.metrics import mean, scores_as_json
from evaluation.report.results_folder import make_folder, write_json, write_rows
from retrieval.errors import CorpusError
from retrieval.models import catalogue
from retrieval.protocols import PageStore
from retrieval.settings import Settings
from retrieval.stages.search import PageSearch
from retrieval.text.extraction.finder import ClaimFinder, FoundClaim
from retrieval.types import Claim, FactCheck

WITHIN = 10  # pages


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a page, and the claims that people made from it."""

    title: str
    sentence: str
    claims: tuple[str, ...]


def evaluate_standing(
    path: Path, out: Path, settings: Settings, limit: int | None = None, title: bool = True
) -> dict[str, Any]:
    """Search for the claims of each sentence whose page is in the corpus; write and return the scorecard.

    title: whether to give the page's title, which is also the answer; without it, the only context is the preceding
    sentence on the page. Raises CorpusError if there is none, SettingError if `out` cannot be written, StoreError,
    ModelError.
    """
    from retrieval.resources import Resources

    resources = Resources(settings)
    store = resources.store()
    rows = [row for row in read_sources(path) if page_of(store, row.title)][:limit]
    if not rows:
        raise CorpusError(f"No page of {path} is in the corpus. Name the corpus that it is about with `--store`.")
    make_folder(out)
    finder = resources.claim_finder()
    made = [
        claims_from(finder, row, row.title if title else "", "" if title else sentence_before(store, row))
        for row in rows
    ]
    ours = [tuple(claim.text for claim in claims) for claims in made]
    contexts = [tuple(claim.context for claim in claims) for claims in made]
    found = {
        "page_found@10": [share(store, row.title, claims) for row, claims in zip(rows, ours, strict=True)],
        "page_found@10_with_context": [
            share(store, row.title, claims, context) for row, claims, context in zip(rows, ours, contexts, strict=True)
        ],
        "page_found@10_sentence": [share(store, row.title, (row.sentence,)) for row in rows],
        "page_found@10_people": [share(store, row.title, row.claims) for row in rows],
    }
    people = found["page_found@10_people"]
    for name in ("page_found@10", "page_found@10_with_context"):
        found[f"{name}_below_people"] = [theirs - ours for theirs, ours in zip(people, found[name], strict=True)]
    info = resources.corpus()
    card = {
        "data": {**identified(path), "claims": len(rows), "scored": len(rows)},
        "pipeline": {
            "recipe": "standing",
            "models": {"coreference": catalogue.COREFERENCE.id, "spans": catalogue.SPANS.id},
            "settings": {"pages": WITHIN, "title": title},
            "corpus": {"fingerprint": info.fingerprint, "pages": info.pages},
        },
        "metrics": scores_as_json({name: mean(values) for name, values in found.items()}),
        "machine": machine(),
    }
    write_json(out / "scorecard.json", card)
    rated = zip(rows, ours, found["page_found@10"], strict=True)
    lines = [
        {"title": row.title, "sentence": row.sentence, "claims": claims, "found": round(value, 4)}
        for row, claims, value in rated
    ]
    write_rows(out / "predictions.jsonl", lines)
    return card


def claims_from(finder: ClaimFinder, row: SourceSentence, title: str, preceding: str) -> list[FoundClaim]:
    """The claims found in a sentence. preceding: the sentence before it; empty to read it alone."""
    start = len(preceding) + 1 if preceding else 0
    text = f"{preceding} {row.sentence}" if preceding else row.sentence
    return [claim for claim in finder.find(text, title) if claim.end > start]


def sentence_before(store: PageStore, row: SourceSentence) -> str:
    """The preceding sentence on the page; empty if this is the first, or if the page has different text."""
    id = page_of(store, row.title)
    lines = [sentence.text for sentence in store.get([id])[id].sentences()]
    plain, sentence = [_plain(line) for line in lines], _plain(row.sentence)
    place = next((number for number, line in enumerate(plain) if line and sentence.startswith(line)), 0)
    return lines[place - 1] if place else ""


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def share(store: PageStore, title: str, claims: Sequence[str], contexts: Sequence[str] = ()) -> float:
    """Share of claims whose search finds the page within ten. contexts: searched with each claim; empty for none."""
    page = page_of(store, title)
    hits = [page in _pages(store, *pair) for pair in zip_longest(claims, contexts, fillvalue="")]
    return sum(hits) / len(hits)


def _pages(store: PageStore, claim: str, context: str) -> list[str]:
    *_, last = PageSearch(store, WITHIN).run(FactCheck(Claim("", claim, context=context)))
    return [hit.page.id for hit in last.check.pages]


def page_of(store: PageStore, title: str) -> str:
    """Id of the page with this title; empty if the corpus has none."""
    id = title.replace(" ", "_").replace("(", "-LRB-").replace(")", "-RRB-").replace(":", "-COLON-")
    for form in (id, unicodedata.normalize("NFD", id), unicodedata.normalize("NFC", id)):
        if store.get([form]):
            return form
    return ""


def read_sources(path: Path) -> list[SourceSentence]:
    """The sentences that have claims. Raises CorpusError, which names a line that cannot be read."""
    rows = read_lines(path, _source, "sentence", "title, sentence and claims")
    return [row for row in rows if row.claims]


def _source(row: dict[str, Any]) -> SourceSentence:
    return SourceSentence(str(row["title"]), str(row["sentence"]), tuple(map(str, row["claims"])))
