"""A German corpus from end to end: it is searched, and nobody gives a verdict who was not measured in German."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from evaluation.fever.answers import answer_of
from indexing.__main__ import main as index
from retrieval.__main__ import main
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages.languages import HOLDING, MeasuredLanguages, same_language
from retrieval.stores import open_store
from retrieval.stores.named import read_together
from retrieval.types import Claim, Evidence, FactCheck, NoVerdict, QuestionAnswer, Stance
from tests.making import make_page

TEXT = (
    "Die Stadt Brackwasser liegt am Meer. Die Straßenbahn zum Hafen wurde am 3. Mai 1987 eröffnet. Der Bürgermeister, Dr. "
    "Farrant, bezahlte sie aus dem Verkauf des alten Rathauses."
)
CLAIM = "Die Straßenbahnen zu den Häfen wurden im Jahr 1987 eröffnet."


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("german")
    (folder / "hafen.txt").write_text(TEXT, "utf-8")
    store = folder / "store"
    assert index(["documents", str(folder / "hafen.txt"), "--store", str(store), "--language", "de"]) == 0
    return store


def test_the_card_has_its_language_and_keeps_it(german: Path, tmp_path: Path) -> None:
    assert open_store(str(german)).info().language == "de"
    (page,) = open_store(str(german)).get(["document:hafen.txt#1"]).values() or [None]
    assert page is None or len(page.lines) == 3
    (tmp_path / "mehr.txt").write_text("Ein zweiter Text über den Hafen.", "utf-8")
    assert index(["documents", str(tmp_path / "mehr.txt"), "--store", str(german)]) == 0
    assert open_store(str(german)).info().language == "de"


@pytest.mark.parametrize("recipe", ["fast", "rag_fusion"])
def test_it_only_retrieves_and_says_so(german: Path, tmp_path: Path, recipe: str) -> None:
    resources = Resources(Settings(data=tmp_path, store=str(german)))
    assert resources.models(recipe) == {}
    check = resources.pipeline(recipe).run(Claim("c", CLAIM))
    assert check.verdict is None
    assert check.evidence[0].sentence.text == "Die Straßenbahn zum Hafen wurde am 3. Mai 1987 eröffnet."
    assert check.evidence[0].verified
    assert any("The corpus is in German" in note and "no verdict" in note for note in check.notes)


def test_a_german_folder_beside_an_english_corpus(german: Path, tmp_path: Path, sample_folder: Path) -> None:
    resources = Resources(Settings(data=tmp_path))
    both = {"corpus": open_store(str(sample_folder)), "corpus:hafen": open_store(str(german))}
    over = resources.over(read_together(both))
    assert over.only_retrieves()
    check = over.pipeline("fast").run(Claim("c", CLAIM))
    assert check.verdict is None
    assert any("English" in note and "German" in note for note in check.notes)


def test_a_reader_measured_in_it_gives_verdicts(german: Path, tmp_path: Path) -> None:
    chosen = {"relevance_model": "own/reader", "stance_model": "own/reader", "reader_languages": "de, es"}
    assert not Resources(Settings(data=tmp_path, store=str(german), **chosen)).only_retrieves()  # type: ignore[arg-type]
    ours = Resources(Settings(data=tmp_path, store=str(german), reader_languages="de"))
    assert ours.only_retrieves(), "what the settings say of our own reader does not count"


def test_the_command_line(
    german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setenv("STORE", str(german))
    assert main(["check", CLAIM, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] is None
    assert main(["check", CLAIM]) == 0
    assert "there is no verdict" in " ".join(capsys.readouterr().out.split())
    table, out = tmp_path / "claims.csv", tmp_path / "out.csv"
    table.write_text(f"claim\n{CLAIM}\n", "utf-8")
    assert main(["batch", str(table), "--out", str(out)]) == 0
    (row,) = csv.DictReader(io.StringIO(out.read_text("utf-8-sig")))
    assert (row["label"], row["error"]) == ("", "")
    assert "German" in row["reason"]
    assert "1987" in row["evidence"]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("Der Turm steht nicht in der Stadt Berlin, und er ist auch nicht sehr hoch.", NoVerdict.LANGUAGE),
        ("Cats are the most wonderful animals.", NoVerdict.OPINION),
        ("Warsaw is the capital of Poland.", None),
    ],
)
def test_what_is_typed_is_read_as_a_check_would_read_it(
    tmp_path: Path, sample_folder: Path, typed: str, why: NoVerdict | None
) -> None:
    """The sample declares no language, and a German claim is told before it is sent."""
    read = Resources(Settings(data=tmp_path, store=str(sample_folder))).read_claim(typed)
    assert read.no_verdict == why
    assert ("written in German" in " ".join(read.notes)) is (why == NoVerdict.LANGUAGE)


def test_a_claim_in_another_language_than_the_corpus(tmp_path: Path, sample_folder: Path) -> None:
    (tmp_path / "notes.txt").write_text("Berlin is the capital of Germany. It lies on the Spree.", "utf-8")
    store = tmp_path / "english"
    assert index(["documents", str(tmp_path / "notes.txt"), "--store", str(store), "--language", "en"]) == 0
    resources = Resources(Settings(data=tmp_path, store=str(store)))
    pipeline = resources.pipeline("fast")
    check = pipeline.run(Claim("c", "Berlin ist die Hauptstadt von Deutschland und liegt an der Spree."))
    assert check.verdict is None
    assert any("seems to be written in German" in note for note in check.notes)
    assert pipeline.run(Claim("c", "Berlin is the capital of Germany.")).verdict


@pytest.mark.parametrize("claim", ["Die Hauptstadt von Polen ist Warschau.", "Marie Curie est née à Varsovie."])
def test_a_claim_in_another_language_where_the_corpus_declares_none(
    tmp_path: Path, sample_folder: Path, claim: str
) -> None:
    """A German claim was once REFUTED with a probability of 47 %."""
    pipeline = Resources(Settings(data=tmp_path, store=str(sample_folder))).pipeline("fast")
    check = pipeline.run(Claim("c", claim))
    assert check.verdict is None
    assert check.pages, "what was found is shown"
    assert {one.stance.neutral for one in (*check.sentences, *check.evidence)} == {1.0}, "and takes no side"
    assert "measured in English only. There is no verdict: write the claim in English." in check.notes[-1]
    assert answer_of(check, None).as_submission("1")["predicted_label"] == "NOT ENOUGH INFO", (
        "one claim stops no scoring"
    )
    assert pipeline.run(Claim("c", "Marie Curie was born in Warsaw.")).verdict


def test_languages_that_the_reader_was_measured_in() -> None:
    german = FactCheck(Claim("c", "Die Zugspitze ist der höchste Berg Deutschlands."))
    for corpus, measured, noted in (("", {"en"}, True), ("", {"de", "en"}, False), ("en", {"de", "en"}, True)):
        (done,) = same_language(corpus, measured).run(german)
        assert bool(done.check.notes) == noted
    (done,) = same_language("", {"es", "en"}).run(german)
    assert done.check.notes[0].endswith(
        "measured in English and Spanish only. There is no verdict: write the claim in English or Spanish."
    )


def test_documents_whose_language_nobody_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A German file was once taken for English: a German claim was REFUTED by it with a probability of 77 %."""
    (tmp_path / "hafen.txt").write_text(TEXT, "utf-8")
    store = str(tmp_path / "store")
    assert index(["documents", str(tmp_path / "hafen.txt"), "--store", store]) == 0
    assert "The corpus declares German" in capsys.readouterr().err
    card = open_store(store).info()
    assert (card.language, card.stemmer) == ("de", "german")
    assert len(next(iter(open_store(store).get(["document:" + tmp_path.name + "/hafen.txt#1"]).values())).lines) == 3
    assert Resources(Settings(data=tmp_path, store=store)).pipeline("fast").run(Claim("c", CLAIM)).verdict is None


ENGLISH_TEXT = "Brackwasser is a town by the sea. Its tram to the harbour was opened in 1987."


@pytest.mark.parametrize("recipe", ["fast", "careful", "esoteric", "aic", "rag_fusion", "contextual"])
def test_a_stray_german_text_takes_no_part_in_a_verdict(tmp_path: Path, recipe: str) -> None:
    """German sentences once decided verdicts wherever the corpus declared English, or nothing."""
    (tmp_path / "hafen.txt").write_text(TEXT, "utf-8")
    (tmp_path / "town.txt").write_text(ENGLISH_TEXT, "utf-8")
    store = tmp_path / "store"
    paths = [str(tmp_path / name) for name in ("hafen.txt", "town.txt")]
    assert index(["documents", *paths, "--store", str(store), "--language", "en"]) == 0
    resources = Resources(Settings(data=tmp_path, store=str(store)))
    check = resources.pipeline(recipe).run(Claim("c", "The tram to the harbour of Brackwasser was opened in 1987."))
    assert check.verdict
    told = [one.sentence.text for one in (*check.sentences, *check.evidence)]
    assert any("tram" in text for text in told)
    assert not any("Straßenbahn" in text for text in told)
    assert all(1 <= source <= len(check.evidence) for pair in check.questions for source in pair.sources)
    noted = any("not measured in their language" in note and "in German" in note for note in check.notes)
    assert noted or recipe == "esoteric", "which finds them irrelevant already"


def test_what_is_left_of_questions_and_numbers() -> None:
    """Answers name their evidence by number, which shifts where a sentence before it is left out."""
    pages = [make_page("Hafen", TEXT.split(". ")[1] + "."), make_page("Town", ENGLISH_TEXT.split(". ")[0] + ".")]
    found = tuple(Evidence(page.sentences()[0], 0.5, Stance(0.5, 0.2, 0.3), "claim") for page in pages)
    asked = (QuestionAnswer("When?", "", (1,)), QuestionAnswer("Where?", "", (2,)), QuestionAnswer("Who?"))
    check = FactCheck(Claim("c", "x"), sentences=found, evidence=found, questions=asked)
    (done,) = MeasuredLanguages(("en",), HOLDING).run(check)
    assert (done.check.sentences, done.check.evidence) == (found[1:], found[1:])
    assert done.check.questions == (QuestionAnswer("Where?", "", (1,)), QuestionAnswer("Who?"))
    assert done.check.notes == (
        "Left out, because the judging models were not measured in their language: 1 in German.",
    )
    (done,) = MeasuredLanguages(("de", "en"), HOLDING).run(check)
    assert done.check == check
    (done,) = MeasuredLanguages(("de",), HOLDING).run(check)
    assert [one.sentence.title for one in done.check.evidence] == ["Hafen"]
