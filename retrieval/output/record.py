"""Writes a check as JSON: its public form (`forms.py`), and the record as stored with a job (`retrieval/types.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from retrieval.llm.budget import spent
from retrieval.output.forms import EvidenceForm, PageForm, PublicCheck, QuestionForm, Usage, VerdictForm
from retrieval.text.addresses import page_address
from retrieval.text.claims import spans_in_text
from retrieval.types import Evidence, FactCheck, Hit, Page, Verdict
from retrieval.verdicts.reasons import grounding_in_words
from retrieval.verdicts.side import would_change

Json = dict[str, Any]
MOST_PUBLIC_NAMES = 12  # of a page, in the public JSON

_RECORD = TypeAdapter(FactCheck)
# A field of the claim -> its name in storage since version 1.0.0, so that every version reads every other's records.
_CLAIM = {
    "id": "id",
    "text": "claim",
    "respelt": "respelt",
    "context": "context",
    "read": "read_as",
    "turned": "denial",
}
_OF_PAGE = ("names", "site", "other_names")  # fields of a sentence that are stored with its page only
_STORED = {"__all__": {"sentence": set(_OF_PAGE)}}


def check_as_json(check: FactCheck, **of_row: str) -> Json:
    """The public form as JSON."""
    return public_check(check, **of_row).as_json()


def public_check(check: FactCheck, *, state: str = "done", created: str = "", finished: str = "") -> PublicCheck:
    """The public form. The `text` of each piece of evidence equals its page's text from `start` to `end`."""
    change = would_change(check)
    return PublicCheck.of(
        check,
        id=check.claim.id,
        claim=check.claim.text,
        state=state,
        verdict=_verdict(check.verdict) if check.verdict else None,
        evidence=evidence_forms(check, check.evidence),
        would_change=evidence_forms(check, [change])[0] if change else None,
        pages=[_page(hit, check) for hit in check.pages],
        questions=[QuestionForm.of(pair, text=pair.question) for pair in check.questions],
        spans=spans_in_text(check),
        timings_ms=check.timings,
        created=created,
        finished=finished,
        read_as=check.claim.read,
        denial=check.claim.turned,
        language_model=Usage.of(spent(check.calls), calls=len(check.calls)) if check.calls else None,
    )


def evidence_forms(check: FactCheck, sentences: Iterable[Evidence]) -> list[EvidenceForm]:
    """Sentences of a check, in the public form of evidence."""
    read = {hit.page.id: hit.page for hit in check.pages}
    return [
        EvidenceForm.of(
            one.sentence,
            one,
            also_called=one.also,
            score=one.relevance,
            differs=_differs(one, check.claim.text),
            **_origin(read.get(one.sentence.page_id), check),
        )
        for one in sentences
    ]


def _verdict(verdict: Verdict) -> VerdictForm:
    label, other = verdict.label_without_evidence, verdict.without_evidence
    return VerdictForm.of(
        verdict,
        confidence=verdict.confidence if verdict.probabilities else None,
        ratings=verdict.probabilities if verdict.rated else None,
        grounding=grounding_in_words(verdict),
        without_evidence={"label": label, "probabilities": other} if other else None,
    )


def _page(hit: Hit, check: FactCheck) -> PageForm:
    page = hit.page
    names = page.all_names[:MOST_PUBLIC_NAMES]
    return PageForm.of(hit, page_id=page.id, title=page.title, other_names=names, **_origin(page, check))


def _origin(page: Page | None, check: FactCheck) -> Json:
    """The page's address, the revision and date of its text, and its corpus: the check's, unless the page names one."""
    corpus = check.corpus.name if check.corpus else ""
    if page is None:
        return {"url": None, "revision": None, "retrieved": None, "corpus": corpus}
    known = {"url": page_address(page), "revision": page.revision, "retrieved": page.retrieved}
    return {**known, "corpus": page.corpus or corpus}


def _differs(one: Evidence, claim: str) -> Json | None:
    """Both spans with their text; offsets refer to `claim` and to the evidence's `text`."""
    if one.differs is None:
        return None
    spans = {"claim": (one.differs.claim, claim), "sentence": (one.differs.sentence, one.sentence.text)}
    return {name: {"start": s, "end": e, "text": text[s:e]} for name, ((s, e), text) in spans.items()}


def dump_check(check: FactCheck) -> Json:
    """The whole record with its page texts, as stored with a job; `load_check` reads it back without loss."""
    left_out = {"sentences": _STORED, "evidence": _STORED}
    stored = _RECORD.dump_python(check, mode="json", exclude=left_out, fallback=dict, warnings=False)
    claim, verdict = stored.pop("claim"), stored["verdict"]
    if verdict and verdict["without_evidence"]:
        verdict["without_evidence"] = {"probabilities": verdict["without_evidence"]}
    for pair in stored["questions"]:
        pair["text"] = pair.pop("question")
    return {**stored, **{old: claim[name] for name, old in _CLAIM.items()}, "timings_ms": stored.pop("timings")}


def load_check(stored: Mapping[str, Any]) -> FactCheck:
    """Inverse of `dump_check`, for records of other versions too: missing fields get their default, unknown ones are
    ignored. Raises KeyError, TypeError or ValueError if the record is not one of ours.
    """
    known = {name: value for name, value in stored.items() if value is not None}
    pages = {hit["page"]["id"]: hit["page"] for hit in stored["pages"]}
    known["claim"] = {name: known[old] for name, old in _CLAIM.items() if old in known}
    known["timings"] = stored["timings_ms"]
    known["questions"] = _questions(stored["questions"])
    for name in ("sentences", "evidence"):
        known[name] = [_with_page(one, pages) for one in stored[name]]
    if verdict := known.get("verdict"):
        other = verdict.get("without_evidence")
        known["verdict"] = {**verdict, "without_evidence": other["probabilities"] if other else None}
    return _RECORD.validate_python(known)


def _with_page(stored: Json, pages: Mapping[str, Json]) -> Json:
    """Stored evidence with the fields that its page holds for it. Version 1.0.0 stored the relevance as `score`."""
    page = pages.get(stored["sentence"]["page_id"], {})
    of_page = {name: page[name] for name in _OF_PAGE if name in page}
    known = {"relevance": stored["score"], **stored} if "score" in stored else stored
    return {**known, "sentence": {**stored["sentence"], **of_page}}


def _questions(stored: Iterable[Json]) -> list[Json]:
    """Questions with their texts: version 1.0.0 left a text empty if it repeated the previous one."""
    found: list[Json] = []
    for pair in stored:
        text = pair["text"] or (found[-1]["question"] if found else "")
        found.append({**pair, "question": text, "answer_type": pair.get("answer_type") or ""})
    return found
