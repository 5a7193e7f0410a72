"""The reader's whole training: pairs, rounds, mining between them, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from retrieval.models import catalogue
from retrieval.models.onnx import OnnxPairScorer
from retrieval.models.reader import OnnxReader
from retrieval.protocols import PairScorer
from retrieval.stores.embedded.store import EmbeddedStore
from training.cross_encoder.network import even_out_stances, mean_state
from training.data.found import find_candidates
from training.data.pairs import Pair, learning_claims, made_once, read_pairs, stance_target
from training.reader.export import export_changes, export_reader, exported_model
from training.reader.fine_tuning import load_reader, train_round
from training.reader.rounds import PUBLISHED, later_pairs, mixed_pairs, published_pairs
from training.reader.schedule import LATER, ROUNDS, SHARES, Round
from training.reader.shipped import load_shipped

MINING_SHARE = 0.15  # time that both minings take, as a share of the training's
SEEDS_APART = 100  # between two trainings; the rounds of one have seeds below


def train_reader(
    base: Path,
    store: str,
    data: Path,
    work: Path,
    out: Path,
    minutes: float,
    threads: int,
    after: Path | None = None,
    seed: int = 0,
    mean_with: Sequence[Path] = (),
    frozen: int | None = None,
) -> None:
    """Train for `minutes` and export into `out`; whatever `work` already holds is not repeated.

    base: all-mpnet-base-v2. store: the corpus of FEVER's claims. after: folder of an exported reader to train on, of
    which only the changes are exported then. seed: another one takes other pairs, in another order.
    mean_with: `work` of trainings from the same network; the mean of all is exported. frozen: layers that are not
    trained, if not as many as each round says.
    """
    catalogue.load(catalogue.READER_BASE, base)
    torch.set_num_threads(threads)
    print(f"Training takes {minutes:.0f} minutes on this machine, mining about {MINING_SHARE * minutes:.0f} more.")
    rounds, shares = ((LATER,), (1.0,)) if after else (ROUNDS, SHARES)
    plans = [
        replace(
            plan,
            minutes=minutes * share,
            seed=plan.seed + SEEDS_APART * seed,
            frozen=plan.frozen if frozen is None else frozen,
        )
        for plan, share in zip(rounds, shares, strict=True)
    ]
    learned, kept_apart = learning_claims(data)
    targets = [work / f"{plan.name}.pt" for plan in plans]

    def published(seed: int) -> list[Pair]:
        return published_pairs(data, kept_apart, PUBLISHED, seed)

    def mixed(scorer: Callable[[], PairScorer], seed: int) -> list[Pair]:
        candidates = list(find_candidates(EmbeddedStore(store), scorer(), learned))
        return mixed_pairs(EmbeddedStore(store), candidates, learned, kept_apart, data, seed)

    def later(seed: int) -> list[Pair]:
        return later_pairs(EmbeddedStore(store), OnnxPairScorer(), learned, kept_apart, data, seed)

    makers = [
        lambda: later(plans[0].seed) if after else published(plans[0].seed),
        lambda: mixed(OnnxPairScorer, plans[1].seed),
        lambda: mixed(lambda: interim_reader(base, targets[1], work, threads), plans[2].seed),
    ][: len(plans)]
    starts = [shipped_checkpoint(base, after, work) if after else None, *targets[:-1]]
    for plan, make, start, target in zip(plans, makers, starts, targets, strict=True):
        if not target.exists():
            train_round(base, start, made_once(pairs_file(work, plan), make), target, plan)
    reader = load_reader(base, targets[-1])
    others = [load_reader(base, folder / targets[-1].name) for folder in mean_with]
    reader.load_state_dict(mean_state([network.state_dict() for network in (reader, *others)]))
    even_out_stances(reader.heads, [stance_target(pair) for pair in read_pairs(pairs_file(work, plans[-1]))])
    if after:
        export_changes(reader, after, out)
    else:
        export_reader(reader, base / "tokenizer.json", out)


def shipped_checkpoint(base: Path, folder: Path, work: Path) -> Path:
    """The exported reader of the folder in the form that a round leaves."""
    work.mkdir(parents=True, exist_ok=True)
    checkpoint = work / "shipped.pt"
    torch.save({"network": load_shipped(base, folder).state_dict()}, checkpoint)
    return checkpoint


def pairs_file(work: Path, plan: Round) -> Path:
    """The file of a round's pairs: finding them takes minutes, and another machine may train on them."""
    return work / f"pairs-{plan.name}.jsonl.gz"


def interim_reader(base: Path, checkpoint: Path, work: Path, threads: int) -> OnnxReader:
    """The reader that a round wrote, exported into `work`."""
    export_reader(load_reader(base, checkpoint), base / "tokenizer.json", work)
    return OnnxReader(exported_model(work), threads, work)
