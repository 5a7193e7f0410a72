"""A check as JSON, the one form that the command line, the API and the exports share (docs/interfaces.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from retrieval.llm.budget import spent
from retrieval.text.addresses import page_address
from retrieval.text.typed.places import spans_in_text
from retrieval.types import (
    Claim,
    CorpusInfo,
    Difference,
    Evidence,
    FactCheck,
    Hit,
    Label,
    LLMCall,
    Page,
    QuestionAnswer,
    Reply,
    Sentence,
    Span,
    Stance,
    Verdict,
)
from retrieval.verdicts.other_side import would_change
from retrieval.verdicts.reasons import grounding_in_words

Json = dict[str, Any]
MOST_NAMES = 12  # of a page, in the JSON that people read
Record = TypeVar("Record")


def check_as_json(check: FactCheck, *, state: str = "done", created: str = "", finished: str = "") -> Json:
    """The public form. `text` of each evidence equals its page's text from `start` to `end`."""
    read = {hit.page.id: hit.page for hit in check.pages}
    name = check.corpus.name if check.corpus else ""

    def shown(evidence: Evidence) -> Json:
        return {**_evidence(evidence, check.claim.text), **_origin(read.get(evidence.sentence.page_id), name)}

    change = would_change(check)
    return {
        "id": check.claim.id,
        "claim": check.claim.text,
        "recipe": check.recipe,
        "state": state,
        "verdict": _verdict(check.verdict) if check.verdict else None,
        "evidence": [shown(evidence) for evidence in check.evidence],
        "would_change": shown(change) if change else None,
        "pages": [_hit(hit, name) for hit in check.pages],
        "questions": [_question(pair) for pair in check.questions],
        "spans": [_plain(span) for span in spans_in_text(check)],
        "timings_ms": dict(check.timings),
        "corpus": {"fingerprint": check.corpus.fingerprint, "pages": check.corpus.pages} if check.corpus else None,
        "models": dict(check.models),
        "created": created,
        "finished": finished,
        "notes": list(check.notes),
        "read_as": check.claim.read or None,
        "denial": check.claim.turned,
        "no_verdict": check.no_verdict or None,
        "details": dict(check.details),
        "language_model": _usage(check) if check.calls else None,
        "program": check.program or None,
    }


def _question(pair: QuestionAnswer) -> Json:
    sources, kind = list(pair.sources), pair.answer_type or None
    return {"text": pair.question, "answer": pair.answer, "sources": sources, "answer_type": kind}


def _usage(check: FactCheck) -> Json:
    used = spent(check.calls)
    return {
        "calls": len(check.calls),
        "prompt_tokens": used.prompt_tokens,
        "reply_tokens": used.reply_tokens,
        "seconds": round(used.seconds, 3),
    }


def _verdict(verdict: Verdict) -> Json:
    other = verdict.without_evidence
    return {
        "label": str(verdict.label),
        "confidence": round(verdict.confidence, 4) if verdict.probabilities else None,
        "probabilities": _rounded(verdict.probabilities),
        "calibrated": verdict.calibrated,
        "ratings": _rounded(verdict.probabilities) if verdict.rated else None,
        "one_source": verdict.one_source,
        "reason": verdict.reason,
        "method": verdict.method,
        "sources": None if verdict.sources is None else list(verdict.sources),
        "abstained": verdict.abstained,
        "leans": verdict.leans,
        "grounded": verdict.grounded,
        "grounding": grounding_in_words(verdict),
        "without_evidence": {
            "label": str(verdict.label_without_evidence),
            "probabilities": _rounded(other),
        }
        if other
        else None,
    }


def _rounded(shares: Mapping[Label, float]) -> Json:
    return {str(label): round(share, 4) for label, share in shares.items()}


def _hit(hit: Hit, corpus: str) -> Json:
    shown = {"page_id": hit.page.id, "title": hit.page.title, "score": round(hit.score, 4), "method": hit.method}
    shown["other_names"] = [*hit.page.all_names[:MOST_NAMES]]
    return {**shown, **_origin(hit.page, corpus)}


def _origin(page: Page | None, corpus: str) -> Json:
    """The page's address, the revision and date of its text, and its corpus; null if unknown.

    corpus: name of the one that was read, if the page does not name it.
    """
    if page is None:
        return {"url": None, "revision": None, "retrieved": None, "corpus": corpus or None}
    origin = {"url": page_address(page) or None, "revision": page.revision, "retrieved": page.retrieved or None}
    return {**origin, "corpus": page.corpus or corpus or None}


def _evidence(evidence: Evidence, claim: str) -> Json:
    sentence, stance = evidence.sentence, evidence.stance
    return {
        "page_id": sentence.page_id,
        "title": sentence.title,
        "also_called": evidence.also or None,
        "line": sentence.line,
        "start": sentence.start,
        "end": sentence.end,
        "text": sentence.text,
        "score": round(evidence.relevance, 4),
        "stance": {
            "supports": round(stance.supports, 4),
            "refutes": round(stance.refutes, 4),
            "neutral": round(stance.neutral, 4),
        },
        "method": evidence.method,
        "verified": evidence.verified,
        "rank_score": None if evidence.rank_score is None else round(evidence.rank_score, 4),
        "rank_method": evidence.rank_method,
        "differs": _differs(evidence.differs, claim, sentence.text) if evidence.differs else None,
    }


def _differs(found: Difference, claim: str, sentence: str) -> Json:
    """Both spans with their text; offsets are those of `claim` and of the evidence's `text`."""
    spans = {"claim": (found.claim, claim), "sentence": (found.sentence, sentence)}
    return {name: {"start": s, "end": e, "text": text[s:e]} for name, ((s, e), text) in spans.items()}


def dump_check(check: FactCheck) -> Json:
    """The whole record with its page texts, as stored with a job; `load_check` reads it back without loss."""
    public = check_as_json(check)
    del public["would_change"]  # follows from the rest
    return {
        **public,
        "respelt": check.claim.respelt,
        "spans": [_plain(span) for span in check.spans],
        "context": check.claim.context,
        "pages": [{"page": _page(hit.page), "score": hit.score, "method": hit.method} for hit in check.pages],
        "evidence": [_stored_evidence(evidence) for evidence in check.evidence],
        "sentences": [_stored_evidence(evidence) for evidence in check.sentences],
        "verdict": _stored_verdict(check.verdict) if check.verdict else None,
        "corpus": _plain(check.corpus) if check.corpus else None,
        "calls": [{**_plain(call), "reply": _plain(call.reply)} for call in check.calls],
        **({"found": [list(one) for one in check.found]} if check.found else {}),
    }


def load_check(stored: Mapping[str, Any]) -> FactCheck:
    """Inverse of `dump_check`. Raises KeyError, TypeError or ValueError where the record is not one of ours."""
    pages = tuple(Hit(_read_page(hit["page"]), hit["score"], hit["method"]) for hit in stored["pages"])
    known = {hit.page.id: hit.page for hit in pages}
    return FactCheck(
        claim=_read_claim(stored),
        recipe=stored["recipe"],
        spans=tuple(_read(Span, span) for span in stored["spans"]),
        questions=_read_questions(stored["questions"]),
        pages=pages,
        sentences=tuple(_read_evidence(evidence, known) for evidence in stored["sentences"]),
        evidence=tuple(_read_evidence(evidence, known) for evidence in stored["evidence"]),
        verdict=_read_verdict(stored["verdict"]) if stored["verdict"] else None,
        timings=MappingProxyType(dict(stored["timings_ms"])),
        models=MappingProxyType(dict(stored["models"])),
        corpus=_read(CorpusInfo, stored["corpus"]) if stored["corpus"] else None,
        notes=tuple(stored["notes"]),
        details=MappingProxyType(dict(stored.get("details", {}))),
        calls=tuple(_read(LLMCall, {**call, "reply": _read(Reply, call["reply"])}) for call in stored.get("calls", ())),
        program=stored.get("program") or "",
        found=tuple((page_id, score) for page_id, score in stored.get("found", ())),
        no_verdict=stored.get("no_verdict") or "",
    )


def _read_claim(stored: Mapping[str, Any]) -> Claim:
    """Records of earlier versions have no reading."""
    read, turned = stored.get("read_as") or "", bool(stored.get("denial"))
    return Claim(stored["id"], stored["claim"], stored.get("respelt", ""), stored.get("context", ""), read, turned)


def _read(kind: Callable[..., Record], stored: Mapping[str, Any]) -> Record:
    """A record of this kind; fields that a newer version of the program added are ignored."""
    return kind(**{name: value for name, value in stored.items() if name in kind.__slots__})  # type: ignore[attr-defined]


def _plain(record: Any) -> Json:
    return {name: getattr(record, name) for name in record.__slots__}


def _page(page: Page) -> Json:
    return _plain(page)


def _read_page(stored: Json) -> Page:
    """A page of a record, with defaults for fields that earlier versions lack."""
    lines = tuple((line, start, end) for line, start, end in stored["lines"])
    lists = {name: tuple(stored.get(name, ())) for name in ("links", "names", "other_names")}
    return _read(Page, {**stored, "lines": lines, **lists})


# What a sentence has of its page, up to 200 names among it, and what is read back from there.
_OF_PAGE = ("names", "site", "other_names")


def _stored_evidence(evidence: Evidence) -> Json:
    sentence = {name: value for name, value in _plain(evidence.sentence).items() if name not in _OF_PAGE}
    differs = _plain(evidence.differs) if evidence.differs else None
    return {**_plain(evidence), "sentence": sentence, "stance": _plain(evidence.stance), "differs": differs}


def _read_evidence(stored: Json, pages: Mapping[str, Page]) -> Evidence:
    """Evidence of a record. Earlier versions stored one `score`, the relevance or its substitute. pages: by id."""
    known = {("relevance" if name == "score" else name): value for name, value in stored.items()}
    page = pages.get(stored["sentence"]["page_id"])
    of_page = {name: getattr(page, name) for name in _OF_PAGE} if page else {}
    sentence, stance = _read(Sentence, {**stored["sentence"], **of_page}), _read(Stance, stored["stance"])
    found = known.get("differs")
    differs = Difference(tuple(found["claim"]), tuple(found["sentence"])) if found else None
    return _read(Evidence, {**known, "sentence": sentence, "stance": stance, "differs": differs})


def _read_questions(stored: Iterable[Json]) -> tuple[QuestionAnswer, ...]:
    """Earlier versions left the text of a question empty where it was that of the pair before."""
    found: list[QuestionAnswer] = []
    for row in stored:
        text = row["text"] or (found[-1].question if found else "")
        found.append(QuestionAnswer(text, row["answer"], tuple(row["sources"]), row.get("answer_type") or ""))
    return tuple(found)


def _stored_verdict(verdict: Verdict) -> Json:
    other = verdict.without_evidence
    return {
        **_verdict(verdict),
        "probabilities": {str(label): p for label, p in verdict.probabilities.items()},
        "without_evidence": {"probabilities": {str(label): p for label, p in other.items()}} if other else None,
    }


def _read_verdict(stored: Json) -> Verdict:
    """Records of earlier versions lack what was added since."""
    other, sources = stored.get("without_evidence"), stored.get("sources")
    return Verdict(
        Label(stored["label"]),
        _read_probabilities(stored["probabilities"]),
        stored["reason"],
        stored["method"],
        abstained=stored.get("abstained", False),
        without_evidence=_read_probabilities(other["probabilities"]) if other else None,
        sources=None if sources is None else tuple(sources),
        calibrated=stored.get("calibrated", False),
        one_source=stored.get("one_source", False),
        leans=stored.get("leans", False),
    )


def _read_probabilities(stored: Json) -> Mapping[Label, float]:
    return MappingProxyType({Label(label): p for label, p in stored.items()})
