"""Runs hub models with `transformers` and `sentence-transformers`. `hub/opening.py` opens them and reports missing
ones.

Inputs and outputs have the formats that the models' cards describe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from retrieval.models.hub.place import Place
from retrieval.protocols import Matrix
from retrieval.types import Stance

TEXTS_A_BATCH = 16
MAX_TOKENS = 512
LONGEST_REPLY = 128  # tokens that a T5 may write
OUTSIDE = "O"
ANSWER = "ANSWER"

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model of `transformers` with its tokenizer."""

    id: str
    tokenizer: Any
    model: Any
    device: str

    @property
    def generates(self) -> bool:
        """Whether it writes text, that is, has an encoder and a decoder."""
        return bool(self.model.config.is_encoder_decoder)

    def tensors(self, texts: Sequence[str], seconds: Sequence[str] | None = None, **options: Any) -> Any:
        """A padded batch on the model's device. seconds: the second text of each pair; the longer of the two is cut
        first.
        """
        options = {"padding": True, "truncation": True, "max_length": MAX_TOKENS, **options}
        halves = [list(texts)] if seconds is None else [list(texts), list(seconds)]
        return self.tokenizer(*halves, return_tensors="pt", **options).to(self.device)

    def write(self, texts: Sequence[str]) -> list[str]:
        """The model's output for each text, decoded greedily, with special tokens such as `<sep>`."""
        import torch

        written: list[str] = []
        for batch in _batches(texts):
            with torch.inference_mode():
                ids = self.model.generate(
                    **self.tensors(batch), max_new_tokens=LONGEST_REPLY, num_beams=1, do_sample=False
                )
            written += self.tokenizer.batch_decode(ids, skip_special_tokens=False)
        frame = [token for token in (self.tokenizer.pad_token, self.tokenizer.eos_token) if token]
        return [" ".join(re.sub("|".join(map(re.escape, frame)), " ", text).split()) for text in written]


def load(place: Place, kind: str, device: str) -> Loaded:
    """Load the model in the folder by its configuration. kind: span, question, relevance or stance. Raises OSError or
    ValueError.
    """
    import torch
    from transformers import (
        AutoConfig,
        AutoModelForSeq2SeqLM,
        AutoModelForSequenceClassification,
        AutoModelForTokenClassification,
        AutoTokenizer,
    )

    classes = {
        "span": AutoModelForTokenClassification,
        "question": AutoModelForSeq2SeqLM,
        "relevance": AutoModelForSequenceClassification,
        "stance": AutoModelForSequenceClassification,
    }
    config = AutoConfig.from_pretrained(place.folder)
    made = AutoModelForSeq2SeqLM if kind == "span" and config.is_encoder_decoder else classes[kind]
    model = made.from_pretrained(place.folder, dtype=torch.float32).to(device).eval()
    tokenizer = AutoTokenizer.from_pretrained(place.folder)
    return Loaded(place.id, tokenizer, model, device)


class NameSpans:
    """Names by token classification. Implements `SpanExtractor`."""

    def __init__(self, loaded: Loaded) -> None:
        self.id, self._loaded = loaded.id, loaded

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, type), in text order. A word takes the label of its first piece; the words of a name are joined."""
        import torch

        encoded = self._loaded.tensors([claim], return_offsets_mapping=True)
        offsets = encoded.pop("offset_mapping")[0].tolist()
        with torch.inference_mode():
            best = self._loaded.model(**encoded).logits[0].argmax(-1).tolist()
        names = self._loaded.model.config.id2label
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


class AnswerSpans:
    """Possible answers to questions, by a T5 that lists answers. Implements `SpanExtractor`."""

    def __init__(self, loaded: Loaded) -> None:
        self.id, self._loaded = loaded.id, loaded

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, "ANSWER"), in text order; answers that are not in the claim are left out."""
        (written,) = self._loaded.write([f"extract answers: <ha> {claim} <ha>"])
        return locate(claim, written.split("<sep>"))


def locate(claim: str, answers: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where each answer first occurs in the claim as whole words, ignoring case and spaces; each place once."""
    places: set[tuple[int, int]] = set()
    for answer in answers:
        if words := answer.split():
            pattern = r"(?<!\w)" + r"\s*".join(map(re.escape, words)) + r"(?!\w)"
            if found := re.search(pattern, claim) or re.search(pattern, claim, re.IGNORECASE):
                places.add(found.span())
    return [(start, end, ANSWER) for start, end in sorted(places)]


class AnswerQuestions:
    """Questions by a T5 that is given the answer and its context. Implements `QuestionGenerator`."""

    def __init__(self, loaded: Loaded) -> None:
        self.id, self._loaded = loaded.id, loaded

    def ask(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> list[str]:
        """One question per span, in order; "" if the model writes none. For an empty span, its type is the answer:
        "No".
        """
        texts = [claim[start:end] or kind for start, end, kind in answers]
        written = self._loaded.write([f"answer: {text} context: {claim}" for text in texts])
        return [re.sub(r"^question:\s*", "", text, flags=re.IGNORECASE) for text in written]


class PairClassifier:
    """A classifier of (claim, sentence) pairs, with token types if it uses them. Implements `RelevanceClassifier`."""

    def __init__(self, loaded: Loaded) -> None:
        self.id, self._loaded = loaded.id, loaded
        self._relevant = relevant_label(loaded.model.config.id2label)

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        """One probability per sentence, 0 to 1, in order."""
        pairs = [(claim, sentence) for sentence in sentences]
        return [row[self._relevant] for row in _shares(self._loaded, pairs)]


def relevant_label(labels: dict[int, str]) -> int:
    """The output that means relevant: the one with that name, else the second, as in the thesis."""
    named = [index for index, name in labels.items() if name.casefold() in ("relevant", "entailment", "true")]
    return int(named[0]) if named else 1


class StancesByInference:
    """Stances by a model of natural language inference: a sentence entails the claim, contradicts it, or neither.

    Implements `StanceReader`.
    """

    def __init__(self, loaded: Loaded) -> None:
        """Raises ValueError if the model does not name the three labels."""
        self.id, self._loaded = loaded.id, loaded
        self._places = inference_labels(loaded.model.config.id2label)

    def stances(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        """One stance per sentence, in order."""
        rows = _shares(self._loaded, [(sentence, claim) for sentence in sentences])
        return [Stance(*(row[place] for place in self._places)) for row in rows]


def inference_labels(labels: dict[int, str]) -> tuple[int, int, int]:
    """Places of entailment, contradiction and neutral among the outputs. Raises ValueError if one is missing."""
    found = []
    for begins in ("entail", "contra", "neutral"):
        named = [index for index, name in labels.items() if name.casefold().startswith(begins)]
        if len(named) != 1 or len(labels) != 3:
            raise ValueError("its labels are not entailment, contradiction and neutral")
        found.append(int(named[0]))
    return found[0], found[1], found[2]


def _shares(loaded: Loaded, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    """Softmax of a classifier's logits, one row per pair."""
    import torch

    rows: list[list[float]] = []
    for batch in _batches(pairs):
        inputs = loaded.tensors([first for first, _ in batch], [second for _, second in batch])
        with torch.inference_mode():
            rows += torch.softmax(loaded.model(**inputs).logits, -1).tolist()
    return rows


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
        return [float(score) for score in self._model.predict(pairs, batch_size=TEXTS_A_BATCH, show_progress_bar=False)]


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
            [self._prompt + text for text in texts], batch_size=TEXTS_A_BATCH, normalize_embeddings=True,
            show_progress_bar=False, prompt="",
        )  # fmt: skip
        return np.asarray(vectors, np.float32)


class DPREncoder:
    """One half of DPR (Karpukhin et al., EMNLP 2020). Implements `Encoder`, except that its vectors differ in length."""

    def __init__(self, place: Place, device: str, question: bool) -> None:
        import torch
        from transformers import AutoTokenizer, DPRContextEncoder, DPRQuestionEncoder

        made = DPRQuestionEncoder if question else DPRContextEncoder
        if (kind := _architecture(place.folder)) != made.__name__:
            raise ValueError(f"it is a {kind}, and a {made.__name__} is needed here")
        model = made.from_pretrained(place.folder, dtype=torch.float32).to(device).eval()
        self.id = place.id
        self._loaded = Loaded(place.id, AutoTokenizer.from_pretrained(place.folder), model, device)
        self.dimension = int(model.config.projection_dim or model.config.hidden_size)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dimension), not of unit length, because DPR's score is a dot product."""
        return self._vectors([self._loaded.tensors(batch) for batch in _batches(texts)])

    def _vectors(self, batches: Sequence[Any]) -> Matrix:
        import torch

        rows = [np.zeros((0, self.dimension), np.float32)]
        for batch in batches:
            with torch.inference_mode():
                rows.append(self._loaded.model(**batch).pooler_output.float().cpu().numpy())
        return np.concatenate(rows).astype(np.float32)


class DPRPassages(DPREncoder):
    """The half that reads passages: pairs of title and text, 512 tokens together, as in its training.

    Implements `PairEncoder`, except that its vectors differ in length.
    """

    def __init__(self, place: Place, device: str) -> None:
        super().__init__(place, device, question=False)

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """(len(pairs), dimension), not of unit length. The longer of title and text is cut."""
        return self._vectors(
            [
                self._loaded.tensors([title for title, _ in batch], [text for _, text in batch])
                for batch in _batches(pairs)
            ]
        )


def reads_as_dpr(folder: Path) -> bool:
    """Whether the folder holds one half of DPR."""
    return _architecture(folder).startswith("DPR")


def _architecture(folder: Path) -> str:
    """The class that a model was saved as; "" if its configuration does not name it. Raises OSError or ValueError."""
    file = folder / "config.json"
    config = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return str((config.get("architectures") or [""])[0])


def _batches(texts: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(texts), TEXTS_A_BATCH):
        yield texts[start : start + TEXTS_A_BATCH]
