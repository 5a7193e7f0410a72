"""The estimate for a whole Wikipedia in docs/benchmarks.md follows from the tables beside it."""

from __future__ import annotations

from collections.abc import Iterator

from indexing.wikipedia.fetching import AHEAD, READERS
from tests.test_docs import ROOT, benchmark_rows, large_pages

INTRODUCTIONS = 7.2  # million
DUMP_FILES, DUMP_FILE = 65, 620  # files of Wikimedia's dump, and MB of each
VECTOR_BYTES = 384 + 20  # the vector, and what finds it


def estimates() -> Iterator[str]:
    """What the page says, reckoned anew."""
    rows = benchmark_rows()
    loads = rows["load, clock; the loader, processor"]
    times = INTRODUCTIONS / 0.2
    hours = [f"{times:.0f} x {seconds:.0f} s = {times * seconds / 3600:.1f} hours" for seconds in loads]
    yield f"one core**: {hours[0]}, Elasticsearch {hours[1]}."
    yield from _times(rows)
    yield from _sizes(rows)


def _times(rows: dict[str, list[float]]) -> Iterator[str]:
    packed = rows["a page of the dump, packed"][1]
    loader = rows["a page: the loader, processor"][1]
    unpacking, parsing = (
        rows[f"a page: {what}, processor, in other processes"][1] for what in ("unpacking bz2", "parsing and preparing")
    )
    whole = DUMP_FILES * DUMP_FILE / 1e3  # GB
    kilobytes = round(whole / INTRODUCTIONS, 1)
    longer = round(1e3 * kilobytes / packed, 1)
    reading = longer * (unpacking + parsing)  # µs
    yield f"{DUMP_FILES} files of {DUMP_FILE} MB, {whole:.1f} GB: {kilobytes} kB a page packed, {longer} times the synthetic {packed:,.0f} bytes."
    words = f"{longer} x ({unpacking:.0f} + {parsing:.0f})"
    yield f"7.2 M x ({loader:.0f} + {words}) µs = {INTRODUCTIONS * (loader + reading) / 3600:.1f} hours."
    others = INTRODUCTIONS * reading / READERS  # seconds: millions of pages times µs
    yield f"7.2 M x {words} µs / {READERS} = {others / 3600:.1f} hours"
    yield f"7.2 M x {loader:.0f} µs = {INTRODUCTIONS * loader / 60:.0f} minutes"
    yield f"Fetching {whole:.1f} GB in that time takes {1e3 * whole / others:.0f} MB a second"


def _sizes(rows: dict[str, list[float]]) -> Iterator[str]:
    large = large_pages() / 1e6
    memory, page = rows["load: memory of the loader"], rows["a page on disk"][1]
    largest = rows["memory of the largest process"][0]
    stores = rows["size on disk, no vectors"]
    disk = INTRODUCTIONS * page / 1e3
    yield f"{memory[0]:,.0f} MB x 7.2 / {large:.1f} = {memory[0] * INTRODUCTIONS / large / 1e3:.1f} GB with the embedded store, {memory[2]:.0f} MB"
    yield f"{READERS} x {largest:.0f} MB = {READERS * largest / 1e3:.1f} GB"
    yield f"7.2 M x {page:,.0f} bytes = {disk:.1f} GB with the embedded store"
    yield f"x {stores[2]:g} / {stores[0]:g} = {disk * stores[2] / stores[0]:.1f} GB."
    yield f"({AHEAD} + {READERS}) x {DUMP_FILE} MB = {(AHEAD + READERS) * DUMP_FILE / 1e3:.1f} GB."
    yield f"7.2 M x {VECTOR_BYTES} bytes = {INTRODUCTIONS * VECTOR_BYTES / 1e3:.1f} GB."


def test_the_estimate_follows_from_the_measured_rows() -> None:
    text = " ".join((ROOT / "docs" / "benchmarks.md").read_text("utf-8").split())
    said = text[text.index("### 7.2 million introductions: an estimate") :]
    assert "Nothing in this section was measured at that size" in said
    for sentence in estimates():
        assert sentence in said, "docs/benchmarks.md was measured again: reckon its estimate anew"
