"""A scorecard as a Markdown table beside its goals, put between two marks of README.md and docs/results.md."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.names import name_of
from retrieval.errors import CorpusError, SettingError

BEGIN, END = "<!-- scorecard: begin -->", "<!-- scorecard: end -->"


@dataclass(frozen=True)
class Goal:
    """What a figure should reach. part: the scorecard's block it is taken from. beside: what others reached."""

    metric: str
    part: str
    least: float
    beside: str = ""


GOALS = (
    Goal("page_set_recall@10", "natural", 0.98, "untuned .98; the thesis on its own claims .77"),
    Goal("evidence_set_recall@5", "natural", 0.95, "untuned cosine .90; KGAT (BERT, whole dump) .944"),
    Goal("evidence_set_recall@1", "natural", 0.80, "untuned cosine .57"),
    Goal("passage_f1", "natural", 0.75, "the thesis .606"),
    Goal("ofever_page", "natural", 0.95, "the thesis .797; NSMN .928"),
    Goal("label_accuracy", "metrics", 0.75, "KGAT .78 with 145 k training claims and BERT"),
    Goal("fever_score", "metrics", 0.70),
    Goal("calibration_error", "metrics", 0.05),
)
SPEED = {"p50": 250.0, "p95": 700.0}


def results_table(card: dict[str, Any]) -> str:
    """The goals' figures with intervals, `natural` and `complete` beside all claims, then what was run."""
    lines = ["| figure | all | natural | complete | goal | met | others |", "|---|---|---|---|---|---|---|"]
    lines += [_row(goal, card) for goal in GOALS if goal.metric in card.get(goal.part, {})]
    for name, most in SPEED.items():
        if speed := card.get("latency_ms"):
            met = "yes" if speed[name] <= most else "**no**"
            lines.append(f"| ms a claim, {name} | {speed[name]:,.0f} | | | ≤ {most:,.0f} | {met} | the thesis 31,750 |")
    data, pipeline = card["data"], card["pipeline"]
    models = ", ".join(f"`{model}`" for model in pipeline["models"].values())
    lines += [
        "",
        f"`{data['path']}` (sha256 `{data['sha256'][:12]}`), {data['scored']:,} claims, recipe `{pipeline['recipe']}`: {models}; "
        f"{pipeline['corpus'].get('pages', 0):,} pages; {card['machine']}. In brackets: 95 % bootstrap intervals.",
    ]
    return "\n".join(lines)


def _row(goal: Goal, card: dict[str, Any]) -> str:
    score, lower = card[goal.part][goal.metric], name_of(goal.metric).lower_is_better
    met = score["value"] <= goal.least if lower else score["value"] >= goal.least
    cells = [
        _cell(card.get(part, {}).get(goal.metric), part == goal.part) for part in ("metrics", "natural", "complete")
    ]
    limit = f"{'≤' if lower else '≥'} {_share(goal.least)}"
    return f"| {' | '.join([f'`{goal.metric}`', *cells, limit, 'yes' if met else '**no**', goal.beside])} |"


def _cell(score: dict[str, float] | None, chosen: bool) -> str:
    if score is None:
        return ""
    value = f"**{_share(score['value'])}**" if chosen else _share(score["value"])
    return f"{value} [{_share(score['low'])}, {_share(score['high'])}]"


def _share(value: float) -> str:
    """.956, as this field writes shares."""
    return f"{value:.3f}".removeprefix("0")


def fill_in(scorecard: Path, pages: Sequence[Path]) -> None:
    """Write the table between the marks of every page. Raises CorpusError or SettingError, before anything is changed."""
    try:
        table = results_table(json.loads(scorecard.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{scorecard} is no FEVER scorecard ({error!r}). Name its scorecard.json.") from error
    filled = {}
    for page in pages:
        try:
            text = page.read_text("utf-8")
        except OSError as error:
            raise SettingError(f"{page} cannot be read: {error.strerror}. Name a page that exists.") from error
        filled[page], found = re.subn(
            f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n{table}\n{END}", text, count=1, flags=re.DOTALL
        )
        if not found:
            raise SettingError(f"{page} has no place for the figures. Write `{BEGIN}` and `{END}` into it.")
    for page, text in filled.items():
        page.write_text(text, "utf-8")
