"""Cuts pages into chunks, and finds the text around a chunk."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from retrieval.types import Page, Sentence

SEPARATORS = ("\n\n", "\n", ". ", " ")  # the coarsest first

_LEEWAY = 20  # characters, about the longest word: a cut at a space then leaves no tiny remainder

TokenCount = Callable[[Sequence[str]], Sequence[int]]


def chunks(page: Page, length: int = 2048) -> list[Sentence]:
    """The page in chunks of at most `length` characters that end at sentence boundaries, numbered by `line`. A longer
    sentence is cut at a space. `page.text[start:end]` is the chunk. Chunks do not overlap, and a page no longer than
    `length` is one chunk.
    """
    spans: list[tuple[int, int]] = []
    for _, start, end in page.lines:
        for first, last in _bounded(page.text, start, end, length):
            if spans and last - spans[-1][0] <= length:
                spans[-1] = (spans[-1][0], last)
            else:
                spans.append((first, last))
    return [
        Sentence(page.id, page.title, number, start, end, page.text[start:end], page.names, page.site, page.other_names)
        for number, (start, end) in enumerate(spans)
    ]


def pieces(text: str, most: int) -> list[str]:
    """The whole text in pieces of at most `most` characters, cut at spaces and about equally long."""
    even = math.ceil(len(text) / max(1, math.ceil(len(text) / most)))
    length = min(most, even + _LEEWAY)
    return [text[start:end] for start, end in _bounded(text, 0, len(text), length)] or [""]


def _bounded(text: str, start: int, end: int, length: int) -> list[tuple[int, int]]:
    pieces = []
    while end - start > length:
        cut = text.rfind(" ", start + 1, start + length + 1)
        cut = cut if cut > start else start + length
        pieces.append((start, cut))
        start = cut + (cut < end and text[cut] == " ")
    if end > start:
        pieces.append((start, end))
    return pieces


def recursive_chunks(
    text: str, most: int, count: TokenCount, separators: Sequence[str] = SEPARATORS
) -> list[tuple[int, int]]:
    """The text in pieces of at most `most` tokens: split at paragraphs and, where these are too long, at lines,
    sentences and words. Returns half-open spans, in order, that cover the whole text. count: returns the number of
    tokens in each text; joined texts are assumed to have the sum.
    """
    if not separators:  # a token has at least one character
        return [(first, min(first + most, len(text))) for first in range(0, len(text), max(1, most))]
    pieces = _pieces(text, separators[0])
    spans: list[tuple[int, int]] = []
    size = 0  # tokens of the last span
    for (first, last), tokens in zip(pieces, count([text[a:b] for a, b in pieces]), strict=True):
        if tokens > most:
            inner = recursive_chunks(text[first:last], most, count, separators[1:])
            spans += [(first + a, first + b) for a, b in inner]
            size = most  # what follows starts a new span
        elif spans and size + tokens <= most:
            spans[-1], size = (spans[-1][0], last), size + tokens
        else:
            spans.append((first, last))
            size = tokens
    return spans


def _pieces(text: str, separator: str) -> list[tuple[int, int]]:
    """Spans of the text, each ending after a separator."""
    spans, first = [], 0
    while first < len(text):
        at = text.find(separator, first)
        last = len(text) if at < 0 else at + len(separator)
        spans.append((first, last))
        first = last
    return spans


def chunk_around(text: str, start: int, end: int, most: int, count: TokenCount) -> str:
    """The recursive chunk that contains text[start:end]; if that spans several chunks, all of them together."""
    spans = [(a, b) for a, b in recursive_chunks(text, most, count) if a < end and start < b]
    return text[spans[0][0] : spans[-1][1]].strip() if spans else text[start:end]


def neighbours(text: str, start: int, end: int, length: int) -> tuple[str, str]:
    """The text before and after text[start:end], up to `length` characters each, cut at spaces."""
    before, after = text[max(0, start - length) : start], text[end : end + length]
    if start > length:
        before = before.partition(" ")[2]
    if end + length < len(text):
        after = after.rpartition(" ")[0]
    return before.strip(), after.strip()
