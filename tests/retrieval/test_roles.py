"""Roles: what a setting names is what computes, in each recipe that has the role. Models of the hub: `tests/hub`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from retrieval.__main__ import main
from retrieval.llm.examples import Example, Examples
from retrieval.models.disk_cache import CachedPairEncoder, cached
from retrieval.models.encoders import LengthKeptOfPairs
from retrieval.models.pair_scorers import Readers, ScorerRelevance
from retrieval.protocols import Matrix, PairEncoder
from retrieval.recipes import RECIPES
from retrieval.resources import Resources
from retrieval.roles import ROLES
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.stores.vectors import page_vectors, vectors_id
from retrieval.text.sentences import encode_with_titles, without_title
from retrieval.types import Claim, Label, Stance
from tests.making import changed, make_page

URL = "http://127.0.0.1:9/v1"


def test_every_role_is_a_setting_that_some_recipe_has(resources: Resources) -> None:
    had = {role for recipe in RECIPES.values() for role in recipe.roles}
    assert all(hasattr(resources.settings, role) and role in had for role in ROLES)
    assert set(RECIPES["contextual"].roles) >= set(ROLES) - {"similarity_model"}


def test_a_language_model_of_its_own_for_contexts(resources: Resources) -> None:
    ours = resources.with_settings(
        replace(resources.settings, llm_model="large", llm_contexts="small", llm_questions="none", llm_url=URL)
    )
    large, small = ours.llm(), ours.llm_for("contexts")
    assert large is not None
    assert small is not None
    assert (large.id, small.id, ours.llm_for("questions")) == ("large", "small", None)
    models = ours.models("contextual")
    assert (models["language_model"], models["llm_contexts"]) == ("large", "small")
    assert "llm_questions" not in models
    stages = {stage.name: stage for stage in ours.pipeline("contextual").stages}
    assert stages["contexts"].llm is small
    assert type(stages["questions"]).__name__ == "TemplateQuestions"
    ours.close()


def test_a_language_model_for_questions_alone(resources: Resources) -> None:
    ours = resources.with_settings(replace(resources.settings, llm_questions="small", llm_url=URL))
    stages = {stage.name: type(stage).__name__ for stage in ours.pipeline("rag_fusion").stages}
    assert (stages["questions"], stages["verdict"]) == ("AskedQuestions", "LocalVerdict")
    assert "language_model" not in ours.models("rag_fusion")
    assert ours.models("rag_fusion")["llm_questions"] == "small"
    ours.close()


class Ours:
    """A pair scorer that finds nothing and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, claim: str, sentences: Sequence[str]) -> Any:
        self.asked += sentences
        yield list(range(len(sentences))), [0.0] * len(sentences), [Stance(0, 0, 1)] * len(sentences)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        return Stance(0, 0, 1)


class Lengths:
    """Implements `RelevanceClassifier` and `StanceReader`: what is long is relevant and supports."""

    id = "lengths"

    def relevance(self, claim: str, sentences: Sequence[str]) -> list[float]:
        return [min(1.0, len(text) / 10) for text in sentences]

    def stances(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        return [Stance(min(1.0, len(text) / 100), 0, 0) for text in sentences]


def test_readers_take_the_place_of_ours() -> None:
    texts = ["Title : five.", "Title : a"]
    ours, lengths = Ours(), Lengths()
    ((rows, relevances, stances),) = Readers(ours, lengths, None).score("c", texts)
    assert (rows, relevances) == ([0, 1], [0.5, 0.1]), "read without their titles"
    assert stances[0] == Stance(0, 0, 1)
    ((_, relevances, stances),) = Readers(ours, None, lengths).score("c", texts)
    assert (relevances, stances[0].supports) == ([0.0, 0.0], 0.13)
    ours.asked.clear()
    batches = list(Readers(ours, lengths, lengths).score("c", texts * 20))
    assert sorted(row for rows, _, _ in batches for row in rows) == list(range(40))
    assert ours.asked == [], "not run where nothing of it is wanted"
    assert Readers(ours, None, lengths).judge_together("c", texts).supports == 0.23
    assert Readers(ours, lengths, None).judge_together("c", texts) == Stance(0, 0, 1)
    assert list(Readers(ours, lengths, lengths).score("c", [])) == []
    assert ScorerRelevance(ours, "ours").relevance("c", texts) == [0.0, 0.0]


class Agreeing:
    """Implements `StanceReader`: all that it reads supports the claim."""

    id = "agreeing"

    def stances(self, claim: str, sentences: Sequence[str]) -> list[Stance]:
        return [AGREES] * len(sentences)


@pytest.fixture
def agreeing(resources: Resources, monkeypatch: pytest.MonkeyPatch) -> Resources:
    """STANCE_MODEL names a model that agrees with every claim."""
    monkeypatch.setattr("retrieval.roles.hub.stance_reader", lambda name, settings: Agreeing())
    named = replace(resources.settings, stance_model="own/agreeing", reader_languages="en,de")
    return resources.with_settings(named)


AGREES = Stance(0.9, 0.05, 0.05)
FALSE = "Marie Curie refused the Nobel Prize."


def test_the_stance_model_that_is_named_decides_the_verdict(resources: Resources, agreeing: Resources) -> None:
    """Our own reader once read again behind it, in `careful`, and refuted the claim."""
    ours, fast, careful = (
        at.pipeline(recipe).run(Claim("c", FALSE))
        for at, recipe in ((resources, "careful"), (agreeing, "fast"), (agreeing, "careful"))
    )
    assert ours.verdict is not None
    assert careful.verdict is not None
    assert (ours.verdict.label, ours.verdict.calibrated) == (Label.REFUTED, True)
    assert (careful.verdict.label, careful.verdict.calibrated) == (Label.SUPPORTED, False)
    assert careful.verdict == fast.verdict
    assert {e.stance for e in careful.evidence} == {AGREES}


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("language", ["", "de"])
def test_our_reader_reads_behind_our_first_pass_alone(agreeing: Resources, recipe: str, language: str) -> None:
    def reader(_: Resources) -> NoReturn:
        raise AssertionError("the English reader is opened")

    store = KnowledgeStore([make_page("Marie Curie", "Marie Curie was born in Warsaw.")], language=language)
    over = agreeing.over(store)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Resources, "reader", reader)
        assert over.pipeline(recipe).run(Claim("c", FALSE)).evidence
    assert not {"reader", "reading", "careful_verdict"} & over.models(recipe).keys()
    assert over.models(recipe)["stance_model"] == "own/agreeing"


def test_the_reader_is_listed_where_it_reads(resources: Resources) -> None:
    assert all("reader" in resources.models(recipe) for recipe in set(RECIPES) - {"fast"})
    without = resources.with_settings(changed(resources.settings, without="titles, reading"))
    assert [recipe for recipe in RECIPES if "reader" in without.models(recipe)] == [
        *("careful", "aic", "rag_fusion", "contextual")
    ]


@pytest.mark.parametrize("stance", ["", "own/agreeing"])
def test_the_list_of_roles_has_the_reader(
    stance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA", str(tmp_path))
    if stance:
        monkeypatch.setenv("STANCE_MODEL", stance)
    assert main(["models"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("second reading"))
    listed = "esoteric-reader-uint8 careful, esoteric, aic, rag_fusion, contextual"
    assert " ".join(row.split()[2:]) == ("none" if stance else listed)


def test_a_sentence_without_its_title() -> None:
    assert [without_title(text) for text in ("A : B", "A : B : C", "B", "A : ")] == ["B", "B : C", "B", "A : "]


class Pairs:
    """A `PairEncoder` whose vectors tell what it read, of other lengths than 1."""

    dimension = 3

    def __init__(self) -> None:
        self.read: list[Any] = []

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.read += texts
        return np.array([[len(text), 0, 1] for text in texts], np.float32).reshape(-1, 3)

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        self.read += pairs
        return np.array([[len(title), len(text), 2] for title, text in pairs], np.float32).reshape(-1, 3)


def test_titles_stay_apart_for_an_encoder_of_pairs_through_every_cache(tmp_path: Path) -> None:
    page, inner = make_page("Paris", "x" * 3_000), Pairs()
    encoder = cached(inner, "m", tmp_path / "v.sqlite", 1)
    assert isinstance(encoder, CachedPairEncoder)
    for _ in range(2):
        np.testing.assert_allclose(page_vectors(encoder, [page]), [[5, 3_000, 2]])
    np.testing.assert_allclose(encode_with_titles(encoder, [("a", "bc")]), [[1, 2, 2]])
    np.testing.assert_allclose(encoder.encode(["abc"]), [[3, 0, 1]], atol=0.01)
    assert inner.read == [("Paris", page.text), ("a", "bc"), "abc"], "each once, the text whole"
    kept = LengthKeptOfPairs(inner)
    assert isinstance(kept, PairEncoder)
    assert kept.encode_pairs([("a", "bc")]).shape == (1, 4)


def test_vectors_are_named_by_what_was_read() -> None:
    assert vectors_id(Pairs(), "m@1") == "m@1+pairs"
    assert vectors_id(Texts(), "m@1") == "m@1"
    assert vectors_id(Texts(), "m@1", 800) == "m@1+800"
    page = make_page("Paris", "x" * 3_000)
    assert page_vectors(Texts(), [page], 800)[0, 0] == len("Paris : ") + 800


class Texts:
    """An encoder that tells lengths."""

    dimension = 2

    def encode(self, texts: Sequence[str]) -> Matrix:
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)


def test_examples_by_embedding() -> None:
    class Ends(Texts):
        def encode(self, texts: Sequence[str]) -> Matrix:
            return np.array([[float(text.endswith("red.")), 1.0] for text in texts], np.float32)

    examples = Examples([Example("The tea is hot and sweet.", (), "S"), Example("A bridge is red.", (), "R")])
    assert [e.label for e in examples.nearest("The tea is red.", 1)] == ["S"]
    assert [e.label for e in examples.by_embedding(Ends(), Ends()).nearest("The tea is red.", 1)] == ["R"]
    assert len(examples.by_embedding(Ends(), Ends())) == 2


@pytest.mark.parametrize(
    ("order", "stages"),
    [
        ("after", ["answers", "contexts"]),
        ("before", ["answers", "contexts"]),
        ("ranks", ["answers", "contexts"]),
        ("none", ["answers"]),
        ("only", ["answers", "contexts"]),
    ],
)
def test_the_ways_of_contexts_and_reranking(resources: Resources, order: str, stages: list[str]) -> None:
    ours = resources.with_settings(changed(resources.settings, context_order=order))
    built = {stage.name: stage for stage in ours.pipeline("contextual").stages}
    assert [name for name in built if name in ("answers", "contexts")] == stages
    assert bool(built["answers"].candidates) == (order in ("after", "none"))
    assert bool(getattr(built.get("contexts"), "kept", 0)) == (order in ("before", "ranks"))
