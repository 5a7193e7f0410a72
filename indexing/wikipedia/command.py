"""The command `python -m indexing wikipedia`: finds the dump, loads it, reports the result.

`--date latest` resumes an unfinished load with the dump that it began with, even if a newer one has come out since.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from indexing.watched import lines
from indexing.watched.limits import give_way
from indexing.watched.planning import plan_wikipedia
from indexing.web import public_only
from indexing.wikipedia.article import INTRO
from indexing.wikipedia.changes import check_day, earlier_load, text_of_update
from indexing.wikipedia.dump import LATEST, WIKIMEDIA, Dump, NoDump, day_of, find_dump, names_one_dump
from indexing.wikipedia.dump_load import Task, load_wikipedia
from indexing.wikipedia.places import open_place
from retrieval.command import DONE
from retrieval.errors import CorpusError
from retrieval.settings import Settings
from retrieval.stores import shown
from retrieval.stores.embedded.generations import unfinished_loads
from retrieval.stores.locations import on_server

_DATE = re.compile(r"wikipedia --wiki [a-z]+ --date (20\d{6}) ")


def run(options: Any) -> int:
    """Load the dump, or print what the load would take."""
    if options.with_parent:
        give_way()
    with public_only(options.public):
        return _run(options)


def _run(options: Any) -> int:
    report = lines.report if options.json else lines.to_stderr
    address = options.address or WIKIMEDIA
    dump = find_dump(address, options.wiki, options.date, report)
    earlier = earlier_load(options.store, options.wiki) if options.update and not options.replace else None
    downloads = Settings.from_environment().data / "downloads"
    text = text_of_update(earlier, options.text, report) if earlier else options.text or INTRO
    names = ("update", "replace", "restart", "keep", "limit", "name")
    chosen = {name: getattr(options, name) for name in names} | {"progress": lines.progress() if options.json else None}
    task = Task(dump, options.store, downloads, text, **chosen)
    if options.plan:
        lines.tell(plan=asdict(plan_wikipedia(dump, options.store, task.text, options.keep)))
        return DONE
    if options.date == LATEST and not options.restart:
        task = _resumed(task, address, report)
    if earlier:
        check_day(earlier.day, task.dump.day)
    card, position = load_wikipedia(task, report)
    if position.empty:
        report(f"{position.empty:,} pages without text were left out.")
    code = lines.ended(card, options.store, position.bad, as_json=options.json)
    if position.bad:
        report(f"{position.bad:,} pages could not be read and were left out; they are named above.")
    return code


def _resumed(task: Task, address: str, report: Callable[[str], None]) -> Task:
    """The task, with the dump of the store's unfinished load of the same kind if there is one.

    Raises CorpusError, with the command that starts over, if that dump is no longer served, and StoreAway.
    """
    date = _unfinished_date(task)
    if date in ("", task.dump.date) or names_one_dump(address):
        return task
    try:
        dump = find_dump(address, task.dump.wiki, date, report)
    except NoDump as error:
        raise CorpusError(
            f"A load of the dump of {day_of(date)} was broken off, and that dump is no longer served. "
            f"Start over with the one of {task.dump.day}: `{_starting_over(task, address)}`, or add RESTART=1 to your "
            "`make` command. Readers still see the previous corpus."
        ) from error
    report(
        f"Resuming the unfinished load of the dump of {dump.day}; a newer one, of {task.dump.day}, is there: "
        "`--update` afterwards brings it."
    )
    return replace(task, dump=dump)


def _unfinished_date(task: Task) -> str:
    """The date of the dump of an unfinished load that otherwise equals the task; "" if there is none."""
    for job in _unfinished_jobs(task.store):
        match = _DATE.match(job)
        if match and replace(task, dump=Dump(task.dump.wiki, match[1], ())).job == job:
            return match[1]
    return ""


def _starting_over(task: Task, address: str) -> str:
    words = ["python", "-m", "indexing", "wikipedia", "--wiki", task.dump.wiki, "--store", shown(task.store)]
    with open_place(address) as place:  # its name contains no password
        words += ["--address", str(place)] if address != WIKIMEDIA else []
    words += ["--text", task.text] if task.text != INTRO or task.update else []
    words += ["--limit", str(task.limit)] if task.limit else []
    words += ["--name", task.name] if task.name else []
    flags = {"--update": task.update, "--replace": task.replace, "--keep": task.keep}
    return shlex.join([*words, *(flag for flag, is_set in flags.items() if is_set), "--restart"])


def _unfinished_jobs(location: str) -> list[str]:
    """Raises StoreAway or SettingError if the store is on a server."""
    if not on_server(location):
        notes = unfinished_loads(Path(location))
    else:
        from retrieval.stores.elastic.building import unfinished_load
        from retrieval.stores.elastic.server import Server

        with closing(Server(location, Settings.from_environment())) as server:
            notes = [note for _, note in unfinished_load(server)]
    return [str(note["job"]) for note in notes if note.get("job") and note.get("position")]
