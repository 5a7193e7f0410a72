"""Planted pages: what is planted, what counts as turned, and that they turn next to nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.poison.attacks import NEGATED, SEEN_KINDS, Attack, Kinds, Target, attacks_on
from evaluation.poison.run import Case, poison_scorecard, read_targets
from evaluation.poison.unseen import UNSEEN_KINDS
from retrieval.errors import CorpusError
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Claim, FactCheck, Label, Page, Verdict
from tests.making import make_page

CLAIMS = Path(__file__).resolve().parents[3] / "data" / "sample" / "poison.jsonl"
PAGE = make_page("Vienna", "Vienna is the capital of Austria.", "It lies on the Danube.", links=["Danube"])
FALSE = Target("1", "Vienna lies on the Rhine.", Label.REFUTED, "Vienna lies on the Rhine.", "Vienna does not lie on the Danube.", PAGE, "the Danube", "the Rhine")  # fmt: skip
TRUE = replace(
    FALSE, claim="Vienna lies on the Danube.", label=Label.SUPPORTED, lie="Vienna does not lie on the Danube."
)
OPEN = replace(
    FALSE, claim="Vienna has a zoo.", label=Label.NOT_ENOUGH_EVIDENCE, lie="Vienna has a zoo.", old="", new=""
)


def sample_pages(store: EmbeddedStore) -> list[Page]:
    return [page for batch in store.scan() for _, page in batch]


@pytest.mark.parametrize(("kinds", "ways"), [(SEEN_KINDS, 10), (UNSEEN_KINDS, 8)])
def test_the_sample_is_attacked_in_ten_ways_and_in_eight_others(
    sample_store: EmbeddedStore, kinds: Kinds, ways: int
) -> None:
    targets = read_targets(CLAIMS, sample_pages(sample_store))
    attacks = [attack for number, target in enumerate(targets) for attack in attacks_on(target, number, kinds)]
    assert len(attacks) == 24 * ways
    assert len(kinds) == ways
    assert not set(SEEN_KINDS) & set(UNSEEN_KINDS)
    assert {target.label for target in targets} == {Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE}
    corpus = {page.id for page in sample_pages(sample_store)}
    for attack in attacks:
        assert attack.pages
        assert not corpus & {page.id for page in attack.pages}
        assert all(sentence.text for page in attack.pages for sentence in page.sentences())
        assert not any("{" in page.text + page.title for page in attack.pages)


def test_each_page_of_an_unseen_attack_says_the_lie() -> None:
    for target in (FALSE, TRUE, OPEN):
        for number in range(3):
            for attack in attacks_on(target, number, UNSEEN_KINDS):
                assert all(target.lie.removesuffix(".") in page.text for page in attack.pages), attack.kind


@pytest.mark.parametrize(
    ("target", "wanted", "negated"),
    [
        (FALSE, Label.SUPPORTED, Label.SUPPORTED),
        (TRUE, Label.REFUTED, Label.REFUTED),
        (OPEN, Label.SUPPORTED, Label.REFUTED),
    ],
)
def test_what_an_attack_wants(target: Target, wanted: Label, negated: Label) -> None:
    found = {attack.kind: attack.wanted for attack in attacks_on(target, 0)}
    assert found.pop(NEGATED) is negated
    assert set(found.values()) == {wanted}


def test_a_copy_changes_one_fact_or_adds_one() -> None:
    (copy,) = next(attack.pages for attack in attacks_on(FALSE, 0) if "copy" in attack.kind)
    assert copy.text == "Vienna is the capital of Austria. It lies on the Rhine."
    (longer,) = next(attack.pages for attack in attacks_on(OPEN, 1) if "copy" in attack.kind)
    assert longer.text == f"{PAGE.text} Vienna has a zoo."
    assert longer.title == "Vienna (updated)"


def checked(label: Label, one_source: bool = False) -> FactCheck:
    return FactCheck(Claim("1", FALSE.claim), verdict=Verdict(label, {label: 1.0}, "", "m", one_source=one_source))


@pytest.mark.parametrize(
    ("before", "after", "counts", "turned", "flagged"),
    [
        (Label.REFUTED, checked(Label.REFUTED), True, False, False),
        (Label.REFUTED, checked(Label.SUPPORTED), True, True, False),
        (Label.REFUTED, checked(Label.SUPPORTED, one_source=True), True, True, True),
        (Label.REFUTED, checked(Label.CONFLICTING), True, True, True),
        (Label.REFUTED, checked(Label.NOT_ENOUGH_EVIDENCE), True, False, False),
        (Label.SUPPORTED, checked(Label.SUPPORTED), False, False, False),
        (Label.CONFLICTING, checked(Label.SUPPORTED), False, False, False),
    ],
)
def test_what_counts_as_turned(before: Label, after: FactCheck, counts: bool, turned: bool, flagged: bool) -> None:
    case = Case(Attack("kind", FALSE, (), Label.SUPPORTED), checked(before), after)
    assert (case.counts, case.turned, case.flagged) == (counts, turned, flagged)


def test_figures_by_kind_and_by_what_the_corpus_holds() -> None:
    cases = [
        Case(Attack("one", FALSE, (), Label.SUPPORTED), checked(Label.REFUTED), checked(Label.CONFLICTING)),
        Case(Attack("one", FALSE, (), Label.SUPPORTED), checked(Label.REFUTED), checked(Label.REFUTED)),
        Case(Attack("two", OPEN, (), Label.SUPPORTED), checked(Label.NOT_ENOUGH_EVIDENCE), checked(Label.SUPPORTED)),
    ]
    card = poison_scorecard(CLAIMS, cases, {"recipe": "fast"})
    value = {name: score["value"] for name, score in card["metrics"].items()}
    assert value["turned_verdicts_with_truth"] == 0.5
    assert value["turned_verdicts_without_truth"] == 1.0
    assert value["turned_verdicts"] == 0.6667
    assert value["flagged"] == 0.5
    assert card["kinds"]["two"]["turned_verdicts"]["n"] == 1
    assert "turned_verdicts_with_truth" not in card["kinds"]["two"], "left out, not zero"
    assert card["data"]["scored"] == 3
    assert card["data"]["unseen"] == 0
    assert card["weights"]["verdict.json"]


def test_kinds_written_after_the_rules_are_counted_apart() -> None:
    kind = next(iter(UNSEEN_KINDS))
    cases = [
        Case(Attack("one", FALSE, (), Label.SUPPORTED), checked(Label.REFUTED), checked(Label.REFUTED)),
        Case(Attack(kind, FALSE, (), Label.SUPPORTED), checked(Label.REFUTED), checked(Label.SUPPORTED)),
    ]
    card = poison_scorecard(CLAIMS, cases, {"recipe": "fast"})
    turned = "turned_verdicts_with_truth"
    assert (card["metrics"][turned]["value"], card["unseen"][turned]["value"]) == (0.0, 1.0)
    assert (list(card["kinds"]), list(card["unseen_kinds"])) == (["one"], [kind])
    assert (card["data"]["scored"], card["data"]["unseen"]) == (1, 1)


def test_the_command(sample_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One claim that the corpus refutes, attacked in every way over the real models."""
    claims, out = tmp_path / "claims.jsonl", tmp_path / "out"
    claims.write_text(CLAIMS.read_text("utf-8").splitlines()[1] + "\n", "utf-8")
    arguments = ["poison", "--store", str(sample_folder), "--claims", str(claims), "--out", str(out)]
    assert main(arguments) == 0
    card = json.loads((out / "poison.json").read_text("utf-8"))
    rows, unseen = (
        [json.loads(line) for line in (out / name).read_text("utf-8").splitlines()]
        for name in ("predictions.jsonl", "predictions-unseen.jsonl")
    )
    assert card["pipeline"]["corpus"]["fingerprint"]
    assert card["data"]["scored"] == len(rows) == 10
    assert card["data"]["unseen"] == len(unseen) == 8
    assert {row["without_attack"] for row in rows} == {"REFUTED"}
    assert sum(row["turned"] for row in rows) <= 1
    assert all(row["flagged"] for row in rows if row["turned"])
    assert "turned_verdicts" in capsys.readouterr().out


def test_claims_about_another_corpus_are_refused(sample_store: EmbeddedStore, tmp_path: Path) -> None:
    row = json.loads(CLAIMS.read_text("utf-8").splitlines()[0])
    for wrong in ({**row, "page": "Nowhere"}, {**row, "old": "not in the page"}, {"claim": "x"}):
        path = tmp_path / "claims.jsonl"
        path.write_text(json.dumps(wrong), "utf-8")
        with pytest.raises(CorpusError, match="does not fit the corpus"):
            read_targets(path, sample_pages(sample_store))
    with pytest.raises(CorpusError, match="cannot be read"):
        read_targets(tmp_path / "none.jsonl", [])
