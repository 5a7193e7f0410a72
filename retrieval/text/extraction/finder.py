"""Finds a text's claims: its sentences, their kinds and scores, and a wording in which each stands alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ClaimError
from retrieval.text.extraction import kinds
from retrieval.text.extraction.comments import without_remarks
from retrieval.text.extraction.dates import after_dateline, written_on, years_meant
from retrieval.text.extraction.language import ENGLISH, described
from retrieval.text.extraction.mentions import Parsed
from retrieval.text.extraction.quoting.speech import Speech, speech_in
from retrieval.text.extraction.quoting.turns import Turns
from retrieval.text.extraction.rewriting import Piece, plain, quoted, stand_alone
from retrieval.text.extraction.standing import Edit, ReferenceModel, Surroundings
from retrieval.text.files.hiding import hidden_note
from retrieval.text.languages.texts import described_language, text_language
from retrieval.text.pasted.prose import Prose, read_prose
from retrieval.text.sentences import sentence_spans
from retrieval.text.typed.noise import without_label

LONGEST_TEXT = 100_000  # characters
LONGEST_HEADING = 120
LONGEST_LABEL = 40
THRESHOLD = 0.3  # least score of a claim; from .35, results improve only for debates and fall for models' prose
UNIMPORTANT_COUNTS = 0.3  # weight in the score: a birthplace matters little in a debate, but may in an article

DECIDED_BY_FORM = (kinds.QUESTION, kinds.INSTRUCTION, kinds.PREDICTION, kinds.BOILERPLATE, kinds.HEADING, kinds.CELL)
UNREAD = (kinds.HEADING, kinds.CELL, kinds.FOREIGN)  # kinds that are not read as sentences
UNCHANGED = (kinds.QUESTION, kinds.INSTRUCTION, kinds.BOILERPLATE, *UNREAD)
SENTENCES_A_BATCH = 64
ENCODED = 512  # sentences in a batch; progress is reported after each batch


_CELL = re.compile(r"<t[dh]\b[^<>]{0,60}>(?:<\w{1,6}>){0,3}\Z", re.IGNORECASE)
_ENTRY = re.compile(r"[A-Z][\w’'()/ -]{0,40}: [^\n]{0,119}[^.!?…\"”’\n]")

Report = Callable[[int, int], None]


class Worthiness(Protocol):
    """Calibrated shares of ClaimBuster's labels."""

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(texts, 3): check-worthy, unimportant fact, no fact."""
        ...


class Language(Protocol):
    """The part of spaCy's `Language` that is used here."""

    def pipe(self, texts: Iterable[str], *, batch_size: int) -> Iterable[Any]:
        """Each text, parsed."""
        ...


@dataclass(frozen=True)
class FoundClaim:
    """A sentence, or half of one, reworded to stand alone, with its original.

    start, end: offsets of the original in the given text. score: the share of "check-worthy" plus a part of the share
    of "unimportant fact". kind: one of `kinds.KINDS`. speaker: of a quotation; empty if the writer states it. context:
    title and previous sentence, to search with, if the claim may still refer to them.
    """

    text: str
    original: str
    start: int
    end: int
    score: float
    kind: str
    speaker: str = ""
    context: str = ""

    @property
    def chosen(self) -> bool:
        """Whether it is worth checking."""
        return self.kind == kinds.CLAIM


class ClaimFinder:
    """Finds the claims of English texts. Safe to share between threads."""

    def __init__(self, language: Language, worthiness: Worthiness, reference: ReferenceModel) -> None:
        self._language = language
        self._worthiness = worthiness
        self._reference = reference

    def find(
        self,
        given: str,
        title: str = "",
        report: Report = lambda _, __: None,
        written: date | None = None,
    ) -> list[FoundClaim]:
        """Every sentence of the text, in order, with its kind; a compound sentence as its halves.

        title: needed if the text does not begin with it. report: called repeatedly with the work done and the total; if
        it raises an exception, the work ends. written: the text's date, if the text does not give it. Raises ClaimError
        if the text is too long, shows no words, or is not English.
        """
        prose = readable(given)
        turns = Turns(prose.text)
        spans = [span for span in sentence_spans(prose.text) if any(map(str.isalpha, prose.text[slice(*span)]))]
        spans = turns.bare([(after_dateline(prose.text, *span), span[1]) for span in spans])
        texts = [prose.text[start:end] for start, end in spans]
        docs, shares = self._judged(texts, report)
        sentences = [Parsed(number, span[0], doc) for number, (span, doc) in enumerate(zip(spans, docs, strict=True))]
        names = [kind_of(text, doc, share) for text, doc, share in zip(texts, docs, shares, strict=True)]
        cited = False
        for number, span in enumerate(spans):
            if not number or "\n" in prose.text[spans[number - 1][1] : span[0]]:
                cited = texts[number].startswith("^ ")  # a reference in Wikipedia
            if cited:
                names[number] = kinds.BOILERPLATE
            elif _is_cell(given, prose, span) and not kinds.states(docs[number]):
                names[number] = kinds.CELL
            elif _is_heading(given, prose, span, first=number == 0 and len(spans) > 2) or (
                _is_label(prose, span) and not kinds.states(docs[number])
            ):
                names[number] = kinds.HEADING
            elif names[number] != kinds.BOILERPLATE and _is_entry(prose, span) and not kinds.states(docs[number]):
                names[number] = kinds.CELL
        heading = self._title(title, sentences, names)
        about = Surroundings(sentences, self._reference, heading)
        day = written_on(prose.text) or written
        said = Speech(speech_in(prose.text, sentences), about, sentences)
        names = [kinds.FACT if said.only_names(number) else name for number, name in enumerate(names)]
        years = [[Edit(*edit) for edit in edits] for edits in years_meant(texts)]
        pieces = [
            self._pieces(sentence, name, said, years[sentence.number], day)
            for sentence, name in zip(sentences, names, strict=True)
        ]
        pieces = [
            [self._alone(piece, turns.speaker(start)) for piece in found]
            for (start, _), found in zip(spans, pieces, strict=True)
        ]
        judged = self._judge_again(pieces, shares, names)
        found: list[FoundClaim] = []
        for number, span in enumerate(spans):
            context = _context(heading, texts, number if names[number - 1] != kinds.CELL else 0)
            found += [
                _claim(given, prose, span, piece, score, kind, context)
                for piece, (score, kind) in zip(pieces[number], judged[number], strict=True)
            ]
        return found

    def judge(self, sentences: Sequence[str]) -> list[tuple[float, str]]:
        """(score, kind) of each sentence, judged by itself."""
        docs = list(self._language.pipe(sentences, batch_size=SENTENCES_A_BATCH))
        shares = self._shares(sentences)
        return [
            (worth(share), kind_of(text, doc, share)) for text, doc, share in zip(sentences, docs, shares, strict=True)
        ]

    def _judged(self, texts: Sequence[str], report: Report) -> tuple[list[Any], NDArray[np.float64]]:
        """The sentences, parsed, and their shares of ClaimBuster's labels."""
        docs: list[Any] = []
        shares = [np.zeros((0, 3))]
        for first in range(0, len(texts), ENCODED):
            batch = texts[first : first + ENCODED]
            docs += self._language.pipe(batch, batch_size=SENTENCES_A_BATCH)
            report(first + len(batch) // 2, len(texts))
            shares.append(self._shares(batch))
            report(first + len(batch), len(texts))
        return docs, np.concatenate(shares)

    def _shares(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return self._worthiness.probabilities(texts) if texts else np.zeros((0, 3))

    def _title(self, title: str, sentences: Sequence[Parsed], names: Sequence[str]) -> Parsed | None:
        """The given title, or the heading that the text begins with, parsed."""
        text = " ".join(title.split())[:LONGEST_HEADING]
        if not text and names and names[0] == kinds.HEADING and sentences[0].doc.text[-1:] not in ".!?:,":
            text = sentences[0].doc.text[:LONGEST_HEADING]
        if not text:
            return None
        (doc,) = self._language.pipe([text], batch_size=1)
        return Parsed(-1, -len(text) - 1, doc)

    def _pieces(
        self, sentence: Parsed, kind: str, speech: Speech, years: Sequence[Edit], day: date | None
    ) -> list[Piece]:
        """The claims of a sentence. Call in text order, because a pronoun's meaning depends on earlier sentences."""
        said = () if kind in UNREAD else speech.said(sentence.number)
        if kind in UNCHANGED and not any(one.speaker for one in said):
            return [plain(sentence.doc.text)]
        text = sentence.doc.text
        edits = sorted([*speech.edits(sentence.number), *years], key=lambda edit: edit.start)
        if not said:
            return stand_alone(sentence.doc, edits, day, self._parse)
        pieces: list[Piece] = []
        for one in said:
            pieces += quoted(text, one.quotation, speech.speaker(sentence.number, one), edits, day, self._parse)
        return pieces

    def _alone(self, piece: Piece, turn: str) -> Piece:
        """A piece without the writer's remarks and, in a transcript, with its speaker."""
        bare = without_remarks(without_label(piece.text), self._parse)
        return replace(piece, text=bare, speaker=piece.speaker or turn, said=piece.said or bare != piece.text)

    def _parse(self, text: str) -> Any:
        (doc,) = self._language.pipe([text], batch_size=1)
        return doc

    def _judge_again(
        self, pieces: Sequence[list[Piece]], shares: NDArray[np.float64], names: Sequence[str]
    ) -> list[list[tuple[float, str]]]:
        """(score, kind) of each piece. A quotation is judged without "X said that". A sentence with a pronoun is also
        judged with the name in its place, and the higher score counts.
        """
        judged = [[(worth(shares[row]), names[row])] * len(found) for row, found in enumerate(pieces)]
        places = [
            (row, place)
            for row, found in enumerate(pieces)
            for place, piece in enumerate(found)
            if piece.said or (piece.named and len(found) == 1)
        ]
        for (row, place), (score, kind) in zip(
            places, self.judge([pieces[row][place].text for row, place in places]), strict=True
        ):
            if pieces[row][place].said or (score > judged[row][place][0] and names[row] not in DECIDED_BY_FORM):
                judged[row][place] = (score, kind)
        return judged


def readable(given: str) -> Prose:
    """The visible text. Raises ClaimError if it is too long, shows no words, or is not English."""
    if len(given) > LONGEST_TEXT:
        raise ClaimError(
            f"The text has {len(given):,} characters; at most {LONGEST_TEXT:,} are read at once. Send it in parts."
        )
    prose = read_prose(given)
    if not any(map(str.isalpha, prose.text)):
        left_out = f" ({hidden_note(prose.hidden)})" if prose.hidden else ""
        raise ClaimError(f"The text contains no words{left_out}. Send the text itself, not pictures or markup alone.")
    language = text_language(prose.text)
    if language not in (ENGLISH, ""):
        raise ClaimError(
            f"The text is not English (it seems to be {described_language(prose.text, language)}), and claims are found only in English. "
            "Translate it, or check its claims one by one."
        )
    return prose


def worth(shares: NDArray[np.float64]) -> float:
    """How worth checking a sentence is, 0 to 1. shares: of ClaimBuster's three labels."""
    return float(shares[0] + UNIMPORTANT_COUNTS * shares[1])


def kind_of(text: str, doc: Any, shares: NDArray[np.float64]) -> str:
    """One of `kinds.KINDS`, by the sentence's form if that decides, else by the shares of ClaimBuster's labels."""
    form = kinds.kind_by_form(text, doc)
    if form in DECIDED_BY_FORM:
        return form
    if described(text):
        return kinds.FOREIGN
    if worth(shares) >= THRESHOLD:
        return kinds.CLAIM
    judges = form == kinds.OPINION or (shares[2] >= shares[1] and kinds.may_judge(doc))
    return kinds.OPINION if judges else kinds.FACT


def _is_heading(given: str, prose: Prose, span: tuple[int, int], first: bool) -> bool:
    """Whether a line is a heading: it has no full stop, and is the text's first line or marked by Markdown."""
    start, end = span
    whole = prose.text[end : end + 1] in ("", "\n") and prose.text[end - 1].isalnum()
    before = given[max(0, prose.starts[start] - 8) : prose.starts[start]]
    item = before[-1:].isspace() and before.rstrip()[-1:] in tuple("-*+•–.)")  # a list item
    return whole and (before.rstrip().endswith("#") or (first and not item and end - start <= LONGEST_HEADING))


def _is_label(prose: Prose, span: tuple[int, int]) -> bool:
    """Whether a line only names what follows: "Opened:"."""
    start, end = span
    alone = prose.text[start - 1 : start] in ("", "\n") and prose.text[end : end + 1] == "\n"
    return alone and prose.text[end - 1] == ":" and end - start <= LONGEST_LABEL


def _is_entry(prose: Prose, span: tuple[int, int]) -> bool:
    """Whether a line is an entry in a list of facts: "Born: 1867 in Warsaw"."""
    start, end = span
    alone = prose.text[start - 1 : start] in ("", "\n") and prose.text[end : end + 1] in ("", "\n")
    text = prose.text[start:end]
    return alone and _ENTRY.fullmatch(text) is not None and without_label(text) == text


def _is_cell(given: str, prose: Prose, span: tuple[int, int]) -> bool:
    """Whether a line is a cell of a Markdown or HTML table."""
    start, end = span
    if prose.text[start - 1 : start].strip() or prose.text[end : end + 1].strip():
        return False
    first, last = prose.given(start, end)
    before, after = given[max(0, first - 80) : first].rstrip(" \t*_`"), given[last : last + 80].lstrip(" \t*_`")
    return before.endswith("|") or after.startswith("|") or _CELL.search(before) is not None


def _context(title: Parsed | None, texts: Sequence[str], number: int) -> str:
    before = texts[number - 1] if number else ""
    named = title.doc.text if title else ""
    return " ".join(part for part in (named, before if before != named else "") if part)


def _claim(
    given: str, prose: Prose, span: tuple[int, int], piece: Piece, score: float, kind: str, context: str
) -> FoundClaim:
    start, end = prose.given(*span)
    return FoundClaim(piece.text, given[start:end], start, end, round(score, 4), kind, piece.speaker, context)
