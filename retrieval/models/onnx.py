"""The two MiniLM models, run by onnxruntime: one makes vectors, the other judges (claim, sentence) pairs."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelError
from retrieval.models import catalogue
from retrieval.models.fitted.logistic import sigmoid, softmax
from retrieval.models.patches import changed
from retrieval.protocols import Matrix
from retrieval.text.quantities.canonical import canonical_text
from retrieval.text.sentences import in_one_form
from retrieval.types import Stance

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, RunOptions
    from tokenizers import Tokenizer

START, SEPARATOR = 101, 102  # [CLS] and [SEP] of BERT's uncased vocabulary; padding is 0
LEAST_SENTENCE_TOKENS = 32  # that a sentence keeps, however long the claim is
TOGETHER = 5  # sentences that the network reads together
TOGETHER_TOKENS, EACH_TOKENS = 256, 46  # most tokens of that input, and of each sentence in it
TEXTS_A_RUN, PAIRS_A_STEP = 32, 16  # texts in a batch; pairs between two reports of progress
LARGE_BATCH = 1_024  # tokens including padding; a batch of 8,192 takes 260 MB
LONGEST_TOKENIZED = 4_000  # characters given to the tokenizer; the cut at 256 tokens drops any others

Ids = list[int]


class OnnxEncoder:
    """Texts to unit vectors by all-MiniLM-L6-v2 (mean pooling inside the graph). Implements `Encoder`."""

    def __init__(
        self,
        threads: int = 0,
        weights: Path = catalogue.WEIGHTS,
        device: str = "cpu",
        changes: Path | None = None,
    ) -> None:
        """Load the model. threads, device and changes: see `open_session`. Raises ModelError."""
        network, _, vocabulary = catalogue.load(catalogue.ENCODER, weights)
        self.dimension = catalogue.ENCODER.dimension
        self.max_tokens = catalogue.ENCODER.max_tokens
        self._session = open_session(network, threads, device, changes)
        self._tokenizer = open_tokenizer(vocabulary)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Matrix (len(texts), dimension), float32, rows of unit length."""
        ids = [[START, *found[: self.max_tokens - 2], SEPARATOR] for found in token_ids(self._tokenizer, texts)]
        return self.run(ids)

    def run(self, ids: Sequence[Ids]) -> Matrix:
        """The vectors of texts given as word pieces, with start and end marks."""
        vectors = np.zeros((len(ids), self.dimension), dtype=np.float32)
        for rows in batches_of_like_length([len(row) for row in ids], TEXTS_A_RUN):
            feeds = padded([ids[row] for row in rows], [0] * len(rows))
            options = _shrinking() if feeds["input_ids"].size > LARGE_BATCH else None
            vectors[rows] = self._session.run(["vectors"], feeds, options)[0]
        return vectors


class OnnxPairScorer:
    """Relevance and stance of sentences to a claim, in one pass of our cross-encoder. Implements `PairScorer`.

    Each pair is a separate run, because in a batch the largest activation sets the scale of quantization for all, so a
    sentence's scores would depend on the others, and shorter pairs would be padded. Threads read in parallel.
    """

    def __init__(
        self, model: catalogue.Model = catalogue.CROSS_ENCODER, threads: int = 0, weights: Path = catalogue.WEIGHTS
    ) -> None:
        """Load the model. threads: 0 for one per core. Raises ModelError if a file is missing or not ours."""
        *changes, network, _, vocabulary = catalogue.load(model, weights)
        self.max_tokens = model.max_tokens
        threads, change = threads or os.cpu_count() or 1, changes[0] if changes else None
        self._alone = open_session(network, 1, changes=change)
        self._together = self._alone if threads == 1 else open_session(network, threads, changes=change)
        self._map = map if threads == 1 else ThreadPoolExecutor(threads, "pairs").map
        self._tokenizer = open_tokenizer(vocabulary)

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`. Batches come in the order of the sentences; stop iterating to skip the remaining ones."""
        claim_tokens, *sentence_ids = pair_ids(self._tokenizer, claim, sentences)
        pairs = [join_pair(claim_tokens, ids, self.max_tokens) for ids in sentence_ids]
        for first in range(0, len(pairs), PAIRS_A_STEP):
            batch = pairs[first : first + PAIRS_A_STEP]
            logits = np.concatenate(list(self._map(self._read, batch)))
            yield list(range(first, first + len(batch))), relevances(logits), stances(logits)

    def _read(self, pair: tuple[Ids, int]) -> NDArray[np.float32]:
        """Logits of one pair, (1, 4)."""
        ids, second = pair
        return np.asarray(self._alone.run(["logits"], padded([ids], [second]))[0])

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """The stance of the first `TOGETHER` sentences read together, for claims that need two. There may be none."""
        claim_tokens, *sentence_ids = pair_ids(self._tokenizer, claim, sentences[:TOGETHER])
        ids, second = join_pair(claim_tokens, joined_ids(sentence_ids), TOGETHER_TOKENS)
        (stance,) = stances(self._together.run(["logits"], padded([ids], [second]))[0])
        return stance


def open_tokenizer(path: Path) -> Tokenizer:
    """A tokenizer for BERT's uncased word pieces that neither cuts nor pads."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def open_session(path: Path, threads: int = 0, device: str = "cpu", changes: Path | None = None) -> InferenceSession:
    """A model, ready to run. threads: 0 for one per core. Waiting threads do not spin, because others use the cores.

    device: cpu or cuda. changes: the patch of later trainings, see `retrieval.models.patches`. Raises ModelError if
    this onnxruntime does not support the device.
    """
    from onnxruntime import InferenceSession, get_available_providers

    options, providers = _options(threads), ["CPUExecutionProvider"]
    if device == "cuda":
        providers = ["CUDAExecutionProvider", *providers]
    if not set(providers) <= set(get_available_providers()):
        raise ModelError(
            "The installed onnxruntime runs only on the CPU. Put onnxruntime-gpu in its place "
            "(pip install onnxruntime-gpu), or leave out `--device cuda`."
        )
    if changes is None:
        return InferenceSession(str(path), options, providers=providers)
    # A network loaded from bytes has no folder, so name the one with its word embeddings.
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(path.parent))
    session = InferenceSession(changed(path.read_bytes(), changes.read_bytes()), options, providers=providers)
    give_back()
    return session


def open_beside(network: Path, first: bytes, tensors: Sequence[Path]) -> InferenceSession:
    """A session on one thread. tensors: the files that the network refers to. first: the content to use for the first.

    It is opened from a temporary folder, because onnxruntime takes four times as long from memory. Raises ModelError if
    the folder cannot be written.
    """
    from onnxruntime import InferenceSession

    try:
        with TemporaryDirectory() as folder:
            for file in (network, *tensors[1:]):
                shutil.copyfile(file, Path(folder) / file.name)
            (Path(folder) / tensors[0].name).write_bytes(first)
            path = str(Path(folder) / network.name)
            session = InferenceSession(path, _options(1), providers=["CPUExecutionProvider"])
    except OSError as error:
        raise ModelError(
            f"Opening {network.name} takes {2 * len(first) // 1_000_000} MB in {gettempdir()}, which cannot be written: "
            f"{error.strerror}. Make room there, set TMPDIR to another folder, or choose recipe fast."
        ) from error
    give_back()
    return session


def _shrinking() -> RunOptions:
    """Options for a run that returns its memory to the system when it ends; by default, onnxruntime keeps it."""
    from onnxruntime import RunOptions

    options = RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def give_back() -> None:
    """Return the memory used for opening a network to the system; glibc would keep it, 150 MB for the reader."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


def _options(threads: int) -> Any:
    from onnxruntime import SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options


def token_ids(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Ids]:
    """Word pieces of each text, without start and end marks."""
    shortened = [text[:LONGEST_TOKENIZED] for text in texts]
    return [found.ids for found in tokenizer.encode_batch_fast(shortened, add_special_tokens=False)]


def pair_ids(tokenizer: Tokenizer, claim: str, sentences: Sequence[str]) -> list[Ids]:
    """Word pieces of a claim, then of each text from `pair_text`, as the networks that judge pairs read them."""
    texts = [in_one_form(text[:LONGEST_TOKENIZED]) for text in sentences]
    return [*claim_ids(tokenizer, [claim]), *token_ids(tokenizer, texts)]


def claim_ids(tokenizer: Tokenizer, claims: Sequence[str]) -> list[Ids]:
    """Word pieces of claims, with quantities in canonical form."""
    return token_ids(tokenizer, [canonical_text(claim[:LONGEST_TOKENIZED]) for claim in claims])


def token_counter() -> Callable[[Sequence[str]], list[int]]:
    """A function that counts the word pieces of texts of any length. Raises ModelError."""
    tokenizer = open_tokenizer(catalogue.load(catalogue.ENCODER)[-1])
    return lambda texts: [len(found.ids) for found in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


def joined_ids(sentences: Sequence[Ids], separator: int = SEPARATOR, most: int = EACH_TOKENS) -> Ids:
    """Several sentences as the second text of a pair: each cut to `most` tokens, with separators between them."""
    first, *others = sentences or [[]]
    joined = first[:most]
    for ids in others:
        joined += [separator, *ids[:most]]
    return joined


def join_pair(claim: Ids, sentence: Ids, max_tokens: int) -> tuple[Ids, int]:
    """(ids of the pair, where its second part begins)."""
    claim, sentence = cut_to(max_tokens - 3, claim, sentence)
    return [START, *claim, SEPARATOR, *sentence, SEPARATOR], len(claim) + 2


def cut_to(most: int, claim: Ids, sentence: Ids) -> tuple[Ids, Ids]:
    """Claim and sentence, cut to `most` tokens together. The sentence is cut first, down to `LEAST_SENTENCE_TOKENS`."""
    claim = claim[: max(most - len(sentence), most - LEAST_SENTENCE_TOKENS)]
    return claim, sentence[: most - len(claim)]


def batches_of_like_length(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Indices sorted by length and split into batches, to save padding."""
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    for first in range(0, len(order), batch_size):
        yield order[first : first + batch_size]


def padded(rows: Sequence[Ids], second_parts: Sequence[int]) -> dict[str, NDArray[np.int64]]:
    """The network's three inputs. second_parts: where each row's second text begins; 0 if it has only one."""
    shape = (len(rows), max(map(len, rows)))
    feeds = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for index, (row, second) in enumerate(zip(rows, second_parts, strict=True)):
        feeds["input_ids"][index, : len(row)] = row
        feeds["attention_mask"][index, : len(row)] = 1
        if second:
            feeds["token_type_ids"][index, second : len(row)] = 1
    return feeds


def relevances(logits: NDArray[Any]) -> list[float]:
    """The first logit of each row, as a probability."""
    return list(map(float, sigmoid(logits[:, 0].astype(np.float64))))


def stances(logits: NDArray[Any]) -> list[Stance]:
    """Logits 1 to 3 of each row, as probabilities: supports, refutes, neutral."""
    return [Stance(*map(float, row)) for row in softmax(logits[:, 1:4])]
