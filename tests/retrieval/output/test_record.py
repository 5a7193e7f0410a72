"""A check survives its way into the database and back, and its public form is the contract's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from retrieval.output.forms import Form, Known
from retrieval.output.record import check_as_json, dump_check, evidence_forms, load_check
from retrieval.types import RANKER, Claim, Difference, FactCheck, Label, Stance
from tests.retrieval.records import CHECK, whole_check

# docs/interfaces.md, to the letter.
KEYS = {
    "id", "claim", "recipe", "state", "verdict", "evidence", "pages", "questions", "spans", "timings_ms", "corpus",
    "models", "created", "finished", "notes",
    "details", "language_model", "program", "would_change", "read_as", "denial", "no_verdict",  # added since
}  # fmt: skip
ORIGIN = ("url", "revision", "retrieved", "corpus")  # added since
PARTS = {
    "verdict": {
        "label", "confidence", "probabilities", "reason", "method",
        "abstained", "grounded", "without_evidence", "sources", "calibrated", "ratings", "one_source", "grounding", "leans",  # added since
    },
    "evidence": {
        "page_id", "title", "line", "start", "end", "text", "score", "stance", "method", "verified", *ORIGIN,
        "rank_score", "rank_method", "differs", "also_called",  # added since
    },
    "pages": {"page_id", "title", "score", "method", "other_names", *ORIGIN},
    "questions": {"text", "answer", "sources", "answer_type", "claimed"},
    "spans": {"text", "start", "end", "type"},
    "corpus": {"fingerprint", "pages"},
}  # fmt: skip


BEFORE = json.loads(Path(__file__).with_name("before_2.0.0.json").read_text())
for question in (one for before in BEFORE for one in before["public"]["questions"]):
    question["claimed"] = None  # added since


@pytest.mark.parametrize("before", BEFORE, ids=[one["stored"]["id"] for one in BEFORE])
def test_what_version_1_stored_is_shown_byte_for_byte_as_it_was(before: dict[str, Any]) -> None:
    """Checks of every recipe over the sample, some of them halfway, with few of their pages and sentences."""
    check = load_check(before["stored"])
    for one in (check, load_check(json.loads(json.dumps(dump_check(check))))):
        assert json.dumps(check_as_json(one, created="2026-01-01", finished="x")) == json.dumps(before["public"])
    assert [one.as_json() for one in evidence_forms(check, check.evidence)] == before["public"]["evidence"]


def test_version_1_finds_what_it_reads_in_a_record() -> None:
    """It needs every name that it stored under itself, but for what it showed and did not read."""
    shown = {"state", "created", "finished", "language_model"}
    for before in BEFORE:
        stored = dump_check(load_check(before["stored"]))
        assert before["stored"].keys() - shown <= stored.keys()
        for part in ("sentences", "evidence", "pages", "questions", "spans", "calls"):
            pairs = zip(before["stored"][part], stored[part], strict=True)
            assert all(old.keys() <= new.keys() for old, new in pairs), part


@given(CHECK)
def test_dump_and_load_lose_nothing(check: FactCheck) -> None:
    stored = json.dumps(dump_check(check))
    assert load_check(json.loads(stored)) == check


def test_a_whole_and_an_empty_check_come_back() -> None:
    for check in (whole_check(), FactCheck(Claim("c", "A claim."))):
        assert load_check(json.loads(json.dumps(dump_check(check), ensure_ascii=False))) == check


def test_evidence_bears_the_origin_of_its_page() -> None:
    check = whole_check()
    page = replace(check.pages[0].page, site="en.wikipedia.org", revision=7, retrieved="2025-12-07", names=("A", "B"))
    known = replace(check, pages=(replace(check.pages[0], page=page),))
    loaded = load_check(json.loads(json.dumps(dump_check(known))))
    assert loaded == known
    assert {one.sentence.site for one in loaded.evidence} == {"en.wikipedia.org"}, "from its page"
    public = check_as_json(known)
    told = {(one["url"], one["revision"], one["retrieved"]) for one in public["evidence"] + public["pages"]}
    assert len(told) == 1
    assert told.pop()[1:] == (7, "2025-12-07")
    lost = check_as_json(replace(check, pages=()))["evidence"][0]
    assert (lost["url"], lost["revision"], lost["retrieved"]) == (None, None, None)


def test_pages_of_an_earlier_version_are_read() -> None:
    stored = dump_check(whole_check())
    for name in ("site", "revision", "retrieved", "names", "prior", "disambiguation", "part", "parts"):
        for hit in stored["pages"]:
            del hit["page"][name]
    assert load_check(stored) == whole_check()


def test_a_record_of_an_earlier_version_is_read() -> None:
    stored = dump_check(whole_check())
    for added in ("abstained", "without_evidence"):
        del stored["verdict"][added]
    verdict = load_check(stored).verdict
    assert verdict is not None
    assert (verdict.abstained, verdict.grounded, verdict.without_evidence) == (False, None, None)


def test_a_record_of_a_newer_version_is_read() -> None:
    check = whole_check()
    stored = dump_check(check)
    grown = [stored, stored["verdict"], stored["corpus"], *stored["spans"], *stored["questions"], *stored["calls"]]
    grown += [call["reply"] for call in stored["calls"]] + stored["pages"] + [hit["page"] for hit in stored["pages"]]
    for evidence in (*stored["evidence"], *stored["sentences"]):
        grown += [evidence, evidence["sentence"], evidence["stance"]]
    for part in grown:
        part["from_tomorrow"] = [1]
    assert load_check(stored) == check


@pytest.mark.parametrize(
    "change",
    [{"pages": None}, {"verdict": {"label": "MAYBE", "probabilities": {}}}, {"evidence": [{}]}, {"spans": [{"x": 1}]}],
)
def test_what_is_no_record_is_not_read(change: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        load_check({**dump_check(whole_check()), **change})


def test_public_form_has_the_keys_of_the_contract() -> None:
    public = check_as_json(whole_check(), created="2026-01-01", finished="2026-01-02")
    assert set(public) == KEYS
    for part, keys in PARTS.items():
        records = public[part] if isinstance(public[part], list) else [public[part]]
        assert records
        assert all(set(record) == keys for record in records), part
    assert set(public["evidence"][0]["stance"]) == {"supports", "refutes", "neutral"}
    assert set(public["verdict"]["probabilities"]) == {"SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE"}
    json.dumps(public)


def test_public_form_of_a_check_that_has_only_begun() -> None:
    public = check_as_json(FactCheck(Claim("c", "A claim.")), state="queued")
    assert set(public) == KEYS
    assert (public["state"], public["verdict"], public["corpus"], public["evidence"]) == ("queued", None, None, [])
    assert (public["read_as"], public["denial"], public["no_verdict"]) == (None, False, None)


def test_public_values() -> None:
    check = whole_check()
    public = check_as_json(check)
    assert public["verdict"]["confidence"] == public["verdict"]["probabilities"]["SUPPORTED"] == 0.9123
    assert [evidence["verified"] for evidence in public["evidence"]] == [True, False]
    for evidence in public["evidence"]:
        assert check.pages[0].page.text[evidence["start"] : evidence["end"]] == evidence["text"]
    assert replace(check).timings == public["timings_ms"]
    assert (public["verdict"]["abstained"], public["verdict"]["grounded"]) == (False, True)
    without = public["verdict"]["without_evidence"]
    assert without["label"] == "NOT_ENOUGH_EVIDENCE"
    assert without["probabilities"] == {"SUPPORTED": 0.2, "REFUTED": 0.1, "NOT_ENOUGH_EVIDENCE": 0.7}


def test_public_form_of_a_verdict_that_was_not_tested() -> None:
    check = whole_check()
    assert check.verdict
    public = check_as_json(replace(check, verdict=replace(check.verdict, without_evidence=None, abstained=True)))
    assert (public["verdict"]["grounded"], public["verdict"]["without_evidence"]) == (None, None)
    assert public["verdict"]["abstained"] is True


def test_records_of_earlier_versions_are_read() -> None:
    """They kept one score, and left out the question of a pair where it was that of the pair before."""
    check = whole_check()
    old = dump_check(check)
    for stored in (*old["evidence"], *old["sentences"]):
        stored["score"] = stored.pop("relevance")
        del stored["rank_score"], stored["rank_method"]
    old["questions"] = [{"text": text, "answer": text, "sources": [1]} for text in ("When?", "", "Who?")]
    read = load_check(json.loads(json.dumps(old)))
    assert read.evidence == check.evidence
    assert [pair.question for pair in read.questions] == ["When?", "When?", "Who?"]


def test_score_is_the_relevance_whatever_ranks_a_sentence() -> None:
    check = whole_check()
    ranked = tuple(replace(e, relevance=0.25, rank_score=0.75, rank_method=RANKER) for e in check.evidence)
    (first, *_) = check_as_json(replace(check, evidence=ranked))["evidence"]
    assert (first["score"], first["rank_score"], first["rank_method"]) == (0.25, 0.75, "ranker")
    assert (ranked[0].weight, replace(ranked[0], rank_method="similarity").weight) == (0.75, 0.25)


def test_the_strongest_sentence_for_the_other_side_would_change_a_verdict() -> None:
    check = whole_check()
    assert check.verdict
    against = replace(check.evidence[0], stance=Stance(0.1, 0.8, 0.1), relevance=0.9)
    decided = replace(check, verdict=replace(check.verdict, label=Label.SUPPORTED), sentences=(against,))
    told = check_as_json(decided)["would_change"]
    assert set(told) == set(check_as_json(check)["evidence"][0])
    assert told["stance"]["refutes"] == 0.8
    assert check_as_json(replace(decided, verdict=None))["would_change"] is None
    assert "would_change" not in dump_check(decided), "it follows from the rest"


def test_where_claim_and_evidence_differ_is_told_and_kept() -> None:
    check = whole_check()
    first = replace(check.evidence[0], differs=Difference((0, 5), (12, 18)))
    check = replace(check, evidence=(first, *check.evidence[1:]))
    told = [one["differs"] for one in check_as_json(check)["evidence"]]
    paris, france = {"start": 0, "end": 5, "text": "Paris"}, {"start": 12, "end": 18, "text": "France"}
    assert told == [{"claim": paris, "sentence": france}, None]
    stored = json.loads(json.dumps(dump_check(check)))
    assert load_check(stored) == check
    for evidence in stored["evidence"]:
        del evidence["differs"]
    assert load_check(stored).evidence[0].differs is None, "as in records of earlier versions"


def test_a_form_is_filled_from_records_and_written_without_defaults() -> None:
    class Title(Form):
        number: int
        name: str
        note: Known = None

    first, second = SimpleNamespace(name="first"), SimpleNamespace(name="second", number=2, more=3)
    assert list(Title.of(first, second).as_json().items()) == [("number", 2), ("name", "first")]
    assert Title.of(first, second, number=1, note="").as_json() == {"number": 1, "name": "first", "note": None}
    with pytest.raises(ValidationError, match="number"):
        Title.of(first)
