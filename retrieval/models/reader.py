"""The reader: a cross-encoder of 109 M parameters (MPNet) that reads the best sentences of the first pass again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from retrieval.models import catalogue
from retrieval.models.onnx import (
    LONGEST_TOKENIZED,
    TOGETHER,
    TOGETHER_TOKENS,
    Ids,
    claim_ids,
    cut_to,
    joined_ids,
    open_beside,
    open_session,
    open_tokenizer,
    pair_ids,
    relevances,
    stances,
    token_ids,
)
from retrieval.models.patches import changed
from retrieval.text.sentences import in_one_form
from retrieval.types import Stance

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Logits = np.ndarray[tuple[int, int], np.dtype[np.float32]]

MPNET_START, MPNET_END = 0, 2  # <s> and </s>; padding, 1, never occurs, because pairs are read one by one
READER_EACH_TOKENS = 48  # most tokens of each sentence when several are read together
MOST_BEGUN = 16  # readings begun for `judge_together`; a new one displaces the oldest unused one


class OnnxReader:
    """Relevance and stance of sentences to a claim. Implements `PairScorer`.

    Each pair is a separate run, so that none is padded to another's length. Its 8-bit activations have a scale per
    token, because this network's few very large activations would spoil a scale for the whole pair. Results are the
    same on every processor. Threads read in parallel.
    """

    def __init__(
        self,
        model: catalogue.Model = catalogue.READER,
        threads: int = 0,
        weights: Path = catalogue.WEIGHTS,
        exact: bool | None = None,
    ) -> None:
        """Load the model. threads: 0 for one per core. exact: see `adds_exactly`; None to find out. Raises ModelError."""
        by_signed, by_unsigned, trial, matrices, words, vocabulary, *changes = catalogue.load(model, weights)
        self.max_tokens = model.max_tokens
        network = by_signed if (adds_exactly(trial) if exact is None else exact) else by_unsigned
        self._session = open_network(network, (matrices, words), changes[0] if changes else None)
        threads = threads or os.cpu_count() or 1
        self._pool = None if threads == 1 else ThreadPoolExecutor(threads, "reader")
        self._begun, self._lock = dict[tuple[int, ...], Future[Logits]](), Lock()
        self._tokenizer = open_tokenizer(vocabulary)

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`. Each batch is one text: a sentence, or several that `read_together` joins."""
        (claim_tokens,) = claim_ids(self._tokenizer, [claim])
        pairs = reading_rows(self._tokenizer, [claim_tokens] * len(sentences), sentences, self.max_tokens)
        for row, logits in enumerate(self._all_logits(pairs)):
            yield [row], relevances(logits), stances(logits)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """The stance of the sentences read together, at most `TOGETHER` of them, best first."""
        ids = self._together(claim, sentences)
        with self._lock:
            begun = self._begun.pop(tuple(ids), None)
        # If the reading still waits for a thread, this thread does it.
        logits = self._logits(ids) if begun is None or begun.cancel() else begun.result()
        (stance,) = stances(logits)
        return stance

    def begin_together(self, claim: str, sentences: Sequence[str]) -> None:
        """Let a free thread begin the reading that `judge_together` will probably need. Does nothing with one thread."""
        if self._pool is None:
            return
        ids = self._together(claim, sentences)
        with self._lock:
            self._begun[tuple(ids)] = self._pool.submit(self._logits, ids)
            while len(self._begun) > MOST_BEGUN:
                self._begun.pop(next(iter(self._begun))).cancel()

    def _together(self, claim: str, sentences: Sequence[str]) -> Ids:
        claim_tokens, *sentence_ids = pair_ids(self._tokenizer, claim, sentences[:TOGETHER])
        return join_reading(claim_tokens, joined_ids(sentence_ids, MPNET_END, READER_EACH_TOKENS), TOGETHER_TOKENS)

    def _all_logits(self, pairs: Sequence[Ids]) -> Iterator[Logits]:
        """The logits of each pair, in order. Threads take the longest first, so that all finish at about the same time.

        Only the last pair stays last, so that a thread is free for `begin_together` once the others are read.
        """
        if self._pool is None:
            return map(self._logits, pairs)
        longest_first = sorted(range(len(pairs) - 1), key=lambda row: -len(pairs[row]))
        order = [*longest_first, *range(len(pairs))[-1:]]
        begun = {row: self._pool.submit(self._logits, pairs[row]) for row in order}
        return (begun[row].result() for row in range(len(pairs)))

    def _logits(self, ids: Ids) -> Logits:
        row = np.array([ids], dtype=np.int64)
        found: Logits = self._session.run(["logits"], {"input_ids": row, "attention_mask": np.ones_like(row)})[0]
        return found


def open_network(network: Path, tensors: Sequence[Path], changes: Path | None) -> InferenceSession:
    """The network on one thread. tensors: the files that it refers to. changes: the patch of the first, if any."""
    if changes is None:
        return open_session(network, 1)
    return open_beside(network, trained_on(tensors[0], changes), tensors)


def trained_on(matrices: Path, changes: Path | None) -> bytes:
    """The file of matrices with the patch of later trainings applied, if there is one."""
    content = matrices.read_bytes()
    return changed(content, changes.read_bytes()) if changes else content


def adds_exactly(trial: Path) -> bool:
    """Whether this processor adds products of uint8 and int8 without overflow.

    Processors without VNNI (or Arm's dot products) add two such products in 16 bits, and onnxruntime does not report
    the overflow. Products of uint8 and uint8 are always added in 32 bits. trial: a network that multiplies "steps" by
    weights of 127.
    """
    session = open_session(trial, 1)
    steps = np.full(session.get_inputs()[0].shape, 255, dtype=np.uint8)
    (sums,) = session.run(["sums"], {"steps": steps})
    return bool((sums == 255 * 127 * steps.shape[1]).all())


def reading_rows(tokenizer: Tokenizer, claims: Sequence[Ids], sentences: Sequence[str], max_tokens: int) -> list[Ids]:
    """The network's input for each claim and its text, which may be several sentences, one per line."""
    parts = [sentence.split("\n") for sentence in sentences]
    ids = iter(token_ids(tokenizer, [in_one_form(part[:LONGEST_TOKENIZED]) for several in parts for part in several]))
    rows = []
    for claim, several in zip(claims, parts, strict=True):
        if len(several) == 1:
            rows.append(join_reading(claim, next(ids), max_tokens))
        else:
            joined = joined_ids([next(ids) for _ in several], MPNET_END, READER_EACH_TOKENS)
            rows.append(join_reading(claim, joined, TOGETHER_TOKENS))
    return rows


def join_reading(claim: Ids, sentence: Ids, max_tokens: int) -> Ids:
    """Claim and sentence in MPNet's format for two texts."""
    claim, sentence = cut_to(max_tokens - 4, claim, sentence)
    return [MPNET_START, *claim, MPNET_END, MPNET_END, *sentence, MPNET_END]
