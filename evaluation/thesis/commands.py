"""Commands on the thesis's protocol: `thesis` and `questions`."""

from __future__ import annotations

from typing import Any

from evaluation.command import NATURAL, STORE, THREE_LABELS, claims, into, out, resources_of, show_table
from evaluation.thesis.drawn import DRAW_SEED, DRAWN_CLAIMS, asked_about, drawn_claims
from retrieval.command import KNOBS, Commands, number, option

commands = Commands()
DRAWN = (
    claims(nargs="+"),
    STORE,
    number("--count", "claims drawn (default: %(default)s)", default=DRAWN_CLAIMS),
    option("--seed", type=int, default=DRAW_SEED, metavar="N", help="of the draw (default: %(default)s)"),
    NATURAL,
    KNOBS,
    lambda parser: parser.set_defaults(recipe="esoteric"),
)


def _drawn(options: Any) -> tuple[Any, list[Any]]:
    resources, _ = resources_of(options, **THREE_LABELS)
    return resources, drawn_claims(options.claims, options.count, options.seed, options.natural)


@commands.add(
    "tables 2, 3, 6 and 8 of the thesis for recipe esoteric",
    "python -m evaluation thesis claims-dev.jsonl --natural --store data/local/fever --out evaluation/out/thesis "
    "--into docs/esoteric.md",
    out("tables.json and answers"),
    into("tables"),
    option("--similarity", default="", metavar="MODEL", help="three more variants, ordered by this model"),
    *DRAWN,
    description="Score recipe esoteric and its variants on claims drawn as the thesis draws them.",
)
def _thesis(options: Any) -> None:
    from evaluation.thesis.tables import measure_tables, tables_text

    resources, claims = _drawn(options)
    card = measure_tables(claims, options.claims, options.out, resources, options.similarity)
    show_table(tables_text(card), options.into, "tables")


@commands.add(
    "the questions of recipe esoteric about drawn claims, to be judged by people",
    "python -m evaluation questions claims-train.jsonl claims-dev.jsonl --seed 4 --store data/local/fever",
    *DRAWN,
    description="Print the questions that are asked about claims drawn as the thesis draws them, numbered.",
)
def _questions(options: Any) -> None:
    resources, claims = _drawn(options)
    for line in asked_about(claims, resources):
        print(line)
