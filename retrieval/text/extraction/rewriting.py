"""Rewords the claims of a sentence so that each stands alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from retrieval.text.extraction.dates import absolute
from retrieval.text.extraction.kinds import states
from retrieval.text.extraction.mentions import Edit, edited
from retrieval.text.extraction.quoting.marks import without_stray_marks
from retrieval.text.extraction.quoting.quotations import Quotation, quotation_in
from retrieval.text.extraction.splitting import halves
from retrieval.text.grammar import INFLECTED, capitalised
from retrieval.text.sentences import sentence_spans

_OPENER = re.compile(
    r"(?:However|Moreover|Furthermore|Meanwhile|Nevertheless|Nonetheless|Therefore|Thus|In addition|Besides|Indeed|Still|"
    r"For example|For instance|In fact|Actually|And|But|So|Also|Then|Yet|Yes, but|Yes, and|Well|Yeah)(?:, | (?=(?:the|a|an|he|she|it|they)\b))(?=\w)"
)
_IN_BRACKETS = re.compile(r"\((?=[^()]*[.!?…]\))([^()]+)\)\.?")  # a sentence
_SPACES = re.compile(r"\s+")
_LINK = re.compile(r"\A(?:(?:and|but) )?(?:that )?(?=\w)", re.IGNORECASE)
_THAT = re.compile(r",? (?:and|but) (?P<that>that) (?=\w)")
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*\Z")


@dataclass(frozen=True)
class Piece:
    """A claim reworded to stand alone."""

    text: str
    speaker: str = ""  # of a quotation; empty if the writer states it
    named: bool = False  # whether a name has replaced a pronoun or a short name
    apart: bool = False  # whether it is judged separately from its sentence, as quotations are


@dataclass(frozen=True)
class Rewriter:
    """Rewords the sentences of a text. parse: spaCy. written: the text's date, if known."""

    parse: Callable[[str], Any]
    written: date | None = None

    def stand_alone(self, doc: Any, edits: Sequence[Edit]) -> list[Piece]:
        """The claims of a sentence: its quotations; else its halves, if both stand alone; else all of it, after edits."""
        text, quotation = doc.text, quotation_in(doc)
        if quotation and quotation.speaker:
            return self.quoted(text, quotation, edited(text, *quotation.speaker, edits), edits)
        if not (found := halves(doc)):
            return [self._whole(text, edits)]
        return [piece for half in found for piece in self._half(half.words(text, edits))]

    def quoted(self, text: str, quotation: Quotation, speaker: str, edits: Sequence[Edit] = ()) -> list[Piece]:
        """The claims of a quotation and those beside it: facts about the speaker, other statements, the whole sentence."""
        speaker = _SPACES.sub(" ", speaker)
        words = self._put_together([edited(text, start, end, edits) for start, end in quotation.spans])
        before: list[Piece] = []
        after: list[Piece] = []
        for start, end in quotation.asides:
            place = before if end <= quotation.spans[0][0] else after
            place += self._aside(f"{speaker} {edited(text, start, end, edits)}")
        for (start, end), same in quotation.others:
            other, place = edited(text, start, end, edits), before if end <= quotation.spans[0][0] else after
            place += self._split(other, speaker) if same else self._aside(other)
        if before and not quotation.asides:
            words = self._with_subject(before[-1].text, words)
        whole = [self._whole(text, edits)] if quotation.whole else []
        pieces = [*whole, *before, *self._split(without_stray_marks(words), speaker), *after]
        return [piece for piece in pieces if any(map(str.isalnum, piece.text))]

    def _with_subject(self, before: str, words: str) -> str:
        """A quotation, its leading pronoun replaced by the subject before it: "The bridge is old, and “it will fall”"."""
        joined = f"{before.rstrip('.')}, and {self._without_link(words)}"
        found = halves(self.parse(joined))
        if len(found) != 2 or found[1].subject is None or found[0].end != len(before.rstrip(".")):
            return words
        return f"{joined[slice(*found[1].subject)]} {joined[found[1].start : found[1].end]}"

    def _whole(self, text: str, edits: Sequence[Edit]) -> Piece:
        """A sentence that is not split, with its pronouns replaced by names."""
        return Piece(self._sentence(without_stray_marks(edited(text, 0, len(text), edits))), named=bool(edits))

    def _aside(self, words: str) -> list[Piece]:
        """The writer's statement beside a quotation."""
        return [replace(piece, apart=True) for piece in self._half(words)]

    def _half(self, words: str) -> list[Piece]:
        """A statement in a sentence, or the quotation that it contains."""
        text = self._sentence(words)
        quotation = quotation_in(self.parse(text))
        if quotation is None or quotation.speaker is None:
            return [Piece(text)]
        return Rewriter(self.parse).quoted(text, quotation, text[slice(*quotation.speaker)])

    def _split(self, words: str, speaker: str) -> list[Piece]:
        """The quotation, or its halves if they stand alone."""
        pieces: list[Piece] = []
        for part in self._parts(self._without_link(_SPACES.sub(" ", words))):
            text = self._sentence(part)
            parts = [half.words(text) for half in halves(self.parse(text))]
            pieces += [Piece(Rewriter(self.parse)._sentence(one), speaker, apart=True) for one in parts or [text]]
        return pieces

    def _without_link(self, words: str) -> str:
        """The quotation without a leading "and", "but" or "that", unless "that" is a pronoun: "That was in 1990"."""
        link = _LINK.match(words)
        if link is None or not link[0]:
            return words
        if link[0].lower().endswith("that "):
            that = next(token for token in self.parse(words) if token.lower_ == "that")
            if that.dep_ != "mark":
                return words[link.end() - len("that ") :]
        return words[link.end() :]

    def _parts(self, words: str) -> list[str]:
        """The parts of a quotation that has several clauses, each after a "that", or several sentences."""
        if len(sentences := [words[start:end] for start, end in sentence_spans(words)]) > 1:
            return sentences
        doc = self.parse(words) if _THAT.search(words) else ()
        marks = {token.idx for token in doc if token.dep_ == "mark"}
        parts, start = [], 0
        for match in _THAT.finditer(words):
            if match.start("that") in marks:
                parts.append(words[start : match.start()])
                start = match.end()
        return [*parts, words[start:]]

    def _put_together(self, parts: Sequence[str]) -> str:
        """The parts of a statement that "X said" interrupts, joined; each sentence gets its full stop."""
        words = ""
        for part in filter(None, parts):
            if not words or _ENDS.search(words):
                joint = " " if words else ""
            elif part[0].islower() or part[0].isdigit():
                joint = ", " if _is_whole(self.parse(words)) else " "
            else:
                named = part.split()[0] not in ("I", "I’m", "I'm")
                joint = ". " if named and all(map(states, (self.parse(words), self.parse(part)))) else ", "
            words += f"{joint}{part}"
        return words

    def _sentence(self, words: str) -> str:
        """The words on one line, with a capital and a full stop, without words that only link to the sentence before."""
        text = _SPACES.sub(" ", words).strip()
        if (whole := _IN_BRACKETS.fullmatch(text)) is not None:
            text = whole[1]
        text = _OPENER.sub("", text, count=1) if _OPENER.match(text) else text
        text = (absolute(text, self.written) if self.written else text).rstrip(" ,;:")
        return capitalised(text) + ("" if _ENDS.search(text) else ".")


def _is_whole(doc: Any) -> bool:
    """Whether the words may be a statement: they have a verb and do not end with "did not" or the like."""
    return any(token.tag_ in INFLECTED for token in doc) and doc[-1].dep_ != "neg" and doc[-1].pos_ != "AUX"
