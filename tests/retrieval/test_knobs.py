"""The knobs of the recipes: where they are set, what is refused, and the variables that they once were."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path

import pytest

from retrieval.errors import RecipeError, SettingError
from retrieval.recipes import KNOBS, RECIPES
from retrieval.recipes.aic import Aic
from retrieval.recipes.esoteric import Esoteric
from retrieval.recipes.rag_fusion import RagFusion
from retrieval.recipes.tuning import check_knobs, deciding_values, knob_names, tuned
from retrieval.settings import Settings, deciding
from retrieval.settings.declaring import declared
from retrieval.settings.in_force import FILE, NAMES, check_names, read_knobs, read_values
from retrieval.settings.listing import settings_page
from retrieval.settings.moved import MOVED
from tests.retrieval.test_settings import write

# Knobs that came after the variables.
NEVER_VARIABLES = {"two_sides", "pieces", "documents", "prompt", "doubt", "context_prompt"} | {
    "every_relevant",
    "sentences_by",
    "sentence_titles",
    "passages",
    "dual_sentences",
}


def test_a_recipe_has_its_knobs_from_its_table(tmp_path: Path) -> None:
    written = "[recipes.aic]\nchunks = 5\nrelevance = 1\n[Recipes.esoteric]\nwithout = ['text', 'titles']\n"
    with pytest.raises(SettingError, match="is not TOML"):
        read_values(write(tmp_path, "[recipes.aic]\nchunks = 5\n[recipes.aic]\nchunks = 6\n"))
    environment = write(tmp_path, written.replace("Recipes", "recipes"))
    settings = Settings.from_environment(environment)
    assert (Aic.of(settings).chunks, Aic.of(settings).relevance) == (5, 1.0)
    assert Esoteric.of(settings).without == "text,titles"
    assert RagFusion.of(settings) == RagFusion()
    assert check_names(environment) == check_knobs(settings) == []
    assert hash(settings) == hash(Settings.from_environment(environment)), "processes remember by their settings"


def test_each_earlier_variable_sets_the_knobs_that_it_has_become(tmp_path: Path) -> None:
    for old, knobs in MOVED.items():
        default = {recipe: getattr(KNOBS[recipe](), name) for recipe, name in knobs}
        kind = type(next(iter(default.values())))
        setting = next(one for one in fields(KNOBS[knobs[0][0]]) if one.name == knobs[0][1])
        given = declared(setting).choices[-1] if declared(setting).choices else "1" if kind is not bool else "true"
        meant = kind(given) if kind is not bool else True
        settings = Settings.from_environment({old.upper(): given})
        assert {getattr(KNOBS[recipe].of(settings), name) for recipe, name in knobs} == {meant}, old
        (warning,) = check_names({old.upper(): given})
        assert warning.startswith(f"{old.upper()} in the environment is `{knobs[0][1]}` of `[recipes.{knobs[0][0]}]`")
        filed = write(tmp_path, f"[rag_fusion]\n{old} = '{given}'\n")
        assert Settings.from_environment(filed).knobs == settings.knobs
        assert check_names(filed)[0].startswith(f"`{old}` in {tmp_path / FILE} is `{knobs[0][1]}`")
    assert {(recipe, name) for recipe in RECIPES for name in knob_names(recipe) if name not in NEVER_VARIABLES} == {
        knob for knobs in MOVED.values() for knob in knobs
    }


def test_which_knob_wins(tmp_path: Path) -> None:
    environment = write(tmp_path, "aic_kept = 3\n[recipes.aic]\nchunks = 4\n")
    assert Aic.of(Settings.from_environment(environment)).chunks == 4, "the new name in the file"
    environment["AIC_KEPT"] = "5"
    settings = Settings.from_environment(environment)
    assert Aic.of(settings).chunks == 5, "the environment wins over the file"
    assert Aic.of(tuned(settings, "aic", ["chunks=6", "chunks=7"])).chunks == 7
    assert read_values(environment).origins["aic.chunks"] == "environment"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("chunk=5", "`--set chunk=5` names no knob of recipe aic. Did you mean `chunks`?"),
        ("xyzzy=1", "`--set xyzzy=1` names no knob of recipe aic. Its knobs are: document_matches, "),
        ("chunks", "`--set chunks` names no knob of recipe aic. Did you mean `chunks`?"),
        (
            "chunks=two",
            "`chunks` of recipe aic is 'two', which is not a whole number. Set it to a number of 0 or more.",
        ),
        ("relevance=2", "`relevance` of recipe aic is '2', which is not a share"),
        ("", "`--set ` names no knob of recipe aic. Its knobs are"),
    ],
)
def test_a_knob_that_makes_no_sense_is_one_sentence(given: str, said: str) -> None:
    with pytest.raises(SettingError) as error:
        tuned(Settings(), "aic", [given])
    assert str(error.value).startswith(said)
    with pytest.raises(SettingError, match="It has none"):
        tuned(Settings(), "fast", ["chunks=1"])
    with pytest.raises(RecipeError, match="quick"):
        tuned(Settings(), "quick", ["chunks=1"])


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[recipes.aik]\nchunks = 1", "`[recipes.aik]` is no recipe. Choose one of: careful, "),
        ("[recipes.aic]\nchunk = 1", "`chunk` is no knob of recipe aic. Did you mean `chunks`?"),
        ("[recipes]\naic = 5", "`` is no knob of recipe aic. Its knobs are"),
        ("[recipes.fast]\nx = [[1], {a = 2}]", "`x` is no knob of recipe fast. It has none."),
    ],
)
def test_names_in_the_tables_of_recipes_that_are_none(tmp_path: Path, written: str, said: str) -> None:
    (warning,) = check_knobs(Settings(knobs=read_knobs(write(tmp_path, written))))
    assert warning.startswith(said)


@pytest.mark.parametrize("value", ["'two'", "-1", "true", "1.5", "[1]", "{a = 1}", "1979-05-27"])
def test_values_in_the_tables_of_recipes_are_checked_at_the_start(tmp_path: Path, value: str) -> None:
    knobs = read_knobs(write(tmp_path, f"[recipes.rag_fusion]\nsufficiency = {value}"))
    with (
        pytest.raises(SettingError, match=r"^`sufficiency` of recipe rag_fusion is")
        if value != "true"
        else nullcontext()
    ):
        check_knobs(Settings(knobs=knobs))


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_knob_is_described_and_decides_its_recipe(recipe: str) -> None:
    page, values = settings_page(KNOBS), deciding_values(recipe, Settings())
    assert KNOBS[recipe].recipe in (recipe, "")
    for knob in fields(KNOBS[recipe]):
        assert f"| `{knob.name}` | " in page
        assert declared(knob).help.endswith((".", "`.", "”.")), knob.name
        assert values[knob.name] == knob.default
        assert knob.name not in NAMES, "a name means one thing"
    assert set(deciding(recipe)) <= set(values)
    assert list(values) == sorted(values)
