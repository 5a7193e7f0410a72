"""Claims that were checked before are offered: by meaning, never across numbers, negations or other documents."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app.jobs import checked_before, known_claims
from app.jobs.checked_before import CheckedBefore
from app.jobs.known_claims import KnownClaims
from app.tables.checks import new_row, table
from app.tables.database import open_engine
from app.tables.migrations import prepare_tables
from retrieval.errors import ModelError
from retrieval.models.onnx import OnnxEncoder
from retrieval.settings import Settings
from tests.waiting import until

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
    assert [one is not None for one in before.look_up(claims)[0]] == [True, False, False, False]
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
    own.retention.delete_check(second)
    own.retention.delete_check(first)
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
    assert f'href="/checks/{first}">Checked before</a> on' in page
    assert "as “<bdi>Warsaw is large and old.</bdi>”: " in page


def test_the_same_words_are_not_repeated(client: FlaskClient, check: Check) -> None:
    claim = "Warsaw was rebuilt."
    check(claim)
    page = client.get(f"/checks/{check(claim, fresh=True)['id']}").text
    assert "Checked before</a> on" in page
    assert f"as “<bdi>{claim}" not in page


def test_an_earlier_one_that_a_person_signed_is_offered_with_their_verdict(client: FlaskClient, check: Check) -> None:
    first = check("Frédéric Chopin left Warsaw in 1830.")["id"]
    client.post(f"/api/checks/{first}/decision", json={"label": "REFUTED", "author": "Ada"})
    text = "In 1830 Frédéric Chopin left Warsaw. He died in Paris on 17 October 1849."
    review = client.get(client.post("/api/texts", json={"text": text}).json["url"]).text
    second = client.get(f"/checks/{check('In 1830 Frédéric Chopin left Warsaw.')['id']}").text
    for page in (review, second):
        assert "Machine: supported</span>" in page
        assert "signed by <bdi>Ada</bdi>" in page


def test_many_are_learned_the_newest_first_and_the_rest_in_the_background(
    app: Flask, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [check(f"Harbour {n} has {n + 2} cranes.")["id"] for n in range(3)]
    monkeypatch.setattr(known_claims, "ENCODED_AT_ONCE", 1)
    before = CheckedBefore(app.extensions["esoteric"].checks.engine, Real())
    assert before.find("Harbour 2 has four cranes.").check_id == ids[2]  # type: ignore[union-attr]
    assert until(lambda: before.find("Harbour 0 has two cranes.")).check_id == ids[0]
    last = check("Harbour 9 has 11 cranes.")["id"]
    assert until(lambda: before.find("Harbour 9 has eleven cranes.")).check_id == last


def test_all_earlier_checks_are_known_again_after_a_restart(
    app: Flask, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        check(f"Quay {n} has {n + 2} cranes.")
    monkeypatch.setattr(known_claims, "ENCODED_AT_ONCE", 1)
    known = KnownClaims(app.extensions["esoteric"].checks.engine)
    before, ready = CheckedBefore(app.extensions["esoteric"].checks.engine, Real()), threading.Event()
    before._known = known
    before.catch_up(ready.is_set)
    assert not known.now().claims
    ready.set()
    until(lambda: {f"Quay {n} has {n + 2} cranes." for n in range(5)} <= set(known.now().claims))


class Counting(Real):
    """Also notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encoder(self) -> Any:
        return self

    def encode(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return super().encoder().encode(texts)


def test_a_request_computes_few_vectors_and_the_others_follow(
    app: Flask, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    check("Pier 7 has nine cranes.")
    before = CheckedBefore(app.extensions["esoteric"].checks.engine, Counting())
    claims = [f"Pier {n} has {n + 2} cranes." for n in range(9)]
    before.find(claims[0])  # so that what was checked is known
    monkeypatch.setattr(known_claims, "ENCODED_AT_ONCE", 2)
    monkeypatch.setattr(checked_before, "VECTORS_PATIENCE", 0)
    assert before.look_up(claims) == ([None] * 9, 6), "the first is known, and two are computed"
    found = until(lambda: (look := before.look_up(claims))[1] == 0 and look[0])
    assert [one is not None for one in found] == [n == 7 for n in range(9)]


def test_claims_that_were_prepared_cost_the_page_nothing(app: Flask, check: Check) -> None:
    check("Dock 7 has nine cranes.")
    resources = Counting()
    before = CheckedBefore(app.extensions["esoteric"].checks.engine, resources)
    claims = [f"Dock {n} has {n + 2} cranes." for n in range(200)]
    before.prepare([*claims, *claims])
    assert resources.asked == claims
    before.find("Another claim is here.")
    resources.asked.clear()
    found, left = before.look_up(claims)
    assert not resources.asked
    assert (left, [number for number, one in enumerate(found) if one]) == (0, [7])


def test_many_claims_beside_many_checks_take_no_search_each(tmp_path: Path) -> None:
    """2,000 claims and 5,000 checks, all nearly alike: the worst that the rules have to tell apart."""
    engine = open_engine(Settings(data=tmp_path))
    prepare_tables(engine)
    ended = {"state": "done", "label": "SUPPORTED", "finished": "2026-01-01T00:00:00.000Z", "attempts": 1}
    claims = [f"Country {n} has {n + 2} provinces." for n in range(5_000)]
    with engine.begin() as connection:
        connection.execute(sa.insert(table), [{**new_row(claim, "fast", "", ""), **ended} for claim in claims])
    alike = np.random.default_rng(0).normal(1, 0.005, (5_000, 32)).astype(np.float32)
    vectors = dict(zip(claims, alike / np.linalg.norm(alike, axis=1, keepdims=True), strict=True))

    class Alike:
        def encoder(self) -> Any:
            return self

        def encode(self, texts: Sequence[str]) -> Any:
            return np.stack([vectors[text] for text in texts])

    before = CheckedBefore(engine, Alike())
    until(lambda: before.find(claims[0]) and len(before._known.now().claims) == 5_000 and not before._working)
    before.prepare(claims[:2_000])
    started = time.process_time()
    found, left = before.look_up(claims[:2_000])
    assert time.process_time() - started < 5
    assert left == 0
    assert [one.claim for one in found if one] == claims[:2_000]
    engine.dispose()


def test_the_review_of_a_text_offers_it(client: FlaskClient, check: Check) -> None:
    first = check("Marie Curie won two Nobel Prizes in her life.")["id"]
    text = "In her life Marie Curie won two Nobel Prizes. She was born in Warsaw on 7 November 1867."
    sent = client.post("/api/texts", json={"text": text}).json
    page = client.get(sent["url"]).text
    assert f"/checks/{first}" in page


def test_the_review_says_what_is_still_being_compared(
    client: FlaskClient, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    check("Slip 7 has nine cranes.")
    text = " ".join(f"Slip {n} has {n + 2} cranes." for n in range(9))
    sent = client.post("/api/texts", json={"text": text}).json
    assert "still being looked up" not in client.get(sent["url"]).text, "vectors are computed when the text is read"
    monkeypatch.setattr(known_claims.AskedClaims, "within", lambda self, claims, *_: [None] * len(claims))
    assert "Earlier checks of 9 of these claims are still being looked up." in client.get(sent["url"]).text
