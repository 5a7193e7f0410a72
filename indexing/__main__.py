"""Command line of `indexing`: `python -m indexing --help`."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from retrieval.command import DONE, FAULTS, INTERRUPTED, NOT_STARTED, Parser, positive, run
from retrieval.settings import Settings
from retrieval.stores import shown

STOPPED = "Stopped. Run the same command again to resume; readers still see the previous corpus."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 done, 1 finished with reported faults, 2 could not start."""
    from indexing.load import LoadInterrupted

    try:
        return run(_parser(), arguments, STOPPED)
    except LoadInterrupted as stopped:
        print(stopped, file=sys.stderr)
        return INTERRUPTED


def _parser() -> Parser:
    parser = Parser(
        prog="python -m indexing",
        description="Turns a Wikipedia dump, or your own documents, into a corpus.",
        epilog="Example: python -m indexing fever wiki-pages.zip --store data/local/store",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    _add_fever(commands)
    _add_wikipedia(commands)
    _add_documents(commands)
    _add_knowledge(commands)
    _add_table(commands)
    _add_vectors(commands)
    _command(
        commands, "mentions", _mentions, "count how many pages name each page", "mentions --store data/local/store"
    )
    _command(commands, "info", _info, "show what a store contains, as JSON", "info --store data/local/store")
    return parser


def _add_fever(commands: Any) -> None:
    fever = _command(commands, "fever", _fever, "load the FEVER Wikipedia dump", "fever wiki-pages.zip --replace")
    fever.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="folder, zip, .jsonl, .jsonl.gz, .jsonl.bz2, or the archive's http(s) address",
    )
    _add_load_options(fever)
    fever.add_argument("--unless-loaded", action="store_true", help="do nothing where the store holds a corpus already")
    _add_language(fever, "not declared")
    fever.add_argument("--skip-bad", action="store_true", help="report broken lines and continue")
    fever.add_argument(
        "--no-addresses", action="store_true", help="the pages are your own texts in the dump's form, not Wikipedia's"
    )
    fever.add_argument("--limit", type=positive, metavar="N", help="stop after N pages")
    _add_watched(fever)


def _add_wikipedia(commands: Any) -> None:
    wikipedia = _command(
        commands,
        "wikipedia",
        _wikipedia,
        "load today's Wikipedia, or bring it up to date",
        "wikipedia --wiki simplewiki --replace",
    )
    wikipedia.add_argument(
        "--wiki", default="enwiki", type=_wiki, help="enwiki (default), or simplewiki, a thirtieth of it in plain words"
    )
    wikipedia.add_argument("--date", default="latest", help="latest (default), or the day of a dump, such as 20251207")
    wikipedia.add_argument(
        "--address",
        default="",
        metavar="URL",
        help="where the dumps are: the folder above the dates, or above index_name=…; or a folder or a file on disk "
        "(default: Wikimedia's)",
    )
    wikipedia.add_argument(
        "--text",
        choices=["intro", "full"],
        default="",
        help="the text before the first heading (default), or whole articles, split into passages; an update keeps the "
        "corpus's form",
    )
    wikipedia.add_argument(
        "--update", action="store_true", help="write only pages of a higher version, and remove those that are gone"
    )
    wikipedia.add_argument("--limit", type=positive, metavar="N", help="stop after N articles")
    wikipedia.add_argument("--keep", action="store_true", help="do not delete the dump's files once they are loaded")
    _add_load_options(wikipedia)
    _add_watched(wikipedia)


def _add_documents(commands: Any) -> None:
    documents = _command(commands, "documents", _documents, "load your own documents", "documents reports/ notes.md")
    documents.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help=".txt .md .html .pdf .docx, or folders of them"
    )
    _add_load_options(documents)
    _add_language(documents, "detected")


def _add_load_options(load: argparse.ArgumentParser) -> None:
    load.add_argument(
        "--replace", action="store_true", help="replace what the store holds now; readers keep it until the end"
    )
    load.add_argument("--restart", action="store_true", help="discard an unfinished load instead of resuming it")
    load.add_argument("--name", default="", help="name of the corpus in the application")


def _add_watched(load: argparse.ArgumentParser) -> None:
    """For a program that starts a load and watches it."""
    load.add_argument("--plan", action="store_true", help="say as JSON what the load would take, and load nothing")
    load.add_argument("--json", action="store_true", help="report progress as lines of JSON")
    load.add_argument(
        "--public", action="store_true", help="fetch from public addresses only, and from those that WEB_PRIVATE lists"
    )
    load.add_argument(
        "--with-parent", action="store_true", help="stop when standard input closes, and leave others the processor"
    )


def _add_language(load: argparse.ArgumentParser, default: str) -> None:
    load.add_argument(
        "--language", default=None, type=_language, help=f"language of the texts: en, de, es … (default: {default})"
    )


def _language(text: str) -> str:
    if not re.fullmatch(r"[a-z]{2,3}", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a language code; give one such as en, de or es")
    return text


def _add_knowledge(commands: Any) -> None:
    knowledge = _command(
        commands,
        "knowledge",
        _knowledge,
        "make one file of a claim's own documents, for `python -m retrieval check --knowledge FILE`",
        "knowledge report.pdf notes.md --out claim.jsonl",
    )
    knowledge.add_argument(
        "paths", nargs="+", type=Path, metavar="FILE", help=".txt .md .html .pdf .docx, or AVeriTeC's .json"
    )
    knowledge.add_argument("--out", type=Path, required=True, metavar="FILE")
    knowledge.add_argument(
        "--language", default=None, type=_language, help="language of the files: en, de, es … (default: detected)"
    )
    knowledge.add_argument("--json", action="store_true", help="report each file as a line of JSON")
    knowledge.add_argument("--megabytes", type=positive, metavar="N", help="stop if more memory is needed")
    knowledge.add_argument("--seconds", type=positive, metavar="N", help="stop if a file needs more processor time")
    knowledge.add_argument("--characters", type=positive, metavar="N", help="read no more than this of all files")
    knowledge.add_argument(
        "--headings",
        action="store_true",
        help="keep headings, for a text whose claims are sought; they are no evidence",
    )
    knowledge.add_argument("--with-parent", action="store_true", help="stop when standard input closes")


def _add_table(commands: Any) -> None:
    table = _command(
        commands, "table", _table, "read a table of claims into JSON", "table claims.xlsx --out claims.json"
    )
    table.add_argument("path", type=Path, metavar="FILE", help=".csv .tsv .xlsx")
    table.add_argument("--out", type=Path, required=True, metavar="FILE")
    table.add_argument("--most", type=positive, metavar="N", help="keep no more rows than this")
    table.add_argument("--megabytes", type=positive, metavar="N", help="stop if more memory is needed")
    table.add_argument("--seconds", type=positive, metavar="N", help="stop if more processor time is needed")
    table.add_argument("--with-parent", action="store_true", help="stop when standard input closes")


def _add_vectors(commands: Any) -> None:
    vectors = _command(commands, "vectors", _vectors, "compute the pages' vectors", "vectors --store data/local/store")
    vectors.add_argument(
        "--model",
        default="minilm",
        metavar="NAME",
        help="minilm (default), static (a hundred times as fast, and worse), dpr, or any other encoder of a hub",
    )
    vectors.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where it runs (default: cpu)")
    vectors.add_argument("--restart", action="store_true", help="discard an unfinished run")


def _command(
    commands: Any, name: str, act: Callable[[argparse.Namespace], int], help: str, example: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=help[0].upper() + help[1:] + ".", epilog=f"Example: python -m indexing {example}"
    )
    command.add_argument(
        "--store",
        default="",
        help="the corpus: a folder, or http(s)://host:port/index (default: STORE, else DATA/store)",
    )
    command.set_defaults(run=lambda options: act(_with_store(options)))
    return command


def _with_store(options: argparse.Namespace) -> argparse.Namespace:
    """The options, with the settings' store if none is named. Raises SettingError."""
    options.store = options.store or Settings.from_environment().store_location()
    return options


def _wiki(text: str) -> str:
    if not re.fullmatch(r"[a-z]{2,12}wiki", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a wiki; name one such as enwiki or simplewiki")
    return text


def _fever(options: argparse.Namespace) -> int:
    from indexing.fever_command import run

    return run(options)


def _wikipedia(options: argparse.Namespace) -> int:
    from indexing.wikipedia.command import run

    return run(options)


def _documents(options: argparse.Namespace) -> int:
    from indexing.load import load_documents

    card, unread = load_documents(
        options.paths,
        options.store,
        name=options.name,
        replace=options.replace,
        restart=options.restart,
        language=options.language or "",
        report=lambda sentence: print(sentence, file=sys.stderr),
    )
    print(f"{card.pages:,} pages in {shown(options.store)}, fingerprint {card.fingerprint}.")
    if unread:
        print(f"{unread:,} files or pages could not be read; they are named above.", file=sys.stderr)
    return FAULTS if unread else DONE


def _knowledge(options: argparse.Namespace) -> int:
    from indexing.converters import load_readers
    from indexing.knowledge import LONGEST_KNOWLEDGE, end_with_parent, limit_memory, limit_seconds, write_knowledge
    from retrieval.text.languages import find_language
    from retrieval.text.languages.detecting import detector

    if options.with_parent:
        end_with_parent()
    if options.seconds:
        load_readers(options.paths)  # whose loading counts for no file
        if not options.language:
            detector()
    if options.megabytes:
        limit_memory(options.megabytes)
    unread, begin = 0, lambda: limit_seconds(options.seconds or 0)

    def report(name: str, pages: int, faults: Sequence[str], language: str) -> None:
        nonlocal unread
        unread += not pages
        if options.json:
            print(json.dumps({"file": name, "pages": pages, "faults": faults, "language": language}), flush=True)
        else:
            spoken = [f"in {find_language(language).name}"] if language else []
            print(f"{name}: {pages:,} pages", *spoken, *faults, sep="; ", file=sys.stderr)

    try:
        longest, language = options.characters or LONGEST_KNOWLEDGE, options.language or ""
        pages = write_knowledge(options.paths, options.out, report, longest, begin, language, options.headings)
        limit_seconds(0)  # all is read
    except OSError as error:
        print(f"{options.out} cannot be written: {error.strerror}. Name another with `--out`.", file=sys.stderr)
        return NOT_STARTED
    if not options.json:
        print(f"{pages:,} pages in {options.out}.")
    return FAULTS if unread else DONE


def _table(options: argparse.Namespace) -> int:
    from indexing.knowledge import end_with_parent, limit_memory, limit_seconds
    from retrieval.output.tables.reading import read_table, table_as_json

    if options.with_parent:
        end_with_parent()
    if options.megabytes:
        limit_memory(options.megabytes)
    limit_seconds(options.seconds or 0)
    table = read_table(options.path, options.most)
    limit_seconds(0)  # all is read
    longest = 4 * Settings.from_environment().claim_length
    options.out.write_text(json.dumps(table_as_json(table, longest), ensure_ascii=False), "utf-8")
    print(f"{len(table.rows):,} of {table.total:,} rows in {options.out}.")
    return DONE


def _vectors(options: argparse.Namespace) -> int:
    from indexing.vectors import make_vectors
    from retrieval.models.encoders import open_page_encoder

    settings = Settings.from_environment()
    encoder, model = open_page_encoder(options.model, settings, options.device)
    report = lambda sentence: print(sentence, file=sys.stderr)  # noqa: E731
    card = make_vectors(
        options.store, encoder, model, restart=options.restart, report=report, characters=settings.page_characters
    )
    print(
        f"{card.vectors:,} of {card.pages:,} pages in {shown(options.store)} have vectors, made by {card.vector_model}."
    )
    return DONE


def _mentions(options: argparse.Namespace) -> int:
    from indexing.mentions import count_mentions

    card = count_mentions(options.store, lambda sentence: print(sentence, file=sys.stderr))
    print(f"{card.pages:,} pages in {shown(options.store)}, fingerprint {card.fingerprint}.")
    return DONE


def _info(options: argparse.Namespace) -> int:
    from retrieval.stores import open_store

    print(json.dumps(asdict(open_store(options.store).info()), indent=1))
    return DONE


if __name__ == "__main__":
    sys.exit(main())
