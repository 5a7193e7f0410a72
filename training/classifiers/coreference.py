"""Fits whom a pronoun means on the development part of GAP (Webster et al., TACL 2018); its validation part only measures."""

from __future__ import annotations

import gzip
import json
import math
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.models.english.parser import english
from retrieval.models.fitted.coreference import compared
from retrieval.models.fitted.trees import read_trees
from retrieval.text.extraction.mentions import Name, Parsed, Pronoun, names_in
from retrieval.text.extraction.reference import FEATURES, Passage, features
from retrieval.text.sentences import sentence_spans

GAP = Path("training") / "decontext"
WIKIPEDIA = Path("fever") / "wiki-pages.zip"
TREES, LEAVES, RATE = 150, 12, 0.05
FOLDS = 5
SEEN = 1  # people with a first name before it counts as a sign
ONE_SIDED = 0.3  # share of the other gender's pronouns up to which a page is about one person
_PRONOUN = re.compile(r"(?i)\b(?:he|his|him|himself)\b|\b(she|her|hers|herself)\b")
_PERSON = re.compile(r"^.{3,200}?(?:\bborn\b|\d{4} ?[–-] ?\w)")

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Both names of each pronoun: inputs (pronouns, 2, features), whether it means them (pronouns, 2)."""

    inputs: Matrix
    meant: NDArray[np.bool_]


def fit_coreference(data: Path, target: Path, work: Path) -> None:
    """Fit, choose the threshold, write `target`, print F1 on the validation part."""
    names = first_names(data / WIKIPEDIA)
    learned, measured = (
        read_pairs(data / GAP / f"gap-{part}.jsonl.gz", names) for part in ("development", "validation")
    )
    guesses = _out_of_fold(learned)
    from_on = max(np.arange(0.2, 0.6, 0.02), key=lambda least: f1(guesses, learned.meant, least))
    trees = _trees(learned)
    figures = {
        "cross-validation": round(f1(guesses, learned.meant, from_on), 4),
        "validation": round(f1(_chances(trees, measured), measured.meant, from_on), 4),
        "pronouns": [len(learned.meant), len(measured.meant)],
        "from_on": round(float(from_on), 2),
    }
    rounded = {name: round(value, 2) for name, value in sorted(names.items())}
    target.write_text(
        json.dumps({"features": list(FEATURES), **trees, "first_names": rounded, "figures": figures}) + "\n", "utf-8"
    )
    print(json.dumps(figures, indent=1))


def first_names(pages: Path) -> dict[str, float]:
    """Log odds that a first name is a woman's, from the pronouns on Wikipedia's pages about people."""
    counts: dict[str, list[int]] = {}
    for title, text in _people(pages):
        found = [bool(match[1]) for match in _PRONOUN.finditer(text)]
        share = sum(found) / len(found) if found else 0.5
        if share < ONE_SIDED or share > 1 - ONE_SIDED:
            counts.setdefault(title.split()[0].casefold(), [0, 0])[share > 0.5] += 1
    known = {name: seen for name, seen in counts.items() if sum(seen) >= SEEN and name.isalpha() and len(name) > 1}
    return {name: math.log((women + 0.3) / (men + 0.4)) for name, (men, women) in known.items()}


def _people(pages: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(pages) as archive:
        for member in archive.namelist():
            if member.endswith(".jsonl"):
                with archive.open(member) as lines:
                    for line in lines:
                        page = json.loads(line)
                        title = page["id"].split("-LRB-")[0].replace("_", " ").strip()
                        text = page.get("text", "")
                        words = title.split()
                        named = 2 <= len(words) <= 4 and all(word[0].isupper() or len(word) < 4 for word in words)
                        if named and text.startswith(words[0]) and _PERSON.match(text):
                            yield title, text


def read_pairs(path: Path, names: dict[str, float]) -> Pairs:
    """GAP's pronouns in the form that the model reads, with the page's title."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [[row["Text"][start:end] for start, end in sentence_spans(row["Text"])] for row in rows]
    docs = iter(english().pipe([text for sentences in texts for text in sentences], batch_size=64))
    inputs = [_inputs(row, docs, names) for row in rows]
    return Pairs(np.array(inputs), np.array([[row[f"{name}-coref"] == "TRUE" for name in "AB"] for row in rows]))


def _inputs(row: dict[str, str], docs: Iterator[Any], first: dict[str, float]) -> list[Matrix]:
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
    return [features(passage, pronoun, name) for name in both]


def _tokens(sentences: list[Parsed], start: int, length: int) -> tuple[Parsed, list[Any]]:
    for sentence in sentences:
        at = start - sentence.start
        found = [token for token in sentence.doc if at < token.idx + len(token) and token.idx < at + length]
        if found and at >= 0:
            return sentence, found
    raise ValueError(f"no word at {start}")


def _rows(pairs: Pairs) -> Matrix:
    """One row per name: its own features and their difference from the other name's. All first names, then all second ones."""
    a, b = pairs.inputs[:, 0], pairs.inputs[:, 1]
    return np.vstack([compared(a, b), compared(b, a)])


def _fitted(pairs: Pairs) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=RATE, max_leaf_nodes=LEAVES, min_samples_leaf=20, l2_regularization=1.0
    )
    return model.fit(_rows(pairs), pairs.meant.T.ravel())


def _trees(pairs: Pairs) -> dict[str, Any]:
    return tree_nodes(_fitted(pairs))


def tree_nodes(model: Any) -> dict[str, Any]:
    """A fitted HistGradientBoostingClassifier of two labels as `read_trees` reads it."""
    trees = []
    for (predictor,) in model._predictors:
        trees.append(
            [
                [-1, 0, 0, 0, round(float(node["value"]), 5)]
                if node["is_leaf"]
                else [
                    int(node["feature_idx"]),
                    float(node["num_threshold"]),
                    int(node["left"]),
                    int(node["right"]),
                    0,
                ]
                for node in predictor.nodes
            ]
        )
    return {"base": round(float(np.ravel(model._baseline_prediction)[0]), 5), "trees": trees}


def _chances(trees: dict[str, Any], pairs: Pairs) -> Matrix:
    found = read_trees(trees).probabilities(_rows(pairs))
    return np.asarray(found.reshape(2, -1).T)


def _out_of_fold(pairs: Pairs) -> Matrix:
    guesses = np.zeros(pairs.meant.shape)
    fold = np.arange(len(guesses)) % FOLDS
    for held in range(FOLDS):
        learn, test = fold != held, fold == held
        trees = _trees(Pairs(pairs.inputs[learn], pairs.meant[learn]))
        guesses[test] = _chances(trees, Pairs(pairs.inputs[test], pairs.meant[test]))
    return guesses


def f1(chances: Matrix, meant: NDArray[np.bool_], from_on: float) -> float:
    """GAP's F1: of the two names, at most the likelier one is taken, from probability `from_on` upwards."""
    likelier = np.column_stack([chances[:, 0] >= chances[:, 1], chances[:, 1] > chances[:, 0]])
    said = likelier & (chances >= from_on)
    return float(2 * (said & meant).sum() / max(1, said.sum() + meant.sum()))
