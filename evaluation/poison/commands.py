"""The command that attacks the corpus: a part of `python -m evaluation`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.settings import Settings

CLAIMS = Path("data/sample/poison.jsonl")


def add_poison_command(commands: Any, show: Callable[[Any], None]) -> None:
    """Add `poison`. show: prints a scorecard."""
    poison = commands.add_parser(
        "poison",
        help="planted pages over the sample: how many verdicts they turn",
        description="Plant pages of ten kinds, and of eight further ones that no rule was written for, in a copy of the "
        "sample corpus, in memory, and compare each verdict with the one without them. Writes poison.json, "
        "predictions.jsonl and predictions-unseen.jsonl.",
        epilog="Example: python -m evaluation poison --store data/local/sample --out data/local/poison",
    )
    poison.add_argument("--store", default="", help="a corpus that holds the sample (default: STORE, else DATA/store)")
    poison.add_argument("--recipe", default="", help="pipeline to attack (default: the setting RECIPE)")
    poison.add_argument(
        "--claims", type=Path, default=CLAIMS, metavar="FILE.jsonl", help="claims to attack; default: %(default)s"
    )
    poison.add_argument("--out", type=Path, required=True, metavar="DIR", help="where poison.json goes")
    poison.set_defaults(run=lambda options: _poison(options, show))


def _poison(options: Any, show: Callable[[Any], None]) -> int:
    from evaluation.poison.run import evaluate_poison
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    resources = Resources(replace(settings, store=options.store or settings.store))
    card = evaluate_poison(options.claims, options.out, resources, options.recipe or settings.recipe)
    for kind, figures in {**card["kinds"], **card["unseen_kinds"]}.items():
        turned = figures.get("turned_verdicts")
        print(f"{kind:48} {'-' if turned is None else format(turned['value'], '.3f')}")
    for name, figure in card["unseen"].items():
        print(f"{f'eight unseen kinds, {name}':52} {figure['value']:.3f}  n={figure['n']}")
    show(card)
    return 0
