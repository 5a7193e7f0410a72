"""The command `python -m indexing wikipedia`: its options, and what it says at its end."""

from __future__ import annotations

import argparse
import re
import sys

from retrieval.settings import Settings
from retrieval.stores import shown

DONE, FAULTS = 0, 1


def add_options(parser: argparse.ArgumentParser) -> None:
    """Beside `--store` and those of every load."""
    parser.add_argument(
        "--wiki", default="enwiki", type=_wiki, help="enwiki (default), or simplewiki, a thirtieth of it in plain words"
    )
    parser.add_argument("--date", default="latest", help="latest (default), or the day of a dump as 20251207")
    parser.add_argument(
        "--address",
        default="",
        metavar="URL",
        help="where the dumps are: the folder above the dates, or above index_name=…; or a folder or a file on disk "
        "(default: Wikimedia's)",
    )
    parser.add_argument(
        "--text",
        choices=["intro", "full"],
        default="intro",
        help="what stands before the first heading (default), or whole articles, cut into passages",
    )
    parser.add_argument(
        "--update", action="store_true", help="write only pages of a higher version, and remove those that are gone"
    )
    parser.add_argument("--limit", type=_positive, metavar="N", help="stop after N articles")
    parser.add_argument("--keep", action="store_true", help="do not delete the dump's files once they are loaded")


def run(options: argparse.Namespace) -> int:
    """Find the dump, load it, say what came of it."""
    from indexing.wikipedia.dump import WIKIMEDIA, find_dump
    from indexing.wikipedia.load import Task, load_wikipedia

    def report(sentence: str) -> None:
        print(sentence, file=sys.stderr)

    dump = find_dump(options.address or WIKIMEDIA, options.wiki, options.date, report)
    task = Task(
        dump,
        options.store,
        Settings.from_environment().data / "downloads",
        text=options.text,
        update=options.update,
        replace=options.replace,
        restart=options.restart,
        keep=options.keep,
        limit=options.limit,
        name=options.name,
    )
    card, position = load_wikipedia(task, report)
    if position.empty:
        report(f"{position.empty:,} pages without text were left out.")
    print(f"{card.pages:,} pages in {shown(options.store)}, fingerprint {card.fingerprint}.")
    if position.bad:
        report(f"{position.bad:,} pages could not be read and were left out; they are named above.")
    return FAULTS if position.bad else DONE


def _wiki(text: str) -> str:
    if not re.fullmatch(r"[a-z]{2,12}wiki", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no wiki; name one as enwiki or simplewiki")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
