"""Whether claims stand alone: does a claim made from a sentence find the sentence's page?"""

from __future__ import annotations

import gzip
import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.fever.data import file_digest
from evaluation.fever.scorecard import machine
from evaluation.metrics import mean, score_all
from retrieval.errors import CorpusError, SettingError
from retrieval.models import catalogue
from retrieval.protocols import PageStore
from retrieval.settings import Settings
from retrieval.stages.search import PageSearch
from retrieval.types import Claim, FactCheck

WITHIN = 10  # pages


@dataclass(frozen=True)
class Taken:
    """A sentence of a page, and the claims that people made from it."""

    title: str
    sentence: str
    claims: tuple[str, ...]


def evaluate_standing(path: Path, out: Path, settings: Settings, limit: int | None = None) -> dict[str, Any]:
    """Search for the claims of each sentence whose page is in the corpus; write and return the scorecard.

    Raises CorpusError if there is none, SettingError if `out` cannot be written, StoreError, ModelError.
    """
    from retrieval.resources import Resources

    resources = Resources(settings)
    store = resources.store()
    rows = [row for row in read_taken(path) if page_of(store, row.title)][:limit]
    if not rows:
        raise CorpusError(f"No page of {path} is in the corpus. Name the corpus that it is about with `--store`.")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"{out} cannot be created: {error.strerror}. Name another folder with `--out`.") from error
    finder = resources.claim_finder()
    made = [finder.find(row.sentence, row.title) for row in rows]
    ours = [tuple(claim.text for claim in claims) for claims in made]
    context = [tuple(f"{claim.context} {claim.text}" for claim in claims) for claims in made]
    found = {
        "page_found@10": [share(store, row.title, claims) for row, claims in zip(rows, ours, strict=True)],
        "page_found@10_with_context": [
            share(store, row.title, claims) for row, claims in zip(rows, context, strict=True)
        ],
        "page_found@10_sentence": [share(store, row.title, (row.sentence,)) for row in rows],
        "page_found@10_people": [share(store, row.title, row.claims) for row in rows],
    }
    scores = score_all({name: mean(values) for name, values in found.items()})
    info = resources.corpus()
    card = {
        "data": {"path": path.name, "sha256": file_digest(path), "claims": len(rows), "scored": len(rows)},
        "pipeline": {
            "recipe": "standing",
            "models": {"coreference": catalogue.COREFERENCE.id, "spans": catalogue.SPANS.id},
            "settings": {"pages": WITHIN},
            "corpus": {"fingerprint": info.fingerprint, "pages": info.pages},
        },
        "metrics": {name: score.as_json() for name, score in scores.items()},
        "machine": machine(),
    }
    (out / "scorecard.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    lines = [
        json.dumps(
            {"title": row.title, "sentence": row.sentence, "claims": claims, "found": round(value, 4)},
            ensure_ascii=False,
        )
        for row, claims, value in zip(rows, ours, found["page_found@10"], strict=True)
    ]
    (out / "predictions.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return card


def share(store: PageStore, title: str, claims: Sequence[str]) -> float:
    """Share of the claims whose search finds the page among the first `WITHIN`."""
    own = page_of(store, title)
    hits = [own in _pages(store, claim) for claim in claims]
    return sum(hits) / len(hits)


def _pages(store: PageStore, claim: str) -> list[str]:
    *_, last = PageSearch(store, WITHIN).run(FactCheck(Claim("", claim)))
    return [hit.page.id for hit in last.check.pages]


def page_of(store: PageStore, title: str) -> str:
    """Id of the page with this title; empty if the corpus has none."""
    id = title.replace(" ", "_").replace("(", "-LRB-").replace(")", "-RRB-").replace(":", "-COLON-")
    for form in (id, unicodedata.normalize("NFD", id), unicodedata.normalize("NFC", id)):
        if store.get([form]):
            return form
    return ""


def read_taken(path: Path) -> list[Taken]:
    """Rows of title, sentence and claims, .jsonl or .jsonl.gz. Raises CorpusError naming the line that cannot be read."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
            rows = [_taken(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read: {error}. Name a file of sentences and claims.") from error
    return [row for row in rows if row.claims]


def _taken(line: str, where: str) -> Taken:
    try:
        row = json.loads(line)
        return Taken(str(row["title"]), str(row["sentence"]), tuple(map(str, row["claims"])))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CorpusError(f"{where} cannot be read ({error!r}). It needs title, sentence and claims.") from error
