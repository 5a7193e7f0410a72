"""The functions behind `evaluation.scenarios`: from options to a Markdown table, or to JSON if there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.settings import Settings

Json = Mapping[str, Any]
Options = Any  # what argparse read


def _store(options: Options) -> str:
    """The store in a form that a process in another folder finds too: the one named, else that of the settings."""
    named = options.store
    return (str(Path(named).resolve()) if named and "://" not in named else named) or (
        Settings.from_environment().store_location()
    )


def _write(path: Path, found: Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def benchmark(options: Options) -> str:
    """The whole program, as one person uses it."""
    from evaluation.speed.benchmark import measure_program

    return measure_program(options.fever, options.synthetic_pages)


def load(options: Options) -> Json:
    """Claims at a fixed rate."""
    from evaluation.speed.load_test import Traffic, measure, read_claims
    from evaluation.speed.started import measured_while_loaded

    traffic = Traffic(read_claims(options.claims), options.recipe, options.mixed)

    def at(address: str) -> dict[str, Any]:
        return measure(address, traffic, options.rate, float(options.seconds))

    if options.url:
        found = {options.url: at(options.url)}
    else:
        found = {
            f"threads {threads}": measured_while_loaded(_store(options), threads, options.database, at)
            for threads in options.threads
        }
    if options.out:
        _write(options.out, found)
    return found


def large(options: Options) -> str:
    """A whole Wikipedia's worth of pages in both stores."""
    from evaluation.speed.large import Large
    from evaluation.speed.large_table import KINDS, large_table

    stores = dict(zip(KINDS, (str(options.folder / "store"), options.elasticsearch), strict=True))
    named = {kind: store for kind, store in stores.items() if store}
    return large_table(Large(options.folder, named, options.pages, not options.no_rates, options.claims).measure())


def stores(options: Options) -> str:
    """Two stores of one corpus."""
    from evaluation.speed.stores import compare_stores, stores_table

    settings = Settings.from_environment()
    found = compare_stores(options.claims, options.out, tuple(options.stores), settings, options.recipe, options.limit)
    _write(options.out / "stores.json", found)
    return stores_table(found)


def encoders(options: Options) -> str:
    """Encoders of pages."""
    from evaluation.fever.data import read_claims
    from evaluation.speed.encoders import compare_encoders, encoders_table, find_cases
    from retrieval.models.encoders import open_page_encoder
    from retrieval.stores import open_store

    settings = Settings.from_environment()
    store = open_store(options.store or settings.store_location(), settings)
    cases = find_cases(read_claims(options.claims)[options.skip :], store, options.limit)
    openers = {name: lambda name=name: open_page_encoder(name, settings)[0] for name in options.models}
    found = compare_encoders(cases, openers)
    _write(options.out / "encoders.json", found)
    return encoders_table(found)


def wikipedia(options: Options) -> str:
    """Dumps of today's Wikipedia beside FEVER's."""
    from evaluation.speed.wikipedia import compare_dumps

    return compare_dumps(options.pages, options.text)


def overhead(options: Options) -> str:
    """A check beside its pipeline."""
    from evaluation.speed.load_test import read_claims
    from evaluation.speed.overhead import measure_overhead, overhead_table

    claims, found = read_claims(options.claims)[: options.limit], {}
    for database in options.databases:
        name, server = ("SQLite", "") if database == "sqlite" else ("PostgreSQL", database)
        found[name] = measure_overhead(claims, _store(options), options.recipe, options.beside, server)
    return overhead_table(found)


def reports(options: Options) -> str:
    """A report beside its claims."""
    from evaluation.speed.load_test import read_claims
    from evaluation.speed.reports import WARM_UP_CLAIMS, measure_reports, reports_table
    from retrieval.stores import open_store

    store = _store(options)
    claims = read_claims(options.claims)[: options.limit + WARM_UP_CLAIMS]
    found = measure_reports(claims, store, options.recipe, Settings.from_environment())
    return reports_table(found, options.recipe, open_store(store).info().pages)


def costs(options: Options) -> Json:
    """A claim under each recipe."""
    from evaluation.speed.costs import measure_costs
    from evaluation.speed.load_test import read_claims

    settings = Settings.from_environment()
    claims = read_claims(options.claims)[: options.limit]
    costs = measure_costs(claims, replace(settings, store=options.store or settings.store))
    _write(options.out, costs)
    return costs


def memory(options: Options) -> Json:
    """The application after uploads and every recipe."""
    from evaluation.speed.memory import measure_memory
    from retrieval.recipes import RECIPES

    return measure_memory(_store(options), options.uploads, options.characters, options.recipes or list(RECIPES))
