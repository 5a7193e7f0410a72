"""Trains the reader: float32 master weights, the machine's fastest arithmetic, resumable, optional time limit."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from retrieval.models.onnx import Ids, claim_ids, open_tokenizer
from retrieval.models.reader import reading_rows
from training.data.pairs import UNKNOWN, Pair
from training.reader.network import Reader
from training.reader.schedule import Round, claim_batches, rate_in
from training.steps import HEADS_FASTER, faster_of, save_checkpoint, set_rates

PADDING = 1
# Batches are padded to multiples of this, because oneDNN allocates memory for each shape of a product: with AMX, 0.3 GB
# more each minute otherwise.
LENGTHS_APART = 8
LAYER_DECAY = 0.95  # factor of each layer's learning rate over that of the layer above it


class Masters:
    """The trained parameters in float32, for a network that computes in another arithmetic."""

    def __init__(self, network: Reader, arithmetic: torch.dtype, plan: Round) -> None:
        learning = {name: value for name, value in network.named_parameters() if value.requires_grad}
        self.values = {name: value.detach().clone() for name, value in learning.items()}
        others = network.state_dict().items()  # taken before the network is rounded below
        self._frozen = {name: value.cpu().clone() for name, value in others if name not in self.values}
        network.mpnet.to(arithmetic)
        self._working = {name: value for name, value in network.named_parameters() if name in self.values}
        self.optimizer = _optimizer(self.values, plan, len(network.mpnet.encoder.layer))

    def step(self, share: float) -> None:
        """Update from the working network's gradients at this share of the rate, and copy the values back to it."""
        set_rates(self.optimizer, share)
        for name, value in self.values.items():
            gradient = self._working[name].grad
            value.grad = None if gradient is None else gradient.float()
            self._working[name].grad = None
        nn.utils.clip_grad_norm_(list(self.values.values()), 1.0)
        self.optimizer.step()
        with torch.no_grad():
            for name, value in self.values.items():
                self._working[name].copy_(value)

    def state(self) -> dict[str, Tensor]:
        """The whole network in float32."""
        return self._frozen | {name: value.detach().cpu().clone() for name, value in self.values.items()}


def train_round(base: Path, start: Path | None, pairs: Sequence[Pair], out: Path, plan: Round) -> None:
    """Train on the pairs in order and write `out`, or resume an interrupted training of `out`.

    start: the checkpoint of an earlier round. None: start with MPNet under new heads.
    """
    torch.manual_seed(plan.seed)
    arithmetic = faster_arithmetic(base, plan)
    network = load_reader(base, start).to(device())
    network.freeze(plan.frozen)
    network.train()
    masters = Masters(network, arithmetic, plan)
    first, spent = _resume(masters, network, out)
    rows = tokenized(base / "tokenizer.json", pairs, plan.max_tokens)
    batches = claim_batches(rows, pairs, plan.batch_size, random.Random(plan.seed))
    begun, saved, losses = time.monotonic() - spent, time.monotonic(), list[float]()
    for step in range(first, len(batches)):
        done = max(step / len(batches), (time.monotonic() - begun) / 60 / plan.minutes if plan.minutes else 0.0)
        if done >= 1:
            break
        losses.append(_learn(network, masters, rows, pairs, batches[step], rate_in(plan, done)))
        if (step + 1) % 50 == 0:
            print(f"{plan.name}: step {step + 1}/{len(batches)} {done:.3f} loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
        if time.monotonic() - saved > 60 * plan.checkpoint_minutes:
            _save(masters, out.with_suffix(".unfinished"), step + 1, time.monotonic() - begun)
            saved = time.monotonic()
    _save(masters, out, len(batches), time.monotonic() - begun, finished=True)
    out.with_suffix(".unfinished").unlink(missing_ok=True)


def device() -> str:
    """The device to train on: a GPU if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def load_reader(base: Path, checkpoint: Path | None) -> Reader:
    """The network of a round's checkpoint, or MPNet under new heads."""
    network = Reader(base)
    if checkpoint is not None:
        network.load_state_dict(torch.load(checkpoint, weights_only=True, map_location="cpu")["network"])
    return network


def tokenized(tokenizer_file: Path, pairs: Sequence[Pair], max_tokens: int) -> list[Ids]:
    """Each pair in the form that the program reads."""
    tokenizer = open_tokenizer(tokenizer_file)
    claims = claim_ids(tokenizer, [pair.claim for pair in pairs])
    return reading_rows(tokenizer, claims, [pair.sentence for pair in pairs], max_tokens)


def reader_loss(logits: Tensor, relevance: Tensor, stance: Tensor) -> Tensor:
    """Cross-entropies of relevance and of stance where known, each averaged over all pairs of the batch."""
    loss, known = logits.sum() * 0, relevance != UNKNOWN
    if known.any():
        found = nn.functional.binary_cross_entropy_with_logits(
            logits[known, 0], relevance[known].float(), reduction="sum"
        )
        loss = loss + found / len(relevance)
    if (stance != UNKNOWN).any():
        found = nn.functional.cross_entropy(logits[:, 1:], stance, ignore_index=UNKNOWN, reduction="sum")
        loss = loss + found / len(stance)
    return loss


def faster_arithmetic(base: Path, plan: Round) -> torch.dtype:
    """bfloat16 on a GPU or where it is faster on this processor, else float32; ten steps of each are timed."""
    if device() == "cuda":
        return torch.bfloat16
    return faster_of(functools.partial(_trial_step, base, plan), plan.batch_size)


def _trial_step(base: Path, plan: Round, arithmetic: torch.dtype) -> Callable[[], None]:
    network = Reader(base)
    network.freeze(plan.frozen)
    masters = Masters(network, arithmetic, plan)
    ids = torch.randint(10, 1000, (plan.batch_size, 48))
    labels = torch.zeros(plan.batch_size, dtype=torch.long)

    def step() -> None:
        reader_loss(network(ids, torch.ones_like(ids)), labels, labels).backward()
        masters.step(1.0)

    return step


def _learn(
    network: Reader, masters: Masters, rows: Sequence[Ids], pairs: Sequence[Pair], batch: Sequence[int], share: float
) -> float:
    longest = max(len(rows[index]) for index in batch)
    ids = torch.full((len(batch), -(-longest // LENGTHS_APART) * LENGTHS_APART), PADDING)
    for place, index in enumerate(batch):
        ids[place, : len(rows[index])] = torch.tensor(rows[index])
    relevance = torch.tensor([pairs[index].relevance for index in batch], device=device())
    stance = torch.tensor([pairs[index].stance for index in batch], device=device())
    ids = ids.to(device())
    loss = reader_loss(network(ids, (ids != PADDING).long()), relevance, stance)
    loss.backward()
    masters.step(share)
    return float(loss.detach())


def _optimizer(values: dict[str, Tensor], plan: Round, layers: int) -> torch.optim.Optimizer:
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, value in values.items():
        faster = HEADS_FASTER if name.startswith("heads") else LAYER_DECAY ** (layers - 1 - _layer_of(name))
        groups.setdefault((faster, plan.weight_decay if value.dim() > 1 else 0.0), []).append(value)
    options: list[dict[str, Any]] = [
        {"params": some, "full": plan.learning_rate * faster, "weight_decay": decay}
        for (faster, decay), some in groups.items()
    ]
    return torch.optim.AdamW(options, lr=plan.learning_rate, betas=(0.9, 0.98), fused=True)


def _layer_of(name: str) -> int:
    """The layer of a parameter; 0 for those below all layers."""
    return int(name.split("layer.")[1].split(".")[0]) if "layer." in name else 0


def _resume(masters: Masters, network: Reader, out: Path) -> tuple[int, float]:
    """(first step, seconds spent before). A finished round's checkpoint is not resumed."""
    unfinished = out.with_suffix(".unfinished")
    if not unfinished.exists():
        return 0, 0.0
    state = torch.load(unfinished, weights_only=True, map_location=device())
    network.load_state_dict(state["network"])
    for name, value in masters.values.items():
        value.copy_(state["network"][name])
    masters.optimizer.load_state_dict(state["optimizer"])
    print(f"resumed at step {state['step']}", flush=True)
    return int(state["step"]), float(state["seconds"])


def _save(masters: Masters, path: Path, step: int, seconds: float, finished: bool = False) -> None:
    state: dict[str, Any] = {"network": masters.state(), "step": step, "seconds": seconds}
    if not finished:
        state["optimizer"] = masters.optimizer.state_dict()
    save_checkpoint(path, state)
