"""The choices beside the field: readable, with costs that were measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from app.home.service import cost_in_words, recipe_choices
from retrieval.recipes import RECIPES

COSTS = json.loads((Path(__file__).parents[3] / "docs" / "costs.json").read_text("utf-8"))


def test_every_recipe_can_be_chosen_once() -> None:
    choices = recipe_choices(False)
    names = [one.name for one in choices.first + choices.more]
    assert sorted(names) == sorted(RECIPES)
    assert [one.title for one in choices.first if one.name in ("fast", "esoteric")] == ["Quick", "As in the thesis"]
    assert all(one.title and one.what.endswith(".") for one in choices.first + choices.more)


@pytest.mark.parametrize("name", COSTS["recipes"])
def test_costs_are_those_measured(name: str) -> None:
    """Where this fails, enter the figure of docs/costs.json in the recipe's module."""
    assert RECIPES[name].seconds == float(f"{COSTS['recipes'][name]['p50']:.2g}")


def test_the_page_says_over_how_many_pages(client: FlaskClient) -> None:
    assert f"over {COSTS['pages']:,} pages" in client.get("/").text


def test_costs_in_words() -> None:
    words = [cost_in_words(seconds) for seconds in (None, 0.02, 0.163, 2.04, 12.4)]
    assert words == ["", "under 0.1 s", "about 0.2 s", "about 2.0 s", "about 12 s"]
    assert recipe_choices(True).first[0].cost.endswith("and the language model")


def test_an_address_fills_the_field_and_starts_nothing(client: FlaskClient) -> None:
    before = client.get("/api/checks").json
    for name in ("claim", "text"):
        page = client.get("/", query_string={name: 'Is "this" <b>so</b>?', "recipe": "aic"}).text
        assert "Is &#34;this&#34; &lt;b&gt;so&lt;/b&gt;?</textarea>" in page
        assert 'value="aic" id="recipe-aic" aria-describedby="what-aic" checked' in page
        assert "<details open>" in page, "what is chosen is never hidden"
    assert client.get("/api/checks").json == before
