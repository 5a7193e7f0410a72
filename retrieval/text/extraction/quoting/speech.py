"""Quotations in a whole text: open quotation marks and speakers carry over from one sentence to the next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.extraction.mentions import Parsed
from retrieval.text.extraction.quoting.reading import Reading, Said
from retrieval.text.extraction.quoting.saying import UNNAMED
from retrieval.text.extraction.standing import Edit, Surroundings

_SPEAKER_WITHIN = 2  # sentences: "The mayor said … She added …"
_PRONOUNS = frozenset("i we you he she it they me us him her them".split())
_NOBODY = frozenset("i we you it one".split())  # the writer, or a speaker whom the text does not name
_WRITER = re.compile(
    r"(?i)(?:this|the present|our|my) (?:blog|article|newsletter|newspaper|paper|column|channel|podcast|post|thread|site|website|page|"
    r"author|writer|reporter|correspondent)"
)


def speech_in(text: str, sentences: Sequence[Parsed]) -> list[tuple[Said, ...]]:
    """The quotations of each sentence, found by their marks or, without marks, by grammar."""
    return Reading(text, sentences).said()


class Speech:
    """The quotations of each sentence of a text, and the names of their speakers. Call in text order."""

    def __init__(self, found: Sequence[tuple[Said, ...]], about: Surroundings, sentences: Sequence[Parsed]) -> None:
        self._found = found
        self._about = about
        self._sentences = sentences
        self._edits: dict[int, list[Edit]] = {}
        self._last: tuple[int, str] = (-1, "")  # the number of the last sentence with a quotation, and its speaker

    def said(self, number: int) -> tuple[Said, ...]:
        """A sentence's quotations, by speaker; none if it is a plain statement."""
        return self._found[number]

    def only_names(self, number: int) -> bool:
        """Whether a sentence only names the previous one's speaker: "Ann Lee said." """
        before = [said for found in self._found[:number][-1:] for said in found]
        return not self._found[number] and any(said.speaker and said.speaker.sentence == number for said in before)

    def edits(self, number: int) -> list[Edit]:
        """The replacements for a sentence's pronouns and short names."""
        if number not in self._edits:
            self._edits[number] = self._about.edits(number)
        return self._edits[number]

    def speaker(self, number: int, said: Said) -> str:
        """A quotation's speaker, by name if the text gives one; empty if it is the writer."""
        if said.speaker is None:
            return ""
        who = said.speaker
        named: str = self._sentences[who.sentence].doc.text[who.start : who.end]
        text = named
        edits = [edit for edit in self.edits(who.sentence) if who.start <= edit.start and edit.end <= who.end]
        for edit in reversed(edits):
            text = text[: edit.start - who.start] + edit.text + text[edit.end - who.start :]
        if text.casefold() in ("he", "she", "him", "her"):
            text = self._about.meant(who.sentence, who.start, who.end) or self._who_just_spoke(number, text)
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
        between = [at for at in range(before + 1, number) if not self._found[at]]
        subjects = (word for at in between for word in self._sentences[at].doc if word.dep_ == "nsubj")
        return any(word.pos_ == "PROPN" and word.text not in name for word in subjects)
