"""Measures, by cutoff, how often the program rightly finds that a claim means the same as an earlier one.

Rules make the pairs from FEVER's training claims. Different: two claims about the same page, one supported and the
other refuted. Same: a claim and a rewording with the same meaning.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.protocols import Encoder
from retrieval.text.quantities.dates import MONTHS
from retrieval.text.same_meaning import may_mean_the_same

CUTOFFS = (0.80, 0.85, 0.88, 0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97)
Pair = tuple[str, str]
_DATE = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})")
_WORDS = {
    " film": " movie", " starred in ": " acted in ", " is located in ": " lies in ", " located in ": " situated in ",
    " was released in ": " came out in ", " received ": " got ", " television ": " TV ", " begins ": " starts ",
    " was founded ": " was established ", " died ": " passed away ", " married ": " wed ", " the United States": " the US",
}  # fmt: skip


def rewordings(claim: str) -> Iterator[str]:
    """Rewordings of the claim as people might type them."""
    body = claim.rstrip(".")
    yield f"It is said that {body}"
    yield body.lower() if body.isascii() else body
    if date := _DATE.search(body):
        yield body.replace(date[0], f"{date[2]} {date[1]} {date[3]}")
    for old, new in _WORDS.items():
        if old in body:
            yield body.replace(old, new)
    if born := re.fullmatch(r"(.+?) was born (in|on) (.+)", body):
        yield f"{born[1]}, born {born[2]} {born[3]}"
    if made := re.fullmatch(r"(.+?) (is|was) (directed|written|produced|composed|painted) by (.+)", body):
        yield f"The one who {made[3]} {made[1]} {made[2]} {made[4]}"
    if a := re.fullmatch(r"(.+?) (is|was) (an? .+)", body):
        yield f"{a[1]}, {a[3]}" if len(a[3]) > 40 else f"{a[1]} {a[2]} known as {a[3]}"


def different_pairs(rows: Sequence[dict[str, Any]]) -> list[Pair]:
    """Pairs of claims about one page, one supported and the other refuted."""
    by_page: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for page in {line[2] for group in row["evidence"] for line in group if line[2]}:
            by_page[page][row["label"]].append(row["claim"])
    found = {
        tuple(sorted(pair))
        for labels in by_page.values()
        for pair in product(sorted(set(labels["SUPPORTS"])), sorted(set(labels["REFUTES"])))
    }
    return sorted(found)  # type: ignore[arg-type]


def measure(path: Path, encoder: Encoder) -> dict[str, Any]:
    """{"different", "same": number of pairs, "passing": shares that pass the rules, "cutoffs": {cutoff: shares}}."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    different = different_pairs([row for row in rows if row["label"] != "NOT ENOUGH INFO"])
    same = [(row["claim"], other) for row in rows[::5] for other in rewordings(row["claim"])]
    passing = {"different": _passing(different), "same": _passing(same)}
    cosines = {name: _cosines(pairs, encoder) for name, pairs in passing.items()}
    counts = {"different": len(different), "same": len(same)}

    def share(name: str, least: float) -> float:
        return round(float((cosines[name] >= least).sum()) / counts[name], 4)

    return {
        **counts,
        "passing": {name: round(len(pairs) / counts[name], 4) for name, pairs in passing.items()},
        "cutoffs": {str(least): {name: share(name, least) for name in counts} for least in CUTOFFS},
    }


def _passing(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if may_mean_the_same(*pair)]


def _cosines(pairs: Sequence[Pair], encoder: Encoder) -> Any:
    texts = sorted({text for pair in pairs for text in pair})
    place = {text: number for number, text in enumerate(texts)}
    vectors = encoder.encode(texts)
    return np.array([vectors[place[one]] @ vectors[place[other]] for one, other in pairs])
