"""Writes a check as text for a terminal."""

from __future__ import annotations

import textwrap

from retrieval.llm.budget import cost_in_words
from retrieval.output.headline import shows_share
from retrieval.output.origins import link, origin
from retrieval.types import Evidence, FactCheck, Label, Page, Verdict
from retrieval.verdicts.reasons import NOT_TESTED, ONE_SOURCE, grounding_in_words, grounding_sentence

WIDTH = 96
NO_VERDICT = "NO VERDICT"
BOLD, RESET = "\033[1m", "\033[0m"
COLOURS = {Label.SUPPORTED: "\033[32m", Label.REFUTED: "\033[31m", Label.CONFLICTING: "\033[35m"}
SENTENCES = {
    Label.SUPPORTED: "SUPPORTED by the corpus",
    Label.REFUTED: "REFUTED by the corpus",
    Label.NOT_ENOUGH_EVIDENCE: "NOT ENOUGH EVIDENCE in the corpus",
    Label.CONFLICTING: "CONFLICTING evidence in the corpus",
}


def check_as_text(check: FactCheck, *, colour: bool = False) -> str:
    """The verdict and its evidence with sources; `colour` adds ANSI escapes. Control characters are removed."""
    lines = [_plain(check.claim.text), ""]
    if check.verdict:
        head = f"{SENTENCES[check.verdict.label]}{_share(check.verdict)}"
        tone = COLOURS.get(check.verdict.label, "")
        if check.verdict.abstained:
            head, tone = f"NOT SURE; it leans towards: {head}", ""
        elif check.verdict.leans:
            head, tone = f"LEANS {head}", ""
        lines += [f"{BOLD}{tone}{head}{RESET}" if colour else head, _wrap(check.verdict.reason, "")]
        lines += _rating(check.verdict)
        lines += [_wrap(line, "") for line in (_grounding(check), ONE_SOURCE * check.verdict.one_source) if line] + [""]
    elif check.no_verdict:
        head = f"{BOLD}{NO_VERDICT}{RESET}" if colour else NO_VERDICT
        lines += [head, *(_wrap(note, "") for note in check.notes), ""]
    for number, evidence in enumerate(check.evidence, 1):
        lines += [_wrap(f"{number}. {evidence.sentence.text}", "   "), f"   {_source(evidence)}"]
        lines += [f"   {_differing(check.claim.text, evidence)}"] if evidence.differs else []
        page = next((hit.page for hit in check.pages if hit.page.id == evidence.sentence.page_id), None)
        lines += [f"   {line}" for line in _origin_lines(page)] if page else []
    if check.timings:
        took = sum(check.timings.values())
        read = f"{len(check.sentences)} sentences of {len(check.pages)} pages read in {took:.0f} ms"
        lines += ["", f"{read}, recipe {check.recipe}."]
    if check.calls:
        lines += [f"Language model: {cost_in_words(check.calls)}."]
    notes = () if check.no_verdict else check.notes
    return "\n".join(lines + [_plain(note) for note in notes]).rstrip()


def _rating(verdict: Verdict) -> list[str]:
    """Lines on a language model's verdict: the sentences that it cites, the model, and whether it gave a rating."""
    if verdict.sources is None:
        return []
    cited = ", ".join(map(str, verdict.sources))
    basis = f"Rests on {cited}." if cited else "UNSUPPORTED: cites no sentence."
    rating = "by its own rating" if verdict.probabilities else "without a rating"
    return [_plain(f"{basis} By {verdict.method}, {rating}.")]


def _share(verdict: Verdict) -> str:
    """The confidence in brackets, called a probability only if calibration was measured; empty if nothing is decided."""
    if not shows_share(verdict):
        return ""
    kind = "probability" if verdict.calibrated else "rating" if verdict.rated else "estimate"
    return f" ({kind} {verdict.confidence:.0%})"


def _grounding(check: FactCheck) -> str:
    """The result of the grounding test, or that the verdict was not tested."""
    if check.verdict and grounding_in_words(check.verdict) == NOT_TESTED:
        return "Not tested: the verdict was not computed again without the sentences that it rests on."
    return grounding_sentence(check)


def _source(evidence: Evidence) -> str:
    stance = evidence.stance
    share, word = max((stance.supports, "supports"), (stance.refutes, "refutes"), (stance.neutral, "neutral"))
    doubt = "" if evidence.verified else ", NOT VERIFIED"
    return f"— {_plain(evidence.sentence.title)}, sentence {evidence.sentence.line} ({word} {share:.0%}, relevance {evidence.relevance:.0%}{doubt})"


def _differing(claim: str, evidence: Evidence) -> str:
    """The parts of claim and sentence that exclude each other, in words."""
    if evidence.differs is None:
        return ""
    ours, theirs = claim[slice(*evidence.differs.claim)], evidence.sentence.text[slice(*evidence.differs.sentence)]
    return _plain(f"The claim says “{ours}”, the sentence “{theirs}”.")


def _origin_lines(page: Page) -> list[str]:
    """Lines on a page's origin: its corpus, if several were read; its address, without a fragment because terminals
    cut long ones, or its document; the age of its text.
    """
    place = link(page) or (f"From {page.source}." if page.source else "")
    lines = (f"In {page.corpus}." if page.corpus else "", place, origin(page))
    return [_plain(line) for line in lines if line]


def _wrap(text: str, indent: str) -> str:
    return textwrap.fill(_plain(text), WIDTH, subsequent_indent=indent)


def _plain(text: str) -> str:
    """Text without control characters."""
    return "".join(char if char.isprintable() else " " for char in text)
