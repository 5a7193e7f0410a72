"""Command line of `indexing`: `python -m indexing --help`."""

# PYTHON_ARGCOMPLETE_OK: lets the shell ask this module for completions (`completed` in retrieval/command.py)

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps

from indexing.watched.lines import ended, to_stderr
from retrieval.command import (
    DONE,
    FAULTS,
    NOT_STARTED,
    STORE,
    Act,
    Commands,
    Option,
    Parser,
    file,
    flag,
    number,
    option,
    run,
)
from retrieval.settings import Settings
from retrieval.stores import shown

STOPPED = "Stopped. Run the same command again to resume; readers still see the previous corpus."


def _checked(pattern: str, what: str) -> Callable[[str], str]:
    """The type of an option whose values match the pattern. what: continues "… is not" in the error."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not {what}")
        return text

    return check


commands = Commands()
LOAD = (
    flag("--replace", "replace the store's present corpus; readers see it until the load ends"),
    flag("--restart", "discard an unfinished load instead of resuming it"),
    option("--name", default="", help="name of the corpus in the application"),
)
WATCHED = (  # for a program that starts a load and watches it
    flag("--plan", "print as JSON what the load would take, and load nothing"),
    flag("--json", "report progress as lines of JSON"),
    flag("--public", "fetch from public addresses only, and from those that WEB_PRIVATE lists"),
    flag("--with-parent", "stop when standard input closes, and give way to other processes"),
)
GUARDED = (  # for a program that has people's files read
    file("--out", "FILE", required=True),
    number("--megabytes", "stop if more memory is needed"),
    number("--seconds", "stop if a file needs more processor time"),
    flag("--with-parent", "stop when standard input closes"),
)


def _languages(default: str) -> Option:
    code = _checked("[a-z]{2,3}", "a language code; give one such as en, de or es")
    return option("--language", type=code, help=f"language of the texts: en, de, es … (default: {default})")


def _command(help: str, example: str, *options: Option) -> Callable[[Act], Act]:
    """Declare a command; `options.store` is the settings' if none is named."""

    def declare(act: Act) -> Act:
        @wraps(act)
        def run(options: argparse.Namespace) -> int | None:
            options.store = options.store or Settings.from_environment().store_location()
            return act(options)

        return commands.add(help, f"python -m indexing {example}", STORE, *options)(run)

    return declare


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 success, 1 finished with reported errors, 2 could not start."""
    return run(parser(), arguments, STOPPED)


def parser() -> Parser:
    """The whole command line."""
    whole = Parser(
        "python -m indexing",
        description="Turns a Wikipedia dump, or your own documents, into a corpus.",
        epilog="Example: python -m indexing fever wiki-pages.zip --store data/local/store",
    )
    return whole.add_commands(commands)


@_command(
    "load the FEVER Wikipedia dump",
    "fever wiki-pages.zip --replace",
    option(
        "paths",
        nargs="+",
        metavar="PATH",
        help="folder, zip, .jsonl, .jsonl.gz, .jsonl.bz2, or the archive's http(s) address",
    ),
    *LOAD,
    flag("--unless-loaded", "do nothing if the store already holds a corpus"),
    _languages("not declared"),
    flag("--skip-bad", "report broken lines and continue"),
    flag("--no-addresses", "the pages are your own texts in the dump's format, not Wikipedia's"),
    number("--limit", "stop after N pages"),
    *WATCHED,
)
def _fever(options: argparse.Namespace) -> int:
    from indexing.fever_command import run

    return run(options)


@_command(
    "load today's Wikipedia, or bring it up to date",
    "wikipedia --wiki simplewiki --replace",
    option(
        "--wiki",
        default="enwiki",
        type=_checked("[a-z]{2,12}wiki", "a wiki; name one such as enwiki or simplewiki"),
        help="enwiki (default), or simplewiki, a thirtieth of it in plain words",
    ),
    option("--date", default="latest", help="latest (default), or the day of a dump, such as 20251207"),
    option(
        "--address",
        default="",
        metavar="URL",
        help="address of the dumps: of the folder above the dates, or above index_name=…; or a folder or file on disk "
        "(default: Wikimedia's)",
    ),
    option(
        "--text",
        choices=["intro", "full"],
        default="",
        help="the text before the first heading (default), or whole articles, split into passages; an update keeps the "
        "corpus's choice",
    ),
    flag("--update", "write only pages with a newer version, and remove deleted ones"),
    number("--limit", "stop after N articles"),
    flag("--keep", "do not delete the dump's files once they are loaded"),
    *LOAD,
    *WATCHED,
)
def _wikipedia(options: argparse.Namespace) -> int:
    from indexing.wikipedia.command import run

    return run(options)


@_command(
    "load your own documents",
    "documents reports/ notes.md",
    file("paths", "PATH", ".txt .md .html .pdf .docx, or folders of them", nargs="+"),
    *LOAD,
    _languages("detected"),
)
def _documents(options: argparse.Namespace) -> int:
    from indexing.load import load_documents

    chosen = {name: getattr(options, name) for name in ("name", "replace", "restart")}
    language = options.language or ""
    card, unread = load_documents(options.paths, options.store, language=language, report=to_stderr, **chosen)
    return ended(card, options.store, unread, "{:,} files or pages could not be read; they are named above.")


@_command(
    "put a claim's own documents into one file, for `python -m retrieval check --knowledge FILE`",
    "knowledge report.pdf notes.md --out claim.jsonl",
    file("paths", "FILE", ".txt .md .html .pdf .docx, or AVeriTeC's .json", nargs="+"),
    _languages("detected"),
    flag("--json", "report each file as a line of JSON"),
    number("--characters", "read no more than this of all files"),
    flag("--headings", "keep headings, for a text to find claims in; they are not evidence"),
    *GUARDED,
)
def _knowledge(options: argparse.Namespace) -> int:
    from indexing.converters import load_readers
    from indexing.knowledge import LONGEST_KNOWLEDGE, write_knowledge
    from indexing.watched.limits import end_with_parent, limit_memory, limit_seconds
    from retrieval.text.languages import find_language
    from retrieval.text.languages.detecting import detector

    if options.with_parent:
        end_with_parent()
    if options.seconds:
        load_readers(options.paths)  # in advance, so that loading them takes no file's time
        if not options.language:
            detector()
    limit_memory(options.megabytes)
    unread, begin = 0, lambda: limit_seconds(options.seconds)

    def report(name: str, pages: int, faults: Sequence[str], language: str) -> None:
        nonlocal unread
        unread += not pages
        if options.json:
            print(json.dumps({"file": name, "pages": pages, "faults": faults, "language": language}), flush=True)
        else:
            in_language = [f"in {find_language(language).name}"] if language else []
            to_stderr("; ".join((f"{name}: {pages:,} pages", *in_language, *faults)))

    try:
        longest, language = options.characters or LONGEST_KNOWLEDGE, options.language or ""
        pages = write_knowledge(options.paths, options.out, report, longest, begin, language, options.headings)
        limit_seconds(0)  # all is read
    except OSError as error:
        to_stderr(f"{options.out} cannot be written: {error.strerror}. Name another with `--out`.")
        return NOT_STARTED
    if not options.json:
        print(f"{pages:,} pages in {options.out}.")
    return FAULTS if unread else DONE


@_command(
    "read a table of claims into JSON",
    "table claims.xlsx --out claims.json",
    file("path", "FILE", ".csv .tsv .xlsx"),
    number("--most", "keep no more rows than this"),
    *GUARDED,
)
def _table(options: argparse.Namespace) -> int:
    from indexing.watched.limits import end_with_parent, limit_memory, limit_seconds
    from retrieval.output.tables.reading import read_table, table_as_json

    if options.with_parent:
        end_with_parent()
    limit_memory(options.megabytes)
    limit_seconds(options.seconds)
    table = read_table(options.path, options.most)
    limit_seconds(0)  # all is read
    longest = 4 * Settings.from_environment().claim_length
    options.out.write_text(json.dumps(table_as_json(table, longest), ensure_ascii=False), "utf-8")
    print(f"{len(table.rows):,} of {table.total:,} rows in {options.out}.")
    return DONE


@_command(
    "compute the pages' vectors",
    "vectors --store data/local/store",
    option(
        "--model",
        default="minilm",
        metavar="NAME",
        help="minilm (default), static (a hundred times as fast, but worse), dpr, or any other encoder of a hub",
    ),
    option("--device", choices=["cpu", "cuda"], default="cpu", help="where it runs (default: cpu)"),
    flag("--restart", "discard an unfinished run"),
)
def _vectors(options: argparse.Namespace) -> int:
    from indexing.vectors import make_vectors
    from retrieval.models.encoders import open_page_encoder

    settings = Settings.from_environment()
    encoder, model = open_page_encoder(options.model, settings, options.device)
    more = {"restart": options.restart, "characters": settings.page_characters}
    card = make_vectors(options.store, encoder, model, report=to_stderr, **more)
    count = f"{card.vectors:,} of {card.pages:,} pages"
    print(f"{count} in {shown(options.store)} have vectors, made by {card.vector_model}.")
    return DONE


@_command("count how many pages name each page", "mentions --store data/local/store")
def _mentions(options: argparse.Namespace) -> int:
    from indexing.mentions import count_mentions

    return ended(count_mentions(options.store, to_stderr), options.store)


@_command("show what a store contains, as JSON", "info --store data/local/store")
def _info(options: argparse.Namespace) -> int:
    from retrieval.stores import open_store

    print(json.dumps(asdict(open_store(options.store).info()), indent=1))
    return DONE


if __name__ == "__main__":
    sys.exit(main())
