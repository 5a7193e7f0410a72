"""Reads a claim's scraped documents (AVeriTeC's `ID.json`, one JSON object per line) and counts their faults."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from retrieval.errors import StoreDamaged, StoreMissing
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.languages import find_language, several_languages
from retrieval.text.sentences import sentence_spans
from retrieval.types import Page

LONGEST_PAGE = 500_000  # characters; the rest of a longer page is dropped and counted
LONGEST_KNOWLEDGE_TITLE = 200
LARGEST_KNOWLEDGE_FILE = 500_000_000  # bytes

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")  # fmt: skip
_META = re.compile(r"^\(meta data\) ([A-Z ]+): ?(.*)$")  # AVeriTeC's scraper writes such lines before a page's text
_CODE = re.compile(r"[a-z]{2,3}")  # of a language
# UTF-8 that was decoded as Windows-1252: "donâ€™t", "cafÃ©".
_MISREAD = re.compile(r"â€[\u0098-\u00bf™œž˜“”¦¢\x9d]|[ÂÃ][\u00a0-\u00bf]")


@dataclass
class Faults:
    """Counts of faulty documents and lines, and the codes of the languages that the documents declare."""

    bad_lines: int = 0
    empty: int = 0
    duplicates: int = 0
    cut: int = 0
    recoded: int = 0
    languages: set[str] = field(default_factory=set)

    @property
    def language(self) -> str:
        """The languages that the documents declare: one code, or several joined by `+`."""
        return several_languages(sorted(self.languages))

    def notes(self, name: str) -> list[str]:
        """A sentence for each kind of fault that occurred."""
        counts = {
            f"{self.bad_lines:,} lines of {name} are not documents and were left out.": self.bad_lines,
            f"{self.empty:,} documents of {name} contain no text and were left out.": self.empty,
            f"{self.duplicates:,} documents of {name} repeat the text of another and were left out.": self.duplicates,
            f"{self.cut:,} documents of {name} were read up to character {LONGEST_PAGE:,} only.": self.cut,
            f"{self.recoded:,} documents of {name} were in another encoding than UTF-8; check their accents.": self.recoded,
        }
        return [sentence for sentence, count in counts.items() if count]


class KnowledgeFile(KnowledgeStore):
    """Documents collected for one claim, which therefore bear on it; pages of a corpus need not."""


def read_knowledge(path: Path) -> KnowledgeFile:
    """The documents of a file, JSON lines or a JSON list. Raises StoreMissing, or StoreDamaged if it holds none."""
    try:
        if path.stat().st_size > LARGEST_KNOWLEDGE_FILE:
            raise StoreDamaged(f"{path} is larger than {LARGEST_KNOWLEDGE_FILE / 1e6:,.0f} MB. Split it.")
        content = path.read_bytes()
    except OSError as error:
        advice = "Name a file of documents, one per line."
        raise StoreMissing(f"{path} cannot be read: {error.strerror}. {advice}") from error
    faults = Faults()
    pages = list(read_pages(content, faults))
    if not pages:
        raise StoreDamaged(
            f"{path} contains no document with text. It needs lines of JSON with url and url2text, a list of sentences."
        )
    return KnowledgeFile(pages, path.name, faults.notes(path.name), faults.language)


def read_pages(content: bytes, faults: Faults) -> Iterator[Page]:
    """The pages, each text once; their ids are their addresses."""
    texts: set[str] = set()
    ids: set[str] = set()
    for row, recoded in _rows(content, faults):
        title, text, repaired = _text_of(row)
        if not text:
            faults.empty += 1
            continue
        if text in texts:
            faults.duplicates += 1
            continue
        texts.add(text)
        faults.recoded += recoded or repaired
        if len(text) > LONGEST_PAGE:
            faults.cut += 1
            text = text[:LONGEST_PAGE].rsplit(None, 1)[0]
        url = row["url"].strip().encode("utf-8", "replace").decode() if isinstance(row.get("url"), str) else ""
        page_id, number = url or f"document {len(texts)}", 1
        while page_id in ids:
            number += 1
            page_id = f"{url} ({number})"
        ids.add(page_id)
        code = row["language"] if isinstance(row.get("language"), str) and _CODE.fullmatch(row["language"]) else ""
        if code:
            faults.languages.add(code)
        spans = sentence_spans(text, find_language(code))
        lines = tuple((line, start, end) for line, (start, end) in enumerate(spans))
        yield Page(page_id, title or address_title(url) or page_id, text, lines, source=url)


def _rows(content: bytes, faults: Faults) -> Iterator[tuple[dict[str, Any], bool]]:
    """(object, whether its line was not UTF-8); bad lines are counted in `faults`."""
    if content.lstrip()[:1] == b"[" and isinstance(listed := _parsed(content), list):
        faults.bad_lines += sum(not isinstance(row, dict) for row in listed)
        yield from ((row, False) for row in listed if isinstance(row, dict))
        return
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if not line.strip():
            continue
        try:
            decoded, recoded = line.decode("utf-8"), False
        except UnicodeDecodeError:
            decoded, recoded = line.decode("cp1252", "replace"), True
        row = _parsed(decoded)
        if isinstance(row, dict):
            yield row, recoded
        else:
            faults.bad_lines += 1


def _parsed(text: str | bytes) -> Any:
    """The JSON value of a text; None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text_of(row: dict[str, Any]) -> tuple[str, str, bool]:
    """(title, text with one line per piece of the page, whether its encoding was repaired)."""
    pieces = row.get("url2text", row.get("text"))
    if isinstance(pieces, str):
        pieces = [pieces]
    title, lines, repaired = "", [], False
    for piece in pieces if isinstance(pieces, list) else []:
        if not isinstance(piece, str):
            continue
        mended = mend(piece)
        repaired = repaired or mended != piece
        line = tidy(mended)
        if meta := _META.match(line):
            title = title or (meta[2] if meta[1] == "TITLE" else "")
        elif line:
            lines.append(line)
    return title[:LONGEST_KNOWLEDGE_TITLE].strip(), "\n".join(lines), repaired


def tidy(text: str) -> str:
    """The text on one line, in NFC, without invisible characters."""
    return " ".join(_CONTROL.sub(" ", unicodedata.normalize("NFC", text)).split())


def tidy_lines(text: str) -> list[str]:
    """The non-empty lines of a text, each tidied."""
    return [line for part in text.splitlines() if (line := tidy(part))]


def mend(text: str) -> str:
    """The text with UTF-8 that was decoded as Windows-1252 repaired; any other text unchanged."""
    if not _MISREAD.search(text):
        return text
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


def address_title(url: str) -> str:
    """A title from an address: "www.site.example/2020/the-last-word.html" -> "site.example: the last word"."""
    plain = re.sub(r"^(?:https?://(?:web\.archive\.org/web/\w+/)?)?(?:https?://)?(?:www\.)?", "", url)
    host, _, path = re.split(r"[?#]", plain)[0].partition("/")
    last = re.sub(r"\.\w{2,5}$", "", path.rstrip("/").rpartition("/")[2])
    words = " ".join(re.findall(r"[^\W_]+", last))
    return (f"{host}: {words}" if words and not words.isdecimal() else host)[:LONGEST_KNOWLEDGE_TITLE]
