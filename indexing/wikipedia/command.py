"""The command `python -m indexing wikipedia`: finds the dump, loads it, reports the result."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from indexing.watched import lines
from indexing.watched.limits import give_way
from indexing.watched.planning import plan_wikipedia
from indexing.web import public_only
from indexing.wikipedia.article import INTRO
from indexing.wikipedia.changes import check_day, earlier_load, text_of_update
from indexing.wikipedia.dump import LATEST, WIKIMEDIA, find_dump
from indexing.wikipedia.dump_load import Task, load_wikipedia
from indexing.wikipedia.resuming import resumed
from retrieval.command import DONE
from retrieval.settings import Settings


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
        task = resumed(task, address, report)
    if earlier:
        check_day(earlier.day, task.dump.day)
    card, position = load_wikipedia(task, report)
    if position.empty:
        report(f"{position.empty:,} pages without text were left out.")
    code = lines.ended(card, options.store, position.bad, as_json=options.json)
    if position.bad:
        report(f"{position.bad:,} pages could not be read and were left out; they are named above.")
    return code
