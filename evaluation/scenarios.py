"""The commands that measure speed and memory: `python -m evaluation NAME`.

The result of each function is printed and, with `--report`, written between a page's marks of the command's name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

from evaluation.command import STORE, claims, show_table
from retrieval.command import Act, Commands, Option, file, flag, option, positive
from retrieval.command import number as counted
from retrieval.settings import Settings

Json = Mapping[str, Any]
Options = Any  # argparse's result
Measure = Callable[[Options], str | Json]  # a Markdown table or, if there is none, JSON
BENCHMARKS = Path("docs/benchmarks.md")
SCENARIOS = Commands()
CLAIMS_FILE = claims()
OUT = file("--out", "DIR", "folder for the results", required=True)


def number(name: str, default: int, help: str) -> Option:
    """An option for a whole number above 0."""
    return counted(name, f"{help} (default: %(default)s)", default=default)


def report(default: Path | None = None) -> Option:
    """The option for the page with the table."""
    return file("--report", "PAGE.md", "write the table between this page's marks", default=default)


def recipe(default: str = "fast") -> Option:
    """The option for the recipe that checks the claims."""
    return option("--recipe", default=default, help=f"pipeline to use (default: {default or 'RECIPE'})")


def _scenario(help: str, example: str, *options: Option, description: str) -> Callable[[Measure], Act]:
    """Make a command of the measurement below."""

    def declare(measure: Measure) -> Act:
        @wraps(measure)
        def run(options: Options) -> None:
            found = measure(options)
            table = found if isinstance(found, str) else json.dumps(found, indent=1)
            show_table(table, getattr(options, "report", None), run.__name__.strip("_"))

        return SCENARIOS.add(help, example, *options, description=description)(run)

    return declare


def _store(options: Options) -> str:
    """The named store, else the settings', as an absolute path or address, for processes in other folders."""
    named = options.store
    return (str(Path(named).resolve()) if named and "://" not in named else named) or (
        Settings.from_environment().store_location()
    )


def _write(path: Path, found: Json) -> None:
    from evaluation.report.results_folder import make_folder, write_json

    make_folder(path.parent)
    write_json(path, found)


@_scenario(
    "speed and memory of the whole program",
    "python -m evaluation benchmark --fever ../shared/data/fever",
    file("--fever", "DIR", "with wiki-pages.zip and claims-dev.jsonl", required=True),
    option("--synthetic-pages", type=int, default=1_000_000, metavar="N", help="0 leaves them out"),
    report(BENCHMARKS),
    description="Load, check and serve as you would, and measure each process from outside.",
)
def _benchmark(options: Options) -> str:
    from evaluation.speed.benchmark import measure_program

    return measure_program(options.fever, options.synthetic_pages)


@_scenario(
    "claims at a fixed rate: how many a second until p95 passes 2 s",
    "python -m evaluation load --claims claims-dev.jsonl --store data/local/store --threads 1 2 4",
    file("--claims", "CLAIMS.jsonl", required=True),
    option("--url", default="", help="a running application: http://127.0.0.1:8000"),
    STORE,
    option("--threads", type=positive, nargs="+", default=[1, 2, 4], metavar="N"),
    recipe(""),
    flag("--mixed", "5 %% uploads and 20 %% page views beside the claims"),
    option("--database", default="", metavar="URL", help="PostgreSQL of what it starts; default: SQLite"),
    option("--rate", type=float, metavar="R", help="only this rate, in claims a second; without it, search"),
    option("--seconds", type=positive, default=30, metavar="S", help="that claims arrive at each rate"),
    file("--out", "FILE.json", "every rate that was tried"),
    description="Load on the application, open loop. With --url a running one (start it with RATE_LIMIT=0), else one that is "
    "started for each number of threads: so many checks at once, each on one thread.",
)
def _load(options: Options) -> Json:
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


@_scenario(
    "a whole Wikipedia's worth of pages in both stores",
    "python -m evaluation large --folder data/local/large --elasticsearch http://127.0.0.1:9200/large",
    file("--folder", "DIR", "scratch: 20 GB and more", required=True),
    option("--elasticsearch", default="", metavar="ADDRESS", help="without: the embedded store alone"),
    number("--pages", 5_416_537, "pages"),
    number("--claims", 300, "for latencies"),
    flag("--no-rates", "leave out the search for the highest rate of arrivals"),
    report(),
    description="Generate a synthetic dump, load it into both stores, and measure everything. Resumes if interrupted.",
)
def _large(options: Options) -> str:
    from evaluation.speed.large import Large
    from evaluation.speed.large_table import STORE_KINDS, large_table

    stores = dict(zip(STORE_KINDS, (str(options.folder / "store"), options.elasticsearch), strict=True))
    named = {kind: store for kind, store in stores.items() if store}
    return large_table(Large(options.folder, named, options.pages, not options.no_rates, options.claims).measure())


@_scenario(
    "latency of a store and of a recipe over it, cold and warm",
    "python -m evaluation latency data/local/store --claims 300",
    option("store", metavar="STORE", help="folder or address"),
    number("--claims", 300, "made from the corpus itself"),
    recipe(),
    description="Ask the store each kind of question, then run the recipe; percentiles in milliseconds.",
)
def _latency(options: Options) -> Json:
    from evaluation.speed.latency import measure_latency

    return measure_latency(options.store, options.claims, options.recipe, Settings.from_environment())


@_scenario(
    "two stores of one corpus side by side",
    "python -m evaluation stores claims-dev.jsonl --stores data/local/fever http://127.0.0.1:9200/fever --out "
    "data/local/stores",
    CLAIMS_FILE,
    option("--stores", nargs=2, required=True, metavar="STORE", help="folder or address"),
    recipe(),
    number("--limit", 300, "claims"),
    OUT,
    report(),
    description="Put the same claims through two stores of one corpus, and list the differences.",
)
def _stores(options: Options) -> str:
    from evaluation.speed.stores import compare_stores, stores_table

    settings = Settings.from_environment()
    found = compare_stores(options.claims, options.out, tuple(options.stores), settings, options.recipe, options.limit)
    _write(options.out / "stores.json", found)
    return stores_table(found)


@_scenario(
    "what a check costs beside its pipeline",
    "python -m evaluation overhead data/sample/claims.jsonl --store data/local/store --beside ../before "
    "--databases sqlite postgresql://user:password@host/postgres",
    CLAIMS_FILE,
    STORE,
    recipe(),
    number("--limit", 60, "claims"),
    file("--beside", "DIR", "another checkout, measured in the same run"),
    option(
        "--databases",
        nargs="+",
        default=["sqlite"],
        metavar="URL",
        help="`sqlite`, or a PostgreSQL server on which databases may be made (default: sqlite)",
    ),
    report(),
    description="POST and polling of a check, less the time of its pipeline's stages; claims one after another.",
)
def _overhead(options: Options) -> str:
    from evaluation.speed.load_test import read_claims
    from evaluation.speed.overhead import measure_overhead, overhead_table

    claims, found = read_claims(options.claims)[: options.limit], {}
    for database in options.databases:
        name, server = ("SQLite", "") if database == "sqlite" else ("PostgreSQL", database)
        found[name] = measure_overhead(claims, _store(options), options.recipe, options.beside, server)
    return overhead_table(found)


@_scenario(
    "what a claim costs under each recipe, for the home page",
    "python -m evaluation costs claims-dev.jsonl --store data/local/fever --out docs/costs.json",
    CLAIMS_FILE,
    STORE,
    number("--limit", 20, "claims"),
    file("--out", "FILE.json", required=True),
    description="Run claims through every recipe; processor time a claim.",
)
def _costs(options: Options) -> Json:
    from evaluation.speed.costs import measure_costs
    from evaluation.speed.load_test import read_claims

    settings = Settings.from_environment()
    claims = read_claims(options.claims)[: options.limit]
    costs = measure_costs(claims, replace(settings, store=options.store or settings.store))
    _write(options.out, costs)
    return costs


@_scenario(
    "memory of the application after uploads and every recipe",
    "python -m evaluation memory --store data/local/store",
    STORE,
    number("--uploads", 5, "documents"),
    number("--characters", 200_000, "of each document"),
    option("--recipes", nargs="+", metavar="NAME", help="default: all"),
    description="Start the application, upload documents, check a claim against each under every recipe; megabytes.",
)
def _memory(options: Options) -> Json:
    from evaluation.speed.memory import measure_memory
    from retrieval.recipes import RECIPES

    return measure_memory(_store(options), options.uploads, options.characters, options.recipes or list(RECIPES))
