"""Runs hub models with `transformers` and `sentence-transformers`, in the formats that their cards describe.

`hub/opening.py` finds them and reports missing ones. A model loads when its class is created, with its folder and a
device; that raises OSError or ValueError if the folder does not hold such a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from retrieval.protocols import Matrix
from retrieval.types import Stance

INPUTS_A_BATCH = 16
INPUT_TOKENS, WRITTEN_TOKENS = 512, 128  # most tokens that a network reads, and that a T5 writes
OUTSIDE = "O"  # the label of a word outside all names
PAIR_CLASSIFIER = "AutoModelForSequenceClassification"

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Place:
    """A model's folder and its id in records: the name and the first eight digits of its version."""

    folder: Path
    id: str

    def content(self) -> str:
        """The id and a digest of the names, sizes and times of the weights, which changes with the folder's content."""
        weights = sorted(file for kind in ("*.safetensors", "*.bin") for file in self.folder.rglob(kind))
        facts = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in weights]
        return f"{self.id} {facts}"


class Network:
    """A model of `transformers` with its tokenizer, in float32. model_class: its class there."""

    model_class = ""

    def __init__(self, place: Place, device: str) -> None:
        import torch
        import transformers

        model = getattr(transformers, self.model_class).from_pretrained(place.folder, dtype=torch.float32)
        self.id, self.model, self._device = place.id, model.to(device).eval(), device
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(place.folder)

    def tensors(self, *texts: Sequence[str], **options: Any) -> Any:
        """A padded batch of texts, or of pairs from two lists, on the model's device. The longer of a pair is cut."""
        options = {"padding": True, "truncation": True, "max_length": INPUT_TOKENS, **options}
        return self.tokenizer(*map(list, texts), return_tensors="pt", **options).to(self._device)

    def run(self, inputs: Any) -> Any:
        """The model's outputs for a batch."""
        import torch

        with torch.inference_mode():
            return self.model(**inputs)

    def shares(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Softmax of a classifier's logits, one row per pair."""
        outputs = (self.run(self.tensors(*zip(*batch, strict=True))) for batch in _batches(pairs))
        return [row for batch in outputs for row in batch.logits.softmax(-1).tolist()]

    def write(self, texts: Sequence[str]) -> list[str]:
        """The model's output for each text, decoded greedily, with special tokens such as `<sep>`."""
        import torch

        written: list[str] = []
        for batch in _batches(texts):
            with torch.inference_mode():
                ids = self.model.generate(
                    **self.tensors(batch), max_new_tokens=WRITTEN_TOKENS, num_beams=1, do_sample=False
                )
            written += self.tokenizer.batch_decode(ids, skip_special_tokens=False)
        frame = [token for token in (self.tokenizer.pad_token, self.tokenizer.eos_token) if token]
        return [" ".join(re.sub("|".join(map(re.escape, frame)), " ", text).split()) for text in written]


class NameSpans(Network):
    """Names by token classification. Implements `SpanExtractor`."""

    model_class = "AutoModelForTokenClassification"

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, type), in text order. A word takes the label of its first piece; the words of a name are joined."""
        encoded = self.tensors([claim], return_offsets_mapping=True)
        offsets = encoded.pop("offset_mapping")[0].tolist()
        best = self.run(encoded).logits[0].argmax(-1).tolist()
        names = self.model.config.id2label
        words: dict[int, tuple[int, int, str]] = {}
        for word, (start, end), label in zip(encoded.word_ids(0), offsets, best, strict=True):
            if word is not None and start < end:
                first = words.get(word, (start, end, names[label]))
                words[word] = (first[0], end, first[2])
        return join_names(list(words.values()))


def join_names(words: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Spans of labelled words (start, end, label): B- opens one, I- of the same type continues it."""
    spans: list[tuple[int, int, str]] = []
    before = OUTSIDE
    for start, end, label in words:
        begins, _, kind = label.rpartition("-")
        if label != OUTSIDE:
            if spans and begins != "B" and before == kind:
                spans[-1] = (spans[-1][0], end, kind)
            else:
                spans.append((start, end, kind))
        before = OUTSIDE if label == OUTSIDE else kind
    return spans


class AnswerSpans(Network):
    """Possible answers to questions, by a T5 that lists answers. Implements `SpanExtractor`."""

    model_class = "AutoModelForSeq2SeqLM"

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, "ANSWER"), in text order; answers that are not in the claim are left out."""
        (written,) = self.write([f"extract answers: <ha> {claim} <ha>"])
        return locate(claim, written.split("<sep>"))


def locate(claim: str, answers: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where each answer first occurs in the claim as whole words, ignoring case and spaces; each place once."""
    places: set[tuple[int, int]] = set()
    for answer in answers:
        if words := answer.split():
            pattern = r"(?<!\w)" + r"\s*".join(map(re.escape, words)) + r"(?!\w)"
            if match := re.search(pattern, claim) or re.search(pattern, claim, re.IGNORECASE):
                places.add(match.span())
    return [(start, end, "ANSWER") for start, end in sorted(places)]


def span_extractor(place: Place, device: str) -> NameSpans | AnswerSpans:
    """The class for the model's configuration: an encoder with a decoder lists answers, any other finds names."""
    from transformers import AutoConfig

    network_class = AnswerSpans if AutoConfig.from_pretrained(place.folder).is_encoder_decoder else NameSpans
    return network_class(place, device)


class AnswerQuestions(Network):
    """Questions by a T5 that is given the answer and its context. Implements `QuestionGenerator`."""

    model_class = "AutoModelForSeq2SeqLM"

    def ask(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> list[str]:
        """One question per span, in order; "" if the model writes none. The answer of an empty span is its type."""
        texts = [claim[start:end] or kind for start, end, kind in answers]
        written = self.write([f"answer: {text} context: {claim}" for text in texts])
        return [re.sub(r"^question:\s*", "", text, flags=re.IGNORECASE) for text in written]


class PairClassifier(Network):
    """A classifier of (claim, sentence) pairs, with token types if it uses them. Implements `RelevanceClassifier`."""

    model_class = PAIR_CLASSIFIER

    def __init__(self, place: Place, device: str) -> None:
        super().__init__(place, device)
        self._relevant = relevant_label(self.model.config.id2label)

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """One probability per sentence, 0 to 1, in order."""
        return [row[self._relevant] for row in self.shares([(claim, sentence) for sentence in sentences])]


def relevant_label(labels: dict[int, str]) -> int:
    """The output that means relevant: the one with that name, else the second, as in the thesis."""
    named = [index for index, name in labels.items() if name.casefold() in ("relevant", "entailment", "true")]
    return int(named[0]) if named else 1


class StancesByInference(Network):
    """Stances by inference: a sentence entails the claim, contradicts it, or neither. Implements `StanceReader`."""

    model_class = PAIR_CLASSIFIER

    def __init__(self, place: Place, device: str) -> None:
        """Raises ValueError if the model does not name the three labels."""
        super().__init__(place, device)
        self._places = inference_labels(self.model.config.id2label)

    def stances(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        """One stance per sentence, in order."""
        rows = self.shares([(sentence, claim) for sentence in sentences])
        return [Stance(*(row[place] for place in self._places)) for row in rows]


def inference_labels(labels: dict[int, str]) -> list[int]:
    """Places of entailment, contradiction and neutral among the outputs. Raises ValueError if one is missing."""
    starts = ("entail", "contra", "neutral")
    found = [[index for index, name in labels.items() if name.casefold().startswith(start)] for start in starts]
    if len(labels) != 3 or any(len(places) != 1 for places in found):
        raise ValueError("its labels are not entailment, contradiction and neutral")
    return [int(place) for (place,) in found]


class CrossEncoderScores:
    """A cross-encoder of `sentence-transformers`. Implements `RelevanceClassifier`."""

    def __init__(self, place: Place, device: str) -> None:
        import torch
        from sentence_transformers import CrossEncoder

        self.id = place.id
        self._model = CrossEncoder(
            str(place.folder), device=device, local_files_only=True, model_kwargs={"dtype": torch.float32},
            activation_fn=torch.nn.Sigmoid(), num_labels=1,
        )  # fmt: skip

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """One score per sentence, 0 to 1, in order."""
        if not sentences:
            return []
        pairs = [(claim, sentence) for sentence in sentences]
        return [
            float(score) for score in self._model.predict(pairs, batch_size=INPUTS_A_BATCH, show_progress_bar=False)
        ]


class SentenceEncoder:
    """A model of `sentence-transformers`, with the pooling of its repository. Implements `Encoder`."""

    def __init__(self, place: Place, device: str, prompt: str = "", own_code: bool = False) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        # Stella's configuration asks for memory-efficient attention, which exists only for GPUs.
        plain = {"use_memory_efficient_attention": False, "unpad_inputs": False} if own_code else None
        self.id, self._prompt = place.id, prompt
        self._model = SentenceTransformer(
            str(place.folder), device=device, local_files_only=True, trust_remote_code=own_code,
            model_kwargs={"dtype": torch.float32}, config_kwargs=plain,
        )  # fmt: skip
        self.dimension = int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dimension), rows of unit length."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        vectors = self._model.encode(
            [self._prompt + text for text in texts], batch_size=INPUTS_A_BATCH, normalize_embeddings=True,
            show_progress_bar=False, prompt="",
        )  # fmt: skip
        return np.asarray(vectors, np.float32)


class DPRQuestions(Network):
    """DPR's half that reads questions (Karpukhin et al., EMNLP 2020). An `Encoder` whose vectors differ in length."""

    model_class = "DPRQuestionEncoder"

    def __init__(self, place: Place, device: str) -> None:
        if (kind := _architecture(place.folder)) != self.model_class:
            raise ValueError(f"it is a {kind}, and a {self.model_class} is needed here")
        super().__init__(place, device)
        self.dimension = int(self.model.config.projection_dim or self.model.config.hidden_size)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dimension), not of unit length, because DPR's score is a dot product."""
        return self._vectors([self.tensors(batch) for batch in _batches(texts)])

    def _vectors(self, batches: Sequence[Any]) -> Matrix:
        rows = [self.run(batch).pooler_output.float().cpu().numpy() for batch in batches]
        return np.concatenate([np.zeros((0, self.dimension), np.float32), *rows]).astype(np.float32)


class DPRPassages(DPRQuestions):
    """The half that reads passages, with their titles as in its training. A `PairEncoder` with vectors of any length."""

    model_class = "DPRContextEncoder"

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """(len(pairs), dimension), not of unit length. The longer of title and text is cut."""
        return self._vectors([self.tensors(*zip(*batch, strict=True)) for batch in _batches(pairs)])


def reads_as_dpr(folder: Path) -> bool:
    """Whether the folder holds one half of DPR."""
    return _architecture(folder).startswith("DPR")


def _architecture(folder: Path) -> str:
    """The class that a model was saved as; "" if its configuration does not name it. Raises OSError or ValueError."""
    file = folder / "config.json"
    config = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return str((config.get("architectures") or [""])[0])


def _batches(texts: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(texts), INPUTS_A_BATCH):
        yield texts[start : start + INPUTS_A_BATCH]
