"""Compares two stores of one corpus: puts the same claims through the same recipe, and lists the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.fever.answers import Answer, read_predictions
from evaluation.fever.compare import compare_runs
from evaluation.fever.data import GoldClaim
from evaluation.fever.run import evaluate, select_claims
from evaluation.report.blocks import heads, row
from evaluation.report.results_folder import Json
from retrieval.errors import CorpusError
from retrieval.protocols import PageStore
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages.search import WORDED_PAGES
from retrieval.stores.locations import on_server

METRICS = ("page_set_recall@10", "ofever_page", "evidence_set_recall@1", "evidence_set_recall@5", "label_accuracy")


def compare_stores(path: Path, out: Path, stores: tuple[str, str], settings: Settings, recipe: str, limit: int) -> Json:
    """Run the claims over both stores. Interrupted runs resume.

    Returns {"claims", "pages", "metrics": {name: {"this", "other", "difference", ...}}, "same_pages", "same_evidence",
    "differences"}: `this` is the first store; each difference names the claim and the pages that only one store found,
    with their BM25 scores in both. Raises CorpusError if the stores hold different corpora.
    """
    resources = [Resources(replace(settings, store=store, conflicting_from=0.0)) for store in stores]
    first, second = (resource.corpus() for resource in resources)
    if first.fingerprint != second.fingerprint:
        raise CorpusError(
            f"The stores hold different pages (fingerprints {first.fingerprint} and {second.fingerprint}). "
            "Load the same files into both."
        )
    folders = [out / name for name in ("first", "second")]
    for resource, folder in zip(resources, folders, strict=True):
        evaluate(path, folder, resource, recipe, limit, natural=True)
    claims = select_claims(path, limit, natural=True)
    ours, theirs = (read_predictions(folder / "claims.jsonl") for folder in folders)
    pairs = [(claim, ours[claim.id]) for claim in claims if claim.id in ours and claim.id in theirs]
    compared = compare_runs(pairs, "second", theirs)
    differ = [(claim, a, theirs[claim.id]) for claim, a in pairs if a.pages != theirs[claim.id].pages]
    same_evidence = sum(answer.sentences == theirs[claim.id].sentences for claim, answer in pairs)
    both = (resources[0].store(), resources[1].store())
    return {
        "claims": len(pairs),
        "pages": first.pages,
        "recipe": recipe,
        "kinds": ["Elasticsearch" if on_server(store) else "embedded" for store in stores],
        "metrics": {name: compared["metrics"][name] for name in METRICS if name in compared["metrics"]},
        "same_pages": len(pairs) - len(differ),
        "same_evidence": same_evidence,
        "differences": [_difference(*found, both) for found in differ],
    }


def _difference(claim: GoldClaim, ours: Answer, theirs: Answer, stores: tuple[PageStore, PageStore]) -> Json:
    scores = [
        {page.id: round(score, 4) for page, score in store.search_text(claim.text, top_k=WORDED_PAGES)}
        for store in stores
    ]
    apart = [page for page in (*ours.pages, *theirs.pages) if (page in ours.pages) != (page in theirs.pages)]
    return {
        "claim": claim.text,
        "pages_of_one": {page: [found.get(page) for found in scores] for page in apart},
        "first_other_place": next(
            (place for place, (a, b) in enumerate(zip(ours.pages, theirs.pages, strict=False)) if a != b),
            min(len(ours.pages), len(theirs.pages)),
        ),
    }


def stores_table(found: Mapping[str, Any]) -> str:
    """A Markdown table, with every difference named."""
    first, second = found["kinds"]
    lines = heads(f"{found['claims']} claims, recipe `{found['recipe']}`", first, second, "difference")
    for name, one in found["metrics"].items():
        lines.append(row(f"`{name}`", f"{one['this']:.4f}", f"{one['other']:.4f}", f"{one['difference']:+.4f}"))
    lines += ["", f"Of {found['claims']} claims, {found['same_pages']} have the same pages in the same order, and "
              f"{found['same_evidence']} the same sentences in the same order."]  # fmt: skip
    lines += [_difference_line(row, (first, second)) for row in found["differences"]]
    return "\n".join(lines)


def _difference_line(row: Mapping[str, Any], kinds: Sequence[str]) -> str:
    """One difference as a line of text: pages near a cutoff whose scores differ in the last digits."""
    pages = "; ".join(
        f"{page}: " + ", ".join(f"{kind} {score or '-'}" for kind, score in zip(kinds, scores, strict=True))
        for page, scores in row["pages_of_one"].items()
    )
    return f"- “{row['claim']}”: other from place {row['first_other_place'] + 1} on" + (
        f" ({pages})." if pages else "."
    )
