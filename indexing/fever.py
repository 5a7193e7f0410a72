"""Reads the FEVER Wikipedia dump (Thorne et al., NAACL 2018) in its published format.

A dump is a zip, a folder of `wiki-NNN.jsonl`, or single files, also as .gz or .bz2. A row is a JSON object with
`id` (title, spaces as underscores, brackets as -LRB-, decomposed Unicode), `text`, and `lines`: numbered, tokenised
sentences followed by pairs of anchor and link target, all separated by tabs. The first row of a file is empty.
"""

from __future__ import annotations

import bz2
import gzip
import json
import os
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from retrieval.errors import CorpusError
from retrieval.stores.pages import encodable
from retrieval.types import Page

SITE, RETRIEVED = "en.wikipedia.org", "2017-06"  # source and date of the dump's pages
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.bz2")
# The Penn Treebank's names for brackets and the colon, and the spaces that its tokeniser puts around punctuation.
_TOKENS = (
    ("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-LCB-", "{"), ("-RCB-", "}"), ("-COLON-", ":"),
)  # fmt: skip
_SPACES = (
    ("“ ", "“"), (" ”", "”"), (" ,", ","), (" ;", ";"), (" : ", ": "), (" . ", ". "), (" .\n", ".\n"), (" !", "!"),
    (" ?", "?"), ("( ", "("), (" )", ")"), ("[ ", "["), (" ]", "]"), (" 's", "'s"), (" n't", "n't"), (" %", "%"),
    ("$ ", "$"), ("(; ", "("), ("(, ", "("), ("() ", ""),
)  # fmt: skip
# The rarest character of each pattern, for a quick test that rules out most patterns.
_SIGNS = "“”[]($%!?;:)',."
_RARE = tuple((next(char for char in _SIGNS if char in spaced), spaced, plain) for spaced, plain in _SPACES)
_FORBIDDEN = "{} may not be read by the user that this program runs as. Give that user the right to read it."
# Errors of Python's readers for a file that is truncated, damaged, encrypted or compressed in an unknown way.
_DAMAGES = (OSError, EOFError, RuntimeError, KeyError, ValueError, zlib.error, zipfile.BadZipFile)


@dataclass(frozen=True)
class Source:
    """One JSON-lines file, possibly inside an archive. member: its name there; empty outside one."""

    name: str
    path: Path
    member: str = ""

    def open(self) -> IO[bytes] | gzip.GzipFile:
        """The file's bytes, decompressed."""
        if self.member:
            return zipfile.ZipFile(self.path).open(self.member)
        if self.path.suffix == ".gz":
            return gzip.open(self.path)
        if self.path.suffix == ".bz2":
            return bz2.open(self.path)
        return open(self.path, "rb")

    def rows(self) -> Iterator[bytes]:
        """All rows. Raises CorpusError if the file is damaged."""
        try:
            with self.open() as lines:
                yield from lines
        except PermissionError as error:
            raise CorpusError(_FORBIDDEN.format(self.name)) from error
        except _DAMAGES as error:
            raise CorpusError(
                f"{self.name} cannot be read completely: {error}. Fetch or copy the file again."
            ) from error


def find_sources(paths: Sequence[Path]) -> list[Source]:
    """All dump files under the paths, sorted by name within each path. Raises CorpusError if there are none."""
    sources = [source for path in paths for source in _sources(path)]
    names = [(source.path.resolve(), source.member) for source in sources]
    if len(set(names)) < len(names):
        raise CorpusError("The same file is named twice. Name each file or folder once.")
    return sources


def _sources(path: Path) -> list[Source]:
    try:
        sources = _files(path)
        missing = [source.name for source in sources if not source.path.is_file()]
    except OSError as error:
        raise CorpusError(
            f"{error.filename or path} cannot be read: {error.strerror}. Check its permissions, or name another."
        ) from error
    if missing:
        raise CorpusError(f"{missing[0]} is not a file, or a link to one that is gone. Repair or remove it.")
    return sources


def _files(path: Path) -> list[Source]:
    if path.is_dir():
        inner = sorted(file for file in _inside(path) if file.name.endswith(SUFFIXES) and file.name.startswith("wiki-"))
        sources = [Source(str(file), file) for file in inner]
    elif path.suffix == ".zip" and path.is_file():
        sources = _members(path)
    elif path.is_file():
        sources = [Source(str(path), path)]
    else:
        raise CorpusError(f"{path} does not exist. Name the folder or archive of the dump.")
    if not sources:
        raise CorpusError(f"{path} holds no file named wiki-NNN.jsonl. Name the folder or archive of the dump.")
    return sources


def _inside(folder: Path) -> Iterator[Path]:
    """All files below a folder. Raises OSError if a folder cannot be read, because its files would silently be missed."""

    def refuse(error: OSError) -> None:
        raise error

    for parent, _, names in os.walk(folder, onerror=refuse):
        yield from (Path(parent) / name for name in names)


def _members(path: Path) -> list[Source]:
    try:
        names = zipfile.ZipFile(path).namelist()
    except PermissionError as error:
        raise CorpusError(_FORBIDDEN.format(path)) from error
    except _DAMAGES as error:
        raise CorpusError(f"{path} is not a complete zip archive: {error}. Fetch it again.") from error
    # An archive made on a Mac contains a metadata file for every file.
    dumps = sorted(name for name in names if name.endswith(".jsonl") and not name.startswith("__MACOSX"))
    return [Source(f"{path}:{name}", path, name) for name in dumps]


def parse_row(raw: bytes, addresses: bool = True) -> Page | None:
    """The page of one row; None for the empty row and for blank lines. Raises ValueError, which says what is wrong with it.

    addresses: whether the pages are Wikipedia's of June 2017, rather than your own texts in the dump's format.
    """
    if not raw.strip():
        return None
    row = _read_json(raw)
    if not isinstance(row, dict):
        raise ValueError("it is not a JSON object")
    page_id, lines = row.get("id"), row.get("lines")
    if not isinstance(page_id, str) or not isinstance(lines, str):
        raise ValueError("it lacks the text fields id and lines")
    if not page_id:
        return None
    if _unfit(page_id) or _unfit(lines):
        raise ValueError("it contains a NUL or half a character")
    numbers, sentences, links = _split_lines(lines)
    text, spans = _join(numbers, readable("\n".join(sentences) + "\n").split("\n"))
    site, retrieved = (SITE, RETRIEVED) if addresses else ("", "")
    return Page(page_id, readable_title(page_id), text, spans, links, site=site, retrieved=retrieved)


def _read_json(raw: bytes) -> Any:
    """The row's value; if the fast parser finds an error, the standard one describes it and its position."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(raw)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unfit(text: str) -> bool:
    """Whether the text contains a NUL, or a lone surrogate, which UTF-8 cannot encode."""
    return "\0" in text or not encodable(text)


def _split_lines(lines: str) -> tuple[list[int], list[str], tuple[str, ...]]:
    """(numbers, tokenised sentences, link targets). A line without a number continues the previous sentence."""
    numbers: list[int] = []
    sentences: list[str] = []
    links: dict[str, None] = {}
    for line in lines.split("\n"):
        number, _, rest = line.partition("\t")
        if not number.isdecimal():
            if sentences:
                sentences[-1] += " " + line.replace("\t", " ")
            continue
        if not rest:
            continue
        if "\t" in rest:
            rest, *pairs = rest.split("\t")
            links.update(dict.fromkeys(readable_title(target) for target in pairs[1::2] if target))
        numbers.append(int(number))
        sentences.append(rest)
    return numbers, sentences, tuple(links)


def _join(numbers: list[int], sentences: list[str]) -> tuple[str, tuple[tuple[int, int, int], ...]]:
    """The sentences joined by spaces, and the offsets of each that is not empty."""
    spans, joined, position = [], [], 0
    for number, sentence in zip(numbers, sentences, strict=False):
        if sentence := sentence.strip():
            spans.append((number, position, position + len(sentence)))
            joined.append(sentence)
            position += len(sentence) + 1
    return " ".join(joined), tuple(spans)


def readable(text: str) -> str:
    """Undo the dump's tokenisation: brackets, quotation marks, spaces before punctuation. Line breaks stay."""
    if "-LRB-" in text or "-RRB-" in text:
        text = text.replace("-LRB-", "(").replace("-RRB-", ")")
    if "`" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    if "B-" in text or "-COLON-" in text:
        for token, char in _TOKENS:
            text = text.replace(token, char)
    for char, spaced, plain in _RARE:
        if char in text:
            text = text.replace(spaced, plain)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def readable_title(page_id: str) -> str:
    """The readable title: `Savages_-LRB-2012_film-RRB-` -> "Savages (2012 film)"."""
    if "-" in page_id:
        for token, char in _TOKENS:
            page_id = page_id.replace(token, char)
    title = page_id.replace("_", " ")
    return title if title.isascii() else unicodedata.normalize("NFC", title)
