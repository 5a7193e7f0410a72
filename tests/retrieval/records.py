"""Records made at will: whole checks for round trips and reports."""

from __future__ import annotations

from types import MappingProxyType

from hypothesis import strategies as st

from retrieval.types import (
    Claim,
    CorpusInfo,
    Difference,
    Evidence,
    FactCheck,
    Hit,
    Label,
    LLMCall,
    Page,
    QuestionAnswer,
    Reply,
    Sentence,
    Span,
    Stance,
    Verdict,
)
from tests.making import make_page

NUMBER = st.floats(0, 1, allow_nan=False)
TEXT = st.text(max_size=20)
SMALL = st.integers(0, 10**6)

STANCE = st.builds(Stance, NUMBER, NUMBER, NUMBER)
SENTENCE = st.builds(Sentence, TEXT, TEXT, SMALL, SMALL, SMALL, TEXT)
PLACE = st.tuples(SMALL, SMALL)
EVIDENCE = st.builds(
    Evidence,
    SENTENCE,
    NUMBER,
    STANCE,
    TEXT,
    st.booleans(),
    st.none() | NUMBER,
    TEXT,
    differs=st.none() | st.builds(Difference, PLACE, PLACE),
)
PAGE = st.builds(
    Page,
    TEXT,
    TEXT,
    TEXT,
    st.lists(st.tuples(SMALL, SMALL, SMALL), max_size=3).map(tuple),
    st.lists(TEXT, max_size=3).map(tuple),
    TEXT,
)
PROBABILITIES = st.fixed_dictionaries(dict.fromkeys(Label, NUMBER)).map(MappingProxyType)
VERDICT = st.builds(
    Verdict,
    st.sampled_from(Label),
    PROBABILITIES,
    TEXT,
    TEXT,
    st.booleans(),
    st.none() | PROBABILITIES,
    st.none() | st.lists(st.integers(1, 5), max_size=3).map(tuple),
    st.booleans(),
    st.booleans(),
)
CHECK = st.builds(
    FactCheck,
    claim=st.builds(Claim, TEXT, TEXT),
    recipe=TEXT,
    spans=st.lists(st.builds(Span, TEXT, SMALL, SMALL, TEXT), max_size=2).map(tuple),
    questions=st.lists(
        st.builds(QuestionAnswer, st.text(min_size=1, max_size=20), TEXT, st.lists(SMALL, max_size=2).map(tuple)),
        max_size=2,
    ).map(tuple),
    pages=st.lists(st.builds(Hit, PAGE, NUMBER, TEXT), max_size=2).map(tuple),
    sentences=st.lists(EVIDENCE, max_size=2).map(tuple),
    evidence=st.lists(EVIDENCE, max_size=2).map(tuple),
    verdict=st.none() | VERDICT,
    timings=st.dictionaries(TEXT, NUMBER, max_size=2).map(MappingProxyType),
    models=st.dictionaries(TEXT, TEXT, max_size=2).map(MappingProxyType),
    corpus=st.none() | st.builds(CorpusInfo, SMALL, TEXT, TEXT, SMALL, SMALL, SMALL, TEXT),
    notes=st.lists(TEXT, max_size=2).map(tuple),
    program=TEXT,
    details=st.dictionaries(TEXT, TEXT, max_size=2).map(MappingProxyType),
    calls=st.lists(st.builds(LLMCall, TEXT, st.builds(Reply, TEXT, SMALL, SMALL, NUMBER), TEXT), max_size=2).map(tuple),
)


def whole_check() -> FactCheck:
    """A finished check in which every field holds something."""
    page = make_page("Paris", "Paris is in France.", "It is big.", links=("France",), source="atlas.txt")
    evidence = tuple(
        Evidence(sentence, 0.98765, Stance(0.9, 0.04, 0.06), "claim", verified=sentence.line == 0)
        for sentence in page.sentences()
    )
    probabilities = {Label.SUPPORTED: 0.91234, Label.REFUTED: 0.05, Label.NOT_ENOUGH_EVIDENCE: 0.03766}
    without = {Label.SUPPORTED: 0.2, Label.REFUTED: 0.1, Label.NOT_ENOUGH_EVIDENCE: 0.7}
    verdict = Verdict(
        Label.SUPPORTED,
        MappingProxyType(probabilities),
        "“Paris” supports it.",
        "local@1",
        without_evidence=MappingProxyType(without),
        calibrated=True,
    )
    return FactCheck(
        claim=Claim("c1", "Paris is in France."),
        spans=(Span("Paris", 0, 5, "GPE"),),
        questions=(QuestionAnswer("Where is Paris?", "France", (1,)),),
        pages=(Hit(page, 1.23456, "title and text"),),
        sentences=evidence,
        evidence=evidence,
        verdict=verdict,
        timings=MappingProxyType({"pages": 1.5, "sentences": 20.25}),
        models=MappingProxyType({"spans": "spacy"}),
        corpus=CorpusInfo(302, "0123456789abcdef", "2026-01-01T00:00:00+00:00", 1, 0, 1000, "sample"),
        notes=("A note.",),
        program="ESOTERIC 1.0.0",
    )
