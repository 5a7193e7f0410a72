"""`python -m retrieval` from end to end, with the real models, on the sample corpus."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.__main__ import main
from retrieval.errors import LLMError
from retrieval.models.catalogue import MODELS
from retrieval.output.batch import COLUMNS
from retrieval.recipes import RECIPES
from retrieval.stages.claim import ClaimSpans
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import FactCheck, Progress
from tests.app.process import free_port
from tests.retrieval.output.test_record import KEYS

ROOT = Path(__file__).resolve().parents[2]
CLAIM = "The director of Casablanca was born in Budapest."
ERROR = COLUMNS.index("error") - len(COLUMNS)  # from a row's end, as the table's own columns come first


@pytest.fixture(autouse=True)
def over_the_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_folder: Path) -> None:
    monkeypatch.setenv("STORE", str(sample_folder))
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.delenv("RECIPE", raising=False)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err.strip()


def test_a_real_process_prints_the_whole_check_as_json(sample_folder: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "retrieval", "check", CLAIM, "--json", "--store", str(sample_folder)],
        cwd=ROOT,
        env={**os.environ, "DATA": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    check = json.loads(ended.stdout)
    assert set(check) == KEYS
    assert (check["claim"], check["recipe"], check["state"]) == (CLAIM, "careful", "done")
    assert check["verdict"]["label"] in ("SUPPORTED", "REFUTED", "NOT_ENOUGH_EVIDENCE", "CONFLICTING")
    assert check["verdict"]["grounded"] in (True, False, None)
    assert sum(check["verdict"]["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert check["verdict"]["confidence"] == max(check["verdict"]["probabilities"].values())
    assert 1 <= len(check["evidence"]) <= 5
    store = EmbeddedStore(sample_folder)
    assert check["corpus"] == {"fingerprint": store.info().fingerprint, "pages": 302}
    for evidence in check["evidence"]:
        page = store.get([evidence["page_id"]])[evidence["page_id"]]
        assert page.text[evidence["start"] : evidence["end"]] == evidence["text"]
        assert (evidence["line"], evidence["start"], evidence["end"]) in page.lines
        assert evidence["verified"]
        assert sum(evidence["stance"].values()) == pytest.approx(1, abs=1e-3)
    assert "Casablanca_-LRB-film-RRB-" in [page["page_id"] for page in check["pages"]]
    assert all(check["claim"][span["start"] : span["end"]] == span["text"] for span in check["spans"])
    assert [name for name in check["timings_ms"] if name != "other languages"] == [
        *RECIPES["careful"].stages,
        "differences",
        "language",
    ]
    assert set(check["models"]) == set(RECIPES["careful"].roles)
    assert check["created"] <= check["finished"]


def test_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", CLAIM]) == 0
    out = capsys.readouterr().out
    assert out.startswith(CLAIM + "\n\n")
    assert "1. " in out
    assert "recipe careful." in out
    assert "\033" not in out


@pytest.mark.usefixtures("anew")
def test_the_same_claim_gets_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    checks = []
    for _ in range(2):
        assert main(["check", CLAIM, "--json"]) == 0
        check = json.loads(capsys.readouterr().out)
        checks.append(
            {key: value for key, value in check.items() if key not in ("id", "timings_ms", "created", "finished")}
        )
    assert checks[0] == checks[1]


@pytest.mark.parametrize(
    "claim",
    [
        "<script>alert(1)</script> Casablanca",
        'OR AND NOT "Casablanca" -film ^2 title:x',
        "Casablanca " * 40,
    ],
)
def test_claims_that_are_odd_are_checked(claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", claim, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]


def test_a_bare_number_is_no_statement(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "7", "--json"]) == 0
    check = json.loads(capsys.readouterr().out)
    assert (check["verdict"], check["no_verdict"]) == (None, "phrase")
    assert check["notes"]


@pytest.mark.parametrize("claim", ["كازابلانكا فيلم", "Casablanca ist ein Film aus dem Jahr 1942."])
def test_claims_in_another_language_are_searched_and_not_judged(claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", claim, "--json"]) == 0
    check = json.loads(capsys.readouterr().out)
    assert check["verdict"] is None
    assert "There is no verdict: write the claim in English." in check["notes"][-1]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("", "There is no claim."),
        ("  \n", "There is no claim."),
        ("🎬🎬", "The claim has no words."),
        ("x" * 10_000, "The claim has 10,000 characters; at most 500 are read."),
        ("half \udcff", "The claim contains half a character."),
    ],
)
def test_what_is_no_claim(claim: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "check", claim).startswith(sentence)


def test_a_knob_of_the_recipe_is_set_for_one_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", CLAIM, "--json", "--recipe", "aic", "--set", "local_chunks=1", "--set", "answers=1"]) == 0
    assert len(json.loads(capsys.readouterr().out)["pages"]) == 1
    assert refused(capsys, "check", CLAIM, "--recipe", "aic", "--set", "chunk=1").endswith("Did you mean `chunks`?")
    assert refused(capsys, "check", CLAIM, "--set", "chunks=1").startswith(
        "`--set chunks=1` names no knob of recipe careful"
    )
    monkeypatch.setenv("AIC_KEPT", "1")
    assert main(["check", CLAIM, "--json", "--recipe", "aic"]) == 0
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)["pages"]) == 1
    assert captured.err.startswith("AIC_KEPT in the environment is `chunks` of `[recipes.aic]`")
    monkeypatch.setenv("AIC_KEPT", "one")
    assert main(["recipes"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("`chunks` of recipe aic is 'one'")


def test_what_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "check", CLAIM, "--recipe", "slow").startswith(
        "There is no recipe named 'slow'. Choose one of: "
    )
    assert refused(capsys, "check", CLAIM, "--store", str(tmp_path / "none")).startswith("There is no corpus at ")
    nobody = f"http://127.0.0.1:{free_port()}/pages"
    assert "cannot be reached" in refused(capsys, "check", CLAIM, "--store", nobody)


def test_a_setting_without_sense(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TOP_PAGES", "ten")
    assert refused(capsys, "check", CLAIM).startswith("TOP_PAGES is 'ten'")


def test_settings_of_the_environment_are_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOP_EVIDENCE", "1")
    monkeypatch.setenv("CLAIM_LENGTH", "60")
    assert main(["check", CLAIM, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["evidence"]) <= 1
    assert "at most 60 are read" in refused(capsys, "check", "x" * 61)


def test_a_check_that_is_not_sure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ABSTAIN_BELOW", "1")
    assert main(["check", CLAIM, "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert verdict["abstained"] is True
    assert verdict["confidence"] == verdict["probabilities"][verdict["label"]]


@pytest.mark.parametrize("arguments", [(), ("check",), ("nonsense",), ("check", "a", "b"), ("batch", "a.csv")])
def test_wrong_arguments(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_recipes_and_models_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipes"]) == 0
    out = capsys.readouterr().out
    assert all(recipe in out for recipe in RECIPES)
    assert main(["models"]) == 0
    out = capsys.readouterr().out
    assert all(model.name in out and model.licence in out for model in MODELS)


# A table of claims.


def batch(tmp_path: Path, table: str | bytes) -> tuple[int, list[list[str]]]:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_bytes(table if isinstance(table, bytes) else table.encode())
    code = main(["batch", str(source), "--out", str(target)])
    with open(target, encoding="utf-8-sig", newline="") as file:
        return code, list(csv.reader(file))


def test_a_table_is_answered_row_by_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = batch(tmp_path, f'\ufeffnumber,Claim\n1,{CLAIM}\n\n2,"Casablanca is a film, really."\n')
    assert code == 0
    assert rows[0] == ["number", "Claim", *COLUMNS]
    assert [row[:2] for row in rows[1:]] == [["1", CLAIM], ["2", "Casablanca is a film, really."]]
    for row in (dict(zip(rows[0], values, strict=True)) for values in rows[1:]):
        assert row["label"]
        assert 0 < float(row["confidence"]) <= 1
        assert row["reason"]
        assert not row["error"]
        assert row["abstained"] == "False"
        assert row["grounded"] in ("True", "False", "")
        addresses, quotations = row["url"].split(" | "), row["evidence"].split(" | ")
        assert len(addresses) == len(quotations)
        assert {one.partition("/wiki/")[0] for one in addresses} == {"https://en.wikipedia.org"}
        assert set(row["retrieved"].split(" | ")) == {"2017-06"}
        assert row["revision"] == ""
    assert "2 claims checked, 0 could not be" in capsys.readouterr().out


def test_rows_that_are_no_claims_are_named_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = batch(tmp_path, f"claim\n🎬\n{CLAIM}\n{'x' * 600}\n")
    assert code == 1
    assert [row[ERROR][:20] for row in rows[1:]] == ["The claim has no wor", "", "The claim has 600 ch"]
    assert "1 claims checked, 2 could not be" in capsys.readouterr().out


@pytest.mark.parametrize("fault", [LLMError("The server is away. Start it."), ZeroDivisionError("0 / 0")])
def test_a_claim_that_fails_does_not_cost_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    real = ClaimSpans.run

    def failing(self: ClaimSpans, check: FactCheck) -> Iterator[Progress]:
        if "second" in check.claim.text:
            raise fault
        yield from real(self, check)

    monkeypatch.setattr(ClaimSpans, "run", failing)
    code, rows = batch(tmp_path, f"claim\n{CLAIM}\nCasablanca is the second claim.\n{CLAIM}\n")
    assert code == 1
    assert [bool(row[ERROR]) for row in rows[1:]] == [False, True, False]
    assert str(fault) in rows[2][ERROR]
    assert rows[1][1] == rows[3][1] != ""


def test_tables_that_cannot_be_read_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.csv"
    good.write_text(f"claim\n{CLAIM}\n")
    (tmp_path / "empty.csv").write_text("claim\n")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    for name, sentence in (("none", "cannot be read"), ("empty", "holds no claims"), ("binary", "holds binary data")):
        assert sentence in refused(capsys, "batch", str(tmp_path / f"{name}.csv"), "--out", str(tmp_path / "out.csv"))
    assert "cannot be written" in refused(capsys, "batch", str(good), "--out", str(good / "below.csv"))
