"""Lists, loads, renames, chooses and removes corpora, and checks what people type for that."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.accounts.service import viewer
from app.http.problems import Problem, read_name
from app.http.services import services
from app.jobs.loads.dumps import DUMPS, LONGEST_PLACE, OTHER, WIKI, Wanted, plan_command
from app.jobs.loads.process import LoadProcess
from app.tables.database import storable
from app.tables.loads import CHANGES, Load
from retrieval.errors import StoreError, StoreMissing
from retrieval.stores import shown
from retrieval.stores.embedded import generations
from retrieval.stores.locations import on_server
from retrieval.stores.named import NAMED, choose_corpus, name_corpus, named_corpora
from retrieval.text.addresses import web_address
from retrieval.text.languages import find_language
from retrieval.types import CorpusInfo

STANDARD, AT_HOME = "@default", "@store"  # keys of a default outside DATA, and of DATA/store
LONGEST_CORPUS_NAME = 80  # characters
PLAN_SECONDS = 40.0  # that a server may take to describe its dump
MOST_LOADS = 20  # unfinished
REFUSALS = (  # with accounts; without
    "Only admins load, name and remove corpora. Ask one of them, or use the command line on the server.",
    "There are no accounts, and other machines can reach this server, so corpora are loaded on its command line. "
    "Set ACCOUNTS=true, and admins can do it here.",
)
SURE = "Nothing was removed. Tick the box that says you are sure, then try again."
BUSY = "Two other dumps are being examined. Wait a moment, then try again."
SLOW = "The server did not describe the dump within {:.0f} seconds. Try again, or check the address."
_looking = threading.BoundedSemaphore(2)


@dataclass(frozen=True)
class Listed:
    """A corpus in the list. key: its name in addresses. folder: its folder in DATA/corpora, empty if it is elsewhere. against:
    how a check names it; None if it is read only as the default. standard: whether it is the default. problem: why it
    cannot be read.
    """

    key: str
    name: str
    place: str
    folder: str = ""
    info: CorpusInfo | None = None
    bytes: int = 0
    standard: bool = False
    against: str | None = None
    problem: str = ""

    @property
    def language(self) -> str:
        """Its language in words; empty if it declares none."""
        return find_language(self.info.language).name if self.info and self.info.language else ""


def corpora() -> list[Listed]:
    """All corpora: the default first, then by name."""
    settings = services().settings
    at_home = settings.data / "store"
    named = named_corpora(settings.data).items()
    found = [_in_folder(AT_HOME, at_home), *(_in_folder(name, folder, name) for name, folder in named)]
    if settings.store_location() != str(at_home) and not any(one.standard for one in found):
        found.append(_of_setting())
    there = [one for one in found if one.info or one.problem]
    return sorted(there, key=lambda one: (not one.standard, one.name.casefold()))


def find_corpus(key: str) -> Listed:
    """The corpus with this key. Raises Problem 404."""
    for one in corpora():
        if one.key == key:
            return one
    raise Problem(404, "This corpus no longer exists. See the list of corpora.")


def rename(key: str, typed: str) -> str:
    """Rename a corpus; returns the name. Raises Problem and StoreError."""
    found, name = find_corpus(key), _corpus_name(typed)
    if not name:
        raise Problem(422, "The name is empty. Type one.")
    if on_server(found.place):
        raise Problem(422, "This corpus is on a server, where it keeps the name that it was loaded under (`--name`).")
    if any(one.name == name for one in corpora() if one.key != key):
        raise Problem(422, f"Another corpus is called “{name}”. Choose another name.")
    name_corpus(Path(found.place), name)
    return name


def make_standard(key: str) -> Listed:
    """Make a corpus the default. Raises Problem."""
    found = find_corpus(key)
    if services().settings.store:
        raise Problem(422, "STORE names the default corpus. Unset it to choose another one here.")
    if found.problem:
        raise Problem(422, f"“{found.name}” cannot be read, so the default was not changed.")
    choose_corpus(services().settings.data, found.folder)
    return found


def remove(key: str, sure: bool) -> Listed:
    """Delete a corpus. Raises Problem and StoreError."""
    found = find_corpus(key)
    if found.standard:
        raise Problem(422, "This is the default corpus. Make another one the default first.")
    if not sure:
        raise Problem(422, SURE)
    generations.remove(Path(found.place))
    services().sources.forget(f"{NAMED}{found.folder}")
    return found


def read_wanted(source: str, place: str, wiki: str) -> Wanted:
    """The dump that a form describes. Raises Problem 422."""
    if source not in DUMPS:
        raise Problem(422, "Choose what to load.")
    if source != OTHER:
        return Wanted(source)
    place, wiki = place.strip(), wiki.strip()
    if not place or len(place) > LONGEST_PLACE or not storable(place) or not place.isprintable():
        raise Problem(422, "Type the folder of a dump, or its address, which begins with https://.")
    if not WIKI.fullmatch(wiki):
        raise Problem(422, "Type the name of the dump's wiki, such as enwiki, simplewiki or dewiki.")
    wanted = Wanted(OTHER, place, wiki)
    return Wanted(OTHER, _address(place) if wanted.remote else str(_allowed(place)), wiki)


def plan(wanted: Wanted) -> dict[str, Any]:
    """What a load would take, in the fields of `indexing.watched.planning.Plan`. Raises Problem 422 or 503."""
    settings = services().settings
    if not _looking.acquire(blocking=False):
        raise Problem(503, BUSY, {"Retry-After": "5"})
    folder = settings.data.resolve() / "loads" / "plan"
    try:
        process = LoadProcess(plan_command(wanted, settings.data.resolve() / "corpora"), folder, settings)
        try:
            code = process.wait(PLAN_SECONDS)
        finally:
            process.kill()
    finally:
        _looking.release()
    if code is None:
        raise Problem(422, SLOW.format(PLAN_SECONDS))
    if not process.plan:
        raise Problem(
            422, process.error or "The dump cannot be read. Check what you typed; the server's log says more."
        )
    return process.plan


def begin(wanted: Wanted, name: str, standard: bool) -> str:
    """Start a load; returns its id. Raises Problem."""
    name = _corpus_name(name) or DUMPS[wanted.source].title
    if len(services().loads.unfinished()) >= MOST_LOADS:
        raise Problem(422, f"{MOST_LOADS} loads are unfinished, which is the limit. Cancel some of them first.")
    owner = viewer()
    for folder in _free_folders(name):
        load_id = services().loads.add(
            wanted.source, wanted.place, wanted.wiki, name, folder, standard, owner.id if owner else None
        )
        if load_id:
            services().runner.wake()
            return load_id
    raise Problem(422, "There are too many corpora with this name. Choose another name.")


def change_load(load_id: str, change: str) -> Load:
    """Pause, resume or cancel a load. Raises Problem."""
    found = find_load(load_id)
    if change not in CHANGES:
        raise Problem(404, "A load can be paused, resumed or cancelled.")
    if not services().loads.ask(found.id, change):
        raise Problem(409, f"This load is {found.state}, so you cannot {change} it. See the list of corpora.")
    services().runner.wake()
    return found


def find_load(load_id: str) -> Load:
    """The load with this id. Raises Problem 404."""
    found = services().loads.get(load_id) if storable(load_id) else None
    if found is None:
        raise Problem(404, "There is no load with this id. It may have ended long ago.")
    return found


def _of_setting() -> Listed:
    place = services().settings.store_location()
    public = shown(place)
    try:
        info = services().resources.corpus()
    except StoreError as error:
        return Listed(STANDARD, public, place, standard=True, problem=str(error))
    return Listed(STANDARD, info.name or public, place, info=info, bytes=info.bytes, standard=True)


def _in_folder(key: str, place: Path, folder: str = "") -> Listed:
    location = services().settings.store_location()
    standard = not on_server(location) and place.resolve() == Path(location).resolve()
    against = f"{NAMED}{folder}" if folder else None
    try:
        generation = generations.current_generation(place)
        info = generations.read_card(generation)
    except StoreMissing:
        return Listed(key, "", str(place))
    except StoreError as error:
        return Listed(key, folder or str(place), str(place), folder, None, 0, standard, against, str(error))
    size = sum(file.stat().st_size for file in generation.iterdir() if file.is_file())
    return Listed(key, info.name or folder, str(place), folder, info, size, standard, against)


def _corpus_name(typed: str) -> str:
    """A corpus's name, which goes to a command line too. Raises Problem 422."""
    name = read_name(typed, LONGEST_CORPUS_NAME)
    if not name.isprintable():
        raise Problem(422, "The name contains a character that cannot be printed. Type it again.")
    return name


def _free_folders(name: str) -> Iterator[str]:
    """Names of folders that do not exist, the best first."""
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-._")[:60] or "corpus"
    parent = services().settings.data / "corpora"
    for number in range(1, 100):
        folder = plain if number == 1 else f"{plain}-{number}"
        if not (parent / folder).exists():
            yield folder


def _address(place: str) -> str:
    found = web_address(place)
    if not found:
        raise Problem(422, "This is not a web address. Type one that begins with https://, without a password.")
    return found


def _allowed(place: str) -> Path:
    """The folder or file, if the program can and may read it. Raises Problem 422."""
    settings, typed = services().settings, Path(place).expanduser()
    if "://" in place:
        raise Problem(422, "Only addresses that begin with http:// or https:// are fetched.")
    if not typed.is_absolute():
        raise Problem(422, "Type the whole path of the folder, from the root of the disk.")
    path = typed.resolve()
    listed = [Path(part.strip()).resolve() for part in settings.corpus_folders.split(",") if part.strip()]
    if not listed and settings.accounts:
        raise Problem(422, "Dumps are loaded only from folders that CORPUS_FOLDERS names. Set it, or type an address.")
    if listed and not any(path.is_relative_to(folder) for folder in listed):
        raise Problem(422, "CORPUS_FOLDERS does not contain this folder. Move the dump, or change that setting.")
    if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
        raise Problem(422, f"{path} cannot be read. Check its name and its permissions.")
    return path
