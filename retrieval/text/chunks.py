"""Pages cut into chunks that know their neighbours."""

from __future__ import annotations

from retrieval.types import Page, Sentence


def chunks(page: Page, length: int = 2048) -> list[Sentence]:
    """The page in pieces of at most `length` characters that end where a sentence ends; `line` counts them.

    A sentence longer than that is cut at a space. `page.text[start:end]` is the chunk; chunks do not overlap, and a
    page shorter than `length` is one chunk.
    """
    spans: list[tuple[int, int]] = []
    for _, start, end in page.lines:
        for first, last in _bounded(page.text, start, end, length):
            if spans and last - spans[-1][0] <= length:
                spans[-1] = (spans[-1][0], last)
            else:
                spans.append((first, last))
    return [
        Sentence(page.id, page.title, number, start, end, page.text[start:end])
        for number, (start, end) in enumerate(spans)
    ]


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


def neighbours(text: str, start: int, end: int, length: int) -> tuple[str, str]:
    """What stands before and after text[start:end], up to `length` characters each, begun and ended at a space."""
    before, after = text[max(0, start - length) : start], text[end : end + length]
    if start > length:
        before = before.partition(" ")[2]
    if end + length < len(text):
        after = after.rpartition(" ")[0]
    return before.strip(), after.strip()
