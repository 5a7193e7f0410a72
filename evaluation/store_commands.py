"""Command line for measurements of stores and the application: `python -m evaluation
large|stores|encoders|wikipedia|overhead|reports|costs|memory`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from retrieval.settings import Settings


def add_store_commands(commands: Any, positive: Callable[[str], int]) -> None:
    """Add them to the others. positive: reads a whole number above 0."""
    _add_large(commands, positive)
    _add_wikipedia(commands, positive)
    _add_comparisons(commands, positive)
    _add_overhead(commands, positive)
    _add_reports(commands, positive)
    _add_costs(commands, positive)
    _add_memory(commands, positive)


def _add_large(commands: Any, positive: Callable[[str], int]) -> None:
    large = commands.add_parser(
        "large",
        help="a whole Wikipedia's worth of pages in both stores",
        description="Generate a synthetic dump, load it into both stores, and measure everything. Resumes if interrupted.",
        epilog="Example: make benchmark-large ELASTICSEARCH=http://127.0.0.1:9200/large",
    )
    large.add_argument("--folder", type=Path, required=True, metavar="DIR", help="scratch: 20 GB and more")
    large.add_argument(
        "--elasticsearch",
        default="",
        metavar="ADDRESS",
        help="http(s)://host:port/index; without: the embedded store alone",
    )
    large.add_argument("--pages", type=positive, default=5_416_537, metavar="N", help="default: %(default)s")
    large.add_argument("--claims", type=positive, default=300, metavar="N", help="for latencies (default: 300)")
    large.add_argument("--no-rates", action="store_true", help="leave out the search for the highest rate of arrivals")
    large.add_argument("--report", type=Path, metavar="PAGE.md", help="a page that shows the figures between marks")
    large.set_defaults(run=_large)


def _add_wikipedia(commands: Any, positive: Callable[[str], int]) -> None:
    wikipedia = commands.add_parser(
        "wikipedia",
        help="what a page of today's Wikipedia costs to load, beside one of FEVER's",
        description="Make synthetic dumps of both forms, load both, and put the costs of a page side by side.",
        epilog="Example: python -m evaluation wikipedia --pages 20000 --report docs/benchmarks.md",
    )
    wikipedia.add_argument("--pages", type=positive, default=20_000, metavar="N", help="default: %(default)s")
    wikipedia.add_argument("--text", choices=["intro", "full"], default="intro", help="default: intro")
    wikipedia.add_argument("--report", type=Path, default=Path("docs/benchmarks.md"), metavar="PAGE.md")
    wikipedia.set_defaults(run=_wikipedia)


def _wikipedia(options: Any) -> int:
    from evaluation.speed.wikipedia import run_wikipedia

    print(run_wikipedia(options.pages, options.report, options.text))
    return 0


def _add_comparisons(commands: Any, positive: Callable[[str], int]) -> None:
    stores = commands.add_parser(
        "stores",
        help="two stores of one corpus side by side",
        description="Put the same claims through two stores of one corpus, and say what differs.",
        epilog="Example: python -m evaluation stores claims-dev.jsonl --stores data/local/fever http://127.0.0.1:9200/fever --out data/local/stores",
    )
    encoders = commands.add_parser(
        "encoders",
        help="encoders of pages against each other: quality and hours",
        description="How well encoders order the candidate pages of claims, and how long a whole Wikipedia takes them.",
        epilog="Example: python -m evaluation encoders claims-dev.jsonl --store data/local/fever --out data/local/encoders",
    )
    for parser in (stores, encoders):
        parser.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where everything found goes")
        parser.add_argument(
            "--report", type=Path, metavar="PAGE.md", help="a page that shows the figures between marks"
        )
    stores.add_argument("--stores", nargs=2, required=True, metavar="STORE", help="folder or address")
    stores.add_argument("--recipe", default="fast", help="pipeline to use (default: fast)")
    stores.add_argument("--limit", type=positive, default=300, metavar="N", help="claims (default: 300)")
    stores.set_defaults(run=_stores)
    encoders.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
    encoders.add_argument("--models", nargs="+", default=["minilm", "static"], metavar="NAME")
    encoders.add_argument("--limit", type=positive, default=100, metavar="N", help="claims (default: 100)")
    encoders.add_argument("--skip", type=int, default=0, metavar="N", help="leave out the file's first N claims")
    encoders.set_defaults(run=_encoders)


def _large(options: Any) -> int:
    from evaluation.report.blocks import write_block
    from evaluation.speed.large import Large
    from evaluation.speed.large_table import KINDS, large_table

    stores = dict(zip(KINDS, (str(options.folder / "store"), options.elasticsearch), strict=True))
    named = {kind: store for kind, store in stores.items() if store}
    run = Large(options.folder, named, options.pages, not options.no_rates, options.claims)
    table = large_table(run.measure())
    print(table)
    if options.report:
        write_block(options.report, "large", table)
    return 0


def _stores(options: Any) -> int:
    from evaluation.speed.stores import compare_stores, stores_table

    settings = Settings.from_environment()
    found = compare_stores(options.claims, options.out, tuple(options.stores), settings, options.recipe, options.limit)
    return _told(options, "stores", found, stores_table(found))


def _encoders(options: Any) -> int:
    from evaluation.fever.data import read_claims
    from evaluation.speed.encoders import compare_encoders, encoders_table, find_cases
    from retrieval.models.encoders import open_page_encoder
    from retrieval.stores import open_store

    settings = Settings.from_environment()
    store = open_store(options.store or settings.store_location(), settings)
    cases = find_cases(read_claims(options.claims)[options.skip :], store, options.limit)
    openers = {name: lambda name=name: open_page_encoder(name, settings)[0] for name in options.models}
    found = compare_encoders(cases, openers)
    return _told(options, "encoders", found, encoders_table(found))


def _told(options: Any, name: str, found: Mapping[str, Any], table: str) -> int:
    """Write the result as JSON into the folder, and as a table to the screen and into the page."""
    from evaluation.report.blocks import write_block

    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / f"{name}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(table)
    if options.report:
        write_block(options.report, name, table)
    return 0


def _store_elsewhere(named: str) -> str:
    """The store in a form that a process in another folder finds too: the one named, else that of the settings."""
    store = str(Path(named).resolve()) if named and "://" not in named else named
    return store or Settings.from_environment().store_location()


def _add_overhead(commands: Any, positive: Callable[[str], int]) -> None:
    overhead = commands.add_parser(
        "overhead",
        help="what a check costs beside its pipeline",
        description="POST and polling of a check, less the time of its pipeline's stages; claims one after another.",
        epilog="Example: python -m evaluation overhead data/sample/claims.jsonl --store data/local/store "
        "--beside ../before --databases sqlite postgresql://user:password@host/postgres",
    )
    overhead.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    overhead.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
    overhead.add_argument("--recipe", default="fast", help="pipeline to use (default: fast)")
    overhead.add_argument("--limit", type=positive, default=60, metavar="N", help="claims (default: 60)")
    overhead.add_argument(
        "--beside", type=Path, metavar="DIR", help="another checkout of the program, measured in the same run"
    )
    overhead.add_argument(
        "--databases",
        nargs="+",
        default=["sqlite"],
        metavar="URL",
        help="`sqlite`, or a PostgreSQL server on which databases may be made (default: sqlite)",
    )
    overhead.add_argument("--report", type=Path, metavar="PAGE.md", help="a page that shows the figures between marks")
    overhead.set_defaults(run=_overhead)


def _overhead(options: Any) -> int:
    from evaluation.report.blocks import write_block
    from evaluation.speed.load_test import read_claims
    from evaluation.speed.overhead import measure_overhead, overhead_table

    claims = read_claims(options.claims)[: options.limit]
    where = _store_elsewhere(options.store)
    found = {}
    for database in options.databases:
        name, server = ("SQLite", "") if database == "sqlite" else ("PostgreSQL", database)
        found[name] = measure_overhead(claims, where, options.recipe, options.beside, server)
    print(overhead_table(found))
    if options.report:
        write_block(options.report, "overhead", overhead_table(found))
    return 0


def _add_reports(commands: Any, positive: Callable[[str], int]) -> None:
    reports = commands.add_parser(
        "reports",
        help="a report's time, beside its claims run one after another",
        description="The application checks the claims as a report; beside it, a process runs each through the pipeline.",
        epilog="Example: python -m evaluation reports claims-train.jsonl --store data/local/fever --limit 1000",
    )
    reports.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    reports.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
    reports.add_argument("--recipe", default="fast", help="pipeline to use (default: fast)")
    reports.add_argument("--limit", type=positive, default=1_000, metavar="N", help="claims (default: 1000)")
    reports.add_argument("--report", type=Path, metavar="PAGE.md", help="a page that shows the figures between marks")
    reports.set_defaults(run=_reports)


def _reports(options: Any) -> int:
    from evaluation.report.blocks import write_block
    from evaluation.speed.load_test import read_claims
    from evaluation.speed.reports import WARM_UP_CLAIMS, measure_reports, reports_table
    from retrieval.stores import open_store

    store = _store_elsewhere(options.store)
    claims = read_claims(options.claims)[: options.limit + WARM_UP_CLAIMS]
    found = measure_reports(claims, store, options.recipe, Settings.from_environment())
    table = reports_table(found, options.recipe, open_store(store).info().pages)
    print(table)
    if options.report:
        write_block(options.report, "reports", table)
    return 0


def _add_costs(commands: Any, positive: Callable[[str], int]) -> None:
    costs = commands.add_parser(
        "costs",
        help="what a claim costs under each recipe, as the home page tells it",
        description="Run claims through every recipe; processor time a claim.",
        epilog="Example: python -m evaluation costs claims-dev.jsonl --store data/local/fever --out docs/costs.json",
    )
    costs.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    costs.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
    costs.add_argument("--limit", type=positive, default=20, metavar="N", help="claims (default: 20)")
    costs.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    costs.set_defaults(run=_costs)


def _costs(options: Any) -> int:
    from dataclasses import replace

    from evaluation.speed.costs import measure_costs
    from evaluation.speed.load_test import read_claims

    settings = Settings.from_environment()
    claims = read_claims(options.claims)[: options.limit]
    costs = measure_costs(claims, replace(settings, store=options.store or settings.store))
    options.out.write_text(json.dumps(costs, indent=1) + "\n", "utf-8")
    print(json.dumps(costs, indent=1))
    return 0


def _add_memory(commands: Any, positive: Callable[[str], int]) -> None:
    memory = commands.add_parser(
        "memory",
        help="memory of the application after uploads and every recipe",
        description="Start the application, upload documents, check a claim against each under every recipe; megabytes.",
        epilog="Example: python -m evaluation memory --store data/local/store",
    )
    memory.add_argument("--store", default="", help="the corpus (default: STORE, else DATA/store)")
    memory.add_argument("--uploads", type=positive, default=5, metavar="N", help="documents (default: 5)")
    memory.add_argument(
        "--characters", type=positive, default=200_000, metavar="N", help="of each document (default: 200,000)"
    )
    memory.add_argument("--recipes", nargs="+", metavar="NAME", help="default: all")
    memory.set_defaults(run=_memory)


def _memory(options: Any) -> int:
    from evaluation.speed.memory import measure_memory
    from retrieval.recipes import RECIPES

    store = options.store or Settings.from_environment().store_location()
    recipes = options.recipes or list(RECIPES)
    print(json.dumps(measure_memory(store, options.uploads, options.characters, recipes), indent=1))
    return 0
