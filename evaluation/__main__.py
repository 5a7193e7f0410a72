"""Command line of `evaluation`: `python -m evaluation --help`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from retrieval.errors import EsotericError
from retrieval.settings import Settings


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Returns its exit code: 0 done, 2 could not start."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except EsotericError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    example = "Example: python -m evaluation fever claims-dev.jsonl --store data/local/store --out evaluation/out"
    parser = argparse.ArgumentParser(
        prog="python -m evaluation", description="Scores a pipeline on a data set.", epilog=example
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    fever = commands.add_parser(
        "fever", help="FEVER claims", description="Score a recipe on FEVER claims.", epilog=example
    )
    fever.add_argument("claims", type=Path, metavar="CLAIMS.jsonl")
    fever.add_argument("--store", default="", help="the corpus: a folder (default: STORE, else DATA/store)")
    fever.add_argument("--recipe", default="", help="pipeline to use (default: RECIPE, else fast)")
    fever.add_argument("--limit", type=_positive, metavar="N", help="score the first N claims")
    fever.add_argument("--natural", action="store_true", help="only claims whose gold stands in whole pages")
    fever.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where scorecard.json and predictions.jsonl go"
    )
    fever.set_defaults(run=_fever)
    benchmark = commands.add_parser(
        "benchmark", help="speed and memory of the whole program", epilog="Example: make benchmark"
    )
    benchmark.add_argument(
        "--fever", type=Path, required=True, metavar="DIR", help="folder with wiki-pages.zip and claims-dev.jsonl"
    )
    benchmark.add_argument("--synthetic-pages", type=int, default=1_000_000, metavar="N", help="0 leaves them out")
    benchmark.add_argument("--report", type=Path, default=Path("docs/benchmarks.md"))
    benchmark.set_defaults(run=_benchmark)
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _fever(options: argparse.Namespace) -> int:
    from evaluation.fever import evaluate
    from retrieval.resources import Resources

    settings = Settings.from_environment()
    resources = Resources(replace(settings, store=options.store or settings.store))
    card = evaluate(
        options.claims, options.out, resources, options.recipe or settings.recipe, options.limit, options.natural
    )
    for name, score in card["metrics"].items():
        print(f"{name:24} {score['value']:.4f}  [{score['low']:.4f}, {score['high']:.4f}]  n={score['n']}")
    print(
        f"{'ms a claim':24} p50 {card['latency_ms']['p50']}  p95 {card['latency_ms']['p95']}  peak {card['peak_rss_mb']} MB"
    )
    return 0


def _benchmark(options: argparse.Namespace) -> int:
    from evaluation.benchmark import run_benchmark

    run_benchmark(options.fever, options.report, options.synthetic_pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
