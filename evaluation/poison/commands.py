"""The command of `python -m evaluation` that attacks the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluation.command import STORE, out, print_card, resources_of
from retrieval.command import RECIPE, Commands, file

POISON_CLAIMS = Path("data/sample/poison.jsonl")
commands = Commands()


@commands.add(
    "count the verdicts that pages planted in the sample turn",
    "python -m evaluation poison --store data/local/sample --out data/local/poison",
    STORE,
    RECIPE,
    file("--claims", "FILE.jsonl", "claims to attack; default: %(default)s", default=POISON_CLAIMS),
    out("poison.json, predictions.jsonl and predictions-unseen.jsonl"),
    description="Plant pages of ten kinds, and of eight further ones that no rule was written for, in a copy of the "
    "sample corpus, in memory, and compare each verdict with the one without them.",
)
def _poison(options: Any) -> None:
    from evaluation.poison.run import evaluate_poison

    resources, settings = resources_of(options)
    card = evaluate_poison(options.claims, options.out, resources, settings.recipe)
    for kind, figures in {**card["kinds"], **card["unseen_kinds"]}.items():
        turned = figures.get("turned_verdicts")
        print(f"{kind:48} {'-' if turned is None else format(turned['value'], '.3f')}")
    for name, figure in card["unseen"].items():
        print(f"{f'eight unseen kinds, {name}':52} {figure['value']:.3f}  n={figure['n']}")
    print_card(card)
