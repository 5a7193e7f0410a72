"""What stands around a sentence when the reader reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.types import Claim, Evidence, FactCheck, Hit, Stance
from tests.making import make_page
from training.classifiers.reader_inputs import Remembering, after_the_one_before, alone

PAGE = make_page("Oslo", "Oslo is the capital of Norway.", "It lies on a fjord.", "Snow falls there.")
NEUTRAL = Stance(0.1, 0.1, 0.8)
FIRST = [Evidence(sentence, 0.5, NEUTRAL, "claim") for sentence in PAGE.sentences()]
CHECK = FactCheck(Claim("1", "Oslo lies on a fjord."), pages=(Hit(PAGE, 1.0, "title"),), sentences=tuple(FIRST))


class Counting:
    """A scorer that counts what it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        """The length of each as its relevance."""
        self.read += sentences
        for row, sentence in enumerate(sentences):
            yield [row], [float(len(sentence))], [NEUTRAL]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        """Nothing."""
        return NEUTRAL


def test_only_a_sentence_that_begins_with_a_pronoun_gets_the_one_before_it() -> None:
    texts = [text for text, _ in after_the_one_before(CHECK, FIRST)]
    assert texts == [
        "Oslo : Oslo is the capital of Norway.",
        "Oslo : Oslo is the capital of Norway. It lies on a fjord.",
        "Oslo : Snow falls there.",
    ]
    assert [text for text, _ in alone(CHECK, FIRST)][1] == "Oslo : It lies on a fjord."


def test_no_pair_is_read_twice() -> None:
    counting = Counting()
    scorer = Remembering(counting)
    once = list(scorer.score("a", ["x", "yy", "x"]))
    again = list(scorer.score("a", ["yy", "zzz"]))
    list(scorer.score("b", ["x"]))
    assert [relevances for _, relevances, _ in once] == [[1.0], [2.0], [1.0]]
    assert [rows for rows, _, _ in again] == [[0], [1]]
    assert counting.read == ["x", "yy", "zzz", "x"]
