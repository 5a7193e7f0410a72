"""Command line of `retrieval`: `python -m retrieval --help`."""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.command import DONE, FAULTS, Parser, add_recipe, run, settings_of
from retrieval.errors import SettingError
from retrieval.settings import Settings

if TYPE_CHECKING:
    from retrieval.types import FactCheck

AUTHORS_LIST = "esoteric"  # in the place of a model's name
PUBLISHED = "published"  # AVeriTeC's own address
STORE_HELP = "the corpus: a folder, or http(s)://host:port/index (default: STORE, else DATA/store)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 done, 1 finished with reported faults, 2 could not start."""
    return run(_parser(), arguments)


def _parser() -> Parser:
    parser = Parser(
        prog="python -m retrieval",
        description="Checks claims against a corpus.",
        epilog='Example: python -m retrieval check "Marie Curie won two Nobel Prizes."',
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (_add_check, _add_batch, _add_claims, _add_lists, _add_examples, _add_llm, _add_settings):
        add(commands)
    return parser


def _add_check(commands: Any) -> None:
    example = 'Example: python -m retrieval check "Marie Curie won two Nobel Prizes." --json'
    check = commands.add_parser("check", help="check one claim", description="Check one claim.", epilog=example)
    check.add_argument("claim")
    add_recipe(check)
    _add_corpora(check)
    check.add_argument(
        "--knowledge",
        type=Path,
        metavar="FILE",
        help="the claim's own documents instead: JSON lines of url and url2text",
    )
    check.add_argument(
        "--haystack", action="store_true", help="run the recipe as a Haystack pipeline, a component for each stage"
    )
    check.add_argument("--json", action="store_true", help="print the whole check as JSON")
    check.set_defaults(run=_check)


def _add_batch(commands: Any) -> None:
    example = "Example: python -m retrieval batch claims.csv --out verdicts.csv"
    batch = commands.add_parser(
        "batch", help="check a table of claims", description="Check a table of claims.", epilog=example
    )
    batch.add_argument("table", type=Path, metavar="IN", help="a .csv, .tsv or .xlsx file with a column of claims")
    batch.add_argument("--column", default="", help="its name or number (default: `claim`, else the likeliest)")
    batch.add_argument("--out", type=Path, required=True, metavar="OUT.csv")
    batch.add_argument("--resume", action="store_true", help="keep the rows that OUT.csv holds, and check the rest")
    add_recipe(batch)
    _add_corpora(batch)
    batch.set_defaults(run=_batch)


def _add_corpora(command: argparse.ArgumentParser) -> None:
    command.add_argument("--store", default="", help=STORE_HELP)
    command.add_argument(
        "--against",
        "--corpus",
        action="append",
        default=[],
        metavar="NAME",
        help="what to read instead: corpus:NAME for DATA/corpora/NAME, corpus for the one of --store; repeat it for several",
    )


def _add_claims(commands: Any) -> None:
    claims = commands.add_parser(
        "claims",
        help="find the claims in a text that are worth checking",
        description="Find the claims in an English text that are worth checking, each readable on its own.",
        epilog="Example: python -m retrieval claims article.txt --json",
    )
    claims.add_argument(
        "file", metavar="FILE", help="a text in UTF-8, a .html, .pdf or .docx file, or - for standard input"
    )
    claims.add_argument("--title", default="", help="what the text is about, where it does not begin with its title")
    claims.add_argument("--all", action="store_true", help="every sentence, with what it is: question, opinion …")
    claims.add_argument(
        "--json", action="store_true", help="print them as a JSON list; offsets refer to the text that was read"
    )
    claims.set_defaults(run=_claims)


def _add_lists(commands: Any) -> None:
    recipes = commands.add_parser(
        "recipes", help="list the pipelines and their stages", epilog="Example: python -m retrieval recipes"
    )
    recipes.set_defaults(run=_recipes)
    example = "Example: python -m retrieval models --get sentence-transformers/all-mpnet-base-v2"
    models = commands.add_parser("models", help="list the models, or fetch one from the hub", epilog=example)
    models.add_argument(
        "--get",
        metavar="NAME",
        default="",
        help="fetch this model from the hub; `esoteric`: all of the thesis's, and set them",
    )
    models.set_defaults(run=_models)


def _add_examples(commands: Any) -> None:
    example = "Example: python -m retrieval examples --get"
    examples = commands.add_parser(
        "examples", help="count the checked claims that a language model is shown, or fetch them", epilog=example
    )
    examples.add_argument(
        "--get",
        nargs="?",
        const=PUBLISHED,
        default="",
        metavar="SOURCE",
        help="fetch them: an address or a file (default: AVeriTeC's training claims, CC BY-NC 4.0)",
    )
    examples.add_argument("--sha256", default="", help="what the file must hash to")
    examples.set_defaults(run=_examples)


def _add_llm(commands: Any) -> None:
    llm = commands.add_parser(
        "llm",
        help="ask the language model about one small claim, and say what works",
        description="Ask the language model that is set about one small claim, and say what works. This may cost money.",
        epilog="Example: LLM_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen2.5:7b python -m retrieval llm",
    )
    llm.set_defaults(run=_llm)


def _add_settings(commands: Any) -> None:
    settings = commands.add_parser(
        "settings",
        help="list the settings: the values in force, and where they come from",
        epilog="Example: python -m retrieval settings --config esoteric.toml",
    )
    tables = settings.add_mutually_exclusive_group()
    tables.add_argument("--markdown", action="store_true", help="print docs/settings.md instead")
    tables.add_argument("--common", action="store_true", help="print the README's table instead")
    tables.add_argument("--all", action="store_true", help="also those that few people need, and the recipes' knobs")
    settings.set_defaults(run=_settings)


def _claims(options: argparse.Namespace) -> int:
    from retrieval.output.claims import claims_as_json, claims_as_text, left_out, read_text
    from retrieval.resources import Resources

    given = read_text(options.file)
    found = Resources(Settings.from_environment()).claim_finder().find(given.text, options.title or given.title)
    for note in given.notes:
        print(f"{options.file}: {note}.", file=sys.stderr)
    shown = found if options.all else [claim for claim in found if claim.chosen]
    print(claims_as_json(shown) if options.json else claims_as_text(shown))
    if message := left_out(found, shown):
        print(message, file=sys.stderr)
    return DONE


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


def _batch(options: argparse.Namespace) -> int:
    from retrieval.output.batch import check_table
    from retrieval.resources import open_resources

    settings = settings_of(options)
    resources = open_resources(settings, options.store, options.against)
    pipeline = resources.pipeline(settings.recipe)
    asked = (options.column, options.resume, lambda note: print(note, file=sys.stderr))
    outcome = check_table(options.table, options.out, pipeline, settings.claim_length, *asked)
    print(f"{outcome.checked:,} claims checked, {outcome.failed:,} could not be checked; see {options.out}.")
    return FAULTS if outcome.failed else DONE


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _recipes(_: argparse.Namespace) -> int:
    from retrieval.measured import measured
    from retrieval.recipes import RECIPES

    known = measured().recipes
    for name, recipe in RECIPES.items():
        right = f"Right for {known[name].in_words()}." if name in known else "Not measured on everyday claims."
        print(f"{name}: {recipe.summary}\n  {' -> '.join(recipe.stages)}\n  {right}")
    print("Where a language model is set (LLM_MODEL), it is asked before the verdict.")
    return DONE


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
    roles = {
        setting: (role, kinds, [name for name, recipe in RECIPES.items() if setting in recipe.roles])
        for setting, (role, kinds) in ROLES.items()
    }
    writers = {"llm_model": list(RECIPES)} | {
        f"llm_{writer}": [name for name, recipe in RECIPES.items() if writer in recipe.writers]
        for writer in ("questions", "contexts")
    }
    reader = [name for name, recipe in RECIPES.items() if "reader" in played(recipe, settings)]
    for line in list_models(settings, roles, writers, reader):
        print(line)
    return DONE


def _examples(options: argparse.Namespace) -> int:
    from retrieval.llm.examples import NO_EXAMPLES, read_examples
    from retrieval.llm.fetching import ADDRESS, fetch_examples

    target = Settings.from_environment().examples
    if options.get:
        print(fetch_examples(ADDRESS if options.get == PUBLISHED else options.get, target, options.sha256))
        return DONE
    count = len(read_examples(target))
    print(f"{count:,} checked claims in {target}." if count else f"{target} is not there. {NO_EXAMPLES}")
    return DONE


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
