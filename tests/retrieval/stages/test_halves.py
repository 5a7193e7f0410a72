"""The pages that are read beside each half of a claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import pytest

from retrieval.protocols import PairScorer
from retrieval.stages.comparing.deciding import CompareThings
from retrieval.types import Claim, Evidence, FactCheck, Hit, Stance
from tests.making import make_page

CLAIM = "Tarn was founded in Lund in 1976."
FRUIT = make_page("Tarn", "The tree comes from the south.")
WORKS = make_page("Tarn Works", "Tarn was founded by two friends.")


class Against:
    """Reads everything as against the claim."""

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        yield list(range(len(sentences))), [0.9] * len(sentences), [Stance(0.05, 0.9, 0.05)] * len(sentences)


@pytest.mark.parametrize(("relevance", "read"), [(0.05, False), (0.9, True)])
def test_a_page_is_left_alone_if_one_of_a_longer_name_answers_better(relevance: float, read: bool) -> None:
    silent = Stance(0.1, 0.1, 0.8)
    known = tuple(
        Evidence(page.sentences()[0], of_page, silent, "claim") for page, of_page in ((FRUIT, relevance), (WORKS, 0.4))
    )
    begun = FactCheck(Claim("1", CLAIM), pages=(Hit(FRUIT, 1.0, "text"), Hit(WORKS, 1.0, "text")))
    done = list(CompareThings(cast(PairScorer, Against())).run(replace(begun, sentences=known)))[-1].check
    assert any(one.stance.refutes > 0.9 for one in done.sentences) is read
