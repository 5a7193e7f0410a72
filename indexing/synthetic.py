"""Makes an encyclopedia of invented words in the FEVER dump's format, to measure how the program scales.

    python -m indexing.synthetic OUT --pages 1000000 [--seed 0] [--files 109]

Lengths and word frequencies follow wiki-pages.zip, 118,863 pages of the real dump: 4.9 sentences and 670 characters a page,
24.8 tokens a sentence, 19 % of titles with a bracket, 4 % with an accent. Every second sentence also has a link to an
existing page; that extract has no links. The same seed, pages and files give the same bytes. Files are made one after the
other from batches of pages, so memory does not grow.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from tqdm import tqdm

from retrieval.errors import CorpusError

PAGES_AT_ONCE = 2_000  # pages made at once
MOST_PAGES = 1 << 24  # the number of different names
_WORDS = 400_000
_CELLS = 1 << 21  # of the table that maps uniform numbers to words by frequency
# Measured: percentages and the quantiles there; ranks of tokens and their frequencies.
_SHARES = (0, 5, 25, 50, 75, 90, 95, 99, 99.9, 100)
SENTENCES = (0, 0.7, 1.5, 2.4, 4.5, 11, 16, 20, 32, 60)  # per page; rounded up
TOKENS = (0, 5, 11, 18, 25, 34, 40, 55, 85, 370)  # per sentence, without those that `_sentence` adds
_RANKS = (1, 3, 10, 30, 100, 1_000, 10_000, 100_000, _WORDS)
_FREQUENCIES = (5.5e-2, 3.9e-2, 1.06e-2, 3.0e-3, 6.5e-4, 9.5e-5, 7.5e-6, 4.2e-7, 6e-8)
# The dump's most frequent tokens, most frequent first; underscores join the tokens of brackets and quotations.
_COMMON = (
    "the , of and in a is to , by The was ''_a_'' -LRB-_1987_-RRB- ``_The_'' as on for film 's with from an that or "
    "his It at are American which it directed In also has he ; its be He first who were one -COLON- known been have "
    "their starring but other not United A two had most used written after her released such this into based – during "
    "States name between born stars can more time years when produced they over drama all New about series John became "
    "including year many This comedy part than only World may some later early same War She where"
)  # fmt: skip
_KINDS = ("film", "{} film", "album", "band", "politician", "footballer, born {}", "novel", "TV series", "song", "ship")
_OPENINGS = ("a village in", "an American film by", "a town near", "a footballer for", "an album by", "a river of")
_SHAPES = "{0} {1}|{0} {2} {1}|{3}|{0} {1}|{0} {1} of the {2}|The {0} {1}|{0} {1}|{0} of {1}|{0}-{1}".split("|")
_ONSETS = "b d f g k l m n p r s t v z ch sh th br st tr w".split()
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in "aeiou"]
_ENDINGS = ("", "n", "r", "s", "l", "d", "", "m")
_ACCENTS = str.maketrans("aeiou", "áéíöü")


def write_corpus(folder: Path, pages: int, seed: int = 0, files: int = 109) -> int:
    """Write the pages into files wiki-NNN.jsonl of about the same size. Returns the bytes written. Raises CorpusError."""
    if not 1 <= pages <= MOST_PAGES or not 1 <= files <= 999 or seed < 0:
        raise CorpusError(
            f"{pages} pages in {files} files with seed {seed} cannot be made. "
            f"Ask for 1 to {MOST_PAGES:,} pages in 1 to 999 files and a seed of 0 or more."
        )
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("wiki-*.jsonl")):
        raise CorpusError(f"{folder} already holds a corpus. Name a new folder or empty this one.")
    bounds = [number * pages // files for number in range(files + 1)]
    written = 0
    with tqdm(total=pages, unit=" pages", unit_scale=True) as bar:
        for number in range(files):
            with open(folder / f"wiki-{number + 1:03}.jsonl", "wb") as file:
                # Only the first file begins with an empty row, as in the dump.
                written += file.write(b'{"id": "", "text": "", "lines": ""}\n') if number == 0 else 0
                for first in range(bounds[number], bounds[number + 1], PAGES_AT_ONCE):
                    last = min(first + PAGES_AT_ONCE, bounds[number + 1])
                    written += file.write("".join(rows(first, last, pages, seed)).encode("ascii"))
                    bar.update(last - first)
    return written


def rows(first: int, last: int, pages: int, seed: int) -> Iterator[str]:
    """JSON lines of the pages `first` to `last` of a corpus of `pages`, the same for the same arguments."""
    rng = np.random.default_rng((seed, first))
    counts = draw(rng, SENTENCES, last - first)
    lengths = draw(rng, TOKENS, int(counts.sum())).tolist()
    words = vocabulary()[rng.integers(0, _CELLS, sum(lengths))].tolist()
    # About half the sentences have a link; the others get -1.
    targets = np.where(rng.random(len(lengths)) < 0.5, rng.integers(0, pages, len(lengths)), -1).tolist()
    sentence = word = 0
    for page, count in enumerate(counts.tolist(), first):
        title = page_title(page, seed)
        sentences, lines = [], []
        for line in range(count):
            tokens = words[word : word + lengths[sentence]]
            opening = f"{_plain(title)} is {_OPENINGS[page % len(_OPENINGS)]}" if line == 0 else ""
            text, link = _sentence(opening, tokens, targets[sentence], seed)
            sentences.append(text)
            lines.append(f"{line}\t{text}{link}")
            word += lengths[sentence]
            sentence += 1
        row = {"id": _page_id(title), "text": " ".join(sentences) + " ", "lines": "\n".join([*lines, f"{count}\t"])}
        yield json.dumps(row) + "\n"


def _sentence(opening: str, tokens: Sequence[str], target: int, seed: int) -> tuple[str, str]:
    """A sentence, and the link that follows it in the dump's lines: tab, anchor, tab, title of the page."""
    body = " ".join([opening, *tokens] if opening else tokens)
    link = ""
    if target >= 0:
        title = page_title(target, seed)
        anchor = _plain(title)
        body = f"{body} in {anchor}"
        link = f"\t{anchor}\t{_bracketed(title)}"
    body = body.lstrip() or "It is"
    return f"{body[0].upper()}{body[1:]} .", link


@lru_cache(maxsize=20_000)
def page_title(page: int, seed: int) -> str:
    """A page's readable title, unique; of ten pages, three share a name and two of these have a bracket."""
    slot = page % 10
    base = page if slot < 8 else page - slot + 7
    # An odd factor changes only the order of the names.
    number = (base * 2654435761 + seed * 7919) % MOST_PAGES
    first, family, middle = _name(number % 4096), _name(number // 4096 + 4096), _name(base % 997 + 8192).lower()
    shape = "{0}: {2} {1}" if base % 100 == 5 else _SHAPES[base % len(_SHAPES)]
    title = shape.format(first, family, middle, _word(number + 1_200_000).title() if shape == "{3}" else "")
    if base % 25 in (3, 4):
        title = title.translate(_ACCENTS)
    if slot < 8:
        return title
    kind = _KINDS[page // 10 * 2 % len(_KINDS) + slot - 8]
    return f"{title} ({kind.format(1900 + page // 10 % 120)})"


@lru_cache(maxsize=10_000)
def _name(number: int) -> str:
    return _word(number + 15_000).title()


def _word(number: int) -> str:
    """The number in syllables, two up to 11,025, three up to 1,157,625, more above; no two numbers give the same word."""
    parts: list[str] = []
    while number or len(parts) < 2:
        number, digit = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[digit])
    return "".join(parts) + _ENDINGS[len(parts[0]) * sum(map(ord, parts[-1])) % len(_ENDINGS)]


@lru_cache(maxsize=1)
def vocabulary() -> NDArray[np.object_]:
    """Tokens, each in a number of cells in proportion to its frequency."""
    ranks = np.log(np.arange(1, _WORDS + 1))
    shares = np.exp(np.interp(ranks, np.log(_RANKS), np.log(_FREQUENCIES)))
    edges = np.cumsum(shares) / shares.sum()
    chosen = np.searchsorted(edges, (np.arange(_CELLS) + 0.5) / _CELLS)
    common = [token.replace("_", " ") for token in _COMMON.split()]
    words = [_word(number) for number in range(8_000, 8_000 + _WORDS - len(common))]
    tokens = common + [word if number % 9 else word.title() for number, word in enumerate(words)]
    return np.array(tokens, dtype=object)[chosen]


def draw(rng: Generator, quantiles: Sequence[float], count: int) -> NDArray[np.int64]:
    """Whole numbers distributed by the quantiles at _SHARES."""
    return np.ceil(np.interp(rng.random(count) * 100, _SHARES, quantiles)).astype(np.int64)


def _plain(title: str) -> str:
    """The title as in a sentence: tokenised, without its bracket."""
    return title.partition(" (")[0].replace(":", " :")


def _bracketed(title: str) -> str:
    return title.replace("(", "-LRB-").replace(")", "-RRB-").replace(":", "-COLON-")


def _page_id(title: str) -> str:
    page_id = _bracketed(title).replace(" ", "_")
    return page_id if page_id.isascii() else unicodedata.normalize("NFD", page_id)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code: 0 success, 2 could not start."""
    parser = argparse.ArgumentParser(
        prog="python -m indexing.synthetic",
        description="Makes an encyclopedia of invented words in the FEVER dump's format.",
        epilog="Example: python -m indexing.synthetic data/local/synthetic --pages 1000000",
    )
    parser.add_argument("out", type=Path, help="folder for the files wiki-NNN.jsonl")
    parser.add_argument("--pages", type=int, required=True, help="how many pages")
    parser.add_argument("--seed", type=int, default=0, help="another number gives other pages (default: 0)")
    parser.add_argument("--files", type=int, default=109, help="how many files (default: 109, as in the dump)")
    options = parser.parse_args(arguments)
    try:
        size = write_corpus(options.out, options.pages, options.seed, options.files)
    except (CorpusError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{options.pages:,} pages, {size / 1e6:,.0f} MB in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
