"""Published FEVER claims that come with the text of their evidence only: finds where in the corpus it stands."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaluation.fever.data import LABELS, GoldClaim
from evaluation.kept_apart import is_kept_apart_claim
from retrieval.protocols import PageStore
from retrieval.text.words import content_words
from retrieval.types import Page
from training.data.found import first_hits

MOST_LINES = 3  # more are a page that says the same again and again
LEAST_WORDS = 4  # of a sentence, so that a heading is no evidence
OF_SENTENCE, OF_EVIDENCE = 0.8, 0.75  # shares of words that both must have for one to be the other


def placed_claims(store: PageStore, data: Path) -> tuple[list[GoldClaim], list[GoldClaim]]:
    """(claims to learn from, claims kept apart) of `fever-train-nli` whose evidence stands on a page of the corpus.

    All are supported or refuted. None is in claims-train.jsonl.
    """
    with gzip.open(data / "training" / "nli" / "fever-train-nli.jsonl.gz", "rt", encoding="utf-8") as lines:
        placed = list(_placed(store, map(json.loads, lines)))
    learned = [claim for claim in placed if not is_kept_apart_claim(claim.text)]
    return learned, [claim for claim in placed if is_kept_apart_claim(claim.text)]


def _placed(store: PageStore, rows: Iterable[dict[str, str]]) -> Iterator[GoldClaim]:
    for number, row in enumerate(rows):
        for hit in first_hits(store, row["claim"]):
            if lines := evidence_lines(hit.page, row["evidence"]):
                group = frozenset((hit.page.id, line) for line in lines)
                yield GoldClaim(f"placed-{number}", row["claim"], LABELS[row["label"]], (group,))
                break


def evidence_lines(page: Page, evidence: str) -> list[int]:
    """The page's sentences that say what the evidence says, if they hold most of it; else none.

    Its page may be newer than the evidence, so words are compared and not characters.
    """
    wanted, found, lines = content_words(evidence), set[str](), list[int]()
    for sentence in page.sentences():
        said = content_words(sentence.text)
        if len(said) >= LEAST_WORDS and len(said & wanted) >= OF_SENTENCE * len(said):
            found |= said
            lines.append(sentence.line)
    whole = len(lines) <= MOST_LINES and len(found & wanted) >= OF_EVIDENCE * len(wanted)
    return lines if whole else []
