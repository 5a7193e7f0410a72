"""The commands that score AVeriTeC's claims."""

from __future__ import annotations

from typing import Any

from evaluation.command import RESTART, claims, into, out, print_scored, show_table
from retrieval.command import KNOBS, LIMIT, Commands, file, flag, option, settings_of
from retrieval.errors import SettingError
from retrieval.settings import Settings

commands = Commands()


@commands.add(
    "AVeriTeC claims",
    "python -m evaluation averitec dev.json --knowledge knowledge_store --recipe aic --out DIR",
    claims("json"),
    file("--knowledge", "DIR", "folder of ID.json: each claim's own documents"),
    option(
        "--recipe", default="", help="pipeline to use (default: aic), or `gold`: the verdict alone, on the gold answers"
    ),
    KNOBS,
    file("--predictions", "FILE", "score these instead: JSON list or lines of the shared task"),
    LIMIT,
    RESTART,
    out("scorecard.json, report.html and predictions"),
    file(
        "--replies",
        "FILE",
        "answer calls of the language model from this file; a model that is set is asked for missing ones, which are recorded",
    ),
    flag("--ev2r", "have LLM_MODEL judge how much of people's evidence was found"),
    description="Score a recipe, or predictions, on AVeriTeC claims.",
)
def _averitec(options: Any) -> int:
    from evaluation.averitec.gold import tuned_recipe
    from evaluation.averitec.run import evaluate, evaluate_predictions
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    if options.predictions:
        if options.recipe or options.knowledge:
            raise SettingError("`--predictions` needs no recipe and no documents. Leave out `--recipe`, `--knowledge`.")
        card = evaluate_predictions(
            options.claims, options.out, options.predictions, settings, options.limit, options.ev2r
        )
    else:
        if not options.knowledge:
            raise SettingError(
                "A recipe needs documents. Name their folder with `--knowledge`, or use `--predictions`."
            )
        recipe = options.recipe or "aic"
        chosen = (recipe, options.knowledge, options.limit)
        more = {"replies": options.replies, "restart": options.restart, "ev2r": options.ev2r}
        tuned = settings_of(options, tuned_recipe(recipe))
        card = evaluate(options.claims, options.out, Resources(tuned), *chosen, **more)
    return print_scored(card)


@commands.add(
    "variants of recipes aic, rag_fusion and contextual",
    "python -m evaluation averitec-ablation dev.json --knowledge knowledge_store --limit 50 "
    "--out evaluation/out/ablation --into docs/averitec.md",
    claims("json"),
    file("--knowledge", "DIR", "folder of ID.json", required=True),
    LIMIT,
    file("--replies", "FILE", "recorded replies of a language model"),
    option(
        "--recipe", action="append", default=[], metavar="R", help="only variants of this recipe, or `gold`; repeatable"
    ),
    flag("--search", "measure the search alone: quick, but without labels"),
    out("ablation.json and answers"),
    into("table"),
    description="Score each variant of recipes aic, rag_fusion and contextual, and of the verdict alone, on the same claims.",
)
def _averitec_ablation(options: Any) -> None:
    from evaluation.averitec.ablation import measure_variants, variants_block, variants_table

    card = measure_variants(
        options.claims, options.out, Settings.from_environment(), options.knowledge, options.limit, options.replies,
        recipes=options.recipe, search=options.search,
    )  # fmt: skip
    show_table(variants_table(card), options.into, variants_block(card))


@commands.add(
    "AVeriTeC scorecards into pages",
    "python -m evaluation averitec-results docs/averitec-*.json --into docs/averitec.md",
    file("scorecards", "SCORECARD.json", nargs="+"),
    file("--into", "PAGE.md", nargs="+", required=True),
    description="Write a table of AVeriTeC scorecards between the marks of pages.",
)
def _averitec_results(options: Any) -> None:
    from evaluation.averitec.table import fill_in

    fill_in(options.scorecards, options.into)
