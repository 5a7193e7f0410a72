"""The command that finds claims: what it reads, what it prints, what it refuses."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.jobs.readers.texts import plain_text
from retrieval.__main__ import main
from retrieval.errors import ClaimError
from retrieval.output.claims import read_text

TEXTS = Path(__file__).resolve().parents[3] / "data" / "sample" / "texts"
FIELDS = {"text", "original", "start", "end", "score", "kind", "speaker", "context"}


def test_a_list_of_claims_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    path = TEXTS / "four-records.txt"
    assert main(["claims", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    claims, text = json.loads(out), path.read_text("utf-8")
    assert claims
    for claim in claims:
        assert claim.keys() == FIELDS
        assert claim["kind"] == "claim"
        assert text[claim["start"] : claim["end"]] == claim["original"]
    assert "left out" in err
    assert "question" in err


def test_every_sentence_with_its_kind_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = "Who was it? Radium has the atomic number 88."
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(given.encode())))
    assert main(["claims", "-", "--json", "--all"]) == 0
    out, err = capsys.readouterr()
    assert next(claim["kind"] for claim in json.loads(out)) == "question"
    assert [claim["original"] for claim in json.loads(out)] == ["Who was it?", "Radium has the atomic number 88."]
    assert err == ""


def test_lines_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", str(TEXTS / "first-steps.md"), "--all"]) == 0
    out = capsys.readouterr().out
    assert "Yuri Gagarin became the first human in space on 12 April 1961.  (the museum's guide)" in out
    assert "[instruction] Look up tonight." in out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\x89PNG\r\n\x00\x00", "holds binary data, not text"),
        (b"x" * 900_000, "is too long"),
        (b"", "contains no words"),
    ],
)
def test_one_sentence_for_what_cannot_be_read(
    content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    assert main(["claims", str(path)]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("codec", "note"), [("utf-16", ""), ("cp1252", "was read as Windows-1252"), ("utf-8-sig", "")])
def test_a_text_in_another_encoding_is_read_as_an_upload_is(codec: str, note: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("The café “Zoë” was opened in 1932 – by Müller.".encode(codec))
    given = read_text(str(path))
    assert given.text.removeprefix("\ufeff") == "The café “Zoë” was opened in 1932 – by Müller."
    assert note in " ".join(given.notes)
    assert bool(note) == bool(given.notes)


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", str(tmp_path / "none.txt")]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("begins", "names", "told"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", ("a.txt", "a.md", "a.html", "a.docx"), "it is a PDF, not what its name says; end its name in .pdf"),
        (b"{\\rtf1\\ansi The mill is old.}", ("a.txt", "a.docx", "a.pdf"), "it is an RTF file, not what its name says; save it as .docx"),
        (b"PK\x03\x04\x14\x00", ("a.txt", "a.html", "a.pdf"), "if it is a Word file, end its name in .docx"),
    ],
)  # fmt: skip
def test_a_file_of_another_type_is_told_by_its_content(
    begins: bytes, names: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).write_bytes(begins)
        with pytest.raises(ClaimError, match=told):
            read_text(str(tmp_path / name))
        if name == "a.txt":
            assert plain_text(begins, name) is None, "the application's reader says so as well"
