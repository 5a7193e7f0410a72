"""Trains the cross-encoder: one pass, two heads, resumable, with an optional time limit."""

from __future__ import annotations

import copy
import functools
import random
import time
from collections.abc import Callable, Sequence
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
from training.steps import faster_of, heads_optimizer, save_checkpoint, set_rates

CHECKPOINT = "cross_encoder.pt"  # in the folder of a training
PAIRS_A_TRAINING_STEP, PAIR_TOKENS = 32, 96
WARMUP, WEIGHT_DECAY = 0.05, 0.01
CHECKPOINT_S = 240


@dataclass(frozen=True)
class Recipe:
    """The settings of a training.

    minutes: processor time per thread, so that other work on the machine costs no training. 0: no limit. With a limit,
    the learning rate falls with time instead of steps.
    after: the checkpoint of an earlier training to continue, or an exported network (.onnx).
    """

    learning_rate: float
    after: Path | None = None
    minutes: float = 0.0
    seed: int = 0


@dataclass
class Run:
    """The state of a training run, which a checkpoint stores."""

    network: CrossEncoder
    optimizer: torch.optim.Optimizer
    arithmetic: torch.dtype
    step: int = 0
    seconds: float = 0.0

    def save(self, path: Path) -> None:
        """Write the checkpoint."""
        state = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        save_checkpoint(path, {**state, "step": self.step, "seconds": self.seconds})

    def resume(self, path: Path) -> None:
        """Resume from the checkpoint."""
        state = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = state["step"], state["seconds"]
        print(f"resumed at step {self.step}", flush=True)

    def learn(self, rows: Sequence[tuple[Ids, int]], pairs: Sequence[Pair]) -> float:
        """One step on a batch: token ids with the place where the sentence begins, and their pairs. Returns the loss."""
        feeds = padded([ids for ids, _ in rows], [second for _, second in rows])
        inputs = {name: torch.from_numpy(values) for name, values in feeds.items()}
        with torch.autocast("cpu", torch.bfloat16, enabled=self.arithmetic == torch.bfloat16):
            logits = self.network(**inputs)
        loss = two_head_loss(logits.float(), pairs)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return float(loss.detach())


def train(base: Path, pairs: list[Pair], checkpoint: Path, recipe: Recipe) -> None:
    """Train from MiniLM in `base`, or resume from `checkpoint`. Each pair is used once, in order."""
    torch.manual_seed(recipe.seed)
    network = _first_network(base, recipe.after)
    run = _begun(network, recipe, faster_arithmetic(network, recipe))
    if checkpoint.exists():
        run.resume(checkpoint)
    rows = _tokenized(base / "tokenizer.json", pairs)
    plan = batch_plan([len(ids) for ids, _ in rows], PAIRS_A_TRAINING_STEP, random.Random(recipe.seed))
    run.network.train()
    saved, begun, before = time.monotonic(), time.process_time(), run.seconds
    losses: list[float] = []
    for indices in plan[run.step :]:
        done = max(run.step / len(plan), run.seconds / (60 * recipe.minutes) if recipe.minutes else 0.0)
        if done >= 1:
            break
        set_rates(run.optimizer, rate_at(done, WARMUP))
        losses.append(run.learn([rows[i] for i in indices], [pairs[i] for i in indices]))
        run.step += 1
        run.seconds = before + (time.process_time() - begun) / torch.get_num_threads()
        if run.step % 50 == 0:
            loss, speed = sum(losses) / len(losses), PAIRS_A_TRAINING_STEP * run.step / run.seconds
            print(f"step {run.step}/{len(plan)} {done:.3f} loss {loss:.4f} {speed:.1f} pairs/s", flush=True)
            losses.clear()
        if time.monotonic() - saved > CHECKPOINT_S:
            run.save(checkpoint)
            saved = time.monotonic()
    run.save(checkpoint)


def evened_network(base: Path, checkpoints: Sequence[Path], pairs: list[Pair]) -> CrossEncoder:
    """The mean of several checkpoints' networks, corrected for how frequent each stance is in `pairs`."""
    networks = [load_network(base, checkpoint) for checkpoint in checkpoints]
    network = networks[0]
    network.load_state_dict(mean_state([network.state_dict() for network in networks]))
    even_out_stances(network.heads, [stance_target(pair) for pair in pairs])
    return network


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


def faster_arithmetic(network: CrossEncoder, recipe: Recipe) -> torch.dtype:
    """bfloat16 where it is faster on this processor, else float32."""
    rows, pairs = (
        [(list(range(1000, 1048)), 12)] * PAIRS_A_TRAINING_STEP,
        [Pair("", "", 1, SUPPORTS)] * PAIRS_A_TRAINING_STEP,
    )

    def steps(kind: torch.dtype) -> Callable[[], float]:
        return functools.partial(_begun(copy.deepcopy(network), recipe, kind).learn, rows, pairs)

    return faster_of(steps, PAIRS_A_TRAINING_STEP)


def two_head_loss(logits: Tensor, pairs: Sequence[Pair]) -> Tensor:
    """Binary cross-entropy of the first logit plus cross-entropy of the other three, each where its target is known."""
    relevance = torch.tensor([float(pair.relevance) for pair in pairs])
    stance = torch.tensor([stance_target(pair) for pair in pairs])
    known, stated = relevance != UNKNOWN, stance.sum(dim=1) > 0
    loss = logits.sum() * 0
    if known.any():
        loss = loss + nn.functional.binary_cross_entropy_with_logits(logits[known, 0], relevance[known])
    if stated.any():
        loss = loss + nn.functional.cross_entropy(logits[stated, 1:], stance[stated])
    return loss


def _begun(network: CrossEncoder, recipe: Recipe, arithmetic: torch.dtype) -> Run:
    return Run(network, heads_optimizer(network.bert, network.heads, recipe.learning_rate, WEIGHT_DECAY), arithmetic)


def _first_network(base: Path, after: Path | None) -> CrossEncoder:
    """The network that training starts from: MiniLM under new heads, or an earlier network."""
    if after is None:
        return CrossEncoder(base)
    return load_shipped(base, after) if after.suffix == ".onnx" else load_network(base, after)


def _tokenized(tokenizer_file: Path, pairs: list[Pair]) -> list[tuple[Ids, int]]:
    """Each pair's token ids, and where the sentence begins."""
    tokenizer = open_tokenizer(tokenizer_file)
    claims = claim_ids(tokenizer, [pair.claim for pair in pairs])
    parts = [pair.sentence.split("\n") for pair in pairs]
    ids = iter(token_ids(tokenizer, [in_one_form(sentence) for sentences in parts for sentence in sentences]))
    return [_row(claim, [next(ids) for _ in sentences]) for claim, sentences in zip(claims, parts, strict=True)]


def _row(claim: Ids, sentences: list[Ids]) -> tuple[Ids, int]:
    if len(sentences) == 1:
        return join_pair(claim, sentences[0], PAIR_TOKENS)
    return join_pair(claim, joined_ids(sentences), TOGETHER_TOKENS)
