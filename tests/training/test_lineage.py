"""`training/lineage.toml` says how each model that ships was made, in commands that the command lines take."""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from indexing import __main__ as indexing
from retrieval.errors import ModelError
from retrieval.models import catalogue
from training import __main__ as training
from training.data.everyday import SHARES
from training.data.everyday_mix import FIRST_PASS_MIX, READER_MIX
from training.data.mix import MIXES
from training.data.pairs import DATA, NLI_SHARES
from training.lineage import BASES, PLACES, Lineage, lineages, run_steps
from training.reader.rounds import BROAD, LATER_PUBLISHED, PUBLISHED

ROOT = Path(__file__).parents[2]
LINEAGES = lineages()
PARSERS = {"training": training.parser, "indexing": indexing.parser}


@pytest.fixture
def places(tmp_path: Path) -> dict[str, object]:
    return {place: tmp_path / place for place in PLACES}


def parsed(lineage: Lineage, places: dict[str, object]) -> list[argparse.Namespace]:
    """The options of each step, by the real command lines."""
    return [PARSERS[program]().parse_args(arguments) for program, *arguments in lineage.commands(places)]


@pytest.mark.parametrize("lineage", LINEAGES.values(), ids=lambda lineage: lineage.name)
def test_the_command_lines_take_each_step(lineage: Lineage, places: dict[str, object]) -> None:
    assert all(options.run for options in parsed(lineage, places))


def test_every_weight_that_ships_belongs_to_one_model() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "retrieval/models/weights"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    shipped = {Path(name).name for name in listed} or {path.name for path in catalogue.WEIGHTS.iterdir()}
    assert Counter(file for lineage in LINEAGES.values() for file in lineage.files) == Counter(shipped)
    assert shipped == {file.name for model in catalogue.MODELS if model.role != "base" for file in model.files}


@pytest.mark.parametrize("lineage", LINEAGES.values(), ids=lambda lineage: lineage.name)
def test_cards_bases_and_steps_are_there(lineage: Lineage) -> None:
    assert (ROOT / "docs" / "models" / lineage.card).exists()
    assert bool(lineage.base) == bool(lineage.from_base)
    assert not lineage.base or lineage.base in BASES
    assert bool(lineage.data) == bool(lineage.licences)
    assert lineage.steps
    assert lineage.machine
    assert lineage.exact


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("cross-encoder", [NLI_SHARES, FIRST_PASS_MIX.nli, *(mix.nli for mix in MIXES.values())]),
        ("reader", [PUBLISHED, BROAD, LATER_PUBLISHED, READER_MIX.nli]),
    ],
)
def test_the_data_are_those_that_the_mixes_read(name: str, read: list[dict[str, object]]) -> None:
    files = LINEAGES[name].data
    assert {Path(file).name for file in files if "/nli/" in file} == {
        f"{name}.jsonl.gz" for shares in read for name in shares
    }
    assert {Path(file).name for file in files if "/everyday-pairs/" in file} == {f"{name}.jsonl.gz" for name in SHARES}


@pytest.mark.skipif(not DATA.exists(), reason="the training data are not here")
def test_the_data_exist() -> None:
    assert not [file for lineage in LINEAGES.values() for file in lineage.data if not (DATA / file).exists()]


def test_each_training_reads_only_what_a_step_before_it_wrote(places: dict[str, object]) -> None:
    pairs: set[Path] = set()
    checkpoints: set[Path] = set()
    for options in parsed(LINEAGES["cross-encoder"], places):
        if options.run in (training._pairs, training._mine):
            pairs.add(options.work / "pairs.jsonl.gz")
        elif options.run is training._cross_encoder:
            assert (options.pairs or options.work / "pairs.jsonl.gz") in pairs
            assert {*options.mean_with} <= checkpoints
            assert not options.after or options.after in checkpoints or options.after.parent == places["OUT"]
            checkpoints.add(options.work)


def test_a_step_whose_base_is_not_named_says_so(places: dict[str, object]) -> None:
    with pytest.raises(ModelError, match=r"needs --minilm"):
        run_steps(LINEAGES["encoder"], {**places, "MINILM": None})


def test_steps_run_until_one_fails(places: dict[str, object], capfd: pytest.CaptureFixture[str]) -> None:
    lineage = LINEAGES["cross-encoder"]
    assert run_steps(lineage, places) == 2, "there are no pages to load"
    told = capfd.readouterr()
    assert re.findall(r"^python -m (\w+)", told.out, re.M) == ["indexing"]
    assert told.err.count("is not the file whose sha256") == len(lineage.data)


def test_all_models_are_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert training.main(["lineage"]) == 0
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if line and line[0] != " "] == list(LINEAGES)
    assert training.main(["lineage", "ranker", "--dry-run"]) == 0
    assert "python -m training ranker --store STORE" in capsys.readouterr().out
