"""What the commands share: `--config`, `--version`, `--recipe` and `--set`, warnings about misspelt settings, exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from retrieval.errors import EsotericError
from retrieval.settings import Settings
from retrieval.settings.in_force import CONFIG, check_names, read_knobs
from retrieval.version import PROGRAM

DONE, FAULTS, NOT_STARTED, INTERRUPTED = 0, 1, 2, 130
READER_GONE = 141  # what a shell reports for a command that SIGPIPE ended


class Parser(argparse.ArgumentParser):
    """A parser whose commands all know `--config` and `--version`."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.add_argument(
            "--config",
            metavar="FILE",
            default=argparse.SUPPRESS,  # else a command would forget what stands before its name
            help="settings file (default: ESOTERIC_CONFIG, else esoteric.toml in DATA)",
        )
        self.add_argument("--version", action="version", version=PROGRAM)


def run(parser: Parser, arguments: Sequence[str] | None = None, stopped: str = "") -> int:
    """Run the command that the arguments name. Returns its exit code; where it could not start, one sentence says why.

    stopped: what to say after Ctrl-C, unless the command says it itself.
    """
    options = parser.parse_args(arguments)
    try:
        with settings_file(options):
            code = int(options.run(options) or DONE)
        sys.stdout.flush()
        return code
    except EsotericError as error:
        print(error, file=sys.stderr)
        return NOT_STARTED
    except KeyboardInterrupt as error:
        if told := str(error) or stopped:
            print(told, file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # `| head` has read enough; what is still buffered must not be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE


@contextmanager
def settings_file(options: argparse.Namespace) -> Iterator[None]:
    """Inside, the file that `--config` names holds, for child processes too; misspelt names are reported.

    Raises SettingError if the file cannot be read.
    """
    before = os.environ.get(CONFIG)
    if named := getattr(options, "config", ""):
        os.environ[CONFIG] = os.path.abspath(named)
    try:
        for warning in (*check_names(os.environ), *_check_knobs()):
            print(warning, file=sys.stderr)
        yield
    finally:
        if named and before is None:
            os.environ.pop(CONFIG, None)
        elif named and before is not None:
            os.environ[CONFIG] = before


def _check_knobs() -> list[str]:
    """What is wrong with the names of knobs. Raises SettingError if a value of one does not fit."""
    knobs = read_knobs(os.environ)
    if not knobs:
        return []
    from retrieval.recipes.tuning import check_knobs

    return check_knobs(Settings(knobs=knobs))


def add_recipe(command: argparse.ArgumentParser) -> None:
    """`--recipe` and `--set`, which `settings_of` reads."""
    command.add_argument("--recipe", default="", help="pipeline to use (default: the setting RECIPE)")
    add_knobs(command)


def add_knobs(command: argparse.ArgumentParser) -> None:
    """`--set` alone, for a command with a `--recipe` of its own."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a knob of that recipe, as chunks=5 for aic; repeat it for several (docs/settings.md lists them)",
    )


def settings_of(options: argparse.Namespace, recipe: str = "") -> Settings:
    """The settings in force, with the recipe that `--recipe` names and the knobs that `--set` names.

    recipe: whose knobs these are, unless that one's. Raises SettingError, and RecipeError if knobs are set and there is no such
    recipe.
    """
    settings = Settings.from_environment()
    settings = replace(settings, recipe=options.recipe or settings.recipe)
    if not options.set:
        return settings
    from retrieval.recipes.tuning import tuned

    return tuned(settings, recipe or settings.recipe, options.set)


def positive(text: str) -> int:
    """An argument that is a whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
