"""Finds a text's quotations, by quotation marks and grammar together, and the names of their speakers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from retrieval.text.extraction.mentions import PRONOUNS, Edit, Parsed, edited
from retrieval.text.extraction.quoting.beside import Beside, Statements, attribution_in, beside, states
from retrieval.text.extraction.quoting.marks import Quoted, quoted_spans
from retrieval.text.extraction.quoting.quotations import Quotation, quotation_in
from retrieval.text.extraction.quoting.saying import SHORTEST_QUOTATION, UNNAMED, Span, bare
from retrieval.text.extraction.standing import Surroundings
from retrieval.text.grammar import SAYING

_BEFORE_THE_END = ",.!?…—–-"
_LONGEST_TAIL = 6  # words of a sentence that only names the speaker: "Ann Lee said."
_SPEAKER_WITHIN = 2  # sentences: "The mayor said … She added …"
_PRONOUNS = frozenset("i we you it they me us them".split()).union(PRONOUNS)
_NOBODY = frozenset("i we you it one".split())  # the writer, or a speaker whom the text does not name
_SIGNATURE = re.compile(
    r"[—–―-]{1,2} ?(?P<who>[A-Z][\w.'’-]{0,30}(?: (?:[A-Z][\w.'’-]{0,30}|of|de|van|von|the)){0,5})(?:,[\w .,'’()&-]{1,80}| \([^()]{1,60}\))?"
)
_WRITER = re.compile(
    r"(?i)(?:this|the present|our|my) (?:blog|article|newsletter|newspaper|paper|column|channel|podcast|post|thread|site|website|page|"
    r"author|writer|reporter|correspondent)"
)

Speaker = tuple[int, Span]  # the number of the sentence that names the speaker, and offsets in it
Group = tuple[list[Span], Speaker | None]  # the spans of a speaker's quotation


def speech_in(text: str, sentences: Sequence[Parsed]) -> list[tuple[Quotation, ...]]:
    """The quotations of each sentence, found by their marks or, without marks, by grammar."""
    return _Reading(text, sentences).speech()


class _Reading:
    """The quotations of a text, over its sentences. Methods refer to quotations and sentences by number."""

    def __init__(self, text: str, sentences: Sequence[Parsed]) -> None:
        self._text = text
        self._sentences = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._quoted = [one for one in quoted_spans(text) if any(map(str.isalnum, text[one.start : one.end]))]
        self._reach = [(self._row(quoted.start), self._row(quoted.end - 1)) for quoted in self._quoted]
        self._inside: list[list[int]] = [[] for _ in sentences]  # for each sentence, the quotations that reach into it
        for number, (first, last) in enumerate(self._reach):
            for row in range(first, last + 1):
                self._inside[row].append(number)
        self._speakers: list[Speaker | None] = []
        for number in range(len(self._quoted)):
            self._speakers.append(self._speaker(number))
        for number in range(len(self._quoted) - 1, 0, -1):
            if self._quoted[number - 1].goes_on and self._speakers[number - 1] is None:
                self._speakers[number - 1] = self._speakers[number]

    def speech(self) -> list[tuple[Quotation, ...]]:
        """The quotations of each sentence."""
        found: list[tuple[Quotation, ...]] = []
        for row, sentence in enumerate(self._sentences):
            quotations = self._marked(row) if self._inside[row] else ()
            quotation = None if quotations else quotation_in(sentence.doc)
            if quotation and quotation.speaker:
                quotations = (replace(quotation, sentence=row),)
            found.append(quotations)
        return found

    def _row(self, place: int) -> int:
        """The sentence at a place in the text."""
        return max(0, bisect_right(self._starts, place) - 1)

    def _end(self, row: int) -> int:
        return self._starts[row] + len(self._sentences[row].doc.text)

    def _speaker(self, number: int) -> Speaker | None:
        """The speaker named before or after a quotation or in the next sentence; else the previous speaker."""
        quoted, (first, last) = self._quoted[number], self._reach[number]
        if self._text[quoted.start - 1 : quoted.start].strip() or quoted.start > self._starts[first]:
            others = [self._quoted[other].end for other in self._inside[first] if other < number]
            named = self._named_in(first, max([self._starts[first], *others]), quoted.start, last=True)
            if named and self._introduces(first, quoted):
                return named
        ends = self._text[quoted.end - 2 : quoted.end - 1] in _BEFORE_THE_END
        if ends and not quoted.goes_on:
            others = [self._quoted[other].start for other in self._inside[last] if other > number]
            if named := self._named_in(last, quoted.end, min([self._end(last), *others])):
                return named
            if quoted.end >= self._end(last) and (
                named := self._tail(last + 1, quoted) or self._signed(last + 1, quoted)
            ):
                return named
        return self._goes_on(number, first)

    def _introduces(self, row: int, quoted: Quoted) -> bool:
        """Whether "X said:" or "X said" directly precedes the quotation, and the quotation is more than a word."""
        doc, before = self._sentences[row].doc, self._text[self._starts[row] : quoted.start].rstrip()
        words = self._text[quoted.start : quoted.end].split()
        if before.endswith((":", ",")):
            return True
        last = [token for token in doc if token.idx < len(before)][-1:]
        direct = bool(last) and (last[0].lemma_.lower() in SAYING or last[0].lower_ == "that")
        whole = self._text[quoted.end - 2] in _BEFORE_THE_END or states(doc, [self._local(row, quoted)])
        return direct and len(words) >= SHORTEST_QUOTATION and whole

    def _named_in(self, row: int, start: int, end: int, last: bool = False) -> Speaker | None:
        """The speaker named in a part of a sentence. start, end: offsets in the text. last: take the last of several."""
        first = self._starts[row]
        found = attribution_in(self._sentences[row].doc, start - first, end - first, last) if start < end else None
        return (row, found.speaker) if found and found.speaker else None

    def _tail(self, row: int, quoted: Quoted) -> Speaker | None:
        """The speaker, if the sentence only adds who spoke: "“It was closed!” Ann Lee said." """
        if row >= len(self._sentences) or "\n" in self._text[quoted.end : self._starts[row]] or self._inside[row]:
            return None
        doc: Any = self._sentences[row].doc
        if doc.text.count(" ") >= _LONGEST_TAIL or any(token.dep_ == "ccomp" for token in doc):
            return None
        return self._named_in(row, self._starts[row], self._end(row))

    def _signed(self, row: int, quoted: Quoted) -> Speaker | None:
        """The name that a dash adds to a quotation, on its line or the next: "“…” — Ann Lee, architect, 1999"."""
        if row >= len(self._sentences) or self._text[quoted.end : self._starts[row]].count("\n") > 1:
            return None
        name = _SIGNATURE.fullmatch(self._sentences[row].doc.text)
        return (row, name.span("who")) if name else None

    def _goes_on(self, number: int, first: int) -> Speaker | None:
        """The previous speaker, if the quotation continues: "“…,” she said. “…”", or in a new paragraph."""
        if not number:
            return None
        before, start, speaker = self._quoted[number - 1], self._quoted[number].start, self._speakers[number - 1]
        if before.goes_on:
            return speaker
        last = self._reach[number - 1][1]
        behind = speaker is not None and speaker[0] == first - 1 == last + 1  # "Ann Lee said."
        directly = (behind or last == first - 1) and "\n" not in self._text[before.end : start]
        return speaker if directly and start == self._starts[first] else None

    def _local(self, row: int, quoted: Quoted) -> Span:
        """The part of a quotation that is in a sentence, without its marks, by offsets in that sentence."""
        start, end = self._starts[row], self._end(row)
        return bare(self._sentences[row].doc.text, max(start, quoted.start) - start, min(end, quoted.end) - start)

    def _marked(self, row: int) -> tuple[Quotation, ...]:
        """A sentence's quotations in marks, by speaker: if it states more, only those that are whole statements."""
        parts = self._parts(row)
        groups = self._groups(row)
        if all(part.plain for part in parts):
            others = any(part.others for part in parts)
            if not groups or (groups[0][1] is None and (others or not self._quotes_sentences(row))):
                return ()
            return self._put_together(row, groups, parts, whole=False)
        doc = self._sentences[row].doc
        stated: list[Group] = [(spans, speaker) for spans, speaker in groups if speaker and states(doc, spans)]
        return self._put_together(row, stated, parts, whole=len(stated) < len(groups)) if stated else ()

    def _parts(self, row: int) -> list[Beside]:
        """The parts of a sentence beside its quotation marks."""
        place = start = self._starts[row]
        end = self._end(row)
        gaps: list[Span] = []
        for number in self._inside[row]:
            gaps.append((place, self._quoted[number].start))
            place = min(end, self._quoted[number].end)
        words = [gap for gap in [*gaps, (place, end)] if any(map(str.isalnum, self._text[slice(*gap)]))]
        return [beside(self._sentences[row].doc, first - start, last - start) for first, last in words]

    def _groups(self, row: int) -> list[Group]:
        """The quotations of each speaker in a sentence; one without a speaker joins its neighbour."""
        groups: list[Group] = []
        for number in self._inside[row]:
            span, speaker = self._local(row, self._quoted[number]), self._speakers[number]
            if span[0] >= span[1]:
                continue
            if groups and (groups[-1][1] is None or speaker in (None, groups[-1][1])):
                groups[-1] = ([*groups[-1][0], span], groups[-1][1] or speaker)
            else:
                groups.append(([span], speaker))
        return groups

    def _put_together(self, row: int, groups: list[Group], parts: list[Beside], whole: bool) -> tuple[Quotation, ...]:
        """The quotations, each with its speaker's statements beside it, the first with the writer's. whole: as of the first."""
        places = [named[1] if named and named[0] == row else None for _, named in groups]
        others: list[Statements] = [()] * len(groups)
        asides: list[tuple[Span, ...]] = [()] * len(groups)
        for part in parts:
            owner = places.index(part.speaker) if part.speaker in places else 0
            others[owner] += part.others
            asides[owner] += part.asides
            known = len(groups) == 1 or part.speaker in places
            whole = whole or part.whole or not (known or not (part.asides or any(same for _, same in part.others)))
        found: list[Quotation] = []
        for number, (spans, speaker) in enumerate(groups):
            sentence, name = speaker or (row, None)
            first = whole and not number
            found.append(Quotation(tuple(spans), name, others[number], asides[number], first, sentence))
        return tuple(found)

    def _quotes_sentences(self, row: int) -> bool:
        """Whether a sentence's quotations are whole sentences, rather than titles or words in quotation marks."""
        return all(
            self._quoted[number].start == self._starts[self._reach[number][0]]
            and self._quoted[number].end >= self._end(self._reach[number][1]) - 1
            for number in self._inside[row]
        )


class Speech:
    """The quotations of each sentence of a text, by speaker, and the names of their speakers. Call in text order."""

    def __init__(self, text: str, sentences: Sequence[Parsed], about: Surroundings) -> None:
        self.quotations = speech_in(text, sentences)
        self._about = about
        self._sentences = sentences
        self._edits: dict[int, list[Edit]] = {}
        self._last: tuple[int, str] = (-1, "")  # the number of the last sentence with a quotation, and its speaker

    def only_names(self, number: int) -> bool:
        """Whether a sentence only names the previous one's speaker: "Ann Lee said." """
        before = self.quotations[number - 1] if number and not self.quotations[number] else ()
        return any(quotation.speaker and quotation.sentence == number for quotation in before)

    def edits(self, number: int) -> list[Edit]:
        """The replacements for a sentence's pronouns and short names."""
        if number not in self._edits:
            self._edits[number] = self._about.edits(number)
        return self._edits[number]

    def speaker(self, number: int, quotation: Quotation) -> str:
        """A quotation's speaker, by name if the text gives one; empty if it is the writer."""
        if quotation.speaker is None:
            return ""
        (start, end), place = quotation.speaker, quotation.sentence
        sentence: str = self._sentences[place].doc.text
        named, text = sentence[start:end], edited(sentence, start, end, self.edits(place))
        if text.casefold() in PRONOUNS:
            text = self._about.meant(place, start) or self._who_just_spoke(number, text)
        if named.casefold() in _PRONOUNS and text == self._last[1] and self._another_since(number):
            text = named
        self._last = (number, text)
        if text.casefold() in _NOBODY or _WRITER.fullmatch(text):
            return ""
        return UNNAMED if text.casefold() in _PRONOUNS else text

    def _who_just_spoke(self, number: int, pronoun: str) -> str:
        """The speaker of one of the two preceding sentences, if the pronoun may mean them; else the pronoun."""
        before, name = self._last
        if number - before > _SPEAKER_WITHIN or not name or name.casefold() in _PRONOUNS:
            return pronoun
        return name if self._about.may_be(name, pronoun) else pronoun

    def _another_since(self, number: int) -> bool:
        """Whether the writer has named somebody else since the last quotation: "…, said Lee. Green disagreed. “…,” he said." """
        before, name = self._last
        between = [at for at in range(before + 1, number) if not self.quotations[at]]
        subjects = (word for at in between for word in self._sentences[at].doc if word.dep_ == "nsubj")
        return any(word.pos_ == "PROPN" and word.text not in name for word in subjects)
