"""Makes a sentence stand alone: full names replace its pronouns and short names, if only one candidate fits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from retrieval.text.extraction import mentions, things
from retrieval.text.extraction.mentions import FEMININE, PEOPLE, PRONOUNS, Edit, Name, Parsed, Pronoun, same_name
from retrieval.text.extraction.reference import Passage, role_of

FARTHEST_NAME = 3  # sentences to look back for a pronoun's name
LEAST_BEST, MOST_RUNNER_UP = 0.7, 0.3  # least probability of the name that fits, and greatest of the runner-up
OPPOSITE = 0.7  # log odds at which a first name rules out a pronoun
MOST_CANDIDATES = 8

INSTITUTIONS = frozenset(
    "ministry government company council agency bank department committee court police university report study institute "
    "party commission office bureau union association firm team club newspaper paper group board parliament senate congress "
    "house hospital school museum army website survey poll book guide leaflet label statement authority authorities blog channel article "
    "page post panel brochure plaque sign letter document record app law journal magazine site podcast programme program".split()
)


RULERS = frozenset("king queen emperor empress pope prince princess saint st st.".split())


class ReferenceModel(Protocol):
    """Finds whom a pronoun means."""

    first_names: Mapping[str, float]

    def chances(self, passage: Passage, pronoun: Pronoun, names: Sequence[Name]) -> list[float]:
        """For each name, the probability that the pronoun means it and none of the others."""


class Surroundings:
    """A whole text with its names. Ask for edits sentence by sentence, in text order. title: parsed, with the number -1."""

    def __init__(self, sentences: Sequence[Parsed], model: ReferenceModel, title: Parsed | None = None) -> None:
        self._sentences = sentences
        self._model = model
        self._title = title
        self._names = [mentions.names_in(sentence) for sentence in sentences]
        self._titled = _title_names(title, self._names[:4]) if title else []
        self._full = _full_names([*self._titled, *(name for names in self._names for name in names)], model.first_names)
        self._things: dict[int, str] = {}  # sentence -> what "it" or "they" means there
        self._groups: dict[int, str] = {}
        self._meant: dict[int, list[Name]] = {}
        self._signs: dict[tuple[str, ...], float] = {}  # person -> whether the text says "she" (1) or "he" (-1)

    def edits(self, number: int) -> list[Edit]:
        """The replacements for pronouns and short names of one sentence, in text order."""
        sentence = self._sentences[number]
        found = [edit for name in self._names[number] if (edit := self._full_name(sentence, name))]
        done = {edit.text.removesuffix("'s") for edit in found}
        unclear: set[str] = set()  # genders of this sentence's pronouns that may mean several people
        for pronoun in mentions.pronouns_in(sentence):
            gender = PRONOUNS.get(pronoun.token.lower_, "")
            if gender in unclear:
                continue  # "He made his debut": replacing only "his" would make two people of one
            edit = self._pronoun(sentence, pronoun)
            if edit is None and gender:
                unclear.add(gender)
            if edit and edit.text.removesuffix("'s") not in done:
                done.add(edit.text.removesuffix("'s"))
                found.append(edit)
        return sorted(found, key=lambda edit: edit.start)

    def meant(self, number: int, start: int) -> str:
        """The name that a sentence's pronoun at this offset means; empty if uncertain. Ask for the sentence's edits first."""
        first = self._sentences[number].start + start
        return next((name.text for name in self._meant.get(number, []) if name.start == first), "")

    def may_be(self, speaker: str, pronoun: str) -> bool:
        """Whether a speaker's name and role allow this pronoun, "he" or "she"."""
        words, gender = speaker.casefold().split(), PRONOUNS[pronoun.casefold()]
        if roles := list(filter(None, map(mentions.gender_in_title, words))):
            return roles[-1] == gender
        named = [word.casefold() for word in speaker.split() if word[0].isupper() and word != "The"]
        kinds = {name.kind for names in self._names for name in names if name.text in speaker and name.kind}
        is_thing = bool(kinds) and PEOPLE not in kinds  # as the text treats the name
        if not words or words[-1] in INSTITUTIONS or is_thing:
            return False
        odds = [self._model.first_names.get(word, 0.0) for word in named]
        return max(odds, key=abs, default=0.0) * (1 if gender == FEMININE else -1) >= -OPPOSITE

    def _full_name(self, sentence: Parsed, name: Name) -> Edit | None:
        full = self._full.get(name.words)
        titled = any(same_name(name.words, other.words) for other in self._titled)
        if full is None or not (titled or name.kind in (PEOPLE, "")) or _is_ruler(name, full):
            return None
        if name.kind != PEOPLE and self._odds(name) <= mentions.KNOWN and full.casefold().split()[0] == name.words[0]:
            return None  # "Ald" is not short for "Ald Cake"
        others = (other for other in self._names[sentence.number] if len(other.words) > 1)
        if any(same_name(name.words, other.words) for other in others):
            return None
        return Edit(name.start - sentence.start, name.end - sentence.start, full)

    def _odds(self, name: Name) -> float:
        """How clearly the first word is a first name, as log odds of its gender."""
        return abs(self._model.first_names.get(name.words[0] if name.words else "", 0.0))

    def _pronoun(self, sentence: Parsed, pronoun: Pronoun) -> Edit | None:
        token = pronoun.token
        if token.lower_ in PRONOUNS and not token.lower_.endswith("self"):
            text = self._person(sentence, pronoun)
        elif token.lower_ in mentions.NEUTER:
            text = self._thing(sentence, token)
        elif token.lower_ in ("they", "their") and things.opens_sentence(token):
            text = self._several(sentence)
        else:
            text = ""
        if not text or (token.i and token.nbor(-1).pos_ == "PROPN"):  # two adjacent names would read as one
            return None
        start = pronoun.start - sentence.start
        owner = f"{text}'" if token.lower_ == "their" and text.endswith("s") else f"{text}'s"
        return Edit(start, pronoun.end - sentence.start, owner if token.tag_ == "PRP$" else text)

    def _person(self, sentence: Parsed, pronoun: Pronoun) -> str:
        """The only person whom the pronoun's gender fits; empty if it fits several, or the sentence contains the name."""
        first = max(0, sentence.number - FARTHEST_NAME)
        near = self._sentences[first : sentence.number + 1]
        names = [*self._titled, *(name for names in self._names[first : sentence.number + 1] for name in names)]
        names += [name for number in range(first, sentence.number) for name in self._meant.get(number, [])]
        above = [self._title] if self._title else []
        passage = Passage([*above, *near], names, self._model.first_names, self._title.doc.text if self._title else "")
        sign = 1.0 if PRONOUNS[pronoun.token.lower_] == FEMININE else -1.0
        fitting = [name for name in _candidates(passage, pronoun, sign) if not self._is_called(name, -sign)]
        if not fitting or self._somebody_else(sentence.number - 1, fitting, passage) or _another_acts(pronoun):
            return ""
        if (best := self._likeliest(passage, pronoun, fitting)) is None:
            return ""
        group = passage.groups[best]
        if all(name.sentence < 0 and not name.kind for name in group) and self._is_about_somebody(sentence.number - 1):
            return ""
        text = self._full.get(best.words) or max((name.text for name in group), key=len)
        self._signs |= {name.words: sign for name in group}
        known = Name(sentence.number, pronoun.start, pronoun.end, text, PEOPLE, pronoun.token)
        self._meant.setdefault(sentence.number, []).append(known)
        named = any(name.sentence == sentence.number and name.end <= pronoun.start for name in group)
        return "" if named else text

    def _is_about_somebody(self, number: int) -> bool:
        """Whether a sentence is about a person without a name, such as "the ferryman"."""
        words = self._sentences[number].doc if number >= 0 else ()
        return any(role_of(word) == "subject" and word.pos_ == "NOUN" and things.is_person_noun(word) for word in words)

    def _is_called(self, name: Name, sign: float) -> bool:
        """Whether the text has called this person "she" (1) or "he" (-1)."""
        return any(called == sign and same_name(name.words, words) for words, called in self._signs.items())

    def _somebody_else(self, number: int, fitting: Sequence[Name], passage: Passage) -> bool:
        """Whether the previous sentence is about a name of two words that may be a person's, though nothing shows it."""
        return number >= 0 and any(
            role_of(name.head) == "subject" and len(name.words) > 1 and passage.group_gender(name) == 0
            for name in self._names[number]
            if not any(same_name(name.words, other.words) for other in fitting)
        )

    def _likeliest(self, passage: Passage, pronoun: Pronoun, fitting: Sequence[Name]) -> Name | None:
        """The only name that fits, or the one that the model clearly prefers to all others."""
        if len(fitting) == 1:
            return fitting[0]
        chances = self._model.chances(passage, pronoun, fitting)
        best, second = sorted(range(len(chances)), key=lambda index: -chances[index])[:2]
        return fitting[best] if chances[best] >= LEAST_BEST and chances[second] <= MOST_RUNNER_UP else None

    def _thing(self, sentence: Parsed, token: Any) -> str:
        """The thing that the previous sentence is about, if "it" is the subject and can mean nothing else."""
        if token.lower_ == "itself" or not things.opens_sentence(token):
            return ""
        if token.lower_ == "it" and (role_of(token) != "subject" or things.stands_for_nothing(token)):
            return ""
        before = sentence.number - 1
        about = self._about(before, token.lower_ == "its")
        if before < 0 or (before == 0 and not about and things.measure_in(self._sentences[0].doc) is None):
            about = about or next((self._with_article(name) for name in self._titled if name.kind != PEOPLE), "")
        if about:
            self._things[sentence.number] = about
        return about

    def _with_article(self, name: Name) -> str:
        """A name as the text writes it: "the Louvre" if the text uses the article."""
        written = re.compile(rf"\b[Tt]he {re.escape(name.text)}\b")
        return f"the {name.text}" if any(written.search(one.doc.text) for one in self._sentences) else name.text

    def _about(self, number: int, owned: bool) -> str:
        """The thing that a sentence is about. owned: for a measure, the thing measured instead."""
        for row in range(number, max(-1, number - FARTHEST_NAME), -1):
            if row in self._things:
                return self._things[row]
            if any(token.lower_ == "it" and role_of(token) == "object" for token in self._sentences[row].doc):
                return ""  # "The House passed it. It would cut taxes."
            measure = things.measure_in(self._sentences[row].doc)
            if measure is None:
                names = [name for name in self._names[row] if self._may_be_thing(name)]
                return things.thing_before(self._sentences[row], names, self._goes_on(row))
            if not owned or (owner := things.owner_of(measure)):
                return owner if owned else ""
            if not self._goes_on(row - 1):
                break
        return ""

    def _may_be_thing(self, name: Name) -> bool:
        """Whether a name may be a thing's: it is no first name, and no short name of a person."""
        return name.words not in self._full and bool(name.kind or self._odds(name) < mentions.KNOWN)

    def _several(self, sentence: Parsed) -> str:
        """The things or people that the previous sentence of the paragraph is about, if "they" can mean nothing else."""
        before = sentence.number - 1
        if before < 0 or not self._goes_on(before):
            return ""
        about = self._groups.get(before) or things.things_before(self._sentences[before])
        if about:
            self._groups[sentence.number] = about
        return about

    def _goes_on(self, number: int) -> bool:
        """Whether the next sentence is in the same paragraph."""
        if number < 0:
            return False
        before, after = self._sentences[number], self._sentences[number + 1]
        return after.start - before.start - len(before.doc.text) <= 1


def _is_ruler(name: Name, full: str) -> bool:
    """Whether a name has a ruler's title, which the full name lacks: "King John" is not John Corbett."""
    doc, last = name.head.doc, name.head.i
    words = {token.lower_ for token in doc[max(0, last - name.text.count(" ") - 1) : last]}
    return bool(words & RULERS - {*full.casefold().split()})


def _another_acts(pronoun: Pronoun) -> bool:
    """Whether a person without a name, whom the pronoun may mean, acts before it: "His wife sold her house." """
    token, gender = pronoun.token, PRONOUNS[pronoun.token.lower_]
    others = (word for word in token.doc[: token.i] if word.pos_ == "NOUN" and role_of(word) == "subject")
    return any(mentions.gender_in_title(word.lower_) == gender and word.dep_ != "compound" for word in others)


def _candidates(passage: Passage, pronoun: Pronoun, sign: float) -> list[Name]:
    """For each person whose gender fits, the last name before the pronoun, in order of first mention."""
    found: dict[int, Name] = {}
    for name in passage.names:
        group = passage.groups[name]
        person = any(mentions.is_person(other, passage.first_names) for other in group)
        person = person or (name.sentence < 0 and not name.kind)
        if person and name.start < pronoun.start and passage.group_gender(name) * sign >= -OPPOSITE:
            found[group[0].start] = name
    return list(found.values())[-MOST_CANDIDATES:]


def _title_names(title: Parsed, following: Sequence[Sequence[Name]]) -> list[Name]:
    """The title as a name, if it is one: short, with capitalised words. It has the type that the text's names have."""
    text = title.doc.text.split(" (")[0].strip()
    words = text.split()
    if not 0 < len(words) <= 5 or not all(word[0].isupper() or len(word) < 4 for word in words):
        return []
    last = [token for token in title.doc if token.idx < len(text)][-1]
    name = Name(title.number, title.start, title.start + len(text), text, "", last)
    others = [other for names in following for other in names if other.head.doc.text != title.doc.text]
    kinds = [other.kind for other in others if other.kind and same_name(other.words, name.words)]
    kinds += [entity.label_ for entity in title.doc.ents if entity.label_ == PEOPLE or entity.label_ in mentions.THINGS]
    return [replace(name, kind=kinds[0] if kinds else "")]


def _full_names(names: Sequence[Name], first_names: Mapping[str, float]) -> dict[tuple[str, ...], str]:
    """Short name -> the only longer name of a person that it can mean; no entry if two people share it."""
    people = [name for name in names if mentions.is_person(name, first_names) and len(name.words) > 1]
    people = [name for name in people if not any(map(str.isdigit, name.text))]  # the parser takes "4.8 GB" for a person
    full: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    texts: dict[tuple[str, ...], str] = {}
    for name in people:
        texts.setdefault(name.words, name.text)
        for short in (name.words[-1:], name.words[:1]):
            full.setdefault(short, set()).add(name.words)
    return {short: texts[next(iter(long))] for short, long in full.items() if len(long) == 1}
