"""Signs in a sentence's form that it is worth checking: numbers, names, tenses, persons, cues. After the features of
ClaimBuster (Hassan et al., KDD 2017), which counted parts of speech and entity types beside words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from retrieval.text.extraction.kinds import INSTRUCTION, QUESTION, kind_by_form, opinionated

_PARTS = "NOUN PROPN VERB AUX ADJ ADV PRON NUM ADP DET CCONJ SCONJ PART INTJ PUNCT".split()
_TAGS = "VBD VBN VBZ VBP VB VBG MD JJR JJS RBR RBS EX WP WRB".split()
_ENTITIES = "PERSON ORG GPE NORP LOC DATE TIME MONEY PERCENT CARDINAL ORDINAL QUANTITY EVENT LAW WORK_OF_ART".split()
_PERSONS = {
    "I": {"i", "me", "my", "mine", "myself"},
    "we": {"we", "us", "our", "ours", "ourselves"},
    "you": {"you", "your", "yours"},
    "he, she": {"he", "she", "him", "her", "his", "hers"},
    "it": {"it", "its"},
    "they": {"they", "them", "their"},
    "this, that": {"this", "that", "these", "those"},
}
_CUES = {
    "amount": re.compile(r"(?i)\b(?:percent|per ?cent|million|billion|trillion|thousand|hundred|dozen|half|twice|third)s?\b|[%$€£]"),
    "year": re.compile(r"\b(?:1[5-9]|20)\d\d\b"),
    "change": re.compile(
        r"(?i)\b(?:increas|decreas|rose|risen|rais|fell|fallen|grew|grown|doubl|tripl|cut|lost|lower|higher|less|more|"
        r"fewer|highest|lowest|record|average|rate)\w*"
    ),
    "act": re.compile(r"(?i)\b(?:voted?|passed|signed|vetoed|supported|opposed|promised|appointed|won|founded|built|killed|died|born|spent|paid)\b"),
    "saying": re.compile(r"(?i)\b(?:said|says|told|claimed|called|stated|announced|according to|reported)\b"),
    "wish": re.compile(r"(?i)\b(?:should|ought|must|need to|have to|got to|let['’]?s|let us|want to|would|could|hope)\b"),
    "mind": re.compile(r"(?i)\b(?:think|believe|feel|know|understand|guess|mean|sure)\b"),
    "future": re.compile(r"(?i)\b(?:will|going to|gonna|'ll|’ll|shall)\b"),
    "negation": re.compile(r"(?i)\b(?:not|no|never|none|nothing|nobody)\b|n['’]t\b"),
    "thanks": re.compile(r"(?i)\b(?:thank|thanks|please|senator|governor|mr|mrs|sir|president|well|good evening|applause)\b"),
}  # fmt: skip
SIGNS = (
    "words, log",
    "letters a word",
    *(f"share of {part}" for part in _PARTS),
    *(f"{tag}" for tag in _TAGS),
    *(f"entity {kind}" for kind in _ENTITIES),
    "entities of any kind, log",
    *(f"person {person}" for person in _PERSONS),
    *(f"cue {cue}" for cue in _CUES),
    "digits",
    "quotation",
    "exclamation",
    "ends without a full stop",
    "question",
    "instruction",
    "opinion by its words",
    "subject is a name",
    "subject is a pronoun",
    "past or present by its root",
)
_MOST = 3  # of a kind count


def signs(text: str, doc: Any) -> list[float]:
    """The values of `SIGNS`. text: a sentence. doc: spaCy's parse."""
    words = [token for token in doc if not token.is_punct and not token.is_space]
    count = max(1, len(words))
    parts = Counter(token.pos_ for token in doc)
    tags = Counter(token.tag_ for token in doc)
    kinds = Counter(entity.label_ for entity in doc.ents)
    lower = [token.lower_ for token in words]
    form = kind_by_form(text, doc)
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    subjects = [token for token in doc if token.dep_ in ("nsubj", "nsubjpass")]
    first = subjects[0] if subjects else None
    return [
        math.log1p(len(words)),
        sum(len(word) for word in lower) / count,
        *(parts[part] / max(1, len(doc)) for part in _PARTS),
        *(float(min(tags[tag], _MOST)) for tag in _TAGS),
        *(float(min(kinds[kind], _MOST)) for kind in _ENTITIES),
        math.log1p(len(doc.ents)),
        *(float(min(sum(word in known for word in lower), _MOST)) for known in _PERSONS.values()),
        *(float(min(len(pattern.findall(text)), _MOST)) for pattern in _CUES.values()),
        float(any(sign.isdigit() for sign in text)),
        float(any(sign in text for sign in '"“”«»')),
        float("!" in text),
        float(not text.rstrip().endswith((".", "!", "?", '"', "”"))),
        float(form == QUESTION),
        float(form == INSTRUCTION),
        float(opinionated(text, doc)),
        float(first is not None and first.pos_ == "PROPN"),
        float(first is not None and first.pos_ == "PRON"),
        float(root is not None and root.tag_ in ("VBD", "VBZ", "VBN", "VBP")),
    ]
