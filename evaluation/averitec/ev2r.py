"""Recall of the reference evidence, judged by a language model (after Ev2R).

Akhtar, Schlichtkrull and Vlachos (2024) split the reference into atomic facts and search the evidence found for each.
AVeriTeC's task of 2025 scores claims by it. Here one call per claim does both, so figures of different models cannot be
compared, nor can ours with the task's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tqdm import tqdm

from evaluation.averitec.data import GoldClaim, Prediction
from evaluation.averitec.scores import SCORED_PAIRS
from retrieval.errors import LLMError
from retrieval.llm.prompts import prompt, quoted
from retrieval.protocols import LLM

FACT_SCHEMA = {
    "type": "object",
    "properties": {"fact": {"type": "string"}, "found": {"type": "boolean"}},
    "required": ["fact", "found"],
    "additionalProperties": False,
}
FACTS_SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": FACT_SCHEMA, "minItems": 1}},
    "required": ["facts"],
    "additionalProperties": False,
}


def fact_recalls(pairs: Sequence[tuple[GoldClaim, Prediction]], llm: LLM) -> dict[str, float]:
    """Claim id -> share of the reference's facts that are in the evidence found. Claims without a reference, or whose
    reply is missing or unreadable, are left out and named on stderr.
    """
    recalls: dict[str, float] = {}
    for gold, predicted in tqdm(pairs, unit=" claims", desc="Ev2R", mininterval=1, file=sys.stderr):
        if not gold.pairs:
            continue
        try:
            recalls[gold.id] = read_recall(llm.complete(prompt("ev2r"), content(gold, predicted), FACTS_SCHEMA).text)
        except LLMError as error:
            print(f"Claim {gold.id} has no Ev2R recall: {error}", file=sys.stderr)
    return recalls


def content(gold: GoldClaim, predicted: Prediction) -> str:
    """The reference and the evidence found, as quotations."""
    reference = "\n".join(f"- {quoted(pair)}" for pair in gold.pairs)
    found = "\n".join(f"- {quoted(pair)}" for pair in predicted.pairs[:SCORED_PAIRS])
    return f"<reference>\n{reference}\n</reference>\n<evidence>\n{found}\n</evidence>\nThe claim: {quoted(gold.text)}"


def read_recall(text: str) -> float:
    """The share of facts found. Raises LLMError if the reply does not have exactly the requested form."""
    start, end = text.find("{"), text.rfind("}")
    try:
        facts = json.loads(text[start : end + 1])["facts"]
        found = [fact["found"] for fact in facts]
    except (ValueError, KeyError, TypeError, RecursionError):
        found = []
    if not found or not all(isinstance(value, bool) for value in found):
        raise LLMError("The language model's reply holds no list of facts, each found or not.")
    return float(sum(found)) / len(found)
