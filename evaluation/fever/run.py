"""Runs a recipe over FEVER claims, or reads predictions made elsewhere, and writes the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation.fever.answers import Answer, read_predictions, row_answer
from evaluation.fever.compare import compare_runs, read_other
from evaluation.fever.data import GoldClaim, identified, read_claims
from evaluation.fever.failures import Texts, choose_examples, store_texts
from evaluation.fever.runner import run_claims
from evaluation.fever.scorecard import fever_scorecard
from evaluation.fever.scores import Pairs
from evaluation.journal import Journal, program_digest
from evaluation.report.page import fever_report
from evaluation.report.results_folder import Json, counted, make_folder, write_results, write_rows
from retrieval.errors import CorpusError
from retrieval.recipes import find_recipe
from retrieval.recipes.tuning import deciding_in_words
from retrieval.resources import Resources


def evaluate(
    path: Path,
    out: Path,
    resources: Resources,
    recipe: str,
    limit: int | None = None,
    natural: bool = False,
    *,
    workers: int = 1,
    restart: bool = False,
    compare: Path | None = None,
) -> Json:
    """Check every claim of the file, write the results into `out`, return the scorecard.

    Each answer is written as it is made, so an interrupted run resumes. compare: scorecard.json of another run. Raises
    CorpusError if there is no claim to check, SettingError if `out` cannot be written.
    """
    claims = select_claims(path, limit, natural)
    other = read_other(compare, out) if compare else None
    find_recipe(recipe)
    resources.store()
    make_folder(out)  # before models are opened, which takes seconds
    resources.pipeline(recipe)
    pipeline = describe_pipeline(resources, recipe)
    data = {**identified(path), "natural": natural}
    run = {"data": data["sha256"], "pipeline": pipeline, "program": program_digest()}
    journal = Journal(out, run, row_answer, restart)
    failed = run_claims(claims, journal, resources, recipe, workers)
    pairs = [(claim, journal.answers[claim.id]) for claim in claims if claim.id in journal.answers]
    return _score(out, claims, pairs, {**data, "failed": failed}, pipeline, store_texts(resources.store()), other)


def evaluate_predictions(
    path: Path,
    out: Path,
    predictions: Path,
    limit: int | None = None,
    natural: bool = False,
    *,
    compare: Path | None = None,
) -> Json:
    """Score predictions made elsewhere (`answers.read_predictions`) as if a recipe had made them.

    Claims without a prediction count as failed and are not scored. Raises CorpusError if no claim has one.
    """
    claims = select_claims(path, limit, natural)
    other = read_other(compare, out) if compare else None
    answers = read_predictions(predictions)
    pairs = [(claim, answers[claim.id]) for claim in claims if claim.id in answers]
    if not pairs:
        raise CorpusError(f"{predictions} answers no claim of {path}. Name predictions with the same ids.")
    failed = {claim.id: "no prediction" for claim in claims if claim.id not in answers}
    data = {**identified(path), "natural": natural, "failed": failed}
    pipeline = {"recipe": "predictions", "models": {}, "settings": {}, "corpus": {}}
    pipeline["predictions"] = identified(predictions)
    make_folder(out)
    card = _score(out, claims, pairs, data, pipeline, lambda _: {}, other)
    rows = [answer.as_row(claim.id) for claim, answer in pairs]
    if predictions.resolve() != (out / "claims.jsonl").resolve():
        (out / "run.json").unlink(missing_ok=True)
        write_rows(out / "claims.jsonl", rows)
    return card


def select_claims(path: Path, limit: int | None, natural: bool) -> list[GoldClaim]:
    """The claims to score. Raises CorpusError if there is none, or if an id is repeated."""
    claims = [claim for claim in read_claims(path) if claim.natural or not natural][:limit]
    if not claims:
        raise CorpusError(f"{path} holds no claim to score. Name a file of FEVER claims, or leave out `--natural`.")
    ids = [claim.id for claim in claims]
    if len(set(ids)) < len(ids):
        twice = next(id for id in ids if ids.count(id) > 1)
        raise CorpusError(f"{path} holds two claims with the id {twice[:40]}. Give each claim its own id.")
    return claims


def describe_pipeline(resources: Resources, recipe: str) -> Json:
    """The pipeline, as a scorecard describes it."""
    corpus = resources.corpus()
    return {
        "recipe": recipe,
        "models": resources.models(recipe),
        "settings": deciding_in_words(recipe, resources.settings),
        "corpus": {"fingerprint": corpus.fingerprint, "pages": corpus.pages, "name": corpus.name},
    }


def _score(
    out: Path,
    claims: Sequence[GoldClaim],
    pairs: Pairs,
    data: Json,
    pipeline: Json,
    texts: Texts,
    other: tuple[str, Mapping[str, Answer]] | None,
) -> Json:
    """The scorecard, written into the folder. Raises CorpusError if no claim could be answered."""
    card = fever_scorecard(pairs, counted(data, len(claims), len(pairs)), pipeline)
    if other:
        card["comparison"] = compare_runs(pairs, *other)
    submitted = [answer.as_submission(claim.id) for claim, answer in pairs]
    write_results(out, card, fever_report(card, choose_examples(pairs, texts)), submitted, data["failed"])
    return card
