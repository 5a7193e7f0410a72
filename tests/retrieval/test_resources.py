"""A process opens its store and loads its models once, and follows a loader that switches the corpus."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from retrieval.errors import RecipeError, SettingError, StoreDamaged, StoreMissing
from retrieval.recipes import RECIPES, find_recipe
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stores.embedded.writer import open_writer
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Claim, Label, Page
from tests.making import make_page


def load(folder: Path, *pages: Page) -> None:
    with open_writer(folder, "test", replace=True) as writer:
        writer.add(pages)
        writer.finish("test")


@pytest.fixture
def small(tmp_path: Path) -> Resources:
    load(tmp_path / "store", make_page("Paris", "Paris is in France."))
    return Resources(Settings(data=tmp_path))


def test_the_store_is_opened_once_and_again_after_a_switch(small: Resources, tmp_path: Path) -> None:
    first = small.store()
    assert small.store() is first
    load(tmp_path / "store", make_page("Lyon", "Lyon is in France."), make_page("Nice", "Nice is too."))
    second = small.store()
    assert second is not first
    assert (first.count(), second.count(), small.corpus().pages) == (1, 2, 2)
    assert [page.title for page, _ in first.find_titles(["Paris"])] == ["Paris"], "a check that runs keeps its corpus"
    assert small.store() is second


def test_a_store_that_comes_later(tmp_path: Path) -> None:
    resources = Resources(Settings(data=tmp_path))
    with pytest.raises(StoreMissing):
        resources.store()
    load(tmp_path / "store", make_page("Paris", "Paris is in France."))
    assert resources.store().count() == 1


def test_a_store_that_goes_away(small: Resources, tmp_path: Path) -> None:
    small.store()
    (tmp_path / "store" / "CURRENT").write_text("gen-gone")
    with pytest.raises(StoreDamaged):
        small.store()


def test_an_address_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="cannot be an index"):
        Resources(Settings(data=tmp_path, store="http://localhost:9200")).store()


def test_close_twice_and_open_again(small: Resources) -> None:
    small.store()
    small.close()
    small.close()
    assert small.store().count() == 1


def test_models_are_loaded_once_whatever_the_threads(resources: Resources) -> None:
    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(lambda _: resources.span_extractor(), range(16)))
    assert len(set(map(id, loaded))) == 1


def test_other_settings_share_models_only_where_they_agree_on_them(resources: Resources, tmp_path: Path) -> None:
    alike = resources.with_settings(replace(resources.settings, top_pages=3))
    assert alike.pair_scorer() is resources.pair_scorer()
    assert alike.encoder() is resources.encoder()
    assert alike.store() is resources.store()
    one_thread = resources.with_settings(replace(resources.settings, threads=1))
    assert one_thread.pair_scorer() is not resources.pair_scorer()
    assert one_thread.claim_finder() is not resources.claim_finder()
    uncached = resources.with_settings(replace(resources.settings, vector_cache=0))
    assert uncached.encoder() is not resources.encoder()
    assert resources.with_settings(replace(resources.settings, vector_cache=0)).encoder() is uncached.encoder()


def test_a_variant_is_a_copy_that_shares_what_is_open(resources: Resources, small: Resources, tmp_path: Path) -> None:
    with pytest.raises(FrozenInstanceError):
        resources.settings = Settings()  # type: ignore[misc]
    over = small.over(KnowledgeStore([make_page("Nice", "Nice is in France.")], "own"))
    assert (over.corpus().pages, over.store() is small.store()) == (1, False)
    assert over.sentence_ranker() is small.sentence_ranker()
    assert small.within(7, "Enough.").budget().tokens == 7
    assert small.budget().tokens == Settings().llm_tokens
    other = replace(small, web=False).within(9, "")
    first = small.store()
    load(tmp_path / "store", make_page("Lyon", "Lyon is in France."), make_page("Nice", "Nice is too."))
    assert other.corpus().pages == small.corpus().pages == 2, "opened again for all of them"
    assert other.store() is small.store() is not first


def test_something_else_in_the_place_of_a_model(resources: Resources) -> None:
    class Undecided:
        id = "undecided"
        calibration_error = None

        def probabilities(self, *_: object) -> dict[Label, float]:
            return dict.fromkeys((Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE), 1 / 3)

    other = replace(resources, instead={"verdict": Undecided()})
    check = other.pipeline("fast").run(Claim("c", "Casablanca is a film."))
    assert check.verdict is not None
    assert check.verdict.method == "undecided"
    assert resources.verdict_model().id != "undecided"


def test_each_has_the_language_model_of_its_own_settings(resources: Resources) -> None:
    """One made without a language model once kept all others from having one."""
    assert resources.llm() is None
    settings = replace(resources.settings, llm_model="one", llm_url="http://127.0.0.1:9/v1")
    one, two = (resources.with_settings(replace(settings, llm_model=name)) for name in ("one", "two"))
    first, second = one.llm(), two.llm()
    assert first is not None
    assert second is not None
    assert (first.id, second.id) == ("one", "two")
    one.close()
    two.close()
    assert one.llm() is not first, "closed, and opened again"
    one.close()


def test_other_settings_may_name_another_corpus(resources: Resources, tmp_path: Path) -> None:
    load(tmp_path / "store", make_page("Paris", "Paris is in France."))
    other = resources.with_settings(replace(resources.settings, store=str(tmp_path / "store")))
    assert (other.store().count(), resources.store().count()) == (1, 302)


def test_nothing_is_opened_at_the_start(tmp_path: Path) -> None:
    Resources(Settings(data=tmp_path / "nowhere"))
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["", "FAST", "slow", "x" * 1_000, "../fast", "\0"])
def test_unknown_recipe(resources: Resources, name: str) -> None:
    with pytest.raises(RecipeError, match=r"^There is no recipe named .* Choose one of: careful, .*\.$") as error:
        resources.pipeline(name)
    assert len(str(error.value)) < 140
    with pytest.raises(RecipeError):
        resources.models(name)


@pytest.mark.parametrize("name", list(RECIPES))
def test_every_recipe_builds_and_names_its_models(resources: Resources, name: str) -> None:
    recipe = find_recipe(name)
    assert recipe.name == name
    assert resources.pipeline(name).name == name
    models = resources.models(name)
    assert set(models) == set(recipe.roles)
    assert all(models.values())


def test_a_check_over_a_corpus_without_a_single_word_of_it(tmp_path: Path, resources: Resources) -> None:
    load(tmp_path / "store", make_page("Empty page"))
    small = Resources(replace(resources.settings, store=str(tmp_path / "store")))
    check = small.pipeline("fast").run(Claim("c", "Paris is in France."))
    assert (check.pages, check.evidence) == ((), ())
    assert check.verdict is not None


@pytest.mark.usefixtures("anew")
def test_two_checks_at_once_do_not_disturb_each_other(resources: Resources) -> None:
    pipeline = resources.pipeline("fast")
    claims = [Claim(str(n), text) for n, text in enumerate(("Casablanca is a film.", "Emil Zátopek was a runner."))]
    alone = [pipeline.run(claim) for claim in claims]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(pipeline.run, claims * 4))
    for number, check in enumerate(together):
        assert [e.sentence for e in check.evidence] == [e.sentence for e in alone[number % 2].evidence]
