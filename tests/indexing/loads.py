"""Small dumps to be loaded, and what going on with a broken load must lead to."""

from __future__ import annotations

from pathlib import Path

from indexing.load import load_fever
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import CorpusInfo
from tests.making import dump_row

PAGES = 40


def rows(first: int, last: int, text: str = "Sentence") -> list[str]:
    return [dump_row(f"Page_{number:03}", f"{text} {number} .", "It is short .") for number in range(first, last)]


def goes_on(dump: Path, store: Path, whole: CorpusInfo, *options: str) -> list[str]:
    """Run the same load again in this process; the result must be that of an unbroken one. Returns what it reported."""
    reported: list[str] = []
    card, bad = load_fever([dump], str(store), name="dump", report=reported.append)
    assert (card.pages, card.fingerprint, bad) == (whole.pages, whole.fingerprint, 0)
    assert EmbeddedStore(store).count() == whole.pages
    assert sorted(entry.name for entry in store.iterdir()) == sorted(
        ["CURRENT", "lock", (store / "CURRENT").read_text().strip()]
    )
    return reported
