"""Trains the cross-encoder: one pass, two heads, resumable, with an optional time limit."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from retrieval.models.onnx import (
    TOGETHER_TOKENS,
    Ids,
    claim_ids,
    join_pair,
    joined_ids,
    open_tokenizer,
    padded,
    token_ids,
)
from retrieval.text.sentences import in_one_form
from training.cross_encoder.network import CrossEncoder, even_out_stances, mean_state
from training.cross_encoder.schedule import batch_plan, rate_at
from training.cross_encoder.shipped import load_shipped
from training.data.pairs import SUPPORTS, UNKNOWN, Pair, stance_target
from training.precision import faster_of, processor_seconds

CHECKPOINT = "cross_encoder.pt"  # in the folder of a training
HEADS_FASTER = 10  # how much faster the new heads learn than the network below them


@dataclass(frozen=True)
class Recipe:
    """The settings of a training.

    minutes: processor time per thread, so that other work on the machine costs no training. 0: no limit. With a limit,
    the learning rate falls with time instead of steps.
    after: the checkpoint of an earlier training to continue, or an exported network (.onnx).
    """

    learning_rate: float = 1e-4
    warmup: float = 0.05
    weight_decay: float = 0.01
    batch_size: int = 32
    max_tokens: int = 96
    after: Path | None = None
    minutes: float = 0.0
    checkpoint_minutes: float = 4.0
    seed: int = 0


@dataclass
class Batch:
    """A batch of pairs. relevance: 0..1, or UNKNOWN. stance: three shares per pair, all 0 if the stance is unknown."""

    inputs: dict[str, Tensor]
    relevance: Tensor
    stance: Tensor


@dataclass
class Run:
    """The state of a training run, which a checkpoint stores."""

    network: CrossEncoder
    optimizer: torch.optim.Optimizer
    arithmetic: torch.dtype
    step: int = 0
    seconds: float = 0.0

    def save(self, path: Path) -> None:
        """Write the checkpoint; a crash while writing keeps the previous one."""
        state = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save({**state, "step": self.step, "seconds": self.seconds}, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)

    def resume(self, path: Path) -> None:
        """Resume from the checkpoint."""
        state = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = state["step"], state["seconds"]


def train(base: Path, pairs: list[Pair], checkpoint: Path, recipe: Recipe) -> CrossEncoder:
    """Train from MiniLM in `base`, or resume from `checkpoint`. Each pair is used once, in order."""
    torch.manual_seed(recipe.seed)
    network = first_network(base, recipe.after)
    run = Run(network, _optimizer(network, recipe), faster_arithmetic(network, recipe))
    if checkpoint.exists():
        run.resume(checkpoint)
        print(f"resumed at step {run.step}", flush=True)
    rows = _tokenized(base / "tokenizer.json", pairs, recipe.max_tokens)
    plan = batch_plan([len(ids) for ids, _ in rows], recipe.batch_size, random.Random(recipe.seed))
    _train_steps(run, rows, pairs, plan, checkpoint, recipe)
    run.save(checkpoint)
    network.eval()
    return network


def evened_network(base: Path, checkpoints: Sequence[Path], pairs: list[Pair]) -> CrossEncoder:
    """The mean of several checkpoints' networks, corrected for how frequent each stance is in `pairs`."""
    networks = [load_network(base, checkpoint) for checkpoint in checkpoints]
    network = networks[0]
    network.load_state_dict(mean_state([network.state_dict() for network in networks]))
    even_out_stances(network.heads, [stance_target(pair) for pair in pairs])
    return network


def first_network(base: Path, after: Path | None) -> CrossEncoder:
    """The network that training starts from: MiniLM under new heads, or an earlier network."""
    if after is None:
        return CrossEncoder(base)
    return load_shipped(base, after) if after.suffix == ".onnx" else load_network(base, after)


def held_back(network: CrossEncoder, before: CrossEncoder, share: float) -> CrossEncoder:
    """The network interpolated with the one it was trained from, `before`, which `share` 1 returns.

    The result forgets and overfits less (Wortsman et al., Robust fine-tuning of zero-shot models, CVPR 2022).
    """
    state = before.state_dict()
    moved = {name: torch.lerp(value, state[name], share) for name, value in network.state_dict().items()}
    network.load_state_dict(moved)
    return network


def load_network(base: Path, checkpoint: Path) -> CrossEncoder:
    """The network of a checkpoint."""
    network = CrossEncoder(base)
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["network"])
    network.eval()
    return network


def _train_steps(
    run: Run,
    rows: list[tuple[Ids, int]],
    pairs: list[Pair],
    plan: list[list[int]],
    checkpoint: Path,
    recipe: Recipe,
) -> None:
    run.network.train()
    saved, begun = time.monotonic(), time.process_time()
    before = run.seconds
    losses: list[float] = []
    for indices in plan[run.step :]:
        done = _progress(run, len(plan), recipe)
        if done >= 1:
            break
        _set_learning_rates(run.optimizer, rate_at(done, recipe.warmup))
        losses.append(_step(run, _batch([rows[i] for i in indices], [pairs[i] for i in indices])))
        run.step += 1
        run.seconds = before + (time.process_time() - begun) / torch.get_num_threads()
        if run.step % 50 == 0:
            speed = recipe.batch_size * run.step / run.seconds
            print(
                f"step {run.step}/{len(plan)} {done:.3f} loss {sum(losses) / len(losses):.4f} {speed:.1f} pairs/s",
                flush=True,
            )
            losses.clear()
        if time.monotonic() - saved > recipe.checkpoint_minutes * 60:
            run.save(checkpoint)
            saved = time.monotonic()


def faster_arithmetic(network: CrossEncoder, recipe: Recipe) -> torch.dtype:
    """bfloat16 where it is faster on this processor, else float32."""
    row = list(range(1000, 1048)), 12  # ids, and where the sentence begins
    batch = _batch([row] * recipe.batch_size, [Pair("", "", 1, SUPPORTS)] * recipe.batch_size)

    def seconds(kind: torch.dtype) -> float:
        trial = copy.deepcopy(network)
        run = Run(trial, _optimizer(trial, recipe), kind)
        return processor_seconds(lambda: _step(run, batch))

    return faster_of(seconds, recipe.batch_size)


def _step(run: Run, batch: Batch) -> float:
    with torch.autocast("cpu", torch.bfloat16, enabled=run.arithmetic == torch.bfloat16):
        logits = run.network(**batch.inputs)
    loss = two_head_loss(logits.float(), batch.relevance, batch.stance)
    loss.backward()
    nn.utils.clip_grad_norm_(run.network.parameters(), 1.0)
    run.optimizer.step()
    run.optimizer.zero_grad()
    return float(loss.detach())


def two_head_loss(logits: Tensor, relevance: Tensor, stance: Tensor) -> Tensor:
    """Binary cross-entropy of the first logit plus cross-entropy of the other three, each where its target is known."""
    known, stated = relevance != UNKNOWN, stance.sum(dim=1) > 0
    loss = logits.sum() * 0
    if known.any():
        loss = loss + nn.functional.binary_cross_entropy_with_logits(logits[known, 0], relevance[known])
    if stated.any():
        loss = loss + nn.functional.cross_entropy(logits[stated, 1:], stance[stated])
    return loss


def _progress(run: Run, steps: int, recipe: Recipe) -> float:
    by_time = run.seconds / (60 * recipe.minutes) if recipe.minutes else 0.0
    return max(run.step / steps, by_time)


def _optimizer(network: CrossEncoder, recipe: Recipe) -> torch.optim.Optimizer:
    groups = [
        {"params": list(network.bert.parameters()), "full": recipe.learning_rate},
        {"params": list(network.heads.parameters()), "full": HEADS_FASTER * recipe.learning_rate},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, weight_decay=recipe.weight_decay, fused=True)


def _set_learning_rates(optimizer: torch.optim.Optimizer, share: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = group["full"] * share


def _tokenized(tokenizer_file: Path, pairs: list[Pair], max_tokens: int) -> list[tuple[Ids, int]]:
    tokenizer = open_tokenizer(tokenizer_file)
    claims = claim_ids(tokenizer, [pair.claim for pair in pairs])
    parts = [pair.sentence.split("\n") for pair in pairs]
    ids = iter(token_ids(tokenizer, [in_one_form(sentence) for sentences in parts for sentence in sentences]))
    return [
        _row(claim, [next(ids) for _ in sentences], max_tokens) for claim, sentences in zip(claims, parts, strict=True)
    ]


def _row(claim: Ids, sentences: list[Ids], max_tokens: int) -> tuple[Ids, int]:
    if len(sentences) == 1:
        return join_pair(claim, sentences[0], max_tokens)
    return join_pair(claim, joined_ids(sentences), TOGETHER_TOKENS)


def _batch(rows: list[tuple[Ids, int]], pairs: list[Pair]) -> Batch:
    feeds = padded([ids for ids, _ in rows], [second for _, second in rows])
    inputs = {name: torch.from_numpy(values) for name, values in feeds.items()}
    relevance = torch.tensor([float(pair.relevance) for pair in pairs])
    return Batch(inputs, relevance, torch.tensor([stance_target(pair) for pair in pairs]))
