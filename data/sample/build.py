"""Builds the sample corpus: `pages/*.txt` -> `wiki-001.jsonl`, `claims.txt` and `adversarial.txt` -> `.jsonl`.

The sources are for people: one sentence a line, links as `[[Title]]` or `[[Title|words]]`,
evidence cited by its words. The results have the format of the FEVER data set.

    python data/sample/build.py           write the files
    python data/sample/build.py --check   write nothing, exit 1 if a file is out of date
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-"}

# Applied in order to a plain sentence; each only inserts spaces or swaps a sign (Penn Treebank, as in the dump).
TOKEN_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r'"(?=[\w(])'), " `` "),
    (re.compile(r'"'), " '' "),
    (re.compile(r"([;?!$%&])"), r" \1 "),
    (re.compile(r"([,:])(?!\d)"), r" \1 "),
    (re.compile(r"(?<!\d)([,:])"), r" \1 "),
    (re.compile(r"\b([Cc]an)not\b"), r"\1 not"),
    (re.compile(r"(?<=\w)(n't|'(?:s|re|ve|ll|d|m))\b"), r" \1"),
    (re.compile(r"(?<=s)'(?=\s)"), " '"),
)


class SampleError(ValueError):
    """A source line that cannot be built; the message names the file, or the claim, and what is wrong."""


@dataclass(frozen=True)
class Link:
    """A link as the reader sees it (`words`) and the title that it leads to."""

    words: str
    title: str


@dataclass(frozen=True)
class Page:
    """A page of the source: its title and its sentences, still with their link marks."""

    title: str
    sentences: tuple[str, ...]


def page_id(title: str) -> str:
    """The title as the dump writes it in ids: `Savages (2012 film)` -> `Savages_-LRB-2012_film-RRB-`, in NFD."""
    for sign, name in BRACKETS.items():
        title = title.replace(sign, name)
    return unicodedata.normalize("NFD", title.replace(":", "-COLON-").replace(" ", "_"))


def plain(sentence: str) -> str:
    """The sentence without link marks, as a reader sees it."""
    return LINK.sub(lambda link: link[2] or link[1], sentence)


def links(sentence: str) -> list[Link]:
    """The links of a source sentence, in order."""
    return [Link(words=link[2] or link[1], title=link[1]) for link in LINK.finditer(sentence)]


def tokenise(words: str) -> str:
    """Plain words in the tokens of the dump, parted by single spaces. A last full stop is left to `tokenise_sentence`.

    >>> tokenise("R.U.R. (1920), Čapek's play")
    "R.U.R. -LRB- 1920 -RRB- , Čapek 's play"
    """
    for pattern, replacement in TOKEN_RULES:
        words = pattern.sub(replacement, words)
    for sign, name in BRACKETS.items():
        words = words.replace(sign, f" {name} ")
    return " ".join(words.split())


def tokenise_sentence(sentence: str) -> str:
    """A whole plain sentence in the tokens of the dump: its full stop stands alone."""
    tokens = tokenise(sentence)
    return f"{tokens[:-1]} ." if tokens.endswith(".") else tokens


def parse_pages(text: str, source: str) -> Iterator[Page]:
    """The pages of one source file: a `# Title` line, then one sentence a line, then an empty line."""
    for block in re.split(r"\n\s*\n", text.strip()):
        heading, *sentences = block.splitlines()
        if not heading.startswith("# ") or not sentences:
            raise SampleError(f"{source}: expected '# Title' and sentences, found {heading!r}")
        yield Page(heading[2:].strip(), tuple(sentence.strip() for sentence in sentences))


def read_pages(folder: Path) -> dict[str, Page]:
    """All pages of `folder` by title. Files in the order of their names, pages in the order of each file."""
    pages: dict[str, Page] = {}
    for path in sorted(folder.glob("*.txt")):
        for page in parse_pages(path.read_text(encoding="utf-8"), path.name):
            if page.title in pages:
                raise SampleError(f"{path.name}: the page {page.title!r} stands twice")
            pages[page.title] = page
    return pages


def dump_row(page: Page) -> dict[str, str]:
    """One row of the dump. Every sentence line is `N`, the sentence, then words and target of each link, by tabs."""
    tokens = [tokenise_sentence(plain(sentence)) for sentence in page.sentences]
    lines = []
    for number, (sentence, source) in enumerate(zip(tokens, page.sentences, strict=True)):
        targets = [field for link in links(source) for field in (tokenise(link.words), page_id(link.title))]
        lines.append("\t".join([str(number), sentence, *targets]))
    lines.append(f"{len(tokens)}\t")
    return {"id": page_id(page.title), "text": "".join(f"{token} " for token in tokens), "lines": "\n".join(lines)}


def find_sentence(pages: dict[str, Page], title: str, words: str) -> int:
    """Line number of the one sentence of the page `title` that contains `words`."""
    if title not in pages:
        raise SampleError(f"no page has the title {title!r}")
    found = [number for number, sentence in enumerate(pages[title].sentences) if words in plain(sentence)]
    if len(found) != 1:
        raise SampleError(f"{len(found)} sentences of {title!r} contain {words!r}, expected one")
    return found[0]


def parse_group(line: str, pages: dict[str, Page]) -> list[tuple[str, int]]:
    """One evidence group, `Title | words + Title | words`, as page ids and line numbers."""
    group = []
    for citation in line.split(" + "):
        title, separator, words = citation.partition(" | ")
        if not separator:
            raise SampleError(f"expected 'Title | words', found {citation!r}")
        group.append((page_id(title.strip()), find_sentence(pages, title.strip(), words.strip())))
    return group


def claim_row(number: int, block: str, pages: dict[str, Page], kind: str = "") -> dict[str, object]:
    """One claim in FEVER's form. A block is `LABEL: claim` (`LABEL*:` for an example), then a `= group` a line.

    kind: the class of claims that it belongs to, where the file has classes.
    """
    heading, *citations = block.splitlines()
    label, _, claim = heading.partition(": ")
    example, label = label.endswith("*"), label.rstrip("*")
    if label not in LABELS or (label == "NOT ENOUGH INFO") == bool(citations):
        raise SampleError(f"claim {number}: unknown label, or evidence that does not fit it: {heading!r}")
    groups = [parse_group(line.removeprefix("= "), pages) for line in citations]
    row: dict[str, object] = {
        "id": number,
        "verifiable": "VERIFIABLE" if groups else "NOT VERIFIABLE",
        "label": label,
        "claim": claim,
        "complete": True,
        "natural": True,
        "evidence": [[[number, index, page, line] for page, line in group] for index, group in enumerate(groups)]
        or [[[number, None, None, None]]],
    }
    if groups:
        row["gold_pages"] = [sorted({page for page, _ in group}) for group in groups]
    if kind:
        row["class"] = kind
    return row | {"example": True} if example else row


def read_claims(path: Path, pages: dict[str, Page]) -> list[dict[str, object]]:
    """All claims of a file, numbered from 1. Lines that begin with `#` are comments; `== class` begins a class."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    rows: list[dict[str, object]] = []
    kind = ""
    for block in (block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()):
        if block.startswith("== "):
            kind = block.removeprefix("== ")
        else:
            rows.append(claim_row(len(rows) + 1, block, pages, kind))
    return rows


def as_jsonl(rows: Iterable[dict[str, object]] | Iterable[dict[str, str]]) -> str:
    """Rows as JSON lines, in ASCII like the dump itself."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def build(folder: Path = FOLDER) -> dict[Path, str]:
    """The content of each file to write, made from the sources in `folder`. Raises SampleError."""
    pages = read_pages(folder / "pages")
    empty_row = {"id": "", "text": "", "lines": ""}
    return {
        folder / "wiki-001.jsonl": as_jsonl([empty_row, *map(dump_row, pages.values())]),
        folder / "claims.jsonl": as_jsonl(read_claims(folder / "claims.txt", pages)),
        folder / "adversarial.jsonl": as_jsonl(read_claims(folder / "adversarial.txt", pages)),
    }


def out_of_date(files: dict[Path, str]) -> list[Path]:
    """Those of `files` that are missing or hold something else."""
    return [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 0 done, 1 a file is out of date (`--check`), 2 a source cannot be built."""
    parser = argparse.ArgumentParser(description="Builds the sample corpus and its claims from their sources.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    options = parser.parse_args(arguments)
    try:
        files = build()
    except SampleError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 2
    stale = out_of_date(files)
    for path in stale:
        if options.check:
            print(f"{path.name} is out of date: run python data/sample/build.py", file=sys.stderr)
        else:
            path.write_text(files[path], encoding="utf-8", newline="\n")
            print(f"wrote {path.name}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
