"""What all command lines share: declared commands and options, `--config`, `--version`, exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from retrieval.errors import EsotericError
from retrieval.settings import Settings
from retrieval.settings.in_force import CONFIG, check_names, read_knobs
from retrieval.version import PROGRAM

DONE, FAULTS, NOT_STARTED, INTERRUPTED = 0, 1, 2, 130
READER_GONE = 141  # the exit code that a shell reports for a command ended by SIGPIPE

Option = Callable[[Any], object]  # adds itself to a parser
Act = Callable[[Any], int | None]  # takes the options, returns the exit code; None means 0


def option(*names: str, **declared: Any) -> Option:
    """An option or argument, declared as for `add_argument`."""
    return lambda parser: parser.add_argument(*names, **declared)


def flag(name: str, help: str) -> Option:
    """An option without a value."""
    return option(name, action="store_true", help=help)


def number(name: str, help: str, **declared: Any) -> Option:
    """An option that takes a whole number above 0."""
    return option(name, help=help, **{"type": positive, "metavar": "N", **declared})


def file(name: str, metavar: str, help: str = "", **declared: Any) -> Option:
    """An option or argument that names a file or a folder."""
    return option(name, type=Path, metavar=metavar, help=help or None, **declared)


def either(*options: Option) -> Option:
    """Options of which only one may be given."""

    def add(parser: Any) -> None:
        group = parser.add_mutually_exclusive_group()
        for add_to in options:
            add_to(group)

    return add


@dataclass(frozen=True)
class Command:
    """A command, declared by `Commands.add`."""

    name: str
    run: Act
    help: str
    example: str
    description: str
    options: tuple[Option, ...]
    commands: Sequence[Command]


class Commands(list[Command]):
    """The commands of a program, or of part of one, in the order of its help."""

    def add(
        self,
        help: str,
        example: str,
        *options: Option,
        description: str = "",
        name: str = "",
        commands: Sequence[Command] = (),
    ) -> Callable[[Act], Act]:
        """Make the function below a command. name: if not the function's. commands: subcommands, of which one must follow."""

        def declare(run: Act) -> Act:
            called = name or run.__name__.strip("_").replace("_", "-")
            described = description or f"{help[0].upper()}{help[1:]}."
            self.append(Command(called, run, help, example, described, options, commands))
            return run

        return declare


class Parser(argparse.ArgumentParser):
    """A parser whose commands all accept `--config` and `--version`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.add_argument(
            "--config",
            metavar="FILE",
            default=argparse.SUPPRESS,  # a default would overwrite the option if it precedes the command
            help="settings file (default: ESOTERIC_CONFIG, else esoteric.toml in DATA)",
        )
        self.add_argument("--version", action="version", version=PROGRAM)

    def add_commands(self, commands: Sequence[Command], metavar: str = "COMMAND", required: bool = True) -> Parser:
        """Add commands; the options hold the chosen one's name under `metavar` in lower case. Returns this parser."""
        subparsers = self.add_subparsers(dest=metavar.lower(), metavar=metavar, required=required)
        for command in commands:
            texts: dict[str, Any] = {"help": command.help, "description": command.description}
            parser = subparsers.add_parser(command.name, epilog=f"Example: {command.example}", **texts)
            for add in command.options:
                add(parser)
            if command.commands:
                parser.add_commands(command.commands, "WHAT")
            parser.set_defaults(run=command.run)
        return self


def completed(parser: Parser) -> None:
    """If a shell asks how to complete a command line, answer and exit; otherwise do nothing."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete  # only here, because imports slow down every command, such as a health check

        argcomplete.autocomplete(parser)


def run(parser: Parser, arguments: Sequence[str] | None = None, stopped: str = "") -> int:
    """Run the command that the arguments name, and return its exit code. stopped: what to print after Ctrl-C."""
    completed(parser)
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
        if message := str(error) or stopped:
            print(message, file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # `| head` has read enough, and the buffered rest must not be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE


@contextmanager
def settings_file(options: argparse.Namespace) -> Iterator[None]:
    """Use the file that `--config` names, in child processes too, and report misspelt names. Raises SettingError."""
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
    """Warnings about wrong names of knobs. Raises SettingError if a value does not fit."""
    knobs = read_knobs(os.environ)
    if not knobs:
        return []
    from retrieval.recipes.tuning import check_knobs

    return check_knobs(Settings(knobs=knobs))


def settings_of(options: argparse.Namespace, recipe: str = "") -> Settings:
    """The settings in force, with `--recipe` and `--set`. recipe: whose knobs. Raises SettingError and RecipeError."""
    settings = Settings.from_environment()
    settings = replace(settings, recipe=getattr(options, "recipe", "") or settings.recipe)
    if not getattr(options, "set", []):
        return settings
    from retrieval.recipes.tuning import tuned

    return tuned(settings, recipe or settings.recipe, options.set)


def positive(text: str) -> int:
    """An argument that is a whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


KNOBS = option(
    "--set",
    action="append",
    default=[],
    metavar="NAME=VALUE",
    help="set a knob of the recipe, such as chunks=5 for aic; repeat it for several (docs/settings.md lists them)",
)
RECIPE = option("--recipe", default="", help="pipeline to use (default: the setting RECIPE)")
STORE = option(
    "--store", default="", help="the corpus: a folder, or http(s)://host:port/index (default: STORE, else DATA/store)"
)
LIMIT = number("--limit", "only the first N")
