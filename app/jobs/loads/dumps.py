"""The dumps that a corpus can be loaded from, and the command of `python -m indexing` for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FEVER_ADDRESS = "https://fever.ai/download/fever/wiki-pages.zip"
OTHER = "other"
WIKI = re.compile(r"[a-z]{2,12}wiki")
LONGEST_PLACE = 1_000  # characters
_FEVER_FILE = re.compile(r"\.(zip|jsonl|jsonl\.gz|jsonl\.bz2)$", re.I)


@dataclass(frozen=True)
class Dump:
    """A dump to choose from. title, what: its name and its size, for people. wiki: the wiki that it comes from, if known."""

    title: str
    what: str
    wiki: str = ""


DUMPS = {
    "simplewiki": Dump(
        "Simple English Wikipedia",
        "A thirtieth of the English one, in plain words: minutes on most machines.",
        "simplewiki",
    ),
    "enwiki": Dump("Today's English Wikipedia", "7 million articles, 40 GB to fetch: hours.", "enwiki"),
    "fever": Dump(
        "FEVER's Wikipedia of June 2017", "5.4 million introductions, 1.7 GB to fetch: the corpus of FEVER's claims."
    ),
    OTHER: Dump("Another dump", "In a folder on this machine, or at an address."),
}


@dataclass(frozen=True)
class Wanted:
    """A dump that somebody wants to load. source: a key of `DUMPS`. place, wiki: only for `OTHER`."""

    source: str
    place: str = ""
    wiki: str = ""

    @property
    def remote(self) -> bool:
        """Whether its place is an address."""
        return self.place.lower().startswith(("http://", "https://"))


def load_command(wanted: Wanted, store: Path, name: str) -> list[str]:
    """Arguments of `python -m indexing` that load the dump into a folder and report the progress."""
    return _command(wanted, store, ["--json", "--with-parent", f"--name={name}"])


def plan_command(wanted: Wanted, store: Path) -> list[str]:
    """Arguments of `python -m indexing` that only print what the load would need."""
    return _command(wanted, store, ["--plan", "--with-parent"])


def by_hand(source: str) -> str:
    """The command with which people load this dump themselves."""
    return {
        "simplewiki": "make wikipedia-today WIKI=simplewiki",
        "enwiki": "make wikipedia-today",
        "fever": "make wikipedia",
    }[source]


def _command(wanted: Wanted, store: Path, options: Sequence[str]) -> list[str]:
    # Typed values follow = or --, so that they cannot be read as options.
    into = [f"--store={store}", *options, *(["--public"] if wanted.remote else [])]
    if wanted.source == "fever" or (wanted.source == OTHER and in_fevers_form(wanted)):
        return ["fever", *into, "--language=en", "--", wanted.place or FEVER_ADDRESS]
    wiki = DUMPS[wanted.source].wiki or wanted.wiki
    return ["wikipedia", *into, f"--wiki={wiki}", *([f"--address={wanted.place}"] if wanted.place else [])]


def in_fevers_form(wanted: Wanted) -> bool:
    """Whether its place is FEVER's archive, or a file or folder of its lines, and not a dump of Wikimedia's search index."""
    if _FEVER_FILE.search(wanted.place.partition("?")[0].rstrip("/")):
        return True
    return not wanted.remote and next(Path(wanted.place).glob("wiki-*.jsonl*"), None) is not None
