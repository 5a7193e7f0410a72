"""The command `python -m indexing wikipedia`: finds the dump, loads it, reports the result."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from indexing.watched import lines
from indexing.web import public_only
from retrieval.command import DONE
from retrieval.settings import Settings


def run(options: Any) -> int:
    """Find the dump, load it, report the result."""
    if options.with_parent:
        lines.obey()
    with public_only(options.public):
        return _run(options)


def _run(options: Any) -> int:
    from indexing.wikipedia.article import INTRO
    from indexing.wikipedia.dump import LATEST, WIKIMEDIA, find_dump
    from indexing.wikipedia.dump_load import Task, load_wikipedia
    from indexing.wikipedia.held import check_day, form_for, held_of
    from indexing.wikipedia.resuming import resumed

    report = lines.report if options.json else lines.to_stderr
    address = options.address or WIKIMEDIA
    dump = find_dump(address, options.wiki, options.date, report)
    held = held_of(options.store, options.wiki) if options.update and not options.replace else None
    task = Task(
        dump,
        options.store,
        Settings.from_environment().data / "downloads",
        text=form_for(held, options.text, report) if held else options.text or INTRO,
        update=options.update,
        replace=options.replace,
        restart=options.restart,
        keep=options.keep,
        limit=options.limit,
        name=options.name,
        progress=lines.progress() if options.json else None,
    )
    if options.plan:
        from indexing.watched.planning import plan_wikipedia

        lines.tell(plan=asdict(plan_wikipedia(dump, options.store, task.text, options.keep)))
        return DONE
    if options.date == LATEST and not options.restart:
        task = resumed(task, address, report)
    if held:
        check_day(held.day, task.dump.day)
    card, position = load_wikipedia(task, report)
    if position.empty:
        report(f"{position.empty:,} pages without text were left out.")
    code = lines.ended(card, options.store, position.bad, as_json=options.json)
    if position.bad:
        report(f"{position.bad:,} pages could not be read and were left out; they are named above.")
    return code
