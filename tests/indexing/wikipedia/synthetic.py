"""Makes dumps of invented words in the format of Wikimedia's search index, for tests and measurements.

    python -m tests.indexing.wikipedia.synthetic OUT --pages 200000 [--wiki enwiki] [--date 20251207] [--files 8] [--edition 1]

OUT becomes the folder above the dates, as `python -m indexing wikipedia --address OUT` takes it. Titles, words and
lengths are those of `indexing.synthetic`; an article is about six times as long as its introduction. Of a hundred pages,
22 lack `opening_text`, two are disambiguation pages, thirty have redirects. Edition 2 is the same dump a week later: of
a hundred pages, 3 have a higher version and a different text, one is gone, one is new; the number of links to each has
moved, as it does in Wikimedia's dumps.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from tqdm import tqdm

from indexing.synthetic import MOST_PAGES, SENTENCES, TOKENS, draw, page_title, vocabulary
from retrieval.errors import CorpusError

PAGES_A_BATCH = 1_000
TIMES_LONGER = 6  # how many times an article is longer than its introduction
_HEADINGS = ("History", "Early life", "Career", "Geography", "Reception", "Legacy")
_NOTES = ("Articles with short description", "All articles with links needing disambiguation", "Living people")
Json = dict[str, Any]


def write_dump(
    folder: Path, pages: int, *, wiki: str = "enwiki", date: str = "20251207", files: int = 4, seed: int = 0,
    edition: int = 1, single: bool = False, links: bool = True,
) -> Path:  # fmt: skip
    """Write a dump and return the folder of its files. single: the single-file form from before 2025 instead of parts.

    links: False leaves out `incoming_links` and `outgoing_link`. Raises CorpusError if the folder holds that dump.
    """
    if not 1 <= pages <= MOST_PAGES // 2 or not 1 <= files <= 999:
        raise CorpusError(f"{pages} pages in {files} files cannot be made. Ask for fewer.")
    place = folder / date if single else folder / date / f"index_name={wiki}_content"
    place.mkdir(parents=True, exist_ok=True)
    if any(place.glob(f"{wiki}*")):
        raise CorpusError(f"{place} already holds a dump. Name a new folder or empty this one.")
    files = 1 if single else files
    bounds = [number * pages // files for number in range(files + 1)]
    with tqdm(total=pages, unit=" pages", unit_scale=True) as bar:
        for number in range(files):
            name = (
                f"{wiki}-{date}-cirrussearch-content.json.gz"
                if single
                else f"{wiki}_content-{date}-{number:05}.json.bz2"
            )
            with (gzip.open if single else bz2.open)(place / name, "wb") as file:
                for first in range(bounds[number], bounds[number + 1], PAGES_A_BATCH):
                    last = min(first + PAGES_A_BATCH, bounds[number + 1])
                    for document in documents(first, last, pages, seed, edition, links):
                        file.write(two_lines(document))
                    bar.update(last - first)
    if not single:
        (place / "_SUCCESS").touch()
    return place


def two_lines(document: Json) -> bytes:
    """A document in the dump's form: the action, then the document."""
    action = {"index": {"_type": "_doc", "_id": str(document.get("page_id", ""))}}
    return orjson.dumps(action) + b"\n" + orjson.dumps(document) + b"\n"


def documents(first: int, last: int, pages: int, seed: int = 0, edition: int = 1, links: bool = True) -> Iterator[Json]:
    """Documents of the pages `first` to `last` of a dump of `pages`; the same for the same arguments."""
    for page in range(first, last):
        gone = page % 100 == 50
        if gone and edition > 1:
            document = _document(page + pages, pages, seed, 1, links)  # a new page in its place
        else:
            document = _document(page, pages, seed, edition if page % 100 in (7, 30, 77) else 1, links)
        if links:
            document["incoming_links"] += (edition - 1) * (1 + page % 5)
        yield document


def _document(page: int, pages: int, seed: int, version: int, links: bool) -> Json:
    rng = np.random.default_rng((seed, page, version))
    title = page_title(page, seed)
    plain = title.partition(" (")[0]
    intro = [f"{plain} is known since {1900 + page % 120}.", *_sentences(rng, int(draw(rng, SENTENCES, 1)[0]))]
    opening, text, headings = " ".join(intro), " ".join(intro), []
    for heading in _HEADINGS[: page % 7]:
        headings.append(heading)
        text += f" {heading} " + " ".join(_sentences(rng, max(1, len(intro) * (TIMES_LONGER - 1) // 3)))
    if page % 3 == 0:
        headings.append("References")
        text += f" References {plain} in a book. Retrieved 1 May 2020."
    document: Json = {
        "page_id": 1000 + 3 * page,
        "title": title,
        "namespace": 0,
        "wiki": "enwiki",
        "opening_text": opening,
        "text": text,
        "heading": headings,
        "redirect": _redirects(page, plain),
        "category": [_NOTES[page % 3]],
        "version": 1_200_000_000 + 10 * page + version,
        "timestamp": f"2025-1{version % 3}-01T00:00:00Z",
        "wikibase_item": f"Q{page + 1}",
        "source_text": "",
    }
    if links:
        targets = rng.integers(0, pages, 1 + page % 9).tolist()
        document["outgoing_link"] = [page_title(target, seed).replace(" ", "_") for target in targets]
        document["incoming_links"] = int(rng.integers(1, 2_000))
    if page % 50 == 49:
        document |= {
            "title": f"{plain} (disambiguation)",
            "category": ["All disambiguation pages", "Disambiguation pages with short descriptions"],
        }
    if page % 100 < 22:
        del document["opening_text"]
    return document


def _sentences(rng: np.random.Generator, count: int) -> list[str]:
    lengths = draw(rng, TOKENS, count) + 3
    words = vocabulary()[rng.integers(0, len(vocabulary()), int(lengths.sum()))].tolist()
    found, place = [], 0
    for length in lengths.tolist():
        body = " ".join(words[place : place + length]).replace(" ,", ",").replace("-LRB-", "(").replace("-RRB-", ")")
        found.append(f"{body[:1].upper()}{body[1:]}.")
        place += length
    return found


def _redirects(page: int, plain: str) -> list[Json]:
    if page % 10 > 2:
        return []
    short = "".join(word[0] for word in plain.split()).upper()
    names = [f"{short}{page}", plain.lower()]
    return [{"namespace": 0, "title": name} for name in names] + [{"namespace": 1, "title": f"Talk:{plain}"}]


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line. Returns the exit code: 0 made, 2 could not start."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.indexing.wikipedia.synthetic",
        description="Makes a dump of invented words in the form of Wikimedia's search index.",
        epilog="Example: python -m tests.indexing.wikipedia.synthetic data/local/synthetic --pages 200000",
    )
    parser.add_argument("out", type=Path, help="folder above the dates of the dumps")
    parser.add_argument("--pages", type=int, required=True, help="how many pages")
    parser.add_argument("--wiki", default="enwiki", help="whose dump (enwiki)")
    parser.add_argument("--date", default="20251207", help="its day (20251207)")
    parser.add_argument("--files", type=int, default=4, help="how many parts (4)")
    parser.add_argument("--seed", type=int, default=0, help="another number gives other pages (0)")
    parser.add_argument("--edition", type=int, default=1, help="2: the same dump a week later (1)")
    parser.add_argument("--single", action="store_true", help="one file, as dumps were until 2025")
    options = vars(parser.parse_args(arguments))
    try:
        place = write_dump(options.pop("out"), options.pop("pages"), **options)
    except (CorpusError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    size = sum(file.stat().st_size for file in place.iterdir())
    print(f"{size / 1e6:,.1f} MB in {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
