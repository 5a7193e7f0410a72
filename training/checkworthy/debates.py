"""Sentences to learn from: ClaimBuster's debates (Arslan et al., ICWSM 2020), some held out, and other prose."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.models.fitted.checkworthy import LABELS
from retrieval.text.sentences import without_title
from training.data.pairs import json_rows

DEBATES = Path("training") / "checkworthy" / "claimbuster.jsonl.gz"
PROSE = Path("training") / "nli" / "vitaminc-real.jsonl.gz"
MIXED = Path("training") / "nli" / "mnli-dev.jsonl.gz"
HELD_OUT, CALIBRATING = 7, 4  # debates of 33
PROSE_SENTENCES, MIXED_SENTENCES = 600, 1_000
WORDS = (6, 60)  # shortest and longest sentence taken from other prose


@dataclass(frozen=True)
class Spoken:
    """A sentence of a debate. expert: labelled by the authors of the data, not by crowd workers."""

    text: str
    label: int
    debate: str
    expert: bool


@dataclass(frozen=True)
class Parts:
    """The debates' sentences for training, calibration and evaluation."""

    learned: list[Spoken]
    calibrating: list[Spoken]
    held_out: list[Spoken]


def read_debates(path: Path) -> list[Spoken]:
    """ClaimBuster's sentences."""
    rows = json_rows(path)
    return [Spoken(row["sentence"], LABELS.index(row["label"]), row["debate"], row["expert"]) for row in rows]


def split(spoken: Sequence[Spoken]) -> Parts:
    """Split by debate, in order of the names' sha256: seven to evaluate, four to calibrate, the rest to learn."""
    debates = {one.debate for one in spoken}
    order = sorted(debates, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    places = {name: place for place, name in enumerate(order)}
    measured, calibrated = HELD_OUT, HELD_OUT + CALIBRATING
    return Parts(
        [one for one in spoken if places[one.debate] >= calibrated],
        [one for one in spoken if measured <= places[one.debate] < calibrated],
        [one for one in spoken if places[one.debate] < measured],
    )


def labels_of(spoken: Sequence[Spoken]) -> NDArray[np.int64]:
    """Indices in `LABELS`."""
    return np.array([one.label for one in spoken], dtype=np.int64)


def other_prose(data: Path, seed: int) -> tuple[list[str], list[str]]:
    """Sentences of Wikipedia that people have used as evidence, and premises of MNLI, few of which are worth checking."""
    return _sample(data / PROSE, PROSE_SENTENCES, seed), _sample(data / MIXED, MIXED_SENTENCES, seed)


def _sample(path: Path, count: int, seed: int) -> list[str]:
    """Distinct evidence sentences from a file of pairs, chosen at random."""
    texts = {without_title(row["evidence"]).strip() for row in json_rows(path)}
    found = sorted(text for text in texts if WORDS[0] <= text.count(" ") + 1 <= WORDS[1])
    random.Random(seed).shuffle(found)
    return found[:count]
