"""Reasons for a verdict, in sentences built from its evidence. They say nothing that the evidence does not show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from retrieval.types import Evidence, FactCheck, Label, Stance, Verdict
from retrieval.verdicts.conflict import find_conflict, refuting, supporting

NOT_TESTED = "not tested"
ONE_SOURCE = "All the evidence comes from one source."
_SINGLE = str.maketrans("“”", "‘’")
_STRAIGHT = re.compile(r'(?<![^\s(\[])"([^\s"][^"]*)(?<=\S)"')  # not inches
NOTHING = "No sentence of the corpus bears on this claim."
# The verdict without its evidence if a language model has nothing left to judge. A model's ratings have four labels.
NOTHING_LEFT: Mapping[Label, float] = MappingProxyType({Label.NOT_ENOUGH_EVIDENCE: 1.0})


def reason(label: Label, claim: str, evidence: Sequence[Evidence]) -> str:
    """The deciding sentence, quoted from verified evidence. It says "supports" or "contradicts" only if the stance does."""
    verified = [e for e in evidence if e.verified]
    if not evidence:
        return NOTHING
    if not verified:
        return "None of the sentences found could be verified in its page, so none is quoted as a reason."
    if label is Label.NOT_ENOUGH_EVIDENCE:
        return f"The nearest sentence, in {_quoted(verified[0], ', does not decide it')}"
    if label is Label.CONFLICTING:
        return _both_sides(claim, verified)
    return _deciding(label, verified)


def dissent(label: Label, overruled: Sequence[Evidence]) -> str:
    """A sentence that names the contradicting page that did not count; empty if there is none."""
    strength = refuting if label is Label.SUPPORTED else supporting
    if label not in (Label.SUPPORTED, Label.REFUTED) or not overruled:
        return ""
    other = max(overruled, key=strength)
    return f" “{other.sentence.title}” says otherwise, but the page that the claim names counts for more."


def grounding_sentence(check: FactCheck, percent: Callable[[float], str] = "{:.0%}".format) -> str:
    """The verdict without the sentences it cites, in words; empty if not tested."""
    verdict = check.verdict
    if verdict is None or verdict.without_evidence is None or verdict.label_without_evidence is None:
        return ""
    count = len(verdict.sources or ()) or len(check.evidence)
    if not count:
        return "The verdict rests on no sentence."
    one = count == 1
    cited, them = ("the sentence it cites", "it") if one else ("the sentences it cites", "them")
    if verdict.without_evidence == NOTHING_LEFT:
        return f"The verdict rests on {cited}: without {them}, no sentence is left that bears on the claim."
    other = verdict.label_without_evidence
    found = f"“{in_words(other)}” ({percent(verdict.without_evidence[other])})"
    found += " by its own rating" if verdict.rated else ""
    if verdict.grounded:
        return f"The verdict rests on {cited}: without {them}, it would be {found}."
    left = len(check.sentences) > count
    source = "from the other sentences that were read" if left else "though no other sentence was read"
    return f"The verdict does not rest on {cited}: without {them}, it would still be {found}, {source}."


def grounding_in_words(verdict: Verdict) -> str:
    """The result of the grounding test, for records, or that there was none."""
    if verdict.grounded is None:
        return "nothing to test" if verdict.label is Label.NOT_ENOUGH_EVIDENCE else NOT_TESTED
    return "rests on its evidence" if verdict.grounded else "does not rest on its evidence"


def in_words(label: Label) -> str:
    """NOT_ENOUGH_EVIDENCE -> not enough evidence."""
    return label.value.replace("_", " ").lower()


def _deciding(label: Label, evidence: Sequence[Evidence]) -> str:
    """For a label that takes a side."""
    supports = label is Label.SUPPORTED
    strength = supporting if supports else refuting
    leaning = [e for e in evidence if _own(e.stance, supports) > _own(e.stance, not supports)]
    if not leaning:
        nearest = max(evidence, key=strength)
        verb = "supports" if supports else "contradicts"
        return f"No sentence alone {verb} it. The nearest, in {_quoted(nearest, ', reads')}"
    deciding = max(leaning, key=strength)
    if _own(deciding.stance, supports) >= deciding.stance.neutral:
        return _quoted(deciding, " supports it" if supports else " contradicts it")
    return _quoted(deciding, f" speaks {'for' if supports else 'against'} it, though not plainly")


def _both_sides(claim: str, evidence: Sequence[Evidence]) -> str:
    conflict = find_conflict(claim, evidence)
    if conflict is None:
        return f"The sentences do not agree. The nearest, in {_quoted(evidence[0], ', reads')}"
    return f"{_quoted(conflict.support, ' speaks for it')} But {_quoted(conflict.refutation, ' speaks against it')}"


def nested(text: str) -> str:
    """A text to be quoted between “ and ”: quotation marks inside become single ones. Its length stays, so offsets hold."""
    return _STRAIGHT.sub(r"‘\1’", text.translate(_SINGLE))


def _own(stance: Stance, supports: bool) -> float:
    return stance.supports if supports else stance.refutes


def _quoted(evidence: Evidence, verb: str) -> str:
    """The sentence and its page between quotation marks; those inside become single ones."""
    title, text = (nested(words) for words in (evidence.sentence.title, evidence.sentence.text))
    return f"“{title}”{verb}: “{text}”"
