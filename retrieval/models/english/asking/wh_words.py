"""Chooses the wh-word or wh-phrase that asks for a part of a claim, by the type of name and the rest of its sentence.

spaCy's small model often gives titles of works the wrong type, so a general word is used unless the rest of the
sentence confirms the type.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Any

from retrieval.models.english.asking.whole_answers import PHRASE_KINDS
from retrieval.models.english.grammar import STAND_IN, Clause, ParsedClaim, Piece, as_question
from retrieval.models.english.inflection import plural
from retrieval.text.grammar import NOUN_SUBJECTS

PLACES = ("GPE", "LOC", "FAC")
TIMES = ("DATE", "TIME")
# Dependencies of a noun's modifiers: "an English-language network" -> "what kind of network".
MODIFIERS = ("amod", "compound", "nmod", "nummod", "poss")
_AGENTS = ("NORP", "ORG", *PLACES)  # "by Russia"; the small model also gives these types to some people
# The word for each type of name that the rules do not treat before.
_WORDS = {
    **dict.fromkeys(("PERSON", "PER"), "who"),
    **dict.fromkeys(("MONEY", "QUANTITY"), "how much"),
    **{"NORP": "which people", "ORG": "which organisation", "WORK_OF_ART": "which work"},
    **{"LANGUAGE": "which language", "PERCENT": "what share"},
}
_CALENDAR = re.compile(
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|yesterday|tomorrow|midnight|noon|century|decade|"
    r"(?:last|next|this|that|same) \w+|spring|summer|autumn|winter|christmas|easter)\b",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"\b(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ie))s?\b", re.IGNORECASE)
_OFTEN = re.compile(
    r"\b(?:yearly|annually|monthly|weekly|daily|hourly|quarterly|biennially|every \w+|each \w+)\b", re.I
)
# Verbs whose subject in the passive is a thing, and verbs whose subject is a person.
_MADE = frozenset(
    "release write direct produce distribute dub film shoot publish record compose air broadcast adapt base create premiere "
    "screen found establish build construct develop animate design sell cancel renew set".split()
)
_DONE_BY_PEOPLE = frozenset(
    "bear die marry divorce star co-star act graduate retire portray study sing play write co-write direct live refuse "
    "identify speak wear work serve receive win appear attend finish own".split()
)
_THINGS = frozenset(
    "film movie book novel album song single series show sitcom program programme play musical comedy drama game magazine "
    "newspaper band group club team league language company corporation city town village river country state song poem painting law".split()
)
_PEOPLE = frozenset(
    "actor actress singer writer author director producer player politician president king queen prince princess musician "
    "artist composer scientist physicist model rapper comedian lawyer athlete footballer wrestler boxer engineer poet painter "
    "emperor empress monarch ruler general bishop pope saint person man woman boy girl father mother son daughter brother sister wife husband leader founder dancer novelist "
    "uncle aunt cousin nephew niece relative child spouse widow friend people member victim winner "
    "philosopher designer hunter consultant screenwriter songwriter journalist physician doctor teacher character citizen".split()
)
_ALSO_THINGS = frozenset("character player model leader producer winner member victim child people".split())
_RELIGIONS = re.compile(
    r"christian|catholic|protestant|jew|jewish|muslim|islamic|hindu|buddhist|sikh|mormon|orthodox", re.I
)
_PARTIES = re.compile(r"democrat|republican|communist|socialist|liberal|conservative|labour|nazi|whig|tory", re.I)
# Second halves of words such as "English-language" and "London-based".
_LANGUAGE, _PLACE = ("language", "speaking"), ("based", "born")


def wh_word(kind: str, text: str, head: Any, verb: Any) -> str:
    """The wh-word for an answer. text: the answer; head: its main word; verb: its clause's, or None."""
    if kind == "CARDINAL":
        return "how many" if head.dep_ == "nummod" else "what number"
    if kind in TIMES:
        return _when(text)
    if head.dep_ == "pobj" and head.head.dep_ == "agent" and (kind in _AGENTS or head.lemma_.lower() in _PEOPLE):
        return "who"
    if head.dep_ == "attr" and verb is not None and _is_named(verb):
        return "what"
    if kind in PLACES and head.dep_ in NOUN_SUBJECTS and _is_a_person(head.head if verb is None else verb):
        return "who"
    if kind in PLACES:
        simple = len(text.split()) <= 3 and not re.search(r" (?:the|of|with|and) ", text)
        return "which place" if simple and head.dep_ != "attr" else "what"
    if kind == "WORK_OF_ART" and (text[:1].islower() or head.dep_ == "attr" or _predicate_nouns(verb) - _THINGS):
        return "what"
    if kind == "ORG" and head.dep_ != "pobj":
        kind = ""
    word = _WORDS.get(kind, "what")
    if kind == "PERSON" and head.dep_ == "pobj" and in_a_show(verb):
        return "what"
    if head.dep_ in NOUN_SUBJECTS and word in ("who", "what") and verb is not None:
        return _subject_word(word, text, kind or "ORG", head, verb)
    return word


def in_a_show(verb: Any) -> bool:
    """Whether the verb is about playing in a work, so that "in Chappie" is not a place."""
    roles = verb is not None and any(child.lemma_ in ("role", "part") for child in verb.children)
    return roles or (verb is not None and verb.lemma_ in ("star", "co-star", "appear", "act", "voice"))


def _when(text: str) -> str:
    if _OFTEN.search(text):
        return "how often"
    if re.search(r"\bold$", text, re.IGNORECASE):
        return "how old"
    if _LENGTH.search(text) and not re.search(r"\b\d{4}\b", text) and not text[:1].isupper():
        return "how long"  # "ten years"
    return "when" if _CALENDAR.search(text) else "what"


def _predicate_nouns(verb: Any) -> set[str]:
    """The nouns that a form of "be" ascribes to the subject."""
    children = verb.children if verb is not None else ()
    return {child.lemma_.lower() for child in children if child.dep_ in ("attr", "oprd")}


def _is_a_person(verb: Any) -> bool:
    return bool(_predicate_nouns(verb) & (_PEOPLE - _ALSO_THINGS)) or verb.lemma_ in ("bear", "die", "marry", "divorce")


def _is_named(verb: Any) -> bool:
    """Whether the subject is itself a word for a name: "his full name is"."""
    return any(child.dep_ == "nsubj" and child.lemma_ in ("name", "nickname", "title") for child in verb.children)


def _subject_word(word: str, text: str, kind: str, head: Any, verb: Any) -> str:
    """ "Who", "what" or another word, by what the subject does or is called."""
    predicates = _predicate_nouns(verb)
    if head.lemma_.lower() in _PEOPLE:
        return "who"
    if predicates & _THINGS or text.rpartition(" ")[2].islower() or (head.dep_ == "nsubjpass" and verb.lemma_ in _MADE):
        return "what"
    named = text[:1].isupper() and not re.search(r"\d|^The | (?:the|of|to|and) ", text)
    named = named and (1 if kind in ("TITLE", *PHRASE_KINDS) else 0) <= text.count(" ") <= 2
    by_person = bool(predicates & _PEOPLE) or verb.lemma_ in _DONE_BY_PEOPLE
    return "who" if (named and by_person) or predicates & (_PEOPLE - _ALSO_THINGS) else word


def of_a_people(text: str) -> str:
    """What a group's name says of its members: "nationality", "religion", or "" for a party."""
    if _RELIGIONS.search(text):
        return "religion"
    return "" if _PARTIES.search(text) else "nationality"


def wh_phrase(
    parsed: ParsedClaim, clause: Clause, inside: list[int], head: Any, kind: str
) -> tuple[set[int], str, Any]:
    """(tokens that the wh-phrase replaces, the phrase, the noun that it depends on)."""
    noun, verb = modified(head), parsed.tokens[clause.verb]
    gone = {token.i for child in noun.lefts for token in child.subtree} | set(inside) | {noun.i}
    predicate = is_predicate(noun, verb)
    for child in noun.rights:
        closing = child.dep_ in ("appos", "relcl", "acl") or child.lower_ == "of"
        if predicate or (closing and child.i not in inside):
            gone |= set(range(child.left_edge.i, child.right_edge.i + 1))
            gone |= {child.left_edge.i - 1} if child.dep_ == "appos" else set()
    text = parsed.span_text(inside)
    if noun.i == head.i:
        return gone, wh_word(kind, text, head, verb), noun
    after = [child for child in noun.lefts if child.left_edge.i > inside[-1] and child.tag_ != "POS"]
    first = {"poss": "whose", "nummod": wh_word(kind, text, head, verb)}.get(head.dep_, "what kind of")
    if first == "how many" and noun.tag_ == "NN" and not parsed.text(noun.i).isalpha():
        return gone, "", noun  # "p.m.", "km2"
    words = [parsed.text(token.i) for child in after for token in child.subtree]
    last = parsed.text(noun.i)
    return gone, " ".join([first, *words, plural(last) if first == "how many" and noun.tag_ == "NN" else last]), noun


def about_modifier(
    parsed: ParsedClaim, clause: Clause, question: Sequence[Piece], inside: list[int], kind: str
) -> str | None:
    """The question for a modifier of a noun; None if it needs no special form, "" if there is nothing to ask."""
    head = parsed.tokens[inside[0] : inside[-1] + 1].root
    noun, verb = modified(head), parsed.tokens[clause.verb]
    predicate = is_predicate(noun, verb)
    before = parsed.tokens[inside[0] - 1].lower_ if inside[0] else ""
    named = noun.text == STAND_IN and noun.i != head.i
    if named and head.dep_ != "poss" and not (kind == "CARDINAL" and re.search(r"[a-z]s$", parsed.text(noun.i))):
        return ""  # a modifier before a name, unless it counts: "two Nobel Prizes"
    era = parsed.text(noun.i).upper() in ("BC", "AD", "BCE", "CE")
    if kind == "CARDINAL" and (head.dep_ != "nummod" or before in ("number", "no.") or era):
        return ""
    if kind in TIMES:
        year = predicate and re.fullmatch(r"\d{4}s?", parsed.span_text(inside))
        return _instead(parsed, question, noun, "what year", "from") if year else ""
    if kind in ("NORP", "LANGUAGE") and predicate and noun.lemma_.lower() in _PEOPLE:
        group = of_a_people(parsed.span_text(inside))
        return _instead(parsed, question, noun, f"what {group}") if group else None
    return None


def about_compound(parsed: ParsedClaim, clause: Clause, question: Sequence[Piece], inside: list[int]) -> str:
    """The question for the first half of "English-language" or "London-based"; "" for other parts of hyphenated words."""
    after = inside[-1] + 1
    if after + 1 >= len(parsed.tokens) or parsed.text(after) != "-":
        return ""
    second = parsed.tokens[after + 1]
    noun = modified(second)
    predicate = is_predicate(noun, parsed.tokens[clause.verb])
    if second.lower_ in _LANGUAGE:
        if predicate:
            return _instead(parsed, question, noun, "what language")
        return wh_first(parsed, "in what language", question, {*inside, after, second.i})
    if second.lower_ in _PLACE and predicate:
        polar = question if second.lower_ == "based" else [("was", None), *question[1:]]
        return _instead(parsed, polar, noun, "where", second.lower_)
    return ""


def _instead(parsed: ParsedClaim, question: Sequence[Piece], noun: Any, first: str, last: str = "") -> str:
    """The question with the wh-word in front and without the noun and its dependents."""
    return wh_first(parsed, first, question, range(noun.left_edge.i, noun.right_edge.i + 1), last)


def wh_first(
    parsed: ParsedClaim, wh: str, question: Sequence[Piece], gone: Container[int | None], last: str = ""
) -> str:
    """A yes/no question as a wh-question: with the wh-phrase in front, without the tokens in `gone`."""
    others = [piece for piece in question if piece[1] not in gone]
    return as_question(parsed, [(wh, None), *others, *([(last, None)] if last else [])])


def is_predicate(noun: Any, verb: Any) -> bool:
    """Whether the verb is a form of "be" that ascribes the noun to the subject."""
    return bool(noun.dep_ == "attr" and verb.lemma_ == "be")


def modified(head: Any) -> Any:
    """The noun that a word modifies; the word itself if it modifies none."""
    while head.dep_ in MODIFIERS and head.head.pos_ in ("NOUN", "PROPN"):
        head = head.head
    return head
