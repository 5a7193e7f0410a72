"""Claims drawn as the thesis draws them, and the tables made of their answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.fever.answers import Answer
from evaluation.fever.data import GoldClaim
from evaluation.metrics import scores_as_json
from evaluation.thesis.drawn import drawn_claims
from evaluation.thesis.tables import SHIPPED, place_measures, table_figures, tables_text
from retrieval.errors import CorpusError
from retrieval.types import Label


def written(path: Path, ids: range, label: str = "SUPPORTS") -> Path:
    evidence = [[[None, None, "A", 0]]] if label == "SUPPORTS" else []
    rows = [{"id": n, "claim": f"Claim {n}.", "label": label, "evidence": evidence, "natural": n % 2 == 0} for n in ids]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def test_a_draw_is_the_same_for_a_seed_and_a_longer_one_begins_with_it(tmp_path: Path) -> None:
    paths = [written(tmp_path / "a", range(30)), written(tmp_path / "b", range(30, 60))]
    paths.append(written(tmp_path / "c", range(60, 90), "NOT ENOUGH INFO"))
    first = [claim.id for claim in drawn_claims(paths, 10, 1)]
    assert first == [claim.id for claim in drawn_claims(paths, 20, 1)][:10]
    assert first != [claim.id for claim in drawn_claims(paths, 10, 2)]
    everything = {int(claim.id) for claim in drawn_claims(paths, 1000)}
    assert everything == set(range(60)), "claims without evidence are left out"
    assert all(claim.natural for claim in drawn_claims(paths, 1000, natural=True))
    with pytest.raises(CorpusError, match="no claim with evidence"):
        drawn_claims(paths[2:])


def answer(pages: str, methods: str, *evidence: tuple[str, int]) -> Answer:
    names = {"t": "title", "b": "bracket", "x": "text"}
    found = tuple(names[letter] for letter in methods)
    return Answer("SUPPORTS", 0.9, tuple(pages), evidence, evidence=evidence, methods=found, milliseconds=500.0)


def gold(id: str, page: str) -> GoldClaim:
    return GoldClaim(id, f"Claim {id}.", Label.SUPPORTED, (frozenset({(page, 0)}),))


def test_the_place_of_a_right_page_is_counted_among_those_found_by_text() -> None:
    pairs = [(gold("1", "C"), answer("ABC", "txx")), (gold("2", "A"), answer("AB", "tx"))]
    scores = scores_as_json(place_measures(pairs))
    assert (scores["place_by_text"]["value"], scores["place_by_text"]["n"]) == (2.0, 1)
    assert (scores["place"]["value"], scores["place"]["low"], scores["place"]["high"]) == (2.0, 1.0, 3.0)
    assert scores["share_title"]["value"] == scores["share_text"]["value"] == 0.5
    assert "place_by_text" not in scores_as_json(place_measures(pairs[1:]))


def test_the_tables_hold_ours_and_the_theses_values() -> None:
    claims = [gold("1", "A"), gold("2", "B")]
    whole = {"1": answer("A", "t", ("A", 0)), "2": answer("AB", "tx", ("A", 0), ("B", 0))}
    other = {"1": answer("A", "t"), "2": answer("B", "x", ("B", 0))}
    card = table_figures(claims, {SHIPPED: whole, "dual pipeline": other})
    card |= {"data": {"paths": ["dev"], "claims": 2}, "pipeline": {"corpus": {"pages": 1234}}, "machine": "one core"}
    text = tables_text(card)
    assert "| document recall | 100.00 [100.00, 100.00] | 77.37 |" in text
    assert "| combined precision | 66.67 [" in text
    assert "| title | 50.00 [0.00, 100.00] | 85.64 |" in text
    assert "| text | 50.00 [0.00, 100.00] | 4.79 |" in text
    assert "| seconds a claim | 0.5 | 31.75 |" in text
    assert "| dual pipeline | 100.00 [100.00, 100.00] | 50.00 [0.00, 100.00] |" in text
