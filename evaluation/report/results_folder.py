"""The output folder of a run on any data set: scorecard, report, predictions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.errors import CorpusError, SettingError

Json = dict[str, Any]
FAILURES_NAMED = 5  # failed claims to name


def read_card(path: Path, check: Callable[[Any], object]) -> Json:
    """A scorecard. Raises CorpusError if it cannot be read, or if `check` fails because a field is missing."""
    try:
        card: Json = json.loads(path.read_text("utf-8"))
        check(card)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{path} is no scorecard of this program ({error!r}). Name its scorecard.json.") from error
    return card


def make_folder(out: Path) -> None:
    """Create the folder before the work, so that its results are not lost at the end. Raises SettingError."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"{out} cannot be created: {error.strerror}. Name another folder with `--out`.") from error


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a scorecard or another result. Raises SettingError if the file cannot be written."""
    try:
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise SettingError(f"{path} cannot be written: {error.strerror}. Name another file.") from error


def counted(data: Mapping[str, Any], claims: int, scored: int) -> Json:
    """`data` of a scorecard, with the numbers of claims. Raises CorpusError if no claim is scored."""
    failed = data["failed"]
    if not scored:
        raise CorpusError(f"No claim could be checked: {next(iter(failed.values()))}")
    return {**data, "claims": claims, "scored": scored, "failed": len(failed)}


def write_results(
    out: Path, card: Mapping[str, Any], report: str, predictions: Sequence[Json], failed: Mapping[Any, str]
) -> None:
    """Write the results into the folder; name the first unscored claims on stderr."""
    write_json(out / "scorecard.json", card)
    (out / "report.html").write_text(report, "utf-8")
    write_rows(out / "predictions.jsonl", predictions)
    for id, fault in list(failed.items())[:FAILURES_NAMED]:
        print(f"Claim {id} is not scored: {fault}", file=sys.stderr)


def write_rows(path: Path, rows: Sequence[Json]) -> None:
    """Write one JSON object per line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
