"""Builds queries for Elasticsearch, as the JSON of its search API, but does not send them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from retrieval.stores.elastic.index import Json, words
from retrieval.stores.lookups import TITLE_BOOST
from retrieval.stores.vectors import quantised
from retrieval.text.languages import find_language
from retrieval.text.words import searched

BEST_FIRST = [{"_score": "desc"}, {"digest_high": "asc"}, {"digest_low": "asc"}]


def title_search(keys: Sequence[str], size: int) -> Json | None:
    """Finds pages with one of these title keys, in no order; None if there are no keys."""
    if not keys or not size:
        return None
    either = [{"terms": {"title_key": keys}}, {"terms": {"bare_key": keys}}]
    query = {"bool": {"filter": {"bool": {"should": either}}}}
    return {"query": query, "size": size, "sort": ["_doc"], "track_total_hits": size + 1}


def ordered_title_search(keys: Sequence[str], size: int) -> Json:
    """Finds the pages of `title_search`, best first: by the key's position, whole titles before others, by digest."""
    parts: dict[str, list[Json]] = {}
    for field, bonus in (("title_key", 1), ("bare_key", 0)):
        parts[field] = [
            {"constant_score": {"filter": {"term": {field: key}}, "boost": 2 * (len(keys) - place) + bonus}}
            for place, key in enumerate(keys)
        ]
    bare = {"bool": {"should": parts["bare_key"], "must_not": {"terms": {"title_key": keys}}}}
    # A page with several titles ranks by its best one.
    query = {"dis_max": {"queries": [*parts["title_key"], bare]}}
    return {"query": query, "size": size, "sort": BEST_FIRST, "track_total_hits": False}


def text_search(
    query: str, phrases: Sequence[Sequence[str]], size: int, language: str = "", stemmer: str = ""
) -> Json | None:
    """BM25 over title and text, plus the phrases' scores; None if there is no word. phrases: each a list of words."""
    parts: list[Json] = []
    if terms := " ".join(words(" ".join(searched(words(query), find_language(language))), stemmer)):
        parts += [{"match": {"title_words": {"query": terms, "boost": TITLE_BOOST}}}, {"match": {"text_words": terms}}]
    parts += [{"match_phrase": {"text_words": " ".join(tokens)}} for tokens in phrases]
    if not parts or not size:
        return None
    return {"query": {"bool": {"should": parts}}, "size": size, "sort": BEST_FIRST, "track_total_hits": False}


def frequency(word: str, fields: Sequence[str]) -> Json:
    """Counts the pages with a word in one of the fields."""
    either = [{"match": {field: word}} for field in fields]
    return {"query": {"bool": {"should": either}}, "size": 0, "track_total_hits": True}


def suggestion(word: str) -> Json:
    """Asks for the most common words of titles and texts that are one edit away."""
    near = {"max_edits": 1, "prefix_length": 1, "min_word_length": 1, "suggest_mode": "always", "sort": "frequency"}
    fields = {field: {"term": {"field": field, "size": 50, **near}} for field in ("title_words", "text_words")}
    return {"size": 0, "suggest": {"text": word, **fields}}


def suggested(answer: Json, wanted: Collection[str]) -> dict[str, int]:
    """The wanted words among the suggestions, each with its frequency in the field where it is commonest."""
    found: dict[str, int] = {}
    for field in ("title_words", "text_words"):
        for option in (option for part in answer["suggest"][field] for option in part["options"]):
            if option["text"] in wanted:
                found[option["text"]] = max(option["freq"], found.get(option["text"], 0))
    return found


def vector_search(ids: Sequence[str], vector: Any) -> Json:
    """Scores these documents, and no others, against one vector."""
    knn = {
        "field": "vector",
        "query_vector": quantised(vector).tobytes().hex(),
        "k": len(ids),
        "num_candidates": len(ids),
        "filter": {"ids": {"values": ids}},
    }
    return {"knn": knn, "size": len(ids), "_source": False}
