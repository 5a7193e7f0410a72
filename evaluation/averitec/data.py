"""Reads AVeriTeC's claims and predictions in their published formats (Schlichtkrull et al., NeurIPS 2023)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.report.results_folder import Json
from retrieval.errors import CorpusError
from retrieval.llm.reading.labels import LABELS
from retrieval.llm.replies import NO_ANSWER

LABEL_NAMES = {label: name for name, label in LABELS.items()}


@dataclass(frozen=True)
class GoldClaim:
    """A claim with its gold answer.

    pairs: a text for each answer of each question, to compare predictions with; answers: the same as question and
    answer. urls: for each answer, the addresses of its page and of the page's archived copy.
    """

    id: str
    text: str
    label: str
    questions: tuple[str, ...]
    pairs: tuple[str, ...]
    urls: tuple[tuple[str, ...], ...] = ()
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Prediction:
    """A prediction for a claim. questions, pairs, answers: by rank, all of them; answers are the pairs' answers alone.

    urls: of the evidence, in order; pages: of the documents found. milliseconds, prompt_tokens, reply_tokens: None if
    not measured.
    """

    label: str
    questions: tuple[str, ...]
    pairs: tuple[str, ...]
    urls: tuple[str, ...] = ()
    confidence: float | None = None
    milliseconds: float | None = None
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    peak_rss_mb: int = 0
    timings: Mapping[str, float] = field(default_factory=dict)
    row: Mapping[str, Any] | None = None
    answers: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def as_row(self, id: str) -> Json:
        """A line of `claims.jsonl`: the submission's fields and those that only this program reads."""
        return {
            **(self.row or {}),
            "id": id,
            "confidence": self.confidence,
            "milliseconds": self.milliseconds,
            "prompt_tokens": self.prompt_tokens,
            "reply_tokens": self.reply_tokens,
            "peak_rss_mb": self.peak_rss_mb,
            "timings_ms": dict(self.timings),
        }


def read_claims(path: Path, limit: int | None = None) -> list[GoldClaim]:
    """Claims of a JSON list, by `claim_id` or else position. Raises CorpusError, which says what is wrong."""
    rows = _rows(path, "AVeriTeC claims")
    claims = [_claim(row, str(number), f"{path}, claim {number}") for number, row in enumerate(rows)]
    ids = [claim.id for claim in claims]
    if twice := next((id for id in ids if ids.count(id) > 1), None):
        raise CorpusError(f"{path} holds two claims with the id {twice[:40]}. Give each claim its own id.")
    if not claims:
        raise CorpusError(f"{path} holds no claim to score. Name a file of AVeriTeC claims.")
    return claims[:limit]


def read_predictions(path: Path) -> dict[str, Prediction]:
    """Predictions by claim id, or by position if they have no `claim_id`, from a JSON list or JSON lines.

    Raises CorpusError, which names a prediction that cannot be read, or that answers a claim again.
    """
    found: dict[str, Prediction] = {}
    for number, row in enumerate(_rows(path, "predictions")):
        where = f"{path}, prediction {number}"
        try:
            prediction = row_prediction(row)
            id = str(row.get("claim_id", row.get("id", number)))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CorpusError(
                f"{where} cannot be read ({error!r}). It needs claim_id, pred_label and evidence: a list of question, "
                "answer and url."
            ) from error
        if id in found:
            raise CorpusError(f"{where} answers claim {id[:40]} a second time. Keep one prediction per claim.")
        found[id] = prediction
    return found


def row_prediction(row: Mapping[str, Any]) -> Prediction:
    """A prediction from one object, in the shared task's format or the data set's (`questions`, `label`).

    Raises KeyError, TypeError, ValueError or AttributeError if it is neither.
    """
    label = row["pred_label"] if "pred_label" in row else row["label"]
    if not isinstance(label, str):
        raise TypeError("the label is not text")
    if "evidence" in row:
        answers = [(_text(pair.get("question")), _text(pair.get("answer"))) for pair in row["evidence"]]
        questions = [question for question, _ in answers]
        urls = [_text(pair.get("url")) for pair in row["evidence"]]
    else:
        rows = row.get("questions", [])
        answers = answer_parts(rows)
        questions = [_text(question["question"]) for question in rows]
        urls = [_text(answer.get("source_url")) for question in rows for answer in _answers(question)]
    pairs = _pair_texts(answers, row)
    return Prediction(
        label=label,
        questions=tuple(questions) if "evidence" in row or "questions" in row else pairs,
        pairs=pairs,
        urls=tuple(filter(None, urls)),
        confidence=row.get("confidence"),
        milliseconds=row.get("milliseconds"),
        prompt_tokens=row.get("prompt_tokens"),
        reply_tokens=row.get("reply_tokens"),
        peak_rss_mb=row.get("peak_rss_mb") or 0,
        timings=row.get("timings_ms") or {},
        row={name: row[name] for name in ("claim_id", "claim", "pred_label", "evidence", "pages") if name in row},
        answers=tuple(answer for _, answer in answers),
        pages=tuple(map(_text, row.get("pages") or ())),
    )


def answer_parts(questions: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """(question, answer with the explanation of a yes or no) for each answer; `NO_ANSWER` if there is none."""
    parts: list[tuple[str, str]] = []
    for question in questions:
        text, answers = _text(question["question"]), _answers(question)
        for answer in answers:
            more = f". {_text(answer.get('boolean_explanation'))}" if answer.get("answer_type") == "Boolean" else ""
            parts.append((text, f"{_text(answer['answer'])}{more}"))
        if not answers:
            parts.append((text, NO_ANSWER))
    return parts


def _answers(question: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    answers = question["answers"]
    return answers if isinstance(answers, list) else [answers]


def _pair_texts(answers: Sequence[tuple[str, str]], row: Mapping[str, Any]) -> tuple[str, ...]:
    """Each question with its answer as one text, then the evidence that has no question."""
    return (*(f"{question} {answer}" for question, answer in answers), *map(_text, row.get("string_evidence", [])))


def _text(value: object) -> str:
    """The text; empty if there is no value. Raises TypeError for a number or a list."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} is not text")
    return value


def _claim(row: Any, place: str, where: str) -> GoldClaim:
    try:
        urls = [
            tuple(filter(None, (_text(answer.get(name)) for name in ("source_url", "cached_source_url"))))
            for question in row["questions"]
            for answer in _answers(question)
        ]
        if row["label"] not in LABELS:
            raise ValueError(f"{str(row['label'])[:40]!r} is not one of AVeriTeC's labels")
        answers = answer_parts(row["questions"])
        return GoldClaim(
            id=str(row.get("claim_id", place)),
            text=_text(row["claim"]),
            label=row["label"],
            questions=tuple(_text(question["question"]) for question in row["questions"]),
            pairs=_pair_texts(answers, row),
            urls=tuple(filter(None, urls)),
            answers=tuple(answers),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CorpusError(f"{where} cannot be read ({error!r}). It needs claim, label and questions.") from error


def _rows(path: Path, what: str) -> list[Any]:
    """Objects of a JSON list, or of JSON lines."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}. Name a file of {what}.") from error
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} is not a text file in UTF-8. Name a file of {what}.") from error
    try:
        rows = json.loads(text) if text.lstrip().startswith("[") else [json.loads(x) for x in text.splitlines() if x]
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not JSON ({str(error)[:100]}). Name a file of {what}.") from error
    if not all(isinstance(row, dict) for row in rows):
        raise CorpusError(f"{path} is not a list of objects. Name a file of {what}.")
    return list(rows)
