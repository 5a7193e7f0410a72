"""report.html: well-formed, self-contained, and safe whatever the data hold."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fever.answers import Answer
from evaluation.fever.compare import compare_runs
from evaluation.fever.data import GoldClaim
from evaluation.fever.failures import choose_examples, readable
from evaluation.fever.scorecard import abstention, coverage_curve, fever_scorecard, per_label
from evaluation.report import charts
from evaluation.report.page import fever_report
from retrieval.types import Label

VOID = {"meta", "br", "hr", "img", "link"}
HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;</title></style>'\x00\ud800\u202e"


class Checker(HTMLParser):
    """Fails where elements do not close in the order in which they opened."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    return checker


def run_of(text: str = "A claim.", page: str = "Page_-LRB-film-RRB-") -> list[tuple[GoldClaim, Answer]]:
    """Twelve claims: right, wrong label, missed sentence, missed page, with and without evidence."""
    supported = GoldClaim("1", text, Label.SUPPORTED, (frozenset({(page, 0)}),))
    refuted = GoldClaim("2", text, Label.REFUTED, (frozenset({(page, 1), ("Other", 3)}),), natural=False)
    unknown = GoldClaim("3", text, Label.NOT_ENOUGH_EVIDENCE, ())
    timings = {"pages": 3.0, f"sentences {text}": 90.0}

    def answer(label: str, confidence: float, *found: tuple[str, int]) -> Answer:
        pages = tuple(dict.fromkeys(name for name, _ in found))
        return Answer(label, confidence, pages, found, 100 * confidence, found[:2], (1, 1), timings, text, 300)

    return [
        (supported, answer("SUPPORTS", 0.9, (page, 0), ("X", 1))),
        (supported, answer("REFUTES", 0.8, (page, 0))),
        (supported, answer("SUPPORTS", 0.4, (page, 7))),
        (refuted, answer("REFUTES", 0.7, (page, 1), ("Other", 3))),
        (refuted, answer("NOT ENOUGH INFO", 0.6, ("Y", 0))),
        (unknown, answer("NOT ENOUGH INFO", 0.5)),
        (unknown, answer("SUPPORTS", 0.95, ("Z", 0))),
    ]


def card_of(pairs: list[tuple[GoldClaim, Answer]], name: str = "fast") -> dict[str, Any]:
    data = {"path": name, "sha256": "0" * 64, "claims": len(pairs), "scored": len(pairs), "natural": False}
    corpus = {"fingerprint": name, "pages": 2}
    pipeline = {"recipe": name, "models": {name: name}, "settings": {name: name}, "corpus": corpus}
    return fever_scorecard(pairs, data, pipeline)


def report_of(pairs: list[tuple[GoldClaim, Answer]], name: str = "fast", other: bool = False) -> str:
    card = card_of(pairs, name)
    if other:
        card["comparison"] = compare_runs(pairs, name, {claim.id: answer for claim, answer in reversed(pairs)})
    return fever_report(card, choose_examples(pairs, lambda pointers: dict.fromkeys(pointers, name)))


def test_the_report_is_well_formed_and_tells_what_was_asked() -> None:
    page = report_of(run_of(), other=True)
    found = parsed(page)
    text = " ".join(found.text)
    for heading in (
        "Labels",
        "Can you trust its confidence?",
        "Finding the evidence",
        "Evidence sets",
        "sentences shown, mean",
        "Time",
        "All figures",
        "What was run",
    ):
        assert heading in text
    for example in ("Missed pages: 1", "Missed sentences: 1", "Wrong labels: 2", "Page (film)"):
        assert example in text
    assert {"svg", "table", "details", "polyline"} <= found.seen
    assert text.count("Reliability diagram") == 1
    ids = [value for name, value in found.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    assert {f"#{id}" for id in ids} == {value for name, value in found.attributes if name == "href"}


def test_classes_of_claims_have_their_figures_and_bars() -> None:
    kinds = ["number", "number", "number", "two-hop", "two-hop", "", HOSTILE]
    pairs = [(replace(claim, kind=kind), answer) for (claim, answer), kind in zip(run_of(), kinds, strict=True)]
    data = {"path": "p", "sha256": "0" * 64, "claims": 7, "scored": 7}
    pipeline: dict[str, Any] = {"recipe": "fast", "models": {}, "settings": {}, "corpus": {}}
    card = fever_scorecard(pairs, data, pipeline)
    assert list(card["classes"]) == ["number", "two-hop", HOSTILE]
    assert card["classes"]["number"]["label_accuracy"]["n"] == 3
    assert card["classes"]["number"]["label_accuracy"]["value"] == pytest.approx(0.6667)
    assert "stance_accuracy_gold" not in card["classes"][HOSTILE], "there is nothing to compute it from"
    text = "".join(parsed(fever_report(card, [])).text)
    assert "By class of claim" in text
    assert "two-hop: 50.0" in text
    assert "By class of claim" not in report_of(run_of())


def test_nothing_is_fetched_and_nothing_runs() -> None:
    page = report_of(run_of(), other=True)
    assert not {"script", "link", "img", "iframe", "object"} & parsed(page).seen
    assert "http" not in page
    assert "url(" not in page
    assert "@import" not in page


def test_hostile_text_stays_text() -> None:
    found = parsed(report_of(run_of(HOSTILE, HOSTILE), HOSTILE, other=True))
    assert not {"script", "img"} & found.seen
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    text = "".join(found.text)
    assert "<script>alert(1)</script>" in text, "it is shown as it was written"
    assert "\x00" not in text
    text.encode("utf-8")


@pytest.mark.parametrize("rows", [slice(0, 1), slice(5, 6), slice(5, 7), slice(4, 5)])
def test_small_runs_have_a_report(rows: slice) -> None:
    """One claim, claims without evidence, claims without a found page: all that could divide by nothing."""
    pairs = run_of()[rows]
    found = parsed(report_of(pairs))
    text = " ".join(found.text)
    assert f"{len(pairs)} claims" in text or f"{len(pairs)} of {len(pairs)}" in text
    assert {"svg", "table"} <= found.seen
    assert not re.search(r"\b(nan|inf|None)\b", text)


@given(st.text(), st.text())
def test_text_and_attributes_come_out_as_they_went_in(text: str, value: str) -> None:
    found = parsed(
        charts.templates().from_string('<p title="{{ value }}">{{ text }}</p>').render(text=text, value=value)
    )
    clean = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
    expected = clean.sub("\ufffd", text), clean.sub("\ufffd", value)
    assert ("".join(found.text), found.attributes) == (expected[0], [("title", expected[1])])


def test_markup_is_not_escaped_twice_and_numbers_are_short() -> None:
    template = charts.templates().from_string(
        "{% macro bold(text) %}<b>{{ text }}</b>{% endmacro %}{{ bold('<') }}{{ x }}{{ y }}"
    )
    assert template.render(x=1.0, y=0.3333) == "<b>&lt;</b>10.33"


def test_points_lie_where_the_scale_says() -> None:
    axes = charts.Axes((0, 10), (0, 1), [], [], "")
    assert axes.place(0, 0) == (charts.LEFT, charts.CHART_HEIGHT - charts.BOTTOM)
    assert axes.place(10, 1) == (charts.CHART_WIDTH - charts.RIGHT, charts.TOP)
    assert axes.place(99, 9) == axes.place(10, 1), "what is off the scale lies on its edge"
    assert [charts.round_step(x) for x in (0.9, 1, 1.1, 3, 7, 132)] == [1, 1, 2, 5, 10, 200]


def test_accuracy_by_coverage() -> None:
    curve = coverage_curve([0.9, 0.5, 0.7, 0.6], [True, False, True, False])
    assert curve == [[0.25, 1.0, 0.9], [0.5, 1.0, 0.7], [0.75, 0.6667, 0.6], [1.0, 0.5, 0.5]]


def test_what_each_threshold_of_abstaining_brings() -> None:
    rows = abstention([0.9, 0.5, 0.7, 0.6], [True, False, True, False])
    found = {row["below"]: (row["answered"], row["accuracy"]) for row in rows}
    assert found[0.0] == found[0.5] == (1.0, 0.5)
    assert found[0.6] == (0.75, 0.6667)
    assert found[0.9] == (0.25, 1.0)
    assert abstention([0.5], [True])[-1]["accuracy"] is None, "nothing answered, nothing right"


def test_the_curve_is_named_and_tied_to_the_setting() -> None:
    card = card_of(run_of())
    text = " ".join(parsed(fever_report(card, [])).text)
    assert "Coverage-accuracy curve" in text
    assert "ABSTAIN_BELOW" in text
    del card["abstention"]  # as scorecards of earlier versions are
    assert "ABSTAIN_BELOW" not in fever_report(card, [])


def test_the_table_of_labels() -> None:
    table = per_label(["SUPPORTS", "SUPPORTS", "REFUTES"], ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"])
    assert list(table) == ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    assert table["SUPPORTS"] == {"precision": 1.0, "recall": 0.5, "f1": 0.6667, "gold": 2, "predicted": 1}
    assert table["NOT ENOUGH INFO"] == {"precision": 0.0, "recall": None, "f1": 0.0, "gold": 0, "predicted": 1}


def test_page_ids_as_people_read_them() -> None:
    assert readable("Savages_-LRB-2012_film-RRB-") == "Savages (2012 film)"
    assert readable("2001-COLON-_A_Space_Odyssey") == "2001: A Space Odyssey"
    assert readable("Emil_Za\u0301topek") == "Emil Zátopek"
