"""Makes pairs that measure the stance model alone: held-out, about unseen passages, twins, without evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from evaluation.fever.data import LABELS
from evaluation.held_out import is_held_out_claim
from evaluation.stance.run import REFUTES, SUPPORTS, Pair, read_pairs
from retrieval.errors import CorpusError, SettingError
from retrieval.text.words import content_words

SOURCE = Path("training") / "nli" / "vitaminc-real.jsonl.gz"


def write_stance_pairs(data: Path, out: Path) -> dict[str, int]:
    """Write pairs.jsonl, unseen.jsonl, twins.jsonl and no-evidence.jsonl into `out`; returns how many pairs each holds.

    data: the folder with training/nli. Raises CorpusError if the pairs cannot be read or none is held out,
    SettingError if `out` cannot be written.
    """
    published = read_pairs(data / SOURCE)
    held_out = [pair for pair in published if is_held_out_claim(pair.claim)]
    if not held_out:
        raise CorpusError(f"{data / SOURCE} contains no held-out claim. Name the whole folder with `--data`.")
    trained = {pair.evidence for pair in published if not is_held_out_claim(pair.claim)}
    files = {
        "pairs": held_out,
        "unseen": about_others(held_out, trained),
        "twins": twins(held_out),
        "no-evidence": without_evidence(held_out),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, pairs in files.items():
            rows = (json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs)
            (out / f"{name}.jsonl").write_text("".join(rows), "utf-8")
    except OSError as error:
        raise SettingError(f"{out} cannot be written: {error.strerror}. Name another folder with `--out`.") from error
    return {name: len(pairs) for name, pairs in files.items()}


def about_others(pairs: Sequence[Pair], trained: Collection[str]) -> list[Pair]:
    """The pairs of claims whose passages were not used in training, not even with another claim.

    VitaminC has several claims about the same two passages, so training may have used the passages of a held-out claim.
    """
    familiar = {pair.claim for pair in pairs if pair.evidence in trained}
    return [pair for pair in pairs if pair.claim not in familiar]


def twins(pairs: Sequence[Pair]) -> list[Pair]:
    """Each claim with one supporting and one refuting passage, the two that share most words; claims that lack either
    are left out.

    A model that reads only the claim answers both alike, so it is right once (after Schuster et al., EMNLP 2019).
    """
    by_claim: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_claim.setdefault(pair.claim, []).append(pair)
    found: list[Pair] = []
    for group in by_claim.values():
        both = [(a, b) for a in group if a.label == SUPPORTS for b in group if b.label == REFUTES]
        if both:
            closest = max(both, key=_likeness)
            found += closest
    return found


def _likeness(both: tuple[Pair, Pair]) -> float:
    """The words that the two passages share, divided by all their words (Jaccard)."""
    ours, theirs = (content_words(pair.evidence) for pair in both)
    return len(ours & theirs) / max(1, len(ours | theirs))


def without_evidence(pairs: Sequence[Pair]) -> list[Pair]:
    """As many pairs per label, chosen by hash, without evidence: accuracy above chance comes from the claims."""
    ordered = sorted(pairs, key=lambda pair: hashlib.sha256(f"{pair.claim}\0{pair.evidence}".encode()).digest())
    by_label = {label: [pair for pair in ordered if pair.label == label] for label in LABELS}
    least = min(map(len, by_label.values()))
    rows = zip(*(found[:least] for found in by_label.values()), strict=True)
    return [replace(pair, evidence="") for row in rows for pair in row]
