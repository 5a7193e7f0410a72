"""Reads quotation marks and grammar together, to find each sentence's quotations and where their speakers are named."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.text.extraction.mentions import Parsed
from retrieval.text.extraction.quoting.beside import Beside, attribution_in, beside, states
from retrieval.text.extraction.quoting.marks import Quoted, quoted_spans
from retrieval.text.extraction.quoting.quotations import Quotation, quotation_in
from retrieval.text.extraction.quoting.saying import LEAST_WORDS, SAYING, Span, bare

_BEFORE_THE_END = ",.!?…—–-"
_LONGEST_TAIL = 6  # words of a sentence that only names the speaker: "Ann Lee said."


@dataclass(frozen=True)
class Speaker:
    """Where a speaker is named: a sentence's number, and offsets in it."""

    sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class Said:
    """A quotation in a sentence, with its speaker, whom another sentence may name; None if the text names nobody."""

    quotation: Quotation
    speaker: Speaker | None


class Reading:
    """The quotations of a text, over its sentences."""

    def __init__(self, text: str, sentences: Sequence[Parsed]) -> None:
        self._text = text
        self._sentences = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._quoted = [one for one in quoted_spans(text) if any(map(str.isalnum, text[one.start : one.end]))]
        self._inside: list[list[int]] = [[] for _ in sentences]  # for each sentence, the quotations that reach into it
        for number, quoted in enumerate(self._quoted):
            first, last = self._reach(quoted)
            for row in range(first, last + 1):
                self._inside[row].append(number)
        self._speakers: list[Speaker | None] = []
        for number in range(len(self._quoted)):
            self._speakers.append(self._speaker(number))
        for number in range(len(self._quoted) - 1, 0, -1):
            if self._quoted[number - 1].goes_on and self._speakers[number - 1] is None:
                self._speakers[number - 1] = self._speakers[number]

    def said(self) -> list[tuple[Said, ...]]:
        """The quotations of each sentence."""
        found: list[tuple[Said, ...]] = []
        for row, sentence in enumerate(self._sentences):
            said = self._marked(row) if self._inside[row] else ()
            quotation = None if said else quotation_in(sentence.doc)
            if quotation and quotation.speaker:
                said = (Said(quotation, Speaker(row, *quotation.speaker)),)
            found.append(said)
        return found

    def _reach(self, quoted: Quoted) -> Span:
        """The first and the last sentence of a quotation."""
        first = max(0, bisect_right(self._starts, quoted.start) - 1)
        return first, max(first, bisect_right(self._starts, quoted.end - 1) - 1)

    def _end(self, row: int) -> int:
        return self._starts[row] + len(self._sentences[row].doc.text)

    def _speaker(self, number: int) -> Speaker | None:
        """The speaker, whom the text names before or after the quotation or in the next sentence; else the previous
        speaker.
        """
        quoted = self._quoted[number]
        first, last = self._reach(quoted)
        if self._text[quoted.start - 1 : quoted.start].strip() or quoted.start > self._starts[first]:
            named = self._named_in(first, self._gap_before(number, first), last=True)
            if named and self._introduces(first, quoted):
                return named
        ends = self._text[quoted.end - 2 : quoted.end - 1] in _BEFORE_THE_END
        if ends and not quoted.goes_on:
            if named := self._named_in(last, self._gap_after(number, last)):
                return named
            if quoted.end >= self._end(last) and (named := self._tail(last + 1, quoted)):
                return named
        return self._goes_on(number, first)

    def _introduces(self, row: int, quoted: Quoted) -> bool:
        """Whether "X said:" or "X said" directly precedes the quotation, and the quotation is more than a word."""
        before = self._text[self._starts[row] : quoted.start].rstrip()
        words = self._text[quoted.start : quoted.end].split()
        if before.endswith((":", ",")):
            return True
        last = [token for token in self._sentences[row].doc if token.idx < len(before)][-1:]
        direct = bool(last) and (last[0].lemma_.lower() in SAYING or last[0].lower_ == "that")
        whole = self._text[quoted.end - 2] in _BEFORE_THE_END or self._states(row, [self._local(row, quoted)])
        return direct and len(words) >= LEAST_WORDS and whole

    def _gap_before(self, number: int, row: int) -> Span:
        others = [self._quoted[other].end for other in self._inside[row] if other < number]
        return max([self._starts[row], *others]), self._quoted[number].start

    def _gap_after(self, number: int, row: int) -> Span:
        others = [self._quoted[other].start for other in self._inside[row] if other > number]
        return self._quoted[number].end, min([self._end(row), *others])

    def _named_in(self, row: int, gap: Span, last: bool = False) -> Speaker | None:
        """The speaker named in a part of a sentence."""
        if gap[0] >= gap[1]:
            return None
        start = self._starts[row]
        attribution = attribution_in(self._sentences[row].doc, gap[0] - start, gap[1] - start, last)
        return Speaker(row, *attribution.speaker) if attribution else None

    def _tail(self, row: int, quoted: Quoted) -> Speaker | None:
        """The speaker, if the sentence only adds who spoke: "“It was closed!” Ann Lee said." """
        if row >= len(self._sentences) or "\n" in self._text[quoted.end : self._starts[row]] or self._inside[row]:
            return None
        doc: Any = self._sentences[row].doc
        if doc.text.count(" ") >= _LONGEST_TAIL or any(token.dep_ == "ccomp" for token in doc):
            return None
        return self._named_in(row, (self._starts[row], self._end(row)))

    def _goes_on(self, number: int, first: int) -> Speaker | None:
        """The previous speaker, if the quotation continues: "“…,” she said. “…”", or an earlier paragraph left its
        marks open.
        """
        if not number:
            return None
        before, between = (
            self._quoted[number - 1],
            self._text[self._quoted[number - 1].end : self._quoted[number].start],
        )
        if before.goes_on:
            return self._speakers[number - 1]
        named = self._speakers[number - 1]
        behind = named is not None and named.sentence == first - 1 == self._reach(before)[1] + 1  # "Ann Lee said."
        directly = (behind or self._reach(before)[1] == first - 1) and "\n" not in between
        return named if directly and self._quoted[number].start == self._starts[first] else None

    def _local(self, row: int, quoted: Quoted) -> Span:
        """The part of a quotation that is in a sentence, without its marks, by offsets in that sentence."""
        start, end = self._starts[row], self._end(row)
        return bare(self._sentences[row].doc.text, max(start, quoted.start) - start, min(end, quoted.end) - start)

    def _states(self, row: int, spans: Sequence[Span]) -> bool:
        return states(self._sentences[row].doc, spans)

    def _marked(self, row: int) -> tuple[Said, ...]:
        """A sentence's quotations in marks, by speaker. If the sentence states more, only whole statements are taken
        out of it, and the writer's own statements stay with the writer.
        """
        parts = self._parts(row)
        groups = self._groups(row)
        if all(part.plain for part in parts):
            others = any(part.others for part in parts)
            if not groups or (groups[0][1] is None and (others or not self._whole(row))):
                return ()
            return self._put_together(row, groups, parts, whole=False)
        stated = [(spans, speaker) for spans, speaker in groups if speaker and self._states(row, spans)]
        return self._put_together(row, stated, parts, whole=len(stated) < len(groups)) if stated else ()

    def _parts(self, row: int) -> list[Beside]:
        """The parts of a sentence beside its quotation marks."""
        start, end, place = self._starts[row], self._end(row), self._starts[row]
        gaps: list[Span] = []
        for number in self._inside[row]:
            gaps.append((place, self._quoted[number].start))
            place = min(end, self._quoted[number].end)
        words = [gap for gap in [*gaps, (place, end)] if any(map(str.isalnum, self._text[slice(*gap)]))]
        return [beside(self._sentences[row].doc, first - start, last - start) for first, last in words]

    def _groups(self, row: int) -> list[tuple[list[Span], Speaker | None]]:
        """The quotations of each speaker in a sentence; one without a speaker joins its neighbour."""
        groups: list[tuple[list[Span], Speaker | None]] = []
        for number in self._inside[row]:
            span, speaker = self._local(row, self._quoted[number]), self._speakers[number]
            if span[0] >= span[1]:
                continue
            if groups and (groups[-1][1] is None or speaker in (None, groups[-1][1])):
                groups[-1] = ([*groups[-1][0], span], groups[-1][1] or speaker)
            else:
                groups.append(([span], speaker))
        return groups

    def _put_together(
        self, row: int, groups: Sequence[tuple[list[Span], Speaker | None]], parts: Sequence[Beside], whole: bool
    ) -> tuple[Said, ...]:
        """The quotations, each with the statements beside it that its speaker makes; the writer's go with the first
        one. If a statement belongs to neither, the sentence stays `whole`.
        """
        places = [
            (speaker.start, speaker.end) if speaker and speaker.sentence == row else None for _, speaker in groups
        ]
        others: list[list[tuple[Span, bool]]] = [[] for _ in groups]
        asides: list[list[Span]] = [[] for _ in groups]
        for part in parts:
            named = part.attribution.speaker if part.attribution else None
            owner = places.index(named) if named in places else 0
            others[owner] += part.others
            asides[owner] += part.asides
            own = len(groups) == 1 or named in places or not (part.asides or any(same for _, same in part.others))
            whole = whole or part.whole or not own
        return tuple(
            Said(Quotation(tuple(spans), places[n], tuple(others[n]), tuple(asides[n]), whole and n == 0), speaker)
            for n, (spans, speaker) in enumerate(groups)
        )

    def _whole(self, row: int) -> bool:
        """Whether a sentence's quotations are whole sentences, rather than titles or words in quotation marks."""
        return all(
            self._quoted[number].start == self._starts[self._reach(self._quoted[number])[0]]
            and self._quoted[number].end >= self._end(self._reach(self._quoted[number])[1]) - 1
            for number in self._inside[row]
        )
