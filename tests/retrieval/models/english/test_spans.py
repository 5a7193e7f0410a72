"""Names and noun phrases of a claim, with their offsets."""

from __future__ import annotations

import pytest

from retrieval.models.english.parser import SpacySpans


@pytest.fixture(scope="module")
def spans() -> SpacySpans:
    return SpacySpans()


def test_names_and_phrases(spans: SpacySpans) -> None:
    claim = "The capital of France is Paris."
    found = [(claim[start:end], kind) for start, end, kind in spans.extract(claim)]
    assert ("France", "GPE") in found
    assert ("Paris", "GPE") in found
    assert ("capital", "NOUN_PHRASE") in found


@pytest.mark.parametrize("claim", ["", " ", "\x00", "😀 😀", "مرحبا بالعالم", "a" * 10_000, "the of it", "\n\t"])
def test_any_text_has_its_spans_inside(spans: SpacySpans, claim: str) -> None:
    found = spans.extract(claim)
    assert all(0 <= start < end <= len(claim) and kind for start, end, kind in found)
    assert [start for start, _, _ in found] == sorted(start for start, _, _ in found)
    assert len({(start, end) for start, end, _ in found}) == len(found)
