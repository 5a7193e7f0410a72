"""Command line of `retrieval`: `python -m retrieval --help`."""

# PYTHON_ARGCOMPLETE_OK: lets the shell ask this module for completions (`completed` in retrieval/command.py)

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from retrieval.command import (
    DONE,
    FAULTS,
    KNOBS,
    RECIPE,
    STORE,
    Commands,
    Parser,
    either,
    file,
    flag,
    option,
    run,
    settings_of,
)
from retrieval.errors import SettingError
from retrieval.settings import Settings

if TYPE_CHECKING:
    from retrieval.types import FactCheck

AUTHORS_LIST = "esoteric"  # in place of a model's name
PUBLISHED = "published"  # AVeriTeC's own address
commands = Commands()
CORPORA = (
    STORE,
    option(
        "--against",
        "--corpus",
        action="append",
        default=[],
        metavar="NAME",
        help="what to read instead: corpus:NAME for DATA/corpora/NAME, corpus for --store's; repeat it for several",
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 success, 1 finished with reported errors, 2 could not start."""
    return run(parser(), arguments)


def parser() -> Parser:
    """The whole command line."""
    example = 'Example: python -m retrieval check "Marie Curie won two Nobel Prizes."'
    whole = Parser("python -m retrieval", description="Checks claims against a corpus.", epilog=example)
    return whole.add_commands(commands)


@commands.add(
    "check one claim",
    'python -m retrieval check "Marie Curie won two Nobel Prizes." --json',
    option("claim"),
    RECIPE,
    KNOBS,
    *CORPORA,
    file("--knowledge", "FILE", "the claim's own documents instead: JSON lines of url and url2text"),
    flag("--haystack", "run the recipe as a Haystack pipeline, a component for each stage"),
    flag("--json", "print the whole check as JSON"),
)
def _check(options: argparse.Namespace) -> int:
    from retrieval.output.record import check_as_json
    from retrieval.output.report import check_as_text

    settings, created = settings_of(options), _now()
    check = (_by_haystack if options.haystack else _by_recipe)(options, settings)
    if options.json:
        print(json.dumps(check_as_json(check, created=created, finished=_now()), ensure_ascii=False, indent=1))
    else:
        print(check_as_text(check, colour=sys.stdout.isatty()))
    return DONE


def _by_recipe(options: argparse.Namespace, settings: Settings) -> FactCheck:
    from retrieval.resources import open_resources
    from retrieval.text.claims import read_claim
    from retrieval.types import Claim

    resources = open_resources(settings, options.store, options.against, options.knowledge)
    pipeline = resources.pipeline(settings.recipe)
    claim = Claim(uuid.uuid4().hex, read_claim(options.claim, settings.claim_length))
    return resources.finished(pipeline.run(claim), settings.recipe)


def _by_haystack(options: argparse.Namespace, settings: Settings) -> FactCheck:
    from retrieval.haystack.steps import recipe_pipeline, run_recipe

    where = {"against": options.against, "knowledge": str(options.knowledge or ""), "knobs": options.set}
    return run_recipe(recipe_pipeline(settings.recipe, options.store, **where), options.claim)


@commands.add(
    "check a table of claims",
    "python -m retrieval batch claims.csv --out verdicts.csv",
    file("table", "IN", "a .csv, .tsv or .xlsx file with a column of claims"),
    option("--column", default="", help="its name or number (default: `claim`, else the likeliest)"),
    file("--out", "OUT.csv", required=True),
    flag("--resume", "keep the rows in OUT.csv, and check the rest"),
    RECIPE,
    KNOBS,
    *CORPORA,
)
def _batch(options: argparse.Namespace) -> int:
    from retrieval.output.batch import check_table
    from retrieval.resources import open_resources

    settings = settings_of(options)
    resources = open_resources(settings, options.store, options.against)
    pipeline = resources.pipeline(settings.recipe)
    choices = (options.column, options.resume, lambda note: print(note, file=sys.stderr))
    outcome = check_table(options.table, options.out, pipeline, settings.claim_length, *choices)
    print(f"{outcome.checked:,} claims checked, {outcome.failed:,} could not be checked; see {options.out}.")
    return FAULTS if outcome.failed else DONE


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@commands.add(
    "find the claims in a text that are worth checking",
    "python -m retrieval claims article.txt --json",
    option("file", metavar="FILE", help="a text, a .html, .pdf or .docx file, or - for standard input"),
    option("--title", default="", help="what the text is about, if it does not begin with its title"),
    flag("--all", "print every sentence, with its kind: question, opinion …"),
    flag("--json", "print them as a JSON list; offsets refer to the text that was read"),
    description="Find the claims in an English text that are worth checking, each reworded to stand alone.",
)
def _claims(options: argparse.Namespace) -> int:
    from retrieval.output.claims import claims_as_json, claims_as_text, left_out, read_text
    from retrieval.resources import Resources

    text = read_text(options.file)
    found = Resources(Settings.from_environment()).claim_finder().find(text.text, options.title or text.title)
    for note in text.notes:
        print(f"{options.file}: {note}.", file=sys.stderr)
    shown = found if options.all else [claim for claim in found if claim.chosen]
    print(claims_as_json(shown) if options.json else claims_as_text(shown))
    if message := left_out(found, shown):
        print(message, file=sys.stderr)
    return DONE


@commands.add("list the pipelines and their stages", "python -m retrieval recipes")
def _recipes(_: argparse.Namespace) -> int:
    from retrieval.measured import measured
    from retrieval.recipes import RECIPES

    known = measured().recipes
    for name, recipe in RECIPES.items():
        right = f"Right for {known[name].in_words()}." if name in known else "Not measured on everyday claims."
        print(f"{name}: {recipe.summary}\n  {' -> '.join(recipe.stages)}\n  {right}")
    print("If a language model is set (LLM_MODEL), it is asked before the verdict.")
    return DONE


@commands.add(
    "list the models, or fetch one from the hub",
    "python -m retrieval models --get sentence-transformers/all-mpnet-base-v2",
    option("--get", metavar="NAME", default="", help="fetch this model; `esoteric`: all of the thesis's, and set them"),
)
def _models(options: argparse.Namespace) -> int:
    from retrieval.models.listing import fetch_model, list_models
    from retrieval.recipes import RECIPES
    from retrieval.recipes.tuning import played
    from retrieval.roles import ROLES

    settings = Settings.from_environment()
    if options.get == AUTHORS_LIST:
        from retrieval.models.hub.authors import take_authors
        from retrieval.settings.in_force import FILE

        for line in take_authors(settings, settings.data / FILE, fetch_model):
            print(line, flush=True)
        return DONE
    if options.get:
        print(fetch_model(options.get, settings))
        return DONE
    recipes = RECIPES.values()
    roles = {
        setting: (role, kinds, [recipe.name for recipe in recipes if setting in recipe.roles])
        for setting, (role, kinds) in ROLES.items()
    }
    writers = {
        f"llm_{writer}": [recipe.name for recipe in recipes if writer in recipe.writers]
        for writer in ("questions", "contexts")
    }
    reader = [recipe.name for recipe in recipes if "reader" in played(recipe, settings)]
    print(*list_models(settings, roles, {"llm_model": list(RECIPES), **writers}, reader), sep="\n")
    return DONE


@commands.add(
    "count the checked claims that a language model is shown as examples, or fetch them",
    "python -m retrieval examples --get",
    option(
        "--get",
        nargs="?",
        const=PUBLISHED,
        default="",
        metavar="SOURCE",
        help="fetch them: an address or a file (default: AVeriTeC's training claims, CC BY-NC 4.0)",
    ),
    option("--sha256", default="", help="the sha256 that the file must have"),
)
def _examples(options: argparse.Namespace) -> int:
    from retrieval.llm.examples import ADDRESS, NO_EXAMPLES, fetch_examples, read_examples

    target = Settings.from_environment().examples
    if options.get:
        print(fetch_examples(ADDRESS if options.get == PUBLISHED else options.get, target, options.sha256))
        return DONE
    count = len(read_examples(target))
    print(f"{count:,} checked claims in {target}." if count else f"{target} is not there. {NO_EXAMPLES}")
    return DONE


@commands.add(
    "ask the language model about one small claim, and report what works",
    "LLM_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen2.5:7b python -m retrieval llm",
    description="Ask the configured language model about one small claim, and report what works. This may cost money.",
)
def _llm(_: argparse.Namespace) -> int:
    from retrieval.llm.client import open_llm
    from retrieval.llm.probe import probe, text_of

    settings = Settings.from_environment()
    model = open_llm(settings)
    if model is None:
        raise SettingError("No language model is set. Set LLM_MODEL, and LLM_URL or LLM_KIND.")
    try:
        works, lines = probe(model, settings)
    finally:
        model.close()
    print(text_of(lines))
    return DONE if works else FAULTS


@commands.add(
    "list the settings: the values in force, and where they come from",
    "python -m retrieval settings --config esoteric.toml",
    either(
        flag("--markdown", "print docs/settings.md instead"),
        flag("--common", "print the README's table instead"),
        flag("--all", "print also those that few people need, and the recipes' knobs"),
    ),
)
def _settings(options: argparse.Namespace) -> int:
    from retrieval.recipes import KNOBS
    from retrieval.settings.in_force import read_values
    from retrieval.settings.listing import common_settings, settings_in_force, settings_page

    if options.markdown:
        print(settings_page(KNOBS), end="")
    elif options.common:
        print(common_settings())
    else:
        print(*settings_in_force(read_values(), KNOBS, options.all), sep="\n")
    return DONE


if __name__ == "__main__":
    sys.exit(main())
