"""Finds a text's claims: its sentences, their kinds and scores, and a wording in which each stands alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ClaimError
from retrieval.text.extraction import kinds
from retrieval.text.extraction.comments import without_remarks
from retrieval.text.extraction.dates import after_dateline, written_on, years_meant
from retrieval.text.extraction.language import ENGLISH, described
from retrieval.text.extraction.mentions import Edit, Parsed
from retrieval.text.extraction.quoting.reading import Speech
from retrieval.text.extraction.quoting.saying import Span
from retrieval.text.extraction.quoting.turns import Turns
from retrieval.text.extraction.rewriting import Piece, Rewriter
from retrieval.text.extraction.standing import ReferenceModel, Surroundings
from retrieval.text.files.hiding import hidden_note
from retrieval.text.languages.detecting import described_language, text_language
from retrieval.text.pasted.prose import Prose, read_prose
from retrieval.text.sentences import sentence_spans
from retrieval.text.typed.noise import without_label

if TYPE_CHECKING:
    from spacy.language import Language

LONGEST_TEXT = 100_000  # characters
LONGEST_HEADING = 120
LONGEST_LABEL = 40
THRESHOLD = 0.3  # least score of a claim; from .35, results improve only for debates and fall for models' prose
UNIMPORTANT_COUNTS = 0.3  # weight in the score: a birthplace matters little in a debate, but may in an article

DECIDED_BY_FORM = (kinds.QUESTION, kinds.INSTRUCTION, kinds.PREDICTION, kinds.BOILERPLATE, kinds.HEADING, kinds.CELL)
UNREAD = (kinds.HEADING, kinds.CELL, kinds.FOREIGN)  # kinds that are not read as sentences
UNCHANGED = (kinds.QUESTION, kinds.INSTRUCTION, kinds.BOILERPLATE, *UNREAD)
PARSED_AT_ONCE = 64  # sentences
JUDGED_AT_ONCE = 512  # sentences; progress is reported after each batch

_CELL = re.compile(r"<t[dh]\b[^<>]{0,60}>(?:<\w{1,6}>){0,3}\Z", re.IGNORECASE)
_ENTRY = re.compile(r"[A-Z][\w’'()/ -]{0,40}: [^\n]{0,119}[^.!?…\"”’\n]")

Report = Callable[[int, int], None]


class Worthiness(Protocol):
    """Calibrated shares of ClaimBuster's labels."""

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(texts, 3): check-worthy, unimportant fact, no fact."""


@dataclass(frozen=True)
class FoundClaim:
    """A sentence, or half of one, reworded to stand alone, with its original."""

    text: str
    original: str
    start: int  # offsets of the original in the given text
    end: int
    score: float  # how worth checking it is, 0 to 1
    kind: str  # see `kinds`
    speaker: str = ""  # of a quotation; empty if the writer states it
    context: str = ""  # title and previous sentence, to search with

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
        self, given: str, title: str = "", report: Report = lambda _, __: None, written: date | None = None
    ) -> list[FoundClaim]:
        """Every sentence of the text, in order, with its kind; a compound sentence as its halves.

        title: needed if the text does not begin with it. report: called repeatedly with the work done and the total; if
        it raises an exception, the work ends. written: the text's date, if the text does not give it. Raises ClaimError
        if the text is too long, shows no words, or is not English.
        """
        prose = readable(given)
        turns = Turns(prose.text)
        spans = [span for span in sentence_spans(prose.text) if any(map(str.isalpha, prose.text[slice(*span)]))]
        spans = turns.bare(
            [(after_dateline(prose.text, *span), span[1]) for span in spans if not turns.is_label(*span)]
        )
        texts = [prose.text[start:end] for start, end in spans]
        docs, shares = self._judged(texts, report)
        sentences = [Parsed(number, span[0], doc) for number, (span, doc) in enumerate(zip(spans, docs, strict=True))]
        names = _kinds(given, prose, spans, docs, shares)
        heading = self._title(title, sentences, names)
        speech = Speech(prose.text, sentences, Surroundings(sentences, self._reference, heading))
        names = [kinds.FACT if speech.only_names(number) else name for number, name in enumerate(names)]
        rewriter = Rewriter(self._parse, written_on(prose.text) or written)
        pieces: list[list[Piece]] = []
        for sentence, name, years in zip(sentences, names, years_meant(texts), strict=True):
            found = self._pieces(sentence, name, speech, years, rewriter)
            pieces.append([self._alone(piece, turns.speaker(sentence.start)) for piece in found])
        judged = self._judge_again(pieces, shares, names)
        claims: list[FoundClaim] = []
        for number, span in enumerate(spans):
            start, end = prose.given(*span)
            context = _context(heading, texts, number if names[number - 1] != kinds.CELL else 0)
            claims += [
                FoundClaim(piece.text, given[start:end], start, end, round(score, 4), kind, piece.speaker, context)
                for piece, (score, kind) in zip(pieces[number], judged[number], strict=True)
            ]
        return claims

    def judge(self, sentences: Sequence[str]) -> list[tuple[float, str]]:
        """(score, kind) of each sentence, judged by itself."""
        judged = zip(self._language.pipe(sentences, batch_size=PARSED_AT_ONCE), self._shares(sentences), strict=True)
        return [(worth(shares), kind_of(doc, shares)) for doc, shares in judged]

    def _judged(self, texts: Sequence[str], report: Report) -> tuple[list[Any], NDArray[np.float64]]:
        """The sentences, parsed, and their shares of ClaimBuster's labels."""
        docs: list[Any] = []
        shares = [np.zeros((0, 3))]
        for first in range(0, len(texts), JUDGED_AT_ONCE):
            batch = texts[first : first + JUDGED_AT_ONCE]
            docs += self._language.pipe(batch, batch_size=PARSED_AT_ONCE)
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
        return Parsed(-1, -len(text) - 1, self._parse(text)) if text else None

    def _pieces(
        self, sentence: Parsed, kind: str, speech: Speech, years: Sequence[Edit], rewriter: Rewriter
    ) -> list[Piece]:
        """The claims of a sentence. Call in text order, because a pronoun's meaning depends on earlier sentences."""
        number, text = sentence.number, sentence.doc.text
        quotations = () if kind in UNREAD else speech.quotations[number]
        if kind in UNCHANGED and not any(quotation.speaker for quotation in quotations):
            return [Piece(" ".join(text.split()))]
        edits = sorted([*speech.edits(number), *years], key=lambda edit: edit.start)
        if not quotations:
            return rewriter.stand_alone(sentence.doc, edits)
        pieces: list[Piece] = []
        for quotation in quotations:
            pieces += rewriter.quoted(text, quotation, speech.speaker(number, quotation), edits)
        return pieces

    def _alone(self, piece: Piece, turn: str) -> Piece:
        """A piece without the writer's remarks and, in a transcript, with its speaker."""
        bare = without_remarks(without_label(piece.text), self._parse)
        return replace(piece, text=bare, speaker=piece.speaker or turn, apart=piece.apart or bare != piece.text)

    def _parse(self, text: str) -> Any:
        (doc,) = self._language.pipe([text], batch_size=1)
        return doc

    def _judge_again(
        self, pieces: Sequence[list[Piece]], shares: NDArray[np.float64], names: Sequence[str]
    ) -> list[list[tuple[float, str]]]:
        """(score, kind) of each piece: of a quotation, without "X said that"; also with the name for a pronoun, if higher."""
        judged = [[(worth(shares[row]), names[row])] * len(found) for row, found in enumerate(pieces)]
        places = [
            (row, place)
            for row, found in enumerate(pieces)
            for place, piece in enumerate(found)
            if piece.apart or (piece.named and len(found) == 1)
        ]
        again = self.judge([pieces[row][place].text for row, place in places])
        for (row, place), (score, kind) in zip(places, again, strict=True):
            if pieces[row][place].apart or (score > judged[row][place][0] and names[row] not in DECIDED_BY_FORM):
                judged[row][place] = (score, kind)
        return judged


def readable(given: str) -> Prose:
    """The visible text. Raises ClaimError if it is too long, shows no words, or is not English."""
    if (size := len(given)) > LONGEST_TEXT:
        raise ClaimError(
            f"The text has {size:,} characters; at most {LONGEST_TEXT:,} are read at once. Send it in parts."
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


def kind_of(doc: Any, shares: NDArray[np.float64]) -> str:
    """The kind of a sentence, by its form if that decides, else by the shares of ClaimBuster's labels."""
    form = kinds.kind_by_form(doc.text, doc)
    if form in DECIDED_BY_FORM:
        return form
    if described(doc.text):
        return kinds.FOREIGN
    if worth(shares) >= THRESHOLD:
        return kinds.CLAIM
    judges = form == kinds.OPINION or (shares[2] >= shares[1] and kinds.may_judge(doc))
    return kinds.OPINION if judges else kinds.FACT


def _kinds(given: str, prose: Prose, spans: list[Span], docs: list[Any], shares: NDArray[np.float64]) -> list[str]:
    """The kind of each sentence, also by the line that it is on."""
    found: list[str] = []
    cited = False
    for number, ((start, end), doc, share) in enumerate(zip(spans, docs, shares, strict=True)):
        text, before, after = doc.text, prose.text[start - 1 : start], prose.text[end : end + 1]
        if not number or "\n" in prose.text[spans[number - 1][1] : start]:
            cited = text.startswith("^ ")  # a reference in Wikipedia
        kind, states = kind_of(doc, share), kinds.states(doc)
        alone = before in ("", "\n") and after in ("", "\n")  # on its line
        label = alone and after and text[-1] == ":" and len(text) <= LONGEST_LABEL  # "Opened:"
        entry = alone and _ENTRY.fullmatch(text) and without_label(text) == text  # "Born: 1867 in Warsaw"
        if cited:
            kind = kinds.BOILERPLATE
        elif not states and _is_cell(given, prose, (start, end)):
            kind = kinds.CELL
        elif _is_heading(given, prose, (start, end), first=number == 0 and len(spans) > 2) or (label and not states):
            kind = kinds.HEADING
        elif not states and entry and kind != kinds.BOILERPLATE:
            kind = kinds.CELL
        found.append(kind)
    return found


def _is_heading(given: str, prose: Prose, span: tuple[int, int], first: bool) -> bool:
    """Whether a line is a heading: it has no full stop, and is the text's first line or marked by Markdown."""
    start, end = span
    whole = prose.text[end : end + 1] in ("", "\n") and prose.text[end - 1].isalnum()
    before = given[max(0, prose.starts[start] - 8) : prose.starts[start]]
    item = before[-1:].isspace() and before.rstrip()[-1:] in tuple("-*+•–.)")  # a list item
    return whole and (before.rstrip().endswith("#") or (first and not item and end - start <= LONGEST_HEADING))


def _is_cell(given: str, prose: Prose, span: tuple[int, int]) -> bool:
    """Whether a line is a cell of a Markdown or HTML table."""
    start, end = span
    if prose.text[start - 1 : start].strip() or prose.text[end : end + 1].strip():
        return False
    first, last = prose.given(start, end)
    before, after = given[max(0, first - 80) : first].rstrip(" \t*_`"), given[last : last + 80].lstrip(" \t*_`")
    return before.endswith("|") or after.startswith("|") or _CELL.search(before) is not None


def _context(title: Parsed | None, texts: Sequence[str], number: int) -> str:
    """The title and the sentence before, without repetition."""
    parts = (title.doc.text if title else "", texts[number - 1] if number else "")
    return " ".join(dict.fromkeys(filter(None, parts)))
