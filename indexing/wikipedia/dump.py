"""Finds a dump of Wikimedia's search index: on a server or on disk, in parts or in the older single-file form.

    ADDRESS/YYYYMMDD/index_name=enwiki_content/enwiki_content-YYYYMMDD-NNNNN.json.bz2    and `_SUCCESS` once complete
    ADDRESS/YYYYMMDD/enwiki-YYYYMMDD-cirrussearch-content.json.gz                        the form until 2025

ADDRESS may also be the folder of one date, and a folder or a file on disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from indexing.wikipedia.places import Place, open_place
from retrieval.errors import CorpusError
from retrieval.stores.locations import on_server

WIKIMEDIA = "https://dumps.wikimedia.org/other/cirrus_search_index"
LATEST = "latest"
SUCCESS = "_SUCCESS"
NAMES = {"enwiki": "English Wikipedia", "simplewiki": "Simple English Wikipedia"}
MOST_DUMP_FILES = 999
LOOKED_BEYOND = 3  # numbers to try after a missing one, if a server does not list its folders
MOST_DATES = 12  # dates to try for the newest complete dump

_DATE = re.compile(r"20\d{6}")
_SUFFIX = r"\.json(?:\.bz2|\.gz)?"


class NoDump(CorpusError):
    """The place does not have the requested dump."""


@dataclass(frozen=True)
class DumpFile:
    """One file of a dump. place: its address, or its path on disk. size: bytes, None if the server does not say."""

    name: str
    place: str
    size: int | None

    @property
    def remote(self) -> bool:
        """Whether it must be fetched."""
        return on_server(self.place)


@dataclass(frozen=True)
class Dump:
    """A whole dump. date: YYYYMMDD."""

    wiki: str
    date: str
    files: tuple[DumpFile, ...]

    @property
    def day(self) -> str:
        """Its date as 2025-12-07."""
        return day_of(self.date)

    @property
    def name(self) -> str:
        """Its name as a corpus: English Wikipedia of 2025-12-07."""
        return f"{NAMES.get(self.wiki, self.wiki)} of {self.day}"

    @property
    def size(self) -> int:
        """Bytes of all files, if known."""
        return sum(file.size or 0 for file in self.files)


def find_dump(address: str, wiki: str, date: str, report: Callable[[str], None]) -> Dump:
    """The dump of this wiki and date (`latest`: the newest complete one). report: called for dumps that are skipped
    because they are incomplete. Raises NoDump if there is none, CorpusError if it cannot be reached.
    """
    if date != LATEST and not _DATE.fullmatch(date):
        raise CorpusError(f"{date!r} is not the date of a dump. Give `latest`, or a day such as 20251207.")
    with open_place(address) as place:
        if re.search(_SUFFIX + "$", place.name):
            return _single(place, wiki, date)
        for folder in _candidates(place, date):
            if dump := _dump_in(folder, wiki, date, report):
                return dump
        missing = "no whole dump" if date == LATEST else f"no dump of {date}"
        raise NoDump(f"{place} holds {missing} of {wiki}. Look there for its dates, and name one with `--date`.")


def names_one_dump(address: str) -> bool:
    """Whether the address is the folder of one date or a single file, rather than a folder above the dates."""
    with open_place(address) as place:
        return bool(_DATE.fullmatch(place.name) or re.search(_SUFFIX + "$", place.name))


def day_of(date: str) -> str:
    """20251207 as 2025-12-07."""
    return f"{date[:4]}-{date[4:6]}-{date[6:]}"


def _candidates(place: Place, date: str) -> Iterator[Place]:
    """Folders that may hold the dump, newest first."""
    if _DATE.fullmatch(place.name):
        if date not in (LATEST, place.name):
            raise CorpusError(f"{place} is of {place.name}, and `--date {date}` was asked for. Leave one of them out.")
        yield place
        return
    dates = sorted((name for name in place.names() if _DATE.fullmatch(name)), reverse=True)
    if date != LATEST:
        dates = [date]
    yield from (place / name for name in dates[:MOST_DATES])
    yield place  # the folder above `index_name=…` itself


def _dump_in(folder: Place, wiki: str, date: str, report: Callable[[str], None]) -> Dump | None:
    """The dump in a date's folder; None if there is none, or if it is incomplete and another date will do."""
    index = folder / f"index_name={wiki}_content"
    names = _parts(index, wiki, date if date != LATEST else folder.name)
    if not names and (old := _old_file(folder, wiki, date)):
        return old
    if not names:
        return None
    if fault := _lacking(index, folder, names):
        sentence = f"The dump at {index} is not complete{fault}."
        if date != LATEST:
            raise CorpusError(f"{sentence} Try again in a day, or name an earlier one with `--date`.")
        report(f"{sentence} Looking for an earlier one.")
        return None
    return Dump(wiki, _date_of(names[0]), tuple(_file(index / name) for name in names))


def _lacking(index: Place, folder: Place, names: Sequence[str]) -> str:
    """Why a dump is incomplete: a part before the last is missing, or the mark. Ends a sentence; "" if complete."""
    numbers = {int(name.partition(".")[0].rpartition("-")[2]) for name in names}
    # Parts are numbered from 0 or from 1.
    missing = [number for number in range(min(1, *numbers), max(numbers)) if number not in numbers]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f": part {missing[0]:05}{more} cannot be found there, perhaps because not all of it was copied"
    return "" if index.holds(SUCCESS) or folder.holds(SUCCESS) else f" yet: it has no {SUCCESS}"


def _parts(index: Place, wiki: str, date: str) -> list[str]:
    """Names of the parts, in order: of this date, or of the newest if no date is given."""
    part = re.compile(rf"{wiki}_content-(20\d{{6}})-\d{{1,6}}{_SUFFIX}")
    names = sorted(name for name in index.names() if part.fullmatch(name))
    if not names and _DATE.fullmatch(date):
        names = _probed(index, f"{wiki}_content-{date}")
    newest = date if _DATE.fullmatch(date) else _date_of(names[-1]) if names else ""
    return [name for name in names if _date_of(name) == newest][:MOST_DUMP_FILES]


def _probed(index: Place, stem: str) -> list[str]:
    """The parts of a dump on a server that does not list its folders."""
    found: dict[int, str] = {}
    for number in range(MOST_DUMP_FILES):
        name = f"{stem}-{number:05}.json.bz2"
        if index.holds(name):
            found[number] = name
        elif number > max(found, default=0) + LOOKED_BEYOND:
            break
    return list(found.values())


def _old_file(folder: Place, wiki: str, date: str) -> Dump | None:
    """The single-file form of dumps until 2025; it appears only once it is complete."""
    name = re.compile(rf"{wiki}-20\d{{6}}-cirrussearch-content{_SUFFIX}")
    names = sorted(found for found in folder.names() if name.fullmatch(found) and date in (LATEST, _date_of(found)))
    return _single(folder / names[-1], wiki, LATEST) if names else None


def _single(file: Place, wiki: str, date: str) -> Dump:
    """A dump that is a single file."""
    day = date if date != LATEST else _date_of(file.name)
    if not day:
        raise CorpusError(f"The name of {file} contains no date. Name its day, such as `--date 20251207`.")
    return Dump(wiki, day, (_file(file),))


def _file(file: Place) -> DumpFile:
    return DumpFile(file.name, file.key, file.size())


def _date_of(name: str) -> str:
    match = _DATE.search(name)
    return match[0] if match else ""
