"""Which instruction of the papers is in which prompt: each in our own words, each where its paper has it.

Momii et al. (FEVER workshop 2024), figure 2, prompts a to e, and section 4; its sequel, figure 4; AIC's draft, section 3.
"""

from __future__ import annotations

import itertools
import re
from typing import get_args

import pytest

from retrieval.llm.prompts import prompt
from retrieval.llm.prompts.judgement import DOUBTS, VERDICTS, Doubt, Prompt, instructions
from retrieval.llm.reading.labels import LABELS

PROMPTS = {
    "a": prompt("questions", questions=3),
    "b": prompt("sentence_question"),
    "c": instructions("c", "slightest", 3),
    "d": instructions("d", "slightest", 3),
    "e": prompt("sufficiency"),
    "context": prompt("context"),
    "own": instructions("own", "reason", 3),
    "aic": prompt("aic", questions=10),
    "supported or not": prompt("side", side="supports"),
    "refuted or not": prompt("side", side="refutes"),
}
ALL_FOUR = r"(?s)Supported.*Refuted.*Not Enough Evidence.*Conflicting Evidence/Cherrypicking"
# What a paper tells its model -> how we say it, and the prompts that say it.
INSTRUCTIONS = {
    "up to three questions": (r"up to 3 questions", {"a"}),
    "questions needed to verify what the text says": (r"have to be answered .* is correct", {"a"}),
    "a question to which the sentence could be the answer": (r"question to which this sentence could be the answer", {"b"}),
    "an example of a sentence and its question": (r"Sentence: .*\nQuestion: ", {"b"}),
    "the question only": (r"the question and nothing else", {"b"}),
    "one of four labels": (ALL_FOUR, {"c", "d", "own", "aic"}),
    "by the given evidence alone": (r"by the (?:numbered )?evidence that you are given, and by nothing else", {"c", "d"}),
    "questions, each with three pieces of information": (r"questions about the claim and, below each question, up to 3", {"c"}),
    "the slightest possibility means Refuted": (r'slightest possibility that the claim is wrong, choose "Refuted"', {"c", "d"}),
    "evidence is being collected": (r"Evidence is being collected", {"e"}),
    "to find out whether the claim is wrong": (r"whether a claim says something wrong", {"e"}),
    "enough, or more is needed": (r"enough to judge it, or whether more must be looked for", {"e"}),
    "the sentence within its whole document": (r"places the given one within the page as a whole", {"context"}),
    "so that it is found": (r"so that a search finds it", {"context"}),
    "short": (r"one short sentence", {"context"}),
    "the context only": (r"your sentence and nothing else", {"context"}),
    "one question a classifier": (r"whether the evidence (?:supports|refutes) it", {"supported or not", "refuted or not"}),
    "JSON": (r"one JSON object", {"a", "c", "d", "e", "own", "aic", "supported or not", "refuted or not"}),
    "sources by number": (r"number of that source", {"aic"}),
    "from 1": (r'"source": 1', {"aic"}),
    "questions and answers before the verdict": (r"(?s)Ask up to 10.*Answer each.*Only then rate", {"aic"}),
    "four kinds of answers": (r"(?s)Extractive.*Abstractive.*Boolean.*Unanswerable", {"aic"}),
    "agreement from 1 to 5 with each label": (r"from 1 \(not at all\) to 5", {"aic"}),
}  # fmt: skip


@pytest.mark.parametrize("what", INSTRUCTIONS)
def test_each_instruction_is_where_its_paper_has_it(what: str) -> None:
    pattern, prompts = INSTRUCTIONS[what]
    assert {name for name, text in PROMPTS.items() if re.search(pattern, text)} == prompts


@pytest.mark.parametrize(("asked", "doubt"), list(itertools.product(get_args(Prompt), get_args(Doubt))))
def test_the_rule_of_doubt_is_a_part_of_every_prompt_for_a_verdict(asked: Prompt, doubt: Doubt) -> None:
    text = instructions(asked, doubt, 3)
    assert [rule for rule in DOUBTS.values() if rule and rule in text] == ([DOUBTS[doubt]] if DOUBTS[doubt] else [])
    assert ("wrong" in text) == (doubt != "none"), "without it, nothing of it is left"
    assert "nothing in" in text
    assert text.count("{") == 1, "only the form of the reply has brackets"


def test_the_number_of_passages_is_that_of_the_settings() -> None:
    assert "up to 5 numbered passages" in instructions("c", "none", 5)
    assert "passages" not in instructions("d", "none", 5).partition("First give")[0].replace("the passages bear", "")


def test_labels_are_those_of_the_readers() -> None:
    assert list(VERDICTS) == list(LABELS)
    assert [name for name in LABELS if f'- "{name}":' in instructions("d", "none", 3, enough=True)] == [
        name for name in LABELS if name != "Not Enough Evidence"
    ]


def test_no_prompt_is_the_papers_own_text() -> None:
    theirs = (
        "necessary to verify the accuracy",
        "this sentence could be the answer. Output",
        "even the slightest possibility that it is incorrect",
        "Your predictions must be based",
        "enough information has already been gathered",
        "short succinct context",
    )
    assert not [words for words in theirs for text in PROMPTS.values() if words in text]
