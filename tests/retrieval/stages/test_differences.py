"""Where a refuted claim and its evidence exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

import pytest

from retrieval.protocols import PairScorer
from retrieval.stages.verdict import Differences
from retrieval.types import Claim, Difference, Evidence, FactCheck, Label, Stance, Verdict
from retrieval.verdicts.differences import MOST_READ, exchanged
from tests.making import make_page

REFUTES = Stance(0.05, 0.9, 0.05)


class Knowing:
    """Supports the claims that it knows to be true, and counts what it reads."""

    def __init__(self, *true: str) -> None:
        self.true, self.read = true, list[str]()

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        self.read.append(claim)
        stance = Stance(0.9, 0.05, 0.05) if claim in self.true else REFUTES
        yield list(range(len(sentences))), [0.9] * len(sentences), [stance] * len(sentences)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        raise AssertionError("nothing is read together")


def evidence(title: str, text: str, stance: Stance = REFUTES) -> Evidence:
    return Evidence(make_page(title, text).sentences()[0], 0.9, stance, "claim")


def refuted(claim: str, *found: Evidence, label: Label = Label.REFUTED) -> FactCheck:
    verdict = Verdict(label, MappingProxyType({label: 1.0}), "", "local")
    return FactCheck(Claim("c", claim), evidence=found, verdict=verdict)


def marked(check: FactCheck, scorer: PairScorer | None = None) -> list[tuple[str, str] | None]:
    *_, last = Differences(scorer).run(check)
    claim = check.claim.text
    return [
        (claim[slice(*one.differs.claim)], one.sentence.text[slice(*one.differs.sentence)]) if one.differs else None
        for one in last.check.evidence
    ]


def test_quantities_that_exclude_each_other_need_no_reading() -> None:
    war = evidence("Crimean War", "The Crimean War lasted from 16 October 1853 to 30 March 1856.")
    scorer = Knowing()
    assert marked(refuted("The Crimean War began in 1856.", war), scorer) == [("1856", "16 October 1853")]
    assert scorer.read == []


@pytest.mark.parametrize(
    ("claim", "title", "text", "true", "spans"),
    [
        (
            "Oslo is the capital of Sweden.",
            "Oslo",
            "Oslo is the capital and most populous city of Norway.",
            "Oslo is the capital of Norway.",
            ("Sweden", "Norway"),
        ),
        (
            "Emma was written by Charles Dickens.",
            "Emma (novel)",
            "Emma is a novel by the English author Jane Austen.",
            "Emma was written by Jane Austen.",
            ("Charles Dickens", "Jane Austen"),
        ),
    ],
)
def test_the_part_after_whose_exchange_the_claim_holds(
    claim: str, title: str, text: str, true: str, spans: tuple[str, str]
) -> None:
    assert marked(refuted(claim, evidence(title, text)), Knowing(true)) == [spans]


def test_of_parts_that_would_hold_alike_the_one_with_the_same_word_behind_it() -> None:
    network = evidence("Varn One", "Varn One is a Norwegian Swedish-language network of four stations.")
    scorer = Knowing("Varn One is a Norwegian-language network.", "Varn One is a Swedish-language network.")
    assert marked(refuted("Varn One is a Danish-language network.", network), scorer) == [("Danish", "Swedish")]


def test_nothing_is_marked_where_no_exchange_makes_the_claim_true() -> None:
    scorer = Knowing()
    assert marked(refuted("Oslo is the capital of Sweden.", evidence("Oslo", "Oslo is in Norway.")), scorer) == [None]
    assert scorer.read


def test_few_claims_are_read_again_however_long_a_sentence_is() -> None:
    names = ", ".join(f"{a}{b}son Town" for a in "BCDFGHKL" for b in ("ar", "el", "in"))
    scorer = Knowing()
    assert exchanged(scorer, "Oslo lies in Sweden near Malmo in Skane.", evidence("List", f"It has {names}.")) is None
    assert 0 < len(scorer.read) <= MOST_READ


def test_only_the_sentence_that_decides_is_read_again() -> None:
    one = evidence("Oslo", "Oslo is the capital of Norway.", Stance(0.1, 0.6, 0.3))
    two = evidence("Norway", "Its capital is Oslo in Norway.")
    true = "Oslo is the capital of Norway."
    assert marked(refuted("Oslo is the capital of Sweden.", one, two), Knowing(true)) == [None, ("Sweden", "Norway")]


def test_a_claim_that_is_not_refuted_has_no_differences() -> None:
    war = evidence("Crimean War", "The Crimean War lasted from 16 October 1853 to 30 March 1856.")
    for label in (Label.SUPPORTED, Label.NOT_ENOUGH_EVIDENCE):
        assert marked(refuted("The Crimean War began in 1856.", war, label=label), Knowing()) == [None]
    check = replace(refuted("The Crimean War began in 1856.", war), verdict=None)
    assert marked(check, Knowing()) == [None]


def test_what_a_rule_found_stays_where_the_claim_is_refuted() -> None:
    sea = replace(evidence("Varn Sea", "The Varn Sea is salt."), differs=Difference((20, 25), (16, 20)))
    scorer = Knowing()
    assert marked(refuted("The Varn Sea is all fresh.", sea), scorer) == [("fresh", "salt")]
    assert scorer.read == []
    assert marked(refuted("The Varn Sea is all fresh.", sea, label=Label.NOT_ENOUGH_EVIDENCE)) == [None]


def test_without_a_scorer_only_quantities_are_compared() -> None:
    war = evidence("Crimean War", "The Crimean War lasted from 16 October 1853 to 30 March 1856.")
    assert marked(refuted("The Crimean War began in 1856.", war)) == [("1856", "16 October 1853")]
    assert marked(refuted("Oslo is the capital of Sweden.", evidence("Oslo", "Oslo is in Norway."))) == [None]


def test_a_misspelt_claim_is_marked_as_it_was_typed() -> None:
    war = evidence("Crimean War", "The Crimean War lasted from 16 October 1853 to 30 March 1856.")
    typed = Claim("c", "The Crimeaan War began in 1856.", respelt="The Crimean War began in 1856.")
    assert marked(replace(refuted("", war), claim=typed)) == [("1856", "16 October 1853")]


def test_a_misspelt_name_is_marked_itself() -> None:
    mill = replace(
        evidence("Far Mill", "The Far Mill was painted by Ana Bell."), differs=Difference((28, 37), (28, 36))
    )
    typed = Claim("c", "Teh Far Mil was painted by Rembrant Ol.", respelt="The Far Mill was painted by Rembrandt Ol.")
    assert marked(replace(refuted("", mill), claim=typed)) == [("Rembrant", "Ana Bell")]
    other = Claim("c", "Far Mil by Rembrant.", respelt="The Far Mill was painted by Rembrandt Ol.")
    assert marked(replace(refuted("", mill), claim=other)) == [None]


def test_a_denial_is_marked_beside_what_the_sentence_says() -> None:
    prize = evidence("Marie Curie", "She won the 1911 Nobel Prize in Chemistry.")
    found = marked(refuted("Marie Curie never won a Nobel Prize.", prize))
    assert found == [("never", "won the 1911 Nobel Prize")]


def test_what_the_sentence_denies_is_marked_with_its_denial() -> None:
    toilet = evidence("Thomas Crapper", "Contrary to what is told, Crapper did not invent the flush toilet.")
    found = marked(refuted("Thomas Crapper invented the flushing toilet.", toilet), Knowing())
    assert found == [("invented the flushing toilet", "not invent the flush toilet")]


@pytest.mark.parametrize(
    ("typed", "read", "title", "text", "spans"),
    [
        (
            "Tarn isn't the second lake of Varn.",
            "Tarn is the second lake of Varn.",
            "Tarn",
            "Tarn is the second lake of Varn, beside the Orn.",
            ("isn't", "second lake of Varn"),
        ),
        (
            "It is not true that Una Tam wrote Gulls.",
            "Una Tam wrote Gulls.",
            "Gulls",
            "Gulls is a novel by Una Tam.",
            ("not", "Una Tam"),
        ),
        (
            "The claim that Tarn is deep is a myth.",
            "Tarn is deep.",
            "Tarn",
            "Tarn is a cold and deep lake.",
            ("myth", "deep"),
        ),
        (
            "Tarn isnt a lake.",
            "Tarn is a lake.",
            "Tarn Lake",
            "Tarn Lake is in Varn.",
            ("isnt", "Tarn Lake"),
        ),
    ],
)
def test_a_denial_is_what_its_sentence_excludes(
    typed: str, read: str, title: str, text: str, spans: tuple[str, str]
) -> None:
    check = replace(refuted("", evidence(title, text)), claim=Claim("c", typed, read=read, turned=True))
    scorer = Knowing()
    assert marked(check, scorer) == [spans]
    assert scorer.read == []


def test_another_name_of_the_page_names_it() -> None:
    city = replace(evidence("Tarnholm", "It is the second largest city in Varn."), also="T. H.")
    assert marked(refuted("T. H. is the largest city in Varn.", city)) == [("largest", "second largest")]
