"""Runs a recipe over AVeriTeC claims, each over its own documents, or the verdict alone."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from tqdm import tqdm

from evaluation.averitec.data import LABEL_NAMES, GoldClaim, Prediction, row_prediction
from evaluation.averitec.gold import GOLD, judge_gold, tuned_recipe
from evaluation.averitec.recorded import Recorded
from evaluation.journal import Journal
from evaluation.report.results_folder import Json
from retrieval.errors import CorpusError, EsotericError, RecipeError
from retrieval.protocols import LLM, PageStore, PairScorer
from retrieval.recipes.tuning import deciding_in_words
from retrieval.resources import Resources
from retrieval.roles import Chosen
from retrieval.stages.languages import label_of
from retrieval.stores.knowledge_file import KnowledgeFile, read_knowledge
from retrieval.text.claims import read_claim
from retrieval.types import Claim, FactCheck, Limits, Reply, Stance

UNJUDGED = Stance(0.0, 0.0, 1.0)


class Metered:
    """A language model whose tokens are counted. Implements `LLM`."""

    def __init__(self, llm: LLM, meter: Metered | None = None) -> None:
        """meter: another one that also counts this model's tokens; None to count them here."""
        self._llm, self._meter = llm, meter or self
        self.id = llm.id
        self.prompt_tokens = self.reply_tokens = 0
        self._others: dict[str, Metered] = {}

    def other(self, llm: LLM) -> Metered:
        """Another model, such as the cheaper one for contexts, whose tokens are counted here too."""
        return self._others.setdefault(llm.id, Metered(llm, self._meter))

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        """One call, counted."""
        reply = self._llm.complete(instructions, content, schema, limits=limits)
        self._meter.prompt_tokens += reply.prompt_tokens
        self._meter.reply_tokens += reply.reply_tokens
        return reply


class Unread:
    """Replaces the networks that judge sentences: no sentence takes a side. Implements `PairScorer`."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """See `PairScorer`."""
        rows = list(range(len(sentences)))
        yield rows, [0.0] * len(rows), [UNJUDGED] * len(rows)

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """See `PairScorer`."""
        return UNJUDGED


class ChosenUnread(Chosen):
    """The chosen models, except those that judge. Those that rank, such as a reranker, are unchanged."""

    def pair_scorer(self) -> PairScorer:
        """Judges nothing."""
        return Unread()

    def answer_scorer(self) -> PairScorer:
        """Judges nothing."""
        return Unread()


@dataclass(frozen=True, eq=False)
class MeteredResources(Resources):
    """Resources with a metered language model. recorded: replies only from a file. unread: nothing is judged."""

    meter: Metered | None = None
    recorded: bool = False
    unread: bool = False

    @classmethod
    def of(cls, resources: Resources, replies: Path | None = None, unread: bool = False) -> MeteredResources:
        """A copy that shares loaded models. replies: recorded replies, which take precedence."""
        same = {one.name: getattr(resources, one.name) for one in fields(resources)}
        llm = resources.llm()
        recorded = replies is not None and llm is None
        if replies is not None:
            llm = Recorded(replies, llm)
        return cls(**same, meter=Metered(llm) if llm else None, recorded=recorded, unread=unread)

    def chosen(self) -> Chosen:
        """See `Resources`."""
        return ChosenUnread(self) if self.unread else super().chosen()

    def llm(self) -> LLM | None:
        """The metered model."""
        return self.meter

    def llm_for(self, role: str) -> LLM | None:
        """The metered model of a role."""
        model = super().llm_for(role)
        return self.meter.other(model) if model and self.meter and model is not self.meter else model


def describe_pipeline(resources: MeteredResources, recipe: str, knowledge: Path) -> Json:
    """The pipeline, as a scorecard describes it."""
    llm = resources.llm()
    like = tuned_recipe(recipe)
    collected = resources.over(KnowledgeFile([], knowledge.name))
    return {
        "recipe": recipe,
        "models": {**collected.models(like), "llm": llm.id if llm else "none"},
        "settings": deciding_in_words(like, resources.settings),
        "corpus": {},
        "knowledge": knowledge.name,
        **({"replies": "recorded"} if resources.recorded else {}),
        **({"reading": "none"} if resources.unread else {}),
    }


def run_claims(
    claims: Sequence[GoldClaim], journal: Journal[Prediction], resources: MeteredResources, recipe: str, knowledge: Path
) -> dict[str, str]:
    """Answer every claim that the journal lacks. Returns errors by claim id."""
    if recipe != GOLD and not knowledge.is_dir():
        raise CorpusError(f"{knowledge} is no folder. Name the folder of the claims' documents, ID.json.")
    left = [claim for claim in claims if claim.id not in journal.answers]
    failed: dict[str, str] = {}
    if left:
        _warm_up(resources, left[0], recipe, knowledge)
    for claim in tqdm(left, unit=" claims", mininterval=1, file=sys.stderr):
        try:
            journal.add(claim.id, _answer(resources, claim, recipe, knowledge))
        except EsotericError as error:
            failed[claim.id] = str(error)
    return failed


def _warm_up(resources: MeteredResources, claim: GoldClaim, recipe: str, knowledge: Path) -> None:
    """Load the models, so that the first claim takes no longer than others. Raises RecipeError for an unknown recipe."""
    try:
        store: PageStore = read_knowledge(knowledge / f"{claim.id}.json")
        resources.over(store).pipeline("aic" if recipe == GOLD else recipe)
    except RecipeError:
        raise
    except EsotericError:
        return  # the claim itself reports it


def _answer(resources: MeteredResources, claim: GoldClaim, recipe: str, knowledge: Path) -> Prediction:
    """The recipe's answer, with its cost. Time is measured from opening the documents to the verdict."""
    before = (resources.meter.prompt_tokens, resources.meter.reply_tokens) if resources.meter else (0, 0)
    started = time.perf_counter()
    if recipe == GOLD:
        check = judge_gold(resources, claim)
    else:
        text = read_claim(claim.text, max(resources.settings.claim_length, len(claim.text)))
        store = read_knowledge(knowledge / f"{claim.id}.json")
        check = resources.over(store).pipeline(recipe).run(Claim(claim.id, text))
    spent = round((time.perf_counter() - started) * 1000, 2)
    predicted = prediction_of(check, claim)
    if resources.meter:
        used = (resources.meter.prompt_tokens - before[0], resources.meter.reply_tokens - before[1])
        predicted = replace(predicted, prompt_tokens=used[0], reply_tokens=used[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return replace(predicted, milliseconds=spent, peak_rss_mb=peak, timings=dict(check.timings))


def prediction_of(check: FactCheck, claim: GoldClaim) -> Prediction:
    """A finished check as a prediction."""
    label, confidence = label_of(check)
    row = {
        "claim_id": int(claim.id) if claim.id.isdecimal() else claim.id,
        "claim": claim.text,
        "pred_label": LABEL_NAMES[label],
        "evidence": list(_evidence(check)),
        "pages": [hit.page.source or hit.page.id for hit in check.pages],
        "confidence": confidence,
    }
    return row_prediction(row)


def _evidence(check: FactCheck) -> Iterator[Json]:
    """Each pair with the page of its first source.

    If a question has several answers, only the first pair carries its text (Momii et al., FEVER workshop 2024), so that
    no question counts twice.
    """
    sources = {hit.page.id: hit.page.source or hit.page.id for hit in check.pages}
    question = ""
    for pair in check.questions:
        row = {
            "question": pair.question if pair.question != question else "",
            "answer": pair.answer,
            "url": "",
            "scraped_text": "",
        }
        if pair.sources:
            sentence = check.evidence[pair.sources[0] - 1].sentence
            row |= {"url": sources.get(sentence.page_id, sentence.page_id), "scraped_text": sentence.text}
        question = pair.question
        yield row
