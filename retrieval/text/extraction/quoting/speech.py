"""Speech over a whole text: an open quotation mark, and who speaks, go on from one sentence to the next."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.text.extraction.mentions import Parsed
from retrieval.text.extraction.quoting.marks import Quoted, quoted_spans
from retrieval.text.extraction.quoting.quotations import (
    LEAST_WORDS,
    SAYING,
    Attribution,
    Quotation,
    Span,
    attribution_in,
    bare,
    quotation_in,
)
from retrieval.text.extraction.standing import Edit, Surroundings

_BEFORE_THE_END = ",.!?…—–-"
_NEAR = 2  # sentences: "The mayor said … She added …"
_PRONOUNS = frozenset("i we you he she it they".split())
_LONGEST_TAIL = 6  # words of a sentence that only names who spoke: "Ann Lee said."


@dataclass(frozen=True)
class Speaker:
    """Where a speaker is named: a sentence's number, and offsets in it."""

    sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class Said:
    """What is said in a sentence, and by whom, who may be named in another; None: the text does not tell."""

    quotation: Quotation
    speaker: Speaker | None


def speech_in(text: str, sentences: Sequence[Parsed]) -> list[Said | None]:
    """For each sentence what is said in it: by its quotation marks, or else by its grammar."""
    return _Reading(text, sentences).said()


class Speech:
    """What is said in each sentence of a text, and the speakers' names. Ask in text order."""

    def __init__(self, found: Sequence[Said | None], about: Surroundings, sentences: Sequence[Parsed]) -> None:
        self._found = found
        self._about = about
        self._sentences = sentences
        self._edits: dict[int, list[Edit]] = {}
        self._last: tuple[int, str] = (-1, "")  # who spoke last, and in which sentence

    def said(self, number: int) -> Said | None:
        """What is said in a sentence; None if it is a plain statement."""
        return self._found[number]

    def only_names(self, number: int) -> bool:
        """Whether a sentence does nothing but name who spoke in the one before: "Ann Lee said." """
        return any(
            said and said.speaker and said.speaker.sentence == number for said in self._found[:number][-1:]
        ) and (self._found[number] is None)

    def edits(self, number: int) -> list[Edit]:
        """The replacements for pronouns and short names of a sentence."""
        if number not in self._edits:
            self._edits[number] = self._about.edits(number)
        return self._edits[number]

    def speaker(self, number: int) -> str:
        """Who speaks in a sentence, by name where the text tells it; empty if nobody is named."""
        said = self._found[number]
        if said is None or said.speaker is None:
            return ""
        who = said.speaker
        text: str = self._sentences[who.sentence].doc.text[who.start : who.end]
        edits = [edit for edit in self.edits(who.sentence) if who.start <= edit.start and edit.end <= who.end]
        for edit in reversed(edits):
            text = text[: edit.start - who.start] + edit.text + text[edit.end - who.start :]
        if text.casefold() in ("he", "she"):
            text = self._about.meant(who.sentence, who.start, who.end) or self._who_just_spoke(number, text)
        self._last = (number, text)
        return text

    def _who_just_spoke(self, number: int, pronoun: str) -> str:
        """The speaker of one of the two sentences before, if the pronoun may mean them; else the pronoun."""
        before, name = self._last
        if number - before > _NEAR or not name or name.casefold() in _PRONOUNS:
            return pronoun
        return name if self._about.may_be(name, pronoun) else pronoun


class _Reading:
    def __init__(self, text: str, sentences: Sequence[Parsed]) -> None:
        self._text = text
        self._sentences = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._quoted = [one for one in quoted_spans(text) if any(map(str.isalnum, text[one.start : one.end]))]
        self._inside: list[list[int]] = [[] for _ in sentences]  # for each sentence, which quotations it has part in
        for number, quoted in enumerate(self._quoted):
            first, last = self._reach(quoted)
            for row in range(first, last + 1):
                self._inside[row].append(number)
        self._found: dict[int, Attribution | None] = {}
        self._speakers: list[Speaker | None] = []
        for number in range(len(self._quoted)):
            self._speakers.append(self._speaker(number))
        for number in range(len(self._quoted) - 1, 0, -1):
            if self._quoted[number - 1].goes_on and self._speakers[number - 1] is None:
                self._speakers[number - 1] = self._speakers[number]

    def said(self) -> list[Said | None]:
        """What is said in each sentence."""
        found: list[Said | None] = []
        for row, sentence in enumerate(self._sentences):
            said = self._marked(row) if self._inside[row] else None
            quotation = None if said else quotation_in(sentence.doc)
            if quotation and quotation.speaker:
                said = Said(quotation, Speaker(row, *quotation.speaker))
            found.append(said)
        return found

    def _reach(self, quoted: Quoted) -> Span:
        """The first and the last sentence of a quotation."""
        first = max(0, bisect_right(self._starts, quoted.start) - 1)
        return first, max(first, bisect_right(self._starts, quoted.end - 1) - 1)

    def _end(self, row: int) -> int:
        return self._starts[row] + len(self._sentences[row].doc.text)

    def _speaker(self, number: int) -> Speaker | None:
        """Who speaks: named before the quotation, behind it, in the sentence after it; or whoever spoke just before."""
        quoted = self._quoted[number]
        first, last = self._reach(quoted)
        if self._text[quoted.start - 1 : quoted.start].strip() or quoted.start > self._starts[first]:
            told = self._told(first, self._gap_before(number, first))
            if told and self._introduces(first, quoted):
                return told
        ends = self._text[quoted.end - 2 : quoted.end - 1] in _BEFORE_THE_END
        if ends and not quoted.goes_on:
            if told := self._told(last, self._gap_after(number, last)):
                return told
            if quoted.end >= self._end(last) and (told := self._tail(last + 1, quoted)):
                return told
        return self._goes_on(number, first)

    def _introduces(self, row: int, quoted: Quoted) -> bool:
        """Whether "X said:" or "X said" directly precedes the quotation, and the quotation is more than a word of it."""
        before = self._text[self._starts[row] : quoted.start].rstrip()
        words = self._text[quoted.start : quoted.end].split()
        if before.endswith((":", ",")):
            return True
        last = [token for token in self._sentences[row].doc if token.idx < len(before)][-1:]
        direct = bool(last) and (last[0].lemma_.lower() in SAYING or last[0].lower_ == "that")
        return direct and len(words) >= LEAST_WORDS and self._text[quoted.end - 2] in _BEFORE_THE_END

    def _gap_before(self, number: int, row: int) -> Span:
        others = [self._quoted[other].end for other in self._inside[row] if other < number]
        return max([self._starts[row], *others]), self._quoted[number].start

    def _gap_after(self, number: int, row: int) -> Span:
        others = [self._quoted[other].start for other in self._inside[row] if other > number]
        return self._quoted[number].end, min([self._end(row), *others])

    def _told(self, row: int, gap: Span) -> Speaker | None:
        attribution = self._attribution(row, gap)
        return Speaker(row, *attribution.speaker) if attribution else None

    def _attribution(self, row: int, gap: Span) -> Attribution | None:
        if gap[0] >= gap[1]:
            return None
        start = self._starts[row]
        return attribution_in(self._sentences[row].doc, gap[0] - start, gap[1] - start)

    def _tail(self, row: int, quoted: Quoted) -> Speaker | None:
        """ "“It was closed!” Ann Lee said.": a sentence that does nothing but name the speaker."""
        if row >= len(self._sentences) or "\n" in self._text[quoted.end : self._starts[row]] or self._inside[row]:
            return None
        doc: Any = self._sentences[row].doc
        if doc.text.count(" ") >= _LONGEST_TAIL or any(token.dep_ == "ccomp" for token in doc):
            return None
        return self._told(row, (self._starts[row], self._end(row)))

    def _goes_on(self, number: int, first: int) -> Speaker | None:
        """Whoever spoke just before: "“…,” she said. “…”", or a paragraph before that did not close its marks."""
        if not number:
            return None
        before, between = (
            self._quoted[number - 1],
            self._text[self._quoted[number - 1].end : self._quoted[number].start],
        )
        if before.goes_on:
            return self._speakers[number - 1]
        told = self._speakers[number - 1]
        behind = told is not None and told.sentence == first - 1 == self._reach(before)[1] + 1  # "Ann Lee said."
        directly = (behind or self._reach(before)[1] == first - 1) and "\n" not in between
        return told if directly and self._quoted[number].start == self._starts[first] else None

    def _marked(self, row: int) -> Said | None:
        """What is said in a sentence inside quotation marks, if nothing else but who says it stands beside them."""
        start, end = self._starts[row], self._end(row)
        spans: list[Span] = []
        others: list[tuple[Span, bool]] = []
        place, own = start, None
        for number in self._inside[row]:
            quoted = self._quoted[number]
            if quoted.start > place and not self._beside(row, (place, quoted.start), others):
                return None
            spans.append(
                bare(self._sentences[row].doc.text, max(start, quoted.start) - start, min(end, quoted.end) - start)
            )
            place = min(end, quoted.end)
            own = own or self._speakers[number]
        if place < end and not self._beside(row, (place, end), others):
            return None
        spans = [span for span in spans if span[0] < span[1]]
        if not spans or (own is None and (others or not self._whole(row))):
            return None
        local = (own.start, own.end) if own and own.sentence == row else None
        return Said(Quotation(tuple(spans), local, tuple(others)), own)

    def _whole(self, row: int) -> bool:
        """Whether the quotations of a sentence are whole sentences: no title, no word in marks."""
        return all(
            self._quoted[number].start == self._starts[self._reach(self._quoted[number])[0]]
            and self._quoted[number].end >= self._end(self._reach(self._quoted[number])[1]) - 1
            for number in self._inside[row]
        )

    def _beside(self, row: int, gap: Span, others: list[tuple[Span, bool]]) -> bool:
        """Whether a part of a sentence outside its quotation marks only says who speaks; else adds what it states."""
        if not any(map(str.isalnum, self._text[slice(*gap)])):
            return True
        attribution = self._attribution(row, gap)
        if attribution is None or attribution.others is None:
            return False
        others.extend(attribution.others)
        return True
