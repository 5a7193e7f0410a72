"""Figures of the thesis' tables on hits by method and on evidence sets, by hand."""

from __future__ import annotations

from evaluation.fever.answers import Answer, row_answer
from evaluation.fever.data import GoldClaim
from evaluation.fever.scorecard import evidence_set_figures
from retrieval.types import Label

GOLD = frozenset({("A", 0), ("B", 3)})
CLAIM = GoldClaim("1", "x", Label.SUPPORTED, (GOLD,))
ANSWER = Answer(
    "SUPPORTS", 0.9, ("C", "A", "B"), (), evidence=(("C", 1), ("B", 3), ("A", 0), ("A", 1)),
    methods=("title", "bracket", "text"),
)  # fmt: skip


def test_by_hand() -> None:
    other = Answer("SUPPORTS", 0.9, ("A",), (), methods=("text",))
    assert evidence_set_figures([(CLAIM, ANSWER), (CLAIM, other)]) == {
        "hits_by_method": {"text": 0.6667, "bracket": 0.3333},
        "page_position": 2.0,
        "passage_position": 2.5,
        "evidence_set_size": 4.0,
    }


def test_what_is_not_known_is_left_out() -> None:
    none = GoldClaim("2", "y", Label.NOT_ENOUGH_EVIDENCE, ())
    assert evidence_set_figures([(none, ANSWER)]) == {}
    older = Answer("SUPPORTS", 0.9, ("A",), ())
    assert evidence_set_figures([(CLAIM, older)]) == {"page_position": 1.0}


def test_methods_come_back_from_the_journal() -> None:
    row = ANSWER.as_row("1")
    assert row_answer(row).methods == ANSWER.methods
    del row["page_methods"]
    assert row_answer(row).methods == ()
