"""The models that come with the program, each opened once per process."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from retrieval.llm.examples import Examples, read_examples
from retrieval.models import catalogue
from retrieval.models.loaded import Loaded
from retrieval.protocols import Encoder, PairScorer, Reader, SpanExtractor
from retrieval.settings import Settings
from retrieval.stages.ranking import Ranker
from retrieval.stages.reading_again import Joined
from retrieval.text.chunks import TokenCount
from retrieval.text.extraction.finder import ClaimFinder
from retrieval.verdicts.local import FourLabelClassifier, StanceClassifier

Thing = TypeVar("Thing")


@dataclass(frozen=True, eq=False)
class OwnModels:
    """Opens our models. loaded: the open models, which all copies share. instead: models to use in place of ours, keyed
    by the name that ours is opened under; for example, one that counts its calls.
    """

    settings: Settings
    loaded: Loaded = field(default_factory=Loaded)
    instead: Mapping[str, Any] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], Thing], *needs: str) -> Thing:
        """The result of `make`, which is called once per process for this name. needs: all settings that it depends on."""
        if name in self.instead:
            return self.instead[name]  # type: ignore[no-any-return]
        return self.loaded.once(self._key(name, needs), make)

    def _key(self, name: str, needs: tuple[str, ...]) -> tuple[str, Hashable]:
        return name, tuple((need, getattr(self.settings, need)) for need in sorted(needs))

    def pair_scorer(self) -> PairScorer:
        """Raises ModelError."""
        from retrieval.models.onnx import OnnxPairScorer
        from retrieval.models.pair_scorers import FormChecked

        return self.once("pair scorer", lambda: FormChecked(OnnxPairScorer(threads=self.settings.threads)), "threads")

    def span_extractor(self) -> SpanExtractor:
        """Raises ModelError."""
        from retrieval.models.english.parser import SpacySpans

        return self.once("spans", SpacySpans)

    def vocabulary(self) -> frozenset[str]:
        """Words that count as correctly spelt even if no page contains them: whole words of the networks' vocabulary,
        in lower case. Raises ModelError.
        """

        def whole_words() -> frozenset[str]:
            *_, tokenizer = catalogue.load(catalogue.CROSS_ENCODER)
            return frozenset(filter(str.isalpha, json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]))

        return self.once("vocabulary", whole_words)

    def sentence_ranker(self) -> Ranker:
        """Raises ModelError."""
        from retrieval.models.fitted.ranker import SentenceRanker

        return self.once("ranker", SentenceRanker)

    def verdict_model(self) -> StanceClassifier:
        """Raises ModelError."""
        from retrieval.models.fitted.verdict import LocalVerdict

        return self.once("verdict", LocalVerdict)

    def reader(self) -> Reader:
        """The larger cross-encoder. Raises ModelError."""
        from retrieval.models.pair_scorers import FormChecked
        from retrieval.models.reader import OnnxReader

        return self.once("reader", lambda: FormChecked(OnnxReader(threads=self.settings.threads)), "threads")

    def joined_reading(self) -> Joined:
        """Raises ModelError."""
        from retrieval.models.fitted.joined_reading import JoinedReading

        return self.once("reading", JoinedReading)

    def careful_verdict(self) -> StanceClassifier:
        """The verdict over both readings. Raises ModelError."""
        from retrieval.models.fitted.verdict import LocalVerdict

        return self.once("careful verdict", lambda: LocalVerdict(catalogue.CAREFUL_VERDICT))

    def encoder(self) -> Encoder:
        """The encoder of texts, whose vectors are cached in DATA. Raises ModelError."""
        from retrieval.models.disk_cache import cached
        from retrieval.models.onnx import OnnxEncoder

        def make() -> Encoder:
            real = OnnxEncoder(threads=self.settings.threads)
            return cached(real, catalogue.ENCODER.id, self.settings.data / "vectors.sqlite", self.settings.vector_cache)

        return self.once("encoder", make, "threads", "vector_cache", "data")

    def claim_finder(self) -> ClaimFinder:
        """The finder of a text's claims. Raises ModelError."""
        from retrieval.models.english.parser import english
        from retrieval.models.fitted.checkworthy import CheckWorthiness
        from retrieval.models.fitted.coreference import Coreference

        def make() -> ClaimFinder:
            threads = self.settings.threads
            return ClaimFinder(english(), CheckWorthiness(threads), Coreference(threads))

        return self.once("claim finder", make, "threads")

    def four_labels(self, kind: Literal["four", "two"] = "four") -> FourLabelClassifier:
        """Raises ModelError."""
        from retrieval.models.fitted.four_labels import FourLabels

        return self.once(f"four labels {kind}", lambda: FourLabels(kind))

    def examples(self) -> Examples:
        """Checked claims to show a language model, found by BM25. Raises SettingError."""
        return self.once("examples", lambda: read_examples(self.settings.examples), "examples")

    def token_count(self) -> TokenCount:
        """A function that counts the tokens of texts. Raises ModelError."""
        from retrieval.models.onnx import token_counter

        return self.once("tokens", token_counter)
