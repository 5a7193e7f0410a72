"""Whether the page of a sentence is found by the claims made of it, over the sample corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.extraction.standing import (
    SourceSentence,
    claims_from,
    evaluate_standing,
    page_of,
    read_sources,
    sentence_before,
    share,
)
from retrieval.errors import CorpusError
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stores.embedded.store import EmbeddedStore

ROWS = [
    {"title": "Marie Curie", "sentence": "She was born in Warsaw.", "claims": ["Marie Curie was born in Warsaw."]},
    {"title": "Savages (2012 film)", "sentence": "It was directed by Oliver Stone.", "claims": ["Savages is a film."]},
    {"title": "Nobody Known", "sentence": "He was born.", "claims": ["Nobody Known was born."]},
]


def test_a_page_is_found_by_its_name(sample_store: EmbeddedStore) -> None:
    assert page_of(sample_store, "Savages (2012 film)") == "Savages_-LRB-2012_film-RRB-"
    assert page_of(sample_store, "Nobody Known") == ""
    assert share(sample_store, "Marie Curie", ["Marie Curie won.", "He left in the evening."]) == 0.5


def test_claims_with_the_title_are_found_like_those_of_people(tmp_path: Path, sample_folder: Path) -> None:
    path = tmp_path / "taken.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    card = evaluate_standing(path, tmp_path / "out", Settings(store=str(sample_folder)))
    found = {name: score["value"] for name, score in card["metrics"].items()}
    assert card["data"]["scored"] == 2
    assert found["page_found@10"] == found["page_found@10_people"] == 1
    assert 0 <= found["page_found@10_sentence"] <= 1


def test_without_its_title_a_sentence_is_read_behind_the_one_before_it(
    tmp_path: Path, sample_store: EmbeddedStore
) -> None:
    page = sample_store.get(["Marie_Curie"])["Marie_Curie"]
    first, second = [sentence.text for sentence in page.sentences()][:2]
    assert sentence_before(sample_store, SourceSentence("Marie Curie", second, ())) == first
    assert sentence_before(sample_store, SourceSentence("Marie Curie", first, ())) == ""
    assert sentence_before(sample_store, SourceSentence("Marie Curie", "Nothing like it stands there.", ())) == ""
    finder = Resources(Settings()).claim_finder()
    (claim,) = claims_from(
        finder, SourceSentence("", "She was born in Warsaw.", ()), "", "Marie Curie was a physicist."
    )
    assert (claim.text, claim.context) == ("Marie Curie was born in Warsaw.", "Marie Curie was a physicist.")


def test_the_command_can_withhold_the_title(tmp_path: Path, sample_folder: Path) -> None:
    path = tmp_path / "taken.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    card = evaluate_standing(path, tmp_path / "out", Settings(store=str(sample_folder)), title=False)
    assert card["pipeline"]["settings"] == {"pages": 10, "title": False}
    found = {name: score["value"] for name, score in card["metrics"].items()}
    assert found["page_found@10"] <= found["page_found@10_people"] == 1
    assert found["page_found@10_below_people"] == pytest.approx(1 - found["page_found@10"])


def test_lines_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "taken.jsonl"
    path.write_text(json.dumps(ROWS[0]) + "\n{}\n", "utf-8")
    with pytest.raises(CorpusError, match="line 2"):
        read_sources(path)
    path.write_text(json.dumps({**ROWS[0], "claims": []}) + "\n" + json.dumps(ROWS[0]) + "\n", "utf-8")
    assert read_sources(path) == [
        SourceSentence("Marie Curie", "She was born in Warsaw.", ("Marie Curie was born in Warsaw.",))
    ]
