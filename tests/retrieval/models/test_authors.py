"""The thesis's models, fetched and set by one command."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from retrieval.models.hub.authors import AUTHORS, AUTHORS_KNOBS, authors_models, settings_file, take_authors
from retrieval.models.hub.catalogue import HUB_MODELS
from retrieval.recipes.tuning import check_knobs
from retrieval.settings import Settings


def test_every_model_of_the_list_is_in_the_catalogue() -> None:
    assert len(authors_models()) == 7
    assert set(authors_models()) <= {model.name for model in HUB_MODELS}


def test_all_are_fetched_and_a_new_file_sets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    settings = Settings(data=tmp_path, hub_folder=str(tmp_path / 'a "hub"'))
    lines = list(take_authors(settings, tmp_path / "esoteric.toml", lambda name, _: fetched.append(name) or name))
    assert fetched == authors_models()
    assert any("holds all their settings" in line for line in lines)
    monkeypatch.setenv("DATA", str(tmp_path))
    read = Settings.from_environment()
    assert {name: getattr(read, name) for name in AUTHORS} == dict(AUTHORS)
    assert read.knobs_of("esoteric") == dict(AUTHORS_KNOBS)
    assert not check_knobs(read)
    assert read.hub_folder == settings.hub_folder


def test_a_second_time_there_is_nothing_to_add(tmp_path: Path) -> None:
    file, settings = tmp_path / "esoteric.toml", Settings(data=tmp_path)
    for said in ("delete it to return", "already holds all their settings"):
        lines = list(take_authors(settings, file, lambda name, _: name))
        assert said in lines[-2]
        assert not any("was not changed" in line for line in lines)


def test_a_file_of_yours_stays_and_the_lines_are_told(tmp_path: Path) -> None:
    file = tmp_path / "esoteric.toml"
    file.write_text("port = 9000\n", "utf-8")
    lines = list(take_authors(Settings(data=tmp_path), file, lambda name, _: name))
    assert file.read_text("utf-8") == "port = 9000\n"
    told = next(line for line in lines if "was not changed" in line).partition("\n\n")[2]
    assert tomllib.loads(told) == tomllib.loads(settings_file(AUTHORS))
