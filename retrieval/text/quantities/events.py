"""Words that say what happened at a date, by event; other verbs stand for themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.words import stem

_EVENTS = {
    "begin": "began begin begins begun start starts started commenced beginning outbreak onset erupted starting broke since launched",
    "end": "ended end ends ending finished concluded ceased fell collapsed fall until surrendered defunct dissolved abolished",
    "born": "born birth",
    "die": "died dies death killed assassinated murdered executed assassination dead",
    "found": "founded founding established formed created establishment formation incorporated cofounded co-founded",
    "release": "released release published premiered debuted issued publication premiere aired airing",
    "build": "built constructed erected construction completed",
    "open": "opened inaugurated opening",
    "win": "won winning win awarded received",
    "elect": "elected election reelected re-elected",
    "discover": "discovered discovery invented invention",
    "sink": "sank sunk sinking",
    "marry": "married marriage wed",
    "hold": "held hosted fought battle",
    "arrive": "landed reached arrived",
    "leave": "retired resigned left departed",
    "join": "joined signed drafted",
    "record": "recorded",
    "independent": "independence independent",
    "become": "became become appointed crowned",
}
_OF = {word: event for event, words in _EVENTS.items() for word in words.split()}
_WORD = re.compile(r"\b(?:came out|took place|broke out|passed away|[A-Za-z]+(?:-[a-z]+)?)\b")
_PHRASES = {"came out": "release", "took place": "hold", "broke out": "begin", "passed away": "die"}
_NO_VERB = frozenset("hundred indeed united related named called based supposed aged located need used red bed limited noted renowned".split())
ONCE = frozenset("begin end born die found build open sink discover arrive hold release marry independent".split())
LIFE = frozenset({"born", "die"})
# Event of a claim -> the end of a span that tells it. A span behind a name in brackets is the life of a person or thing.
SPAN_ENDS = {
    "begin": ("begin", "life begins"),
    "found": ("life begins",),
    "born": ("life begins",),
    "end": ("end", "life ends"),
    "die": ("life ends",),
}


def event_words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, event) of each word that names one, in order."""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        event = _PHRASES.get(word) or _OF.get(word)
        if event is None and word.endswith("ed") and len(word) > 4 and word not in _NO_VERB:
            event = stem(word)
        if event:
            yield *match.span(), event
