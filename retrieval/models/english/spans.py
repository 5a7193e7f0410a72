"""Finds the names and noun phrases of a claim with spaCy's small English model."""

from __future__ import annotations

import re

from retrieval.models.english.parser import CHARACTERS_PARSED, english

NOUN_PHRASE = "NOUN_PHRASE"
_LANGUAGE = re.compile(r"\b([A-Z][a-z]+)-(?:language|speaking)\b")  # the model may miss it before a hyphen


class SpacySpans:
    """Finds entities with their type, and noun phrases that are not entities. Implements `SpanExtractor`."""

    def __init__(self) -> None:
        """Load the model. Raises ModelError if no package has it."""
        self._language = english()

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, type), in text order; a noun phrase loses its article and is left out if it is an entity."""
        document = self._language(claim[:CHARACTERS_PARSED])
        found = {(entity.start_char, entity.end_char): entity.label_ for entity in document.ents}
        for match in _LANGUAGE.finditer(document.text):
            found.setdefault(match.span(1), "LANGUAGE")
        for phrase in document.noun_chunks:
            while len(phrase) and (phrase[0].pos_ in ("DET", "PRON", "PUNCT", "PART") or phrase[0].is_space):
                phrase = phrase[1:]
            if len(phrase):
                found.setdefault((phrase.start_char, phrase.end_char), NOUN_PHRASE)
        spans = [(start, end, kind) for (start, end), kind in found.items() if claim[start:end].strip()]
        return sorted(spans, key=lambda span: (span[0], -span[1]))
