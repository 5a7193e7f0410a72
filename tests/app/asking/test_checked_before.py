"""Claims that were checked before are offered: by meaning, never across numbers, negations or other documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
