"""Every measurement of speed and memory, as one table: `python -m evaluation NAME`.

Each row is a command: what it measures, which options it takes, and the function that runs it. What a function returns is
printed and, with `--report`, written between the marks of this name in a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import scenario_runs as runs
from retrieval.command import positive

Option = tuple[tuple[str, ...], dict[str, Any]]
BENCHMARKS = Path("docs/benchmarks.md")


@dataclass(frozen=True)
class Scenario:
    """A measurement. help: what it measures, in a few words; description: how. run: from the options to a Markdown table
    or, where there is none, JSON."""

    name: str
    help: str
    description: str
    example: str
    options: tuple[Option, ...]
    run: Callable[[Any], str | Mapping[str, Any]]


def option(*names: str, **declared: Any) -> Option:
    """An option, with the arguments of `add_argument`."""
    return names, declared


def number(name: str, default: int, help: str) -> Option:
    """A whole number above 0."""
    return option(name, type=positive, default=default, metavar="N", help=f"{help} (default: %(default)s)")


def report(default: Path | None = None) -> Option:
    """The page for the table."""
    return option(
        "--report", type=Path, default=default, metavar="PAGE.md", help="write the table between this page's marks"
    )


def recipe(default: str = "fast") -> Option:
    """The recipe that checks the claims."""
    return option("--recipe", default=default, help=f"pipeline to use (default: {default or 'RECIPE'})")


CLAIMS = option("claims", type=Path, metavar="CLAIMS.jsonl")
STORE = option("--store", default="", help="the corpus (default: STORE, else DATA/store)")
OUT = option("--out", type=Path, required=True, metavar="DIR", help="where everything found goes")


def add_speed_commands(commands: Any) -> None:
    """Add a command for each of `SCENARIOS`."""
    for scenario in SCENARIOS:
        parser = commands.add_parser(
            scenario.name,
            help=scenario.help,
            description=scenario.description,
            epilog=f"Example: {scenario.example}",
        )
        for names, declared in scenario.options:
            parser.add_argument(*names, **declared)
        parser.set_defaults(run=_runner(scenario))


def _runner(scenario: Scenario) -> Callable[[Any], int]:
    def run(options: Any) -> int:
        from evaluation.report.blocks import write_block

        found = scenario.run(options)
        table = found if isinstance(found, str) else json.dumps(found, indent=1)
        print(table)
        if getattr(options, "report", None):
            write_block(options.report, scenario.name, table)
        return 0

    return run


SCENARIOS = (
    Scenario(
        "benchmark",
        "speed and memory of the whole program",
        "Load, check and serve as you would, and measure each process from outside.",
        "make benchmark",
        (
            option("--fever", type=Path, required=True, metavar="DIR", help="with wiki-pages.zip and claims-dev.jsonl"),
            option("--synthetic-pages", type=int, default=1_000_000, metavar="N", help="0 leaves them out"),
            report(BENCHMARKS),
        ),
        runs.benchmark,
    ),
    Scenario(
        "load",
        "claims at a fixed rate: how many a second until p95 passes 2 s",
        "Load on the application, open loop. With --url a running one (start it with RATE_LIMIT=0), else one that is "
        "started for each number of threads: so many checks at once, each on one thread.",
        "python -m evaluation load --claims claims-dev.jsonl --store data/local/store --threads 1 2 4",
        (
            option("--claims", type=Path, required=True, metavar="CLAIMS.jsonl"),
            option("--url", default="", help="a running application: http://127.0.0.1:8000"),
            STORE,
            option("--threads", type=positive, nargs="+", default=[1, 2, 4], metavar="N"),
            recipe(""),
            option("--mixed", action="store_true", help="5 %% uploads and 20 %% page views beside the claims"),
            option("--database", default="", metavar="URL", help="PostgreSQL of what it starts; default: SQLite"),
            option("--rate", type=float, metavar="R", help="only this rate, in claims a second; without it, search"),
            option("--seconds", type=positive, default=30, metavar="S", help="that claims arrive at each rate"),
            option("--out", type=Path, metavar="FILE.json", help="every rate that was tried"),
        ),
        runs.load,
    ),
    Scenario(
        "large",
        "a whole Wikipedia's worth of pages in both stores",
        "Generate a synthetic dump, load it into both stores, and measure everything. Resumes if interrupted.",
        "make benchmark-large ELASTICSEARCH=http://127.0.0.1:9200/large",
        (
            option("--folder", type=Path, required=True, metavar="DIR", help="scratch: 20 GB and more"),
            option("--elasticsearch", default="", metavar="ADDRESS", help="without: the embedded store alone"),
            number("--pages", 5_416_537, "pages"),
            number("--claims", 300, "for latencies"),
            option("--no-rates", action="store_true", help="leave out the search for the highest rate of arrivals"),
            report(),
        ),
        runs.large,
    ),
    Scenario(
        "stores",
        "two stores of one corpus side by side",
        "Put the same claims through two stores of one corpus, and say what differs.",
        "python -m evaluation stores claims-dev.jsonl --stores data/local/fever http://127.0.0.1:9200/fever --out "
        "data/local/stores",
        (
            CLAIMS,
            option("--stores", nargs=2, required=True, metavar="STORE", help="folder or address"),
            recipe(),
            number("--limit", 300, "claims"),
            OUT,
            report(),
        ),
        runs.stores,
    ),
    Scenario(
        "encoders",
        "encoders of pages against each other: quality and hours",
        "How well encoders order the candidate pages of claims, and how long a whole Wikipedia takes them.",
        "python -m evaluation encoders claims-dev.jsonl --store data/local/fever --out data/local/encoders",
        (
            CLAIMS,
            STORE,
            option("--models", nargs="+", default=["minilm", "static"], metavar="NAME"),
            number("--limit", 100, "claims"),
            option("--skip", type=int, default=0, metavar="N", help="leave out the file's first N claims"),
            OUT,
            report(),
        ),
        runs.encoders,
    ),
    Scenario(
        "wikipedia",
        "what a page of today's Wikipedia costs to load, beside one of FEVER's",
        "Make synthetic dumps of both forms, load both, and put the costs of a page side by side.",
        "python -m evaluation wikipedia --pages 20000 --report docs/benchmarks.md",
        (
            number("--pages", 20_000, "pages"),
            option("--text", choices=["intro", "full"], default="intro", help="default: intro"),
            report(BENCHMARKS),
        ),
        runs.wikipedia,
    ),
    Scenario(
        "overhead",
        "what a check costs beside its pipeline",
        "POST and polling of a check, less the time of its pipeline's stages; claims one after another.",
        "python -m evaluation overhead data/sample/claims.jsonl --store data/local/store --beside ../before "
        "--databases sqlite postgresql://user:password@host/postgres",
        (
            CLAIMS,
            STORE,
            recipe(),
            number("--limit", 60, "claims"),
            option("--beside", type=Path, metavar="DIR", help="another checkout, measured in the same run"),
            option(
                "--databases",
                nargs="+",
                default=["sqlite"],
                metavar="URL",
                help="`sqlite`, or a PostgreSQL server on which databases may be made (default: sqlite)",
            ),
            report(),
        ),
        runs.overhead,
    ),
    Scenario(
        "reports",
        "a report's time, beside its claims run one after another",
        "The application checks the claims as a report; beside it, a process runs each through the pipeline.",
        "python -m evaluation reports claims-train.jsonl --store data/local/fever --limit 1000",
        (CLAIMS, STORE, recipe(), number("--limit", 1_000, "claims"), report()),
        runs.reports,
    ),
    Scenario(
        "costs",
        "what a claim costs under each recipe, for the home page",
        "Run claims through every recipe; processor time a claim.",
        "python -m evaluation costs claims-dev.jsonl --store data/local/fever --out docs/costs.json",
        (
            CLAIMS,
            STORE,
            number("--limit", 20, "claims"),
            option("--out", type=Path, required=True, metavar="FILE.json"),
        ),
        runs.costs,
    ),
    Scenario(
        "memory",
        "memory of the application after uploads and every recipe",
        "Start the application, upload documents, check a claim against each under every recipe; megabytes.",
        "python -m evaluation memory --store data/local/store",
        (
            STORE,
            number("--uploads", 5, "documents"),
            number("--characters", 200_000, "of each document"),
            option("--recipes", nargs="+", metavar="NAME", help="default: all"),
        ),
        runs.memory,
    ),
)
