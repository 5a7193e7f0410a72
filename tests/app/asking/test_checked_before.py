"""Claims that were checked before are offered: by meaning, never across numbers, negations or other documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.asking.checked_before import CheckedBefore
from retrieval.errors import ModelError
from retrieval.models.onnx import OnnxEncoder

Check = Callable[..., dict[str, Any]]


class Real:
    """The encoder that ships with the program."""

    def encoder(self) -> OnnxEncoder:
        return OnnxEncoder(threads=1)


def test_the_same_meaning_is_offered_with_verdict_and_date(app: Flask, check: Check) -> None:
    first = check("The Quiet was released in 2005.")
    check("Warsaw has 50 bridges.")
    before = CheckedBefore(app.extensions["esoteric"].checks.engine, Real())
    found = before.find("In 2005, The Quiet was released.")
    assert found is not None
    assert (found.check_id, found.claim, found.label) == (first["id"], "The Quiet was released in 2005.", "SUPPORTED")
    assert found.finished == first["finished"]
    claims = ["Warsaw has fifty bridges.", "Warsaw has 51 bridges.", "Warsaw does not have 50 bridges.", "Rome is old."]
    assert [one is not None for one in before.find_all(claims)] == [True, False, False, False]
    assert before.find("Warsaw has 50 bridges.", against="upload:0") is None


def test_what_is_checked_later_is_learned_and_what_is_deleted_forgotten(
    app: Flask, client: FlaskClient, check: Check
) -> None:
    own = app.extensions["esoteric"]
    before = CheckedBefore(own.checks.engine, Real())
    assert before.find("Bees make honey from nectar.") is None
    first, second = (check("Bees make honey from nectar.", fresh=True)["id"] for _ in range(2))
    assert before.find("Bees make honey from nectar.").check_id == second  # type: ignore[union-attr]
    assert before.find("Bees make honey from nectar.", without=second).check_id == first  # type: ignore[union-attr]
    own.jobs.delete(second)
    own.jobs.delete(first)
    assert before.find("Bees make honey from nectar.") is None


def test_without_an_encoder_nothing_is_offered(app: Flask) -> None:
    class Missing:
        def encoder(self) -> None:
            raise ModelError("The encoder is missing. Install it.")

    assert (
        CheckedBefore(app.extensions["esoteric"].checks.engine, Missing()).find("The Quiet came out in 2005.") is None
    )


def test_the_page_of_a_check_links_the_earlier_one(client: FlaskClient, check: Check) -> None:
    first = check("Warsaw is large and old.")["id"]
    second = check("Warsaw is old and large.")["id"]
    page = client.get(f"/checks/{second}").text
    assert "Checked before on" in page
    assert f"/checks/{first}" in page
    assert "“<bdi>Warsaw is large and old.</bdi>”" in page


def test_many_are_learned_a_few_at_a_time_the_newest_first(
    app: Flask, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [check(f"Harbour {n} has {n + 2} cranes.")["id"] for n in range(3)]
    monkeypatch.setattr("app.asking.checked_before.AT_ONCE", 1)
    before = CheckedBefore(app.extensions["esoteric"].checks.engine, Real())
    assert before.find("Harbour 2 has four cranes.").check_id == ids[2]  # type: ignore[union-attr]
    assert before.find("Harbour 0 has two cranes.") is None
    assert before.find("Harbour 0 has two cranes.").check_id == ids[0]  # type: ignore[union-attr]
    last = check("Harbour 9 has 11 cranes.")["id"]
    assert before.find("Harbour 9 has eleven cranes.").check_id == last  # type: ignore[union-attr]


def test_the_review_of_a_text_offers_it(client: FlaskClient, check: Check) -> None:
    first = check("Marie Curie won two Nobel Prizes in her life.")["id"]
    text = "In her life Marie Curie won two Nobel Prizes. She was born in Warsaw on 7 November 1867."
    sent = client.post("/api/texts", json={"text": text}).json
    page = client.get(sent["url"]).text
    assert f"/checks/{first}" in page
