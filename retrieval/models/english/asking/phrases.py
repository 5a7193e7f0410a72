"""The wh-phrase that replaces an answer after the verb, and the words that it replaces with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from retrieval.models.english.asking.wh_words import MODIFIERS, is_of_people, of_a_people, wh_word
from retrieval.models.english.grammar import STAND_IN, Clause, Parsed, Piece, joined
from retrieval.models.english.inflection import plural

# Second halves of words such as "English-language" and "London-based".
_LANGUAGE, _PLACE = ("language", "speaking"), ("based", "born")


def wh_phrase(parsed: Parsed, clause: Clause, inside: list[int], head: Any, kind: str) -> tuple[set[int], str, Any]:
    """(tokens that the wh-phrase replaces, the phrase, the noun that it depends on)."""
    noun, verb = modified(head), parsed.tokens[clause.verb]
    gone = {i for child in noun.lefts for i in _tokens(child)} | set(inside) | {noun.i}
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
    words = [parsed.text(i) for child in after for i in _tokens(child)]
    last = parsed.text(noun.i)
    return gone, " ".join([first, *words, plural(last) if first == "how many" and noun.tag_ == "NN" else last]), noun


def about_modifier(
    parsed: Parsed, clause: Clause, question: Sequence[Piece], inside: list[int], kind: str
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
    if kind in ("DATE", "TIME"):
        year = predicate and re.fullmatch(r"\d{4}s?", parsed.span_text(inside))
        return _instead(parsed, question, noun, "what year", "from") if year else ""
    if kind in ("NORP", "LANGUAGE") and predicate and is_of_people(noun.lemma_):
        group = of_a_people(parsed.span_text(inside))
        return _instead(parsed, question, noun, f"what {group}") if group else None
    return None


def about_compound(parsed: Parsed, clause: Clause, question: Sequence[Piece], inside: list[int]) -> str:
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
        gone = {*inside, after, second.i}
        return joined(parsed, [("in what language", None), *(piece for piece in question if piece[1] not in gone)])
    if second.lower_ in _PLACE and predicate:
        asked = question if second.lower_ == "based" else [("was", None), *question[1:]]
        return _instead(parsed, asked, noun, "where", second.lower_)
    return ""


def _instead(parsed: Parsed, question: Sequence[Piece], noun: Any, first: str, last: str = "") -> str:
    """The question with the wh-word in front and without the noun and its dependents."""
    gone = set(range(noun.left_edge.i, noun.right_edge.i + 1))
    others = [piece for piece in question if piece[1] not in gone]
    return joined(parsed, [(first, None), *others, *([(last, None)] if last else [])])


def is_predicate(noun: Any, verb: Any) -> bool:
    """Whether the verb is a form of "be" that ascribes the noun to the subject."""
    return bool(noun.dep_ == "attr" and verb.lemma_ == "be")


def modified(head: Any) -> Any:
    """The noun that a word modifies; the word itself if it modifies none."""
    while head.dep_ in MODIFIERS and head.head.pos_ in ("NOUN", "PROPN"):
        head = head.head
    return head


def _tokens(child: Any) -> list[int]:
    return [token.i for token in child.subtree]
