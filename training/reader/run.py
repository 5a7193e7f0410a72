"""The reader's whole training: pairs, rounds, mining between them, export."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from retrieval.models import catalogue
from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.reader import OnnxReader
from retrieval.stores.embedded.store import EmbeddedStore
from training.cross_encoder.network import even_out_stances, mean_state
from training.data.everyday_mix import READER_MIX, everyday_mix
from training.data.pairs import Pair, made_once, read_pairs, stance_target
from training.exported import exported_model
from training.reader.export import export_changes, export_reader
from training.reader.fine_tuning import load_reader, train_round
from training.reader.rounds import BROAD, PUBLISHED, later_pairs, mixed_pairs, published_pairs
from training.reader.schedule import EVERYDAY_ROUNDS, LATER_ROUNDS, ROUNDS, Round
from training.reader.shipped import load_shipped

MINING_SHARE = 0.15  # time that both minings take, as a share of the training's
SEEDS_APART = 100  # between two trainings; the rounds of one have seeds below
# A later training moves weights by even numbers of steps: its file is half as large, and the reader is no worse.
STEPS_APART = 2


@dataclass(frozen=True)
class ReaderTraining:
    """A training of the reader. Steps whose results are already in `work` are not repeated.

    base: folder of all-mpnet-base-v2. store: the corpus of FEVER's claims. after: folder of an exported reader to
    continue; then only the changes are exported. everyday: learn the claims that people type.
    """

    base: Path
    store: str
    data: Path
    work: Path
    threads: int
    after: Path | None = None
    everyday: bool = False

    def train(self, out: Path, minutes: float, seed: int, mean_with: Sequence[Path]) -> None:
        """Train for `minutes` and export into `out`.

        seed: chooses the pairs and their order. mean_with: `work` of other trainings of the same network; the mean of
        all is exported.
        """
        catalogue.load(catalogue.READER_BASE, self.base)
        torch.set_num_threads(self.threads)
        print(f"Training takes {minutes:.0f} minutes on this machine, mining about {MINING_SHARE * minutes:.0f} more.")
        rounds = EVERYDAY_ROUNDS if self.everyday else LATER_ROUNDS if self.after else ROUNDS
        before = shipped_checkpoint(self.base, self.after, self.work) if self.after else None
        for plan in rounds:
            plan = replace(plan, minutes=minutes * plan.share, seed=plan.seed + SEEDS_APART * seed)
            # Finding pairs takes minutes, and another machine may train on them.
            file, target = self.work / f"pairs-{plan.name}.jsonl.gz", self.work / f"{plan.name}.pt"
            if not target.exists():
                pairs = made_once(file, functools.partial(self._pairs, plan, before))
                train_round(self.base, before, pairs, target, plan)
            before = target
        self._export([target, *(folder / target.name for folder in mean_with)], file, out)

    def _pairs(self, plan: Round, before: Path | None) -> list[Pair]:
        """The round's pairs. before: the network that the round starts from; round "mined" mines with it."""
        if plan.name in ("published", "broad"):
            return published_pairs(self.data, PUBLISHED if plan.name == "published" else BROAD, plan.seed)
        store = EmbeddedStore(self.store)
        if plan.name == "everyday":
            return everyday_mix(store, self.data, READER_MIX, (), plan.seed)
        if plan.name == "again":
            return later_pairs(store, OnnxPairScorer(), self.data, plan.seed)
        scorer = self._interim(before) if plan.name == "mined" and before else OnnxPairScorer()
        return mixed_pairs(store, scorer, self.data, plan.seed)

    def _interim(self, checkpoint: Path) -> OnnxReader:
        """The reader that a round wrote, exported into `work`."""
        export_reader(load_reader(self.base, checkpoint), self.base / "tokenizer.json", self.work)
        return OnnxReader(exported_model(catalogue.READER, self.work), self.threads, self.work)

    def _export(self, checkpoints: Sequence[Path], pairs: Path, out: Path) -> None:
        networks = [load_reader(self.base, checkpoint) for checkpoint in checkpoints]
        reader = networks[0]
        reader.load_state_dict(mean_state([network.state_dict() for network in networks]))
        even_out_stances(reader.heads, [stance_target(pair) for pair in read_pairs(pairs)])
        if self.after:
            export_changes(reader, self.after, out, STEPS_APART)
        else:
            export_reader(reader, self.base / "tokenizer.json", out)


def shipped_checkpoint(base: Path, folder: Path, work: Path) -> Path:
    """The exported reader of the folder in the form that a round leaves."""
    work.mkdir(parents=True, exist_ok=True)
    checkpoint = work / "shipped.pt"
    torch.save({"network": load_shipped(base, folder).state_dict()}, checkpoint)
    return checkpoint
