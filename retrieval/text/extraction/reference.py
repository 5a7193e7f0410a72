"""Features of a pronoun and a name near it, by which a small ranker decides whom the pronoun means. They are the usual
ones: distance, grammatical role, whether the roles agree, number of mentions, names in between (Lappin and
Leass, Computational Linguistics 1994; Hobbs 1978), and gender from first names and titles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from retrieval.text.extraction import mentions
from retrieval.text.extraction.mentions import FEMININE, PEOPLE, PRONOUNS, Name, Parsed, Pronoun, same_name
from retrieval.text.grammar import has_child

ROLES = ("subject", "object", "possessive", "oblique", "beside", "other")
_ROLE = {
    **dict.fromkeys(("nsubj", "nsubjpass", "csubj"), "subject"),
    **dict.fromkeys(("dobj", "dative", "attr", "oprd"), "object"),
    "poss": "possessive",
    **dict.fromkeys(("pobj", "agent"), "oblique"),
    **dict.fromkeys(("appos", "conj"), "beside"),
}
FEATURES = (
    "sentences between",
    "two or more sentences between",
    "words between, log",
    "name follows pronoun",
    "name follows pronoun in its sentence, pronoun possessive or in a clause before",
    *(f"name is {role}" for role in ROLES),
    *(f"pronoun is {role}" for role in ROLES[:4]),
    "both subjects",
    "same role",
    "same role, other sentence",
    "name subject of the pronoun's own verb",
    "name subject of the pronoun's own verb, pronoun possessive",
    "name subject of a verb above the pronoun",
    "name below the pronoun's verb",
    "name is a possessor in the pronoun's phrase",
    "name first of its sentence",
    "other people between",
    "nearest person before",
    "person in the same role nearer",
    "times named, log",
    "share of all names of people",
    "is the title",
    "title names somebody else in the text",
    "first words of the text name it",
    "in brackets",
    "gender agrees",
    "gender, where the name tells it",
    "others whose gender agrees",
    "pronouns of the same gender between",
    "nearest name before an earlier pronoun",
    "a person by spaCy",
    "a thing by spaCy",
    "in the same conjunction as another name",
    "reported: name subject of a verb of saying",
    "depth of the name",
    "depth of the pronoun",
)
READ_BEFORE, READ_AFTER = 90, 110  # characters that a network reads before and after name and pronoun
_SAYING = ("say", "tell", "ask", "claim", "announce", "state", "reveal", "write", "add", "report", "think", "believe")


class Passage:
    """A text parsed sentence by sentence, with its names and pronouns."""

    def __init__(
        self, sentences: Sequence[Parsed], names: Sequence[Name], first_names: Mapping[str, float], title: str = ""
    ) -> None:
        self.sentences = {sentence.number: sentence for sentence in sentences}
        self.names = sorted(names, key=lambda name: name.start)
        self.pronouns = [pronoun for sentence in sentences for pronoun in mentions.pronouns_in(sentence)]
        self.title = tuple(title.casefold().replace("_", " ").split("(")[0].split())
        self.first_names = first_names
        self.genders = {name: mentions.gender(name, first_names) for name in names}
        words = {name: name.words for name in self.names}
        same = ((name, [other for other in self.names if same_name(words[name], words[other])]) for name in self.names)
        self.groups = {name: others or [name] for name, others in same}

    def group_gender(self, name: Name) -> float:
        """The gender by the clearest of the names that mean the same person."""
        return max((self.genders[other] for other in self.groups[name]), key=abs)


def features(passage: Passage, pronoun: Pronoun, name: Name) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The values of `FEATURES`."""
    group = passage.groups[name]
    before = [other for other in passage.names if other.end <= pronoun.start and _person(other)]
    low, high = min(name.end, pronoun.end), max(name.start, pronoun.start)
    between = [other for other in before if other.start >= low and other.end <= high and other not in group]
    apart = pronoun.sentence - name.sentence
    follows = name.start > pronoun.start
    role, pronoun_role = role_of(name.head), role_of(pronoun.token)
    sign = 1.0 if PRONOUNS.get(pronoun.token.lower_) == FEMININE else -1.0
    agreement = passage.group_gender(name) * sign
    others = {g[0].start for n, g in passage.groups.items() if n not in group and passage.group_gender(n) * sign > 0.5}
    people = [other for other in passage.names if _person(other)]
    same = apart == 0
    verb, name_verb = verb_of(pronoun.token), verb_of(name.head)
    subject = role == "subject"
    titled = same_name(name.words, passage.title)
    title_elsewhere = any(same_name(other.words, passage.title) for other in passage.names if other not in group)
    kin = [p for p in passage.pronouns if PRONOUNS.get(p.token.lower_) == PRONOUNS.get(pronoun.token.lower_)]
    earlier = [p for p in kin if p.start < pronoun.start]
    return np.array(
        [
            min(abs(apart), 3),
            abs(apart) >= 2,
            math.log1p(_words_between(passage, low, high)),
            follows,
            follows and same and (pronoun_role == "possessive" or verb != name_verb),
            *(role == known for known in ROLES),
            *(pronoun_role == known for known in ROLES[:4]),
            subject and pronoun_role == "subject",
            role == pronoun_role,
            role == pronoun_role and not same,
            same and subject and verb == name_verb and pronoun_role != "possessive",
            same and subject and verb == name_verb and pronoun_role == "possessive",
            same and subject and verb != name_verb and name_verb in pronoun.token.ancestors,
            same and verb in name.head.ancestors and not subject,
            same and role == "possessive" and name.head.head in pronoun.token.ancestors,
            not any(other.sentence == name.sentence and other.start < name.start for other in people),
            min(len({passage.groups[other][0].start for other in between}), 4),
            bool(before) and before[-1] in group,
            any(role_of(other.head) == pronoun_role for other in between),
            math.log(len(group)),
            len(group) / max(1, len(people)),
            titled,
            title_elsewhere and not titled,
            passage.names[0] in group,
            _in_brackets(passage, name),
            float(np.clip(agreement, -4, 4)),
            agreement != 0,
            min(len(others), 4),
            min(sum(name.end <= p.start < pronoun.start for p in kin), 4),
            any(_nearest(before, p) in group for p in earlier[-2:]),
            any(other.kind == PEOPLE for other in group),
            name.kind not in ("", PEOPLE),
            role == "beside" or has_child(name.head, "conj"),
            subject and name_verb.lemma_ in _SAYING,
            min(len(list(name.head.ancestors)), 8),
            min(len(list(pronoun.token.ancestors)), 8),
        ],
        dtype=np.float64,
    )


def marked(passage: Passage, pronoun: Pronoun, name: Name) -> str:
    """The network's input: "he : Alice : ", then the text around both, with a different pair of marks around each."""
    text, offsets = "", dict[int, int]()
    for number, sentence in passage.sentences.items():
        offsets[number] = len(text) - sentence.start
        text += f"{sentence.doc.text} "
    marks: tuple[tuple[Name | Pronoun, str], ...] = ((name, "#"), (pronoun, "*"))
    spans = [(word.start + offsets[word.sentence], word.end + offsets[word.sentence], mark) for word, mark in marks]
    first, last = min(start for start, _, _ in spans) - READ_BEFORE, max(end for _, end, _ in spans) + READ_AFTER
    around, at = "", max(0, first)
    for start, end, mark in sorted(spans):
        around += f"{text[at:start]}{mark} {text[start:end]} {mark}"
        at = end
    return f"{pronoun.token.text} : {name.text} : {around}{text[at:last]}"


def _person(name: Name) -> bool:
    return name.kind in ("", PEOPLE)


def _nearest(names: Sequence[Name], pronoun: Pronoun) -> Name | None:
    return next((name for name in reversed(names) if name.end <= pronoun.start), None)


def _in_brackets(passage: Passage, name: Name) -> bool:
    sentence = passage.sentences[name.sentence]
    before = sentence.doc.text[: name.start - sentence.start]
    return bool(before.count("(") > before.count(")"))


def _words_between(passage: Passage, low: int, high: int) -> int:
    words = (sentence.start + token.idx for sentence in passage.sentences.values() for token in sentence.doc)
    return sum(low <= place < high for place in words)


def role_of(token: Any) -> str:
    """The word's role, one of `ROLES`; a conjunct has the first conjunct's."""
    while token.dep_ == "conj" and token.head.pos_ in ("PROPN", "NOUN", "PRON"):
        token = token.head
    while token.dep_ in ("compound", "nmod"):
        token = token.head
    return _ROLE.get(token.dep_, "other")


def verb_of(token: Any) -> Any:
    """The nearest verb above a word in the tree, or the root of its sentence."""
    verb = next((above for above in token.ancestors if above.pos_ in ("VERB", "AUX")), None)
    if verb is not None:
        return verb
    return token.sent.root if token.doc.has_annotation("SENT_START") else token
