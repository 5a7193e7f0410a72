"""Which stages find the sentences of recipe `esoteric` and choose its evidence, as its settings say."""

from __future__ import annotations

from collections.abc import Collection

from retrieval.protocols import Encoder, Stage
from retrieval.settings import Settings
from retrieval.stages.esoteric.dual import DualPassages
from retrieval.stages.esoteric.evidence import RelevantEvidence
from retrieval.stages.esoteric.passages import Passages, english_sentences
from retrieval.stages.verdict import ChooseEvidence


def choose_passages(settings: Settings, questions: Encoder, pages: Encoder, asked: bool, used: str) -> Stage:
    """How sentences are found. asked: whether questions choose them; else the claim's words do. used: the encoders' names."""
    titles, afresh = settings.sentence_titles, settings.sentences_by == "spacy"
    encoded, cutoff = settings.encoded_sentences, settings.passage_cutoff
    by_words, top_k = settings.dual_sentences, settings.question_passages
    if settings.passages == "dual":
        return DualPassages(
            questions,
            pages,
            english_sentences,
            encoded=encoded,
            by_words=by_words,
            cutoff=cutoff,
            titles=titles,
            afresh=afresh,
        )
    return Passages(
        questions if asked else None,
        pages if asked else None,
        english_sentences,
        encoded=encoded,
        top_k=top_k,
        cutoff=cutoff,
        used=used,
        titles=titles,
        afresh=afresh,
    )


def choose_evidence(settings: Settings, cutoff: float, without: Collection[str]) -> Stage:
    """What is evidence. cutoff: least relevance; without: the steps left out."""
    if "relevance" in without or not settings.every_relevant:
        return ChooseEvidence(settings.top_evidence)
    similar = 0.0 if "similarity" in without else settings.similarity_cutoff
    return RelevantEvidence(cutoff, settings.top_evidence, similar=similar)
