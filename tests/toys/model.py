"""A question writer: asks who or what each answer is."""

from __future__ import annotations

from collections.abc import Sequence


class ToyQuestions:
    """Implements `QuestionGenerator`."""

    id = "toy-questions"

    def ask(self, claim: str, answers: Sequence[tuple[int, int, str]]) -> list[str]:
        """One question for each answer span (start, end, type) of the claim."""
        return [f"What is {claim[start:end]}?" for start, end, _ in answers]
