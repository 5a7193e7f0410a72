"""What the commands of `evaluation` share: options, the models over the corpus, and a scorecard's figures as text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.command import Option, file, flag, option, settings_of

if TYPE_CHECKING:
    from retrieval.resources import Resources
    from retrieval.settings import Settings

STORE = option("--store", default="", help="the corpus: a folder (default: STORE, else DATA/store)")
NATURAL = flag("--natural", "only claims whose gold evidence is in whole pages")
RESTART = flag("--restart", "discard the answers of an interrupted run in DIR")
# FEVER has three labels; CONFLICTING is not one of them.
THREE_LABELS = {"conflicting_from": 0.0}


def claims(kind: str = "jsonl", **declared: Any) -> Option:
    """The argument for the file of claims."""
    return file("claims", f"CLAIMS.{kind}", **declared)


def out(what: str) -> Option:
    """The option for the folder of results. what: names the results."""
    return file("--out", "DIR", f"where {what} go", required=True)


def into(what: str) -> Option:
    """The option for a page that shows the result."""
    return file("--into", "PAGE.md", f"write the {what} between this page's marks")


def resources_of(options: Any, **changed: Any) -> tuple[Resources, Settings]:
    """Resources over the corpus of `--store`, and settings with the recipe of `--recipe` and the `changed` ones."""
    from retrieval.resources import Resources

    settings = settings_of(options)
    settings = replace(settings, store=options.store or settings.store, **changed)
    return Resources(settings), settings


def show_table(table: str, page: Path | None, block: str) -> None:
    """Print a table and, if a page is given, write it between the page's marks of this name."""
    from evaluation.report.blocks import write_block

    print(table)
    if page:
        write_block(page, block, table)


def print_scored(card: Mapping[str, Any]) -> int:
    """Print the figures of a scorecard. Returns the exit code: 1 if some claims are not scored."""
    print_card(card)
    if missing := card["data"]["claims"] - card["data"]["scored"]:
        print(f"{missing:,} of {card['data']['claims']:,} claims are not scored.", file=sys.stderr)
    return 1 if missing else 0


def print_card(card: Mapping[str, Any]) -> None:
    """Print the figures of a scorecard."""
    for name, score in card["metrics"].items():
        print(f"{name:24} {score['value']:.4f}  [{score['low']:.4f}, {score['high']:.4f}]  n={score['n']}")
    if speed := card.get("latency_ms"):
        print(f"{'ms a claim':24} p50 {speed['p50']}  p95 {speed['p95']}  peak {card.get('peak_rss_mb')} MB")
    if tokens := card.get("tokens"):
        print(f"{'tokens a claim, mean':24} prompt {tokens['prompt']['mean']}  reply {tokens['reply']['mean']}")
