"""Rewords the claims of a sentence so that each stands alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from retrieval.text.extraction.dates import absolute
from retrieval.text.extraction.kinds import states
from retrieval.text.extraction.quoting.marks import without_stray_marks
from retrieval.text.extraction.quoting.quotations import Quotation, quotation_in
from retrieval.text.extraction.splitting import FINITE, halves
from retrieval.text.extraction.standing import Edit
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


Parse = Callable[[str], Any]


@dataclass(frozen=True)
class Piece:
    """A claim reworded to stand alone. speaker: of a quotation; empty if the writer states it. named: whether a name
    has replaced a pronoun or a short name. said: whether it is a quotation, which is judged separately from its
    sentence.
    """

    text: str
    speaker: str = ""
    named: bool = False
    said: bool = False


def stand_alone(
    doc: Any, edits: Sequence[Edit], written: date | None = None, parse: Parse | None = None
) -> list[Piece]:
    """The claims of a sentence: its quotations, if it quotes somebody; its halves, if both stand alone; else all of it.

    doc: spaCy's parse. edits: replacements of pronouns and short names. written: the text's date, if known. parse:
    spaCy, needed to split quotations.
    """
    quotation = quotation_in(doc)
    if quotation and quotation.speaker:
        speaker = _edited(doc.text, *quotation.speaker, edits)
        return quoted(doc.text, quotation, speaker, edits, written, parse)
    text = doc.text
    found = halves(doc)
    if not found:
        return [_whole(text, edits, written)]
    pieces: list[Piece] = []
    for half in found:
        said = _edited(text, half.start, half.end, edits)
        if half.subject:
            said = f"{_edited(text, *half.subject, edits)} {said}"
        pieces += _half(_sentence(said, written), parse)
    return pieces


def quoted(
    text: str,
    quotation: Quotation,
    speaker: str,
    edits: Sequence[Edit] = (),
    written: date | None = None,
    parse: Parse | None = None,
) -> list[Piece]:
    """The claims of a quotation, with the halves of a compound one separate, and the claims beside it: facts about the
    speaker, other statements, and the whole sentence if it says more.
    """
    speaker = _SPACES.sub(" ", speaker)
    pieces = [_whole(text, edits, written)] if quotation.whole else []
    said = _put_together([_edited(text, start, end, edits) for start, end in quotation.spans], parse)
    before: list[Piece] = []
    after: list[Piece] = []
    for start, end in quotation.asides:
        place = before if end <= quotation.spans[0][0] else after
        place += _own(f"{speaker} {_edited(text, start, end, edits)}", written, parse)
    for (start, end), same in quotation.others:
        other, place = _edited(text, start, end, edits), before if end <= quotation.spans[0][0] else after
        place += _split(other, speaker, written, parse) if same else _own(other, written, parse)
    if before and not quotation.asides:
        said = _with_subject(before[-1].text, said, parse)
    found = [*pieces, *before, *_split(without_stray_marks(said), speaker, written, parse), *after]
    return [piece for piece in found if any(map(str.isalnum, piece.text))]


def _with_subject(before: str, said: str, parse: Parse | None) -> str:
    """The quotation, with a leading pronoun replaced by the subject of the statement before it: "The bridge is old, and
    “it will fall”".
    """
    joined = f"{before.rstrip('.')}, and {_without_link(said, parse)}"
    found = halves(parse(joined)) if parse else []
    if len(found) != 2 or found[1].subject is None or found[0].end != len(before.rstrip(".")):
        return said
    return f"{joined[slice(*found[1].subject)]} {joined[found[1].start : found[1].end]}"


def _whole(text: str, edits: Sequence[Edit], written: date | None) -> Piece:
    """A sentence that is not split, with its pronouns replaced by names."""
    return Piece(_sentence(without_stray_marks(_edited(text, 0, len(text), edits)), written), named=bool(edits))


def _own(other: str, written: date | None, parse: Parse | None) -> list[Piece]:
    """The writer's statement beside a quotation."""
    return [replace(piece, said=True) for piece in _half(_sentence(other, written), parse)]


def _half(text: str, parse: Parse | None) -> list[Piece]:
    """A statement in a sentence, or the quotation that it contains."""
    if parse is None:
        return [Piece(text)]
    doc = parse(text)
    quotation = quotation_in(doc)
    if quotation is None or quotation.speaker is None:
        return [Piece(text)]
    return quoted(text, quotation, _edited(text, *quotation.speaker, []), parse=parse)


def _split(said: str, speaker: str, written: date | None, parse: Parse | None) -> list[Piece]:
    """The quotation, or its halves if they stand alone."""
    pieces: list[Piece] = []
    for part in _parts(_without_link(_SPACES.sub(" ", said), parse), parse):
        words = _sentence(part, written)
        doc = parse(words) if parse else None
        found = []
        for half in halves(doc) if doc else []:
            own = words[half.start : half.end]
            found.append(f"{words[half.subject[0] : half.subject[1]]} {own}" if half.subject else own)
        pieces += [Piece(_sentence(own, None), speaker, said=True) for own in found or [words]]
    return pieces


def _without_link(said: str, parse: Parse | None) -> str:
    """The quotation without a leading "and", "but" or "that", unless "that" is a pronoun: "That was in 1990"."""
    link = _LINK.match(said)
    if link is None or not link[0]:
        return said
    bare = said[link.end() :]
    if parse and link[0].lower().endswith("that "):
        that = next(token for token in parse(said) if token.lower_ == "that")
        if that.dep_ != "mark":
            return said[link.end() - len("that ") :]
    return bare


def _parts(said: str, parse: Parse | None) -> list[str]:
    """The parts of a quotation that has several clauses, each after a "that", or several sentences."""
    if len(sentences := [said[start:end] for start, end in sentence_spans(said)]) > 1:
        return sentences
    doc = parse(said) if parse and _THAT.search(said) else None
    marks = {token.idx for token in doc if token.dep_ == "mark"} if doc else set()
    parts, start = [], 0
    for match in _THAT.finditer(said):
        if match.start("that") in marks:
            parts.append(said[start : match.start()])
            start = match.end()
    return [*parts, said[start:]]


def _put_together(parts: Sequence[str], parse: Parse | None) -> str:
    """The parts of a statement that "X said" interrupts, joined; each sentence gets its full stop."""
    said = ""
    for part in (part for part in parts if part):
        if not said:
            said = part
        elif _ENDS.search(said):
            said = f"{said} {part}"
        elif part[0].islower() or part[0].isdigit():
            said += f", {part}" if parse is None or _is_whole(parse(said)) else f" {part}"
        elif (
            parse is not None
            and part.split()[0] not in ("I", "I’m", "I'm")
            and all(map(states, (parse(said), parse(part))))
        ):
            said += f". {part}"
        else:
            said = f"{said}, {part}"
    return said


def _is_whole(doc: Any) -> bool:
    """Whether the words may be a statement: they have a verb and do not end with "did not" or the like."""
    return any(token.tag_ in FINITE for token in doc) and doc[-1].dep_ != "neg" and doc[-1].pos_ != "AUX"


def plain(sentence: str) -> Piece:
    """A sentence as it is, on one line."""
    return Piece(_SPACES.sub(" ", sentence).strip())


def _edited(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    parts, position = [], start
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            parts += [text[position : edit.start], edit.text]
            position = edit.end
    return "".join([*parts, text[position:end]])


def _sentence(words: str, written: date | None) -> str:
    """The words on one line, with a capital and a full stop, without words that only link to the previous sentence."""
    text = _SPACES.sub(" ", words).strip()
    if (whole := _IN_BRACKETS.fullmatch(text)) is not None:
        text = whole[1]
    text = _OPENER.sub("", text, count=1) if _OPENER.match(text) else text
    if written:
        text = absolute(text, written)
    text = text.rstrip(" ,;:")
    if not _ENDS.search(text):
        text += "."
    return text[:1].upper() + text[1:]
