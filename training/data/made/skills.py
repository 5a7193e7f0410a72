"""Pairs made by rule from the pages of a corpus; each kind teaches a skill that published pairs seldom need."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from retrieval.models.english.parser import SpacySpans
from retrieval.protocols import PageStore
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.types import Page, Sentence
from training.data.made.bridges import bridge_pairs, find_bridges
from training.data.made.exchanged import MENTIONS, exchanged_pairs
from training.data.made.periods import find_period, period_pairs
from training.data.made.reworded import MADE_BY, count_pairs, maker_pairs
from training.data.made.twins import Named, names_by_type, spoken
from training.data.pairs import Pair

SAMPLED_PAGES = 120_000
SHORTEST_EXAMPLE, LONGEST_EXAMPLE = 30, 200  # characters of a sentence


def period_examples(pages: list[Page], count: int, rng: random.Random) -> Iterator[Pair]:
    """At most `count` pairs of `period_pairs`, half of them about single years."""
    longer, single = list[Sentence](), list[Sentence]()
    for sentence in shuffled_sentences(pages, rng):
        if period := find_period(sentence.text):
            (single if period.first == period.last else longer).append(sentence)
    yield from islice(period_pairs(longer, rng), count // 2)
    yield from islice(period_pairs(single, rng), count // 2)


def exchanged_examples(pages: list[Page], count: int, rng: random.Random) -> Iterator[Pair]:
    """At most `count` pairs of `exchanged_pairs`."""
    likely = (sentence for sentence in shuffled_sentences(pages, rng) if MENTIONS.search(sentence.text))
    return islice(exchanged_pairs(named(likely), rng), count)


def reworded_examples(pages: list[Page], count: int, rng: random.Random) -> Iterator[Pair]:
    """At most `count` pairs of `maker_pairs`, and a third as many of `count_pairs`."""
    sentences = shuffled_sentences(pages, rng)
    names = names_by_type(named(iter(sentences[:1_000])))
    likely = (sentence for sentence in sentences if MADE_BY.search(sentence.text))
    yield from islice(maker_pairs(named(likely), names, rng), count)
    yield from islice(count_pairs(sentences, rng), count // 3)


def bridge_examples(store: PageStore, pages: list[Page], count: int, rng: random.Random) -> Iterator[Pair]:
    """At most `count` pairs of `bridge_pairs`."""
    bridges = list(islice(find_bridges(rng.sample(pages, len(pages)), store), count))
    names = names_by_type(named(islice(shuffled_sentences(pages, rng), 1_000)))
    return islice(bridge_pairs(bridges, SpacySpans(), names, rng), count)


def looked_at(store: EmbeddedStore, seed: int) -> list[Page]:
    """The pages that the pairs are made from."""
    return store.sample(SAMPLED_PAGES, seed)


def shuffled_sentences(pages: list[Page], rng: random.Random) -> list[Sentence]:
    """Sentences of a length that a claim can have, in random order."""
    found = [s for page in pages for s in page.sentences() if SHORTEST_EXAMPLE <= len(s.text) <= LONGEST_EXAMPLE]
    rng.shuffle(found)
    return found


def named(sentences: Iterator[Sentence]) -> Iterator[Named]:
    """Each sentence with its names; the page's subject replaces a leading pronoun."""
    extractor = SpacySpans()
    for sentence in sentences:
        text = spoken(sentence.title, sentence.text)
        yield Named(replace(sentence, start=0, end=len(text), text=text), tuple(extractor.extract(text)))
