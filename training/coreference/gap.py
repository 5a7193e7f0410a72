"""GAP's pronouns in the form that the models read, and the first names that distinguish women from men."""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.models.english.parser import english
from retrieval.text.extraction.mentions import Name, Parsed, Pronoun, names_in
from retrieval.text.extraction.reference import Passage, features, marked
from retrieval.text.sentences import sentence_spans
from training.data.pairs import json_rows

GAP = Path("training") / "decontext"
WIKIPEDIA = Path("fever") / "wiki-pages.zip"
ONE_SIDED = 0.3  # a page is used if less than this share of its pronouns has the other gender
_PRONOUN = re.compile(r"(?i)\b(?:he|his|him|himself)\b|\b(she|her|hers|herself)\b")
_PERSON = re.compile(r"^.{3,200}?(?:\bborn\b|\d{4} ?[–-] ?\w)")

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """The two names for each pronoun: features (pronouns, 2, features), texts and whether it is meant (pronouns, 2)."""

    inputs: Matrix
    texts: NDArray[np.object_]
    meant: NDArray[np.bool_]

    def __getitem__(self, rows: NDArray[np.bool_]) -> Pairs:
        """The chosen pronouns."""
        return Pairs(self.inputs[rows], self.texts[rows], self.meant[rows])


def first_names(pages: Path) -> dict[str, float]:
    """Log odds that a first name is a woman's, from the pronouns on Wikipedia's pages about people."""
    counts: dict[str, list[int]] = {}
    for title, text in _people(pages):
        found = [bool(match[1]) for match in _PRONOUN.finditer(text)]
        share = sum(found) / len(found) if found else 0.5
        if share < ONE_SIDED or share > 1 - ONE_SIDED:
            counts.setdefault(title.split()[0].casefold(), [0, 0])[share > 0.5] += 1
    known = ((name, seen) for name, seen in counts.items() if name.isalpha() and len(name) > 1)
    return {name: math.log((women + 0.3) / (men + 0.4)) for name, (men, women) in known}


def _people(pages: Path) -> Iterator[tuple[str, str]]:
    """(title, text) of the pages that are probably about a person."""
    with zipfile.ZipFile(pages) as archive:
        files = (archive.open(name) for name in archive.namelist() if name.endswith(".jsonl"))
        for page in map(json.loads, chain.from_iterable(files)):
            title = page["id"].split("-LRB-")[0].replace("_", " ").strip()
            text, words = page.get("text", ""), title.split()
            named = 2 <= len(words) <= 4 and all(word[0].isupper() or len(word) < 4 for word in words)
            if named and text.startswith(words[0]) and _PERSON.match(text):
                yield title, text


def read_pairs(path: Path, names: dict[str, float]) -> Pairs:
    """The pronouns of a GAP file in the form that the models read."""
    rows = list(json_rows(path))
    texts = [[row["Text"][start:end] for start, end in sentence_spans(row["Text"])] for row in rows]
    docs = iter(english().pipe([text for sentences in texts for text in sentences], batch_size=64))
    both = [_both(row, docs, names) for row in rows]
    inputs, read = (np.array([[name[part] for name in two] for two in both]) for part in (0, 1))
    return Pairs(
        inputs, read.astype(object), np.array([[row[f"{name}-coref"] == "TRUE" for name in "AB"] for row in rows])
    )


def _both(row: dict[str, str], docs: Iterator[Any], first: dict[str, float]) -> list[tuple[Matrix, str]]:
    """Features and text for each of the two names."""
    spans = sentence_spans(row["Text"])
    sentences = [Parsed(number, start, next(docs)) for number, (start, _) in enumerate(spans)]
    names = [name for sentence in sentences for name in names_in(sentence)]
    both = []
    for which in "AB":
        start, text = int(row[f"{which}-offset"]), row[which]
        sentence, tokens = _tokens(sentences, start, len(text))
        head = next((token for token in tokens if token.head not in tokens or token.dep_ == "ROOT"), tokens[-1])
        overlapping = [name for name in names if name.start < start + len(text) and start < name.end]
        names = [name for name in names if name not in overlapping]
        kind = overlapping[0].kind if overlapping else ""
        both.append(Name(sentence.number, start, start + len(text), text, kind, head))
    sentence, tokens = _tokens(sentences, int(row["Pronoun-offset"]), len(row["Pronoun"]))
    start = int(row["Pronoun-offset"])
    pronoun = Pronoun(sentence.number, start, start + len(row["Pronoun"]), tokens[0])
    passage = Passage(sentences, [*names, *both], first, row["URL"].rpartition("/")[2].replace("_", " "))
    return [(features(passage, pronoun, name), marked(passage, pronoun, name)) for name in both]


def _tokens(sentences: list[Parsed], start: int, length: int) -> tuple[Parsed, list[Any]]:
    for sentence in sentences:
        at = start - sentence.start
        found = [token for token in sentence.doc if at < token.idx + len(token) and token.idx < at + length]
        if found and at >= 0:
            return sentence, found
    raise ValueError(f"no word at {start}")
