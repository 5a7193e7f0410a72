"""The prompts for a verdict over questions and their answers; `llm/replies.py` reads the replies.

Prompts c and d put the paper's instructions (Momii et al., FEVER workshop 2024, figure 2) into our own words.
"""

from __future__ import annotations

from typing import Literal

from retrieval.llm.prompts import prompt

Prompt = Literal["own", "c", "d"]
Doubt = Literal["slightest", "reason", "none"]

NAMES: dict[Prompt, str] = {"own": "judgement", "c": "judgement_c", "d": "judgement_d"}
DOUBTS: dict[Doubt, str] = {
    "slightest": 'If there is the slightest possibility that the claim is wrong, choose "Refuted".',
    "reason": 'Where the passages give even a slight reason to think that a part of the claim is wrong, choose "Refuted".',
    "none": "",
}
VERDICTS = {
    "Supported": "the passages bear the claim out.",
    "Refuted": "they contradict it.",
    "Not Enough Evidence": "they do not decide it.",
    "Conflicting Evidence/Cherrypicking": "some bear it out and others contradict it, or it leaves out what changes its meaning.",
}
UNDECIDED = "Not Enough Evidence"
REPLY = (
    "First give the reason in one or two sentences with the numbers of the passages it rests on, then the verdict, then how "
    'sure you are of it in percent. Reply with one JSON object and nothing else:\n{"reason": "...", "passages": [1], '
    '"verdict": "...", "confidence": 50}'
)


def instructions(variant: Prompt, doubt: Doubt, answers: int, enough: bool = False) -> str:
    """The text of the prompt. answers: passages per question. enough: whether to leave out "not enough evidence"."""
    offered = [f'- "{name}": {meaning}' for name, meaning in VERDICTS.items() if not (enough and name == UNDECIDED)]
    verdicts = "\n".join(offered)
    return prompt(NAMES[variant], verdicts=verdicts, doubt=DOUBTS[doubt], reply=REPLY, answers=answers)
