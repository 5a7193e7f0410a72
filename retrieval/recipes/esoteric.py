"""Recipe `esoteric`: the thesis's pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from retrieval import stage_names as names
from retrieval.parts import Parts
from retrieval.protocols import Stage
from retrieval.recipes.declaring import READERS, SECOND_PASS, Recipe
from retrieval.recipes.endings import comparing, ranked_to_read, read_again, verdict_over_sentences
from retrieval.settings.declaring import Knobs, setting
from retrieval.stages.claim import ClaimSpans
from retrieval.stages.esoteric.evidence import FoundAnswers, RelevantEvidence
from retrieval.stages.esoteric.pages import TextMatch, TitleMatch
from retrieval.stages.esoteric.passages import DualPassages, Passages, english_sentences
from retrieval.stages.esoteric.question_ranking import QuestionRanking
from retrieval.stages.esoteric.questions import ClaimQuestions
from retrieval.stages.esoteric.relevance import Relevance, SimilarityOrder
from retrieval.stages.verdict import ChooseEvidence

# Steps that you can leave out, to measure what each contributes.
STEPS = (
    *("title n-grams", names.TITLES, "brackets", names.TEXT, "wh-questions", "polar question"),
    *(names.QUESTION_RANKING, "question passages", names.RELEVANCE, names.SIMILARITY),
    *(names.READING, names.COMPARING),
)


@dataclass(frozen=True)
class Esoteric(Knobs):
    """The limits and cutoffs of the recipe's steps."""

    recipe: ClassVar[str] = "esoteric"
    title_matches: int = setting(500, "Pages found by their titles, before the brackets are compared.")
    most_questions: int = setting(24, "Questions asked about a claim; each is compared with every page found.")
    bracket_cutoff: float = setting(0.0, "Least similarity between the claim and the bracket of a page's title.")
    bracket_limit: int = setting(20, "Pages kept whose title matches except for its bracket.")
    text_matches: int = setting(1000, "Pages found by phrases in their text.")
    encoded_pages: int = setting(40, "Of these, pages to encode if the corpus holds no vectors; encoding takes time.")
    question_pages: int = setting(10, "Pages that each question may bring.")
    page_cutoff: float = setting(0.65, "Least score of a page for its best question.")
    encoded_sentences: int = setting(60, "Sentences of the pages kept that are compared with the questions.")
    question_passages: int = setting(30, "Sentences that the questions pass on to the relevance model.")
    passage_cutoff: float = setting(0.7, "Least score of a sentence for its best question.")
    relevance_cutoff: float = setting(0.5, "Least probability of a relevant sentence.")
    similarity_cutoff: float = setting(
        0.0,
        "Least cosine between the claim and a sentence that may be evidence. 0: any. The thesis, with mpnet: 0.7.",
    )
    every_relevant: bool = setting(
        True,
        "Show every relevant sentence as evidence, to people and to a language model, as in the thesis. `false`: at most "
        "TOP_EVIDENCE.",
    )
    sentences_by: str = setting(
        "lines",
        "What divides pages into sentences: the corpus's own `lines`, or spaCy's parser (`spacy`), as in the thesis.",
        choices=("lines", "spacy"),
    )
    sentence_titles: bool = setting(
        True, "Put the page's title before a sentence to compare it with questions and claim. The thesis: `false`."
    )
    passages: str = setting(
        "relevance",
        "How sentences are chosen: by `relevance`, or by the `dual` pipeline of the thesis's version 1.7 (BM25, and each "
        "question's best answer), whose sentences are all evidence.",
        choices=("relevance", "dual"),
    )
    dual_sentences: int = setting(5, "Sentences that BM25 brings in the `dual` pipeline.")
    without: str = setting(
        "", "Steps to leave out, separated by commas; for measurements.", choices=STEPS, several=True
    )
    read_sentences: int = setting(5, "Best sentences that the larger network of recipe `careful` reads again.")

    @property
    def steps_left_out(self) -> frozenset[str]:
        """The steps that `without` names."""
        return frozenset(name.strip() for name in self.without.split(",") if name.strip())

    @property
    def left_out(self) -> frozenset[str]:
        """See `Knobs`. Without the step `relevance`, its stage still scores sentences, but drops none."""
        unread = {names.RANKING} if names.READING in self.steps_left_out else set()
        return self.steps_left_out - {names.RELEVANCE} | unread

    @property
    def by_ngrams(self) -> bool:
        """Whether runs of words that are titles count as spans."""
        return "title n-grams" not in self.steps_left_out

    @property
    def relevant_from(self) -> float:
        """Least probability of a relevant sentence; 0 if none is dropped."""
        dropped = names.RELEVANCE not in self.steps_left_out and self.passages != "dual"
        return self.relevance_cutoff if dropped else 0.0


def _passages(parts: Parts, knobs: Esoteric) -> Stage:
    questions, pages = parts.chosen().question_encoder(), parts.chosen().page_encoder()
    common: dict[str, Any] = {
        "encoded": knobs.encoded_sentences,
        "cutoff": knobs.passage_cutoff,
        "titles": knobs.sentence_titles,
        "afresh": knobs.sentences_by == "spacy",
    }
    if knobs.passages == "dual":
        return DualPassages(questions, pages, english_sentences, by_words=knobs.dual_sentences, **common)
    by_questions = "question passages" not in knobs.steps_left_out
    common |= {"top_k": knobs.question_passages, "used": _encoders(parts)}
    return Passages(questions if by_questions else None, pages if by_questions else None, english_sentences, **common)


def _encoders(parts: Parts) -> str:
    return " and ".join(dict.fromkeys((parts.settings.question_encoder, parts.settings.page_encoder)))


def _evidence(parts: Parts, knobs: Esoteric) -> Stage:
    """Sentences that a similarity cutoff drops are not replaced by others."""
    top_k = parts.settings.top_evidence
    if names.RELEVANCE in knobs.steps_left_out or not knobs.every_relevant:
        return ChooseEvidence(top_k)
    return RelevantEvidence(knobs.relevant_from, 0 if knobs.similarity_cutoff else top_k)


RECIPE = Recipe(
    "esoteric",
    "The thesis's pipeline: spans, titles, phrases, questions and their vectors, relevance, similarity, a local verdict.",
    (
        *("span_models", "question_model", "question_encoder", "page_encoder", "similarity_model"),
        *(*READERS, *SECOND_PASS),
    ),
    {
        names.SPANS: lambda parts, knobs: ClaimSpans(
            parts.chosen().spans_and_titles(parts.store(), knobs.title_matches * knobs.by_ngrams),
            parts.settings.span_models + " and titles" * knobs.by_ngrams,
        ),
        names.TITLES: lambda parts, knobs: TitleMatch(
            parts.store(),
            parts.chosen().similarity_encoder(),
            knobs.bracket_cutoff,
            0 if "brackets" in knobs.steps_left_out else knobs.bracket_limit,
            parts.settings.similarity_model,
            found=knobs.title_matches,
        ),
        names.TEXT: lambda parts, knobs: TextMatch(
            parts.store(),
            knobs.text_matches,
            first=names.TITLES in knobs.left_out,
            encoded=None if names.QUESTION_RANKING in knobs.left_out else knobs.encoded_pages,
            model=parts.chosen().vectors_id(),
        ),
        names.QUESTIONS: lambda parts, knobs: ClaimQuestions(
            None if "wh-questions" in knobs.steps_left_out else parts.chosen().question_generator(),
            None if "polar question" in knobs.steps_left_out else parts.chosen().polar_questions(),
            knobs.most_questions,
        ),
        names.QUESTION_RANKING: lambda parts, knobs: QuestionRanking(
            parts.store(),
            parts.chosen().question_encoder(),
            parts.chosen().page_encoder(),
            encoded=knobs.encoded_pages,
            per_question=knobs.question_pages,
            cutoff=knobs.page_cutoff,
            used=_encoders(parts),
            model=parts.chosen().vectors_id(),
            characters=parts.settings.page_characters,
            phrases=names.TEXT not in knobs.left_out,
        ),
        names.SENTENCES: _passages,
        names.RELEVANCE: lambda parts, knobs: Relevance(
            parts.chosen().pair_scorer(), knobs.relevant_from, parts.settings.relevance_model
        ),
        names.SIMILARITY: lambda parts, knobs: SimilarityOrder(
            parts.chosen().similarity_encoder(),
            knobs.relevant_from,
            parts.settings.similarity_model,
            similar=knobs.similarity_cutoff,
            titles=knobs.sentence_titles,
        ),
        names.RANKING: lambda parts, _: ranked_to_read(parts),
        names.READING: lambda parts, knobs: read_again(parts, knobs.read_sentences),
        names.COMPARING: lambda parts, _: comparing(parts.chosen().reader()),
        names.EVIDENCE: _evidence,
        names.ANSWERS: lambda parts, knobs: FoundAnswers(
            parts.chosen().question_encoder(),
            parts.chosen().page_encoder(),
            knobs.passage_cutoff,
            knobs.sentence_titles,
        ),
        # Not calibrated: that was measured on sentences that `fast` and `careful` find.
        names.VERDICT: lambda parts, knobs: verdict_over_sentences(
            parts, calibrated=False, again=names.READING not in knobs.left_out
        ),
    },
    title="As in the thesis",
    what="Asks questions and ranks pages by them.",
    seconds=0.72,
    knobs=Esoteric,
)
