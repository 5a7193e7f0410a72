"""AVeriTeC's figures on cases reckoned by hand, and what must hold of any predictions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.__main__ import main
from evaluation.averitec import meteor as meteor_module
from evaluation.averitec.data import answer_parts, read_claims, read_predictions, row_prediction
from evaluation.averitec.meteor import DEBIAN, meteor
from evaluation.averitec.run import averitec_scorecard
from evaluation.averitec.scores import assignment_score, averitec_measures, claim_score, four_label_f1, plain_url
from evaluation.metrics import score_all
from retrieval.errors import CorpusError, SettingError
from retrieval.llm.reading.labels import LABELS

CLAIM = {
    "claim": "The bridge opened in 1932.",
    "label": "Refuted",
    "questions": [
        {
            "question": "When did the bridge open?",
            "answers": [
                {"answer": "No", "answer_type": "Boolean", "boolean_explanation": "It opened in 1931."},
                {
                    "answer": "In March 1931",
                    "answer_type": "Extractive",
                    "source_url": "https://www.bridge.example/history/#top",
                    "cached_source_url": "https://web.archive.org/web/20201129141238/https://bridge.example/history",
                },
            ],
        },
        {"question": "Who built it?", "answers": []},
    ],
}


def same(candidate: str, reference: str) -> float:
    """Stands in for METEOR where only matching and averaging are at stake."""
    return float(candidate == reference)


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(rows), "utf-8")
    return path


def perfect(claim: dict[str, Any]) -> dict[str, Any]:
    pairs = [(question["question"], answer) for question in claim["questions"] for answer in question["answers"]]
    texts = [a["answer"] + (f". {a['boolean_explanation']}" if a["answer_type"] == "Boolean" else "") for _, a in pairs]
    evidence = [
        {"question": q, "answer": t, "url": a.get("source_url")} for (q, a), t in zip(pairs, texts, strict=True)
    ]
    evidence += [{"question": q["question"], "answer": "No answer could be found."} for q in claim["questions"] if not q["answers"]]  # fmt: skip
    return {"claim_id": 0, "claim": claim["claim"], "pred_label": claim["label"], "evidence": evidence}


@pytest.fixture(scope="session")
def real_meteor(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], float]:
    try:
        return meteor(tmp_path_factory.mktemp("nltk_data"))
    except SettingError as error:
        pytest.skip(str(error))


def test_gold_texts_join_question_answer_and_the_reason_of_a_yes_or_no() -> None:
    assert [" ".join(pair) for pair in answer_parts(CLAIM["questions"])] == [  # type: ignore[arg-type]
        "When did the bridge open? No. It opened in 1931.",
        "When did the bridge open? In March 1931",
        "Who built it? No answer could be found.",
    ]


def test_matching_is_one_to_one_and_best_in_sum() -> None:
    table = {("a", "x"): 0.9, ("a", "y"): 0.8, ("b", "x"): 0.7, ("b", "y"): 0.1}
    # Greedy would take a-x and b-y, 1.0 in all; best is a-y and b-x, 1.5; two gold texts.
    assert assignment_score(["a", "b"], ["x", "y"], lambda p, g: table[p, g]) == pytest.approx(0.75)
    # An unmatched gold text counts as nothing found, a predicted one too many costs nothing.
    assert assignment_score(["a"], ["x", "y"], lambda p, g: table[p, g]) == pytest.approx(0.45)
    assert assignment_score(["a", "b", "c"], ["x"], lambda p, _: {"a": 0.2, "b": 0.6, "c": 0.0}[p]) == pytest.approx(
        0.6
    )
    assert assignment_score([], ["x"], same) == 0.0
    assert assignment_score(["a"], [], same) is None


def test_pairs_after_the_tenth_do_not_count() -> None:
    assert assignment_score([*"abcdefghij", "x"], ["x"], same) == 0.0
    assert assignment_score([*"abcdefghi", "x"], ["x"], same) == 1.0
    row = {"pred_label": "Refuted", "evidence": [{"question": str(n), "answer": "", "url": f"u{n}"} for n in range(11)]}
    assert len(row_prediction(row).pairs) == 11  # Read whole, cut when scored.


def test_meteor_is_what_its_definition_says(real_meteor: Callable[[str, str], float]) -> None:
    # Identical, four tokens, one chunk: F = 1, penalty 0.5 * (1/4)^3.
    assert real_meteor("The bridge opened.", "The bridge opened.") == pytest.approx(1 - 0.5 / 64)
    # One of two tokens: P = R = F = 1/2, one chunk of one match: penalty 0.5.
    assert real_meteor("red car", "red house") == pytest.approx(0.25)
    # A stem and a synonym match like the word itself: three of three, one chunk.
    assert real_meteor("a walking man", "a walked man") == pytest.approx(1 - 0.5 / 27)
    assert real_meteor("a quick car", "a quick auto") == pytest.approx(1 - 0.5 / 27)
    assert real_meteor("", "something") == 0.0
    # Recall weighs nine times precision: 10 P R / (9 P + R), P = 1/2, R = 1, then the penalty of one chunk of two.
    assert real_meteor("red car blue sky", "red car") == pytest.approx(0.5 / (0.9 * 0.5 + 0.1) * (1 - 0.5 / 8))


def test_sentence_ends_are_those_of_the_published_model(real_meteor: Callable[[str, str], float]) -> None:
    tokens = meteor_module._tokenizer()
    assert list(tokens("Mr. Lee of the U.S. Army left. He won't return.")) == [
        *["Mr.", "Lee", "of", "the", "U.S.", "Army", "left", ".", "He", "wo", "n't", "return", "."]
    ]


def test_sentence_ends_are_read_from_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = tmp_path / "punkt" / "data" / "english.py"
    planted.parent.mkdir(parents=True)
    for file in (planted, tmp_path / "punkt" / "__init__.py"):
        file.write_text("raise AssertionError('run')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SettingError, match="not the file that was published"):
        meteor_module.punkt_english()


def test_a_perfect_prediction_scores_one(tmp_path: Path, real_meteor: Callable[[str, str], float]) -> None:
    (gold,) = read_claims(write(tmp_path / "gold.json", [CLAIM]))
    said = row_prediction(perfect(CLAIM))
    assert claim_score(gold, said, same).pairs == 1.0
    card = averitec_scorecard([(gold, said)], {}, {"recipe": "predictions"}, real_meteor)
    values = {name: row["value"] for name, row in card["metrics"].items()}
    assert values["label_accuracy"] == values["averitec@0.50"] == values["url_hit_rate"] == values["url_recall"] == 1.0
    assert values["qa_meteor"] > 0.995  # METEOR's penalty for one chunk: 0.5 / tokens^3
    assert values["macro_f1"] == 0.25  # Labels that do not occur count as 0, as the shared task has it.


def test_thresholds_are_strict_and_need_the_right_label(tmp_path: Path) -> None:
    (gold,) = read_claims(write(tmp_path / "gold.json", [CLAIM]))
    said = row_prediction(perfect(CLAIM))
    found = score_all(averitec_measures([(gold, said)], [claim_score(gold, said, lambda *_: 0.25)]))
    assert found["averitec@0.20"].value == 1.0
    assert found["averitec@0.25"].value == 0.0
    wrong = row_prediction({**perfect(CLAIM), "pred_label": "Supported"})
    found = score_all(averitec_measures([(gold, wrong)], [claim_score(gold, wrong, same)]))
    assert found["averitec@0.10"].value == found["label_accuracy"].value == 0.0


labels = st.sampled_from(list(LABELS))


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=40), st.randoms())
def test_order_does_not_matter(pairs: list[tuple[str, str]], rng: random.Random) -> None:
    from sklearn.metrics import f1_score

    f1 = float(four_label_f1([g for g, _ in pairs], [s for _, s in pairs]).figure())
    gold, said = zip(*pairs, strict=True)
    assert f1 == pytest.approx(f1_score(gold, said, labels=list(LABELS), average="macro", zero_division=0))
    rng.shuffle(pairs)
    assert float(four_label_f1([g for g, _ in pairs], [s for _, s in pairs]).figure()) == pytest.approx(f1)


@given(st.lists(st.text("abc ", max_size=6), max_size=9), st.lists(st.text("abc ", max_size=6), min_size=1, max_size=4))
def test_score_keeps_its_bounds_and_ignores_order_within_a_claim(predicted: list[str], gold: list[str]) -> None:
    def overlap(one: str, other: str) -> float:
        return len(set(one) & set(other)) / max(1, len(set(one) | set(other)))

    score = assignment_score(predicted, gold, overlap)
    assert score is not None
    assert 0.0 <= score <= 1.0
    assert assignment_score(predicted[::-1], gold[::-1], overlap) == pytest.approx(score)
    assert assignment_score([*predicted, "b"], gold, overlap) >= score - 1e-9  # type: ignore[operator]


def test_pages_and_their_archived_copies_are_the_same() -> None:
    plain = "bridge.example/History?a=1"
    for url in (
        "https://www.Bridge.example/History?a=1#part",
        "http://bridge.example/History?a=1/",
        "https://web.archive.org/web/20210111003633/https://www.bridge.example/History?a=1",
        "https://web.archive.org/web/20210111003633id_/http://bridge.example/History?a=1",
    ):
        assert plain_url(url) == plain


def test_older_form_of_predictions_is_read_too() -> None:
    said = row_prediction({**CLAIM, "label": "Supported"})
    assert said.label == "Supported"
    assert list(said.pairs) == [" ".join(pair) for pair in answer_parts(CLAIM["questions"])]  # type: ignore[arg-type]
    assert row_prediction({"label": "Refuted", "string_evidence": ["One text."]}).questions == ("One text.",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[1]", "list of objects"),
        ('[{"claim_id": 1}]', "prediction 0 cannot be read"),
        ('[{"claim_id": 1, "pred_label": 3, "evidence": []}]', "not text"),
        ('{"claim_id": 1, "pred_label": "a", "evidence": []}\n{"claim_id": "1", "pred_label": "a", "evidence": []}', "second time"),
    ],
)  # fmt: skip
def test_unreadable_predictions_are_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "said.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CorpusError, match=words):
        read_predictions(path)


def test_a_claim_with_a_label_of_its_own_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="claim 0 cannot be read"):
        read_claims(write(tmp_path / "gold.json", [{**CLAIM, "label": "Mostly true"}]))


def test_command_scores_predictions_in_any_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_meteor: object, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA", str(tmp_path))
    gold = write(tmp_path / "gold.json", [CLAIM, {**CLAIM, "label": "Supported"}, CLAIM])
    said = [{**perfect(CLAIM), "claim_id": 1, "pred_label": "True"}, perfect(CLAIM)]
    out = tmp_path / "out"
    assert main(["averitec", str(gold), "--predictions", str(write(tmp_path / "p.json", said)), "--out", str(out)]) == 1
    card = json.loads((out / "scorecard.json").read_text("utf-8"))
    assert card["data"]["scored"] == 2
    assert card["metrics"]["label_accuracy"]["value"] == 0.5
    rows = [json.loads(line) for line in (out / "predictions.jsonl").read_text("utf-8").splitlines()]
    assert [row["claim_id"] for row in rows] == [0, 1]
    assert set(rows[0]) == {"claim_id", "claim", "pred_label", "evidence"}
    assert "on AVeriTeC" in (out / "report.html").read_text("utf-8")
    shown = capsys.readouterr()
    assert "'True'" in shown.err
    assert "1 of 3 claims are not scored" in shown.err
    again = tmp_path / "again"
    assert main(["averitec", str(gold), "--predictions", str(out / "predictions.jsonl"), "--out", str(again)]) == 1
    assert json.loads((again / "scorecard.json").read_text("utf-8"))["metrics"] == card["metrics"]


def test_wordnet_that_is_nowhere_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(meteor_module, "DEBIAN", tmp_path / "none")
    monkeypatch.setattr(meteor_module, "_download", lambda _: None)
    with pytest.raises(SettingError, match="apt-get install wordnet-base wordnet-sense-index"):
        meteor(tmp_path / "nltk_data")


def test_folders_that_other_packages_put_beside_wordnet_are_no_hindrance(tmp_path: Path) -> None:
    """Debian's `wordnet-base` recommends some that do."""
    source, target = tmp_path / "wordnet", tmp_path / "nltk_data" / "corpora" / "wordnet"
    (source / "recommended" / "deep").mkdir(parents=True)
    (source / "data.noun").write_text("entity", "utf-8")
    meteor_module.copy_debian(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["data.noun", "lexnames"]


@pytest.mark.skipif(not DEBIAN.is_dir(), reason=f"{DEBIAN} is not here: apt-get install wordnet-base")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "corpora").write_text("a file", "utf-8")
    with pytest.raises(SettingError, match="WordNet cannot be copied"):
        meteor_module.copy_debian(DEBIAN, tmp_path / "corpora" / "wordnet")
