"""Settings of earlier versions that have become knobs. Their variables work until the next release, with a warning."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.settings.declaring import FUSION, QUESTIONS

GROUPS = ("fast", "esoteric", "aic", "rag_fusion", "contextual")  # the tables of `esoteric.toml` that held them


def _of(recipes: Iterable[str], knob: str) -> tuple[tuple[str, str], ...]:
    return tuple((recipe, knob) for recipe in recipes)


# Old setting -> (recipe, knob), for each recipe that reads it.
MOVED: dict[str, tuple[tuple[str, str], ...]] = {
    "read_sentences": _of(("careful", "esoteric"), "read_sentences"),
    "read_from": _of(("careful",), "read_from"),
    **{
        name: _of(("esoteric",), name)
        for name in (
            *("title_matches", "most_questions", "bracket_cutoff", "bracket_limit", "text_matches", "encoded_pages"),
            *("question_pages", "page_cutoff", "encoded_sentences", "question_passages", "passage_cutoff"),
            *("relevance_cutoff", "similarity_cutoff", "without"),
        )
    },
    "chunk_length": _of(("aic",), "chunk_length"),
    "aic_kept": (*_of(("aic",), "chunks"), *_of(("aic",), "local_chunks")),
    "aic_questions": _of(("aic",), "asked"),
    "aic_examples": _of(("aic",), "shots"),
    **{f"aic_{name}": _of(("aic",), name) for name in ("pruned", "fetched", "relevance", "neighbours")},
    "document_matches": _of(QUESTIONS, "document_matches"),
    **{f"fusion_{name}": _of(QUESTIONS, name) for name in ("questions", "answers", "pairs", "rank")},
    **{
        f"fusion_{name}": _of(FUSION, name)
        for name in ("pages", "choice", "query", "example", "sufficiency", "verdict")
    },
    **{name: _of(("contextual",), name) for name in ("context_sentences", "context_tokens", "context_order")},
}
