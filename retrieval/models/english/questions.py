"""Questions about a claim by rules: a yes/no question, and one for each part that may be the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from retrieval.models.english.grammar import (
    DIFFICULT,
    Clause,
    Parsed,
    Piece,
    asked_alone,
    clauses,
    joined,
    parse,
    polar_question,
    region,
    sentence_end,
    small,
)
from retrieval.models.english.parser import english
from retrieval.protocols import QuestionGenerator

Answer = tuple[int, int, str]

WORDS = {
    "PERSON": "who",
    "PER": "who",
    "NORP": "which people",
    "ORG": "which organisation",
    "GPE": "which place",
    "LOC": "which place",
    "FAC": "which place",
    "DATE": "when",
    "TIME": "when",
    "WORK_OF_ART": "which work",
    "EVENT": "which event",
    "LANGUAGE": "which language",
    "MONEY": "how much",
    "PERCENT": "what share",
    "QUANTITY": "how much",
    "ORDINAL": "which",
    "CARDINAL": "how many",
}
PLACES = ("GPE", "LOC", "FAC")
TIMES = ("DATE", "TIME")
AT_A_PLACE = ("in", "at", "on", "near", "inside", "within")
AT_A_TIME = ("in", "on", "at", "during")
# What modifies a noun: "an English-language network" -> "what kind of network".
MODIFIERS = ("amod", "compound", "nmod")


class RuleQuestions:
    """Questions by spaCy's reading of the claim. Implements `QuestionGenerator`."""

    id = "rules"

    def __init__(self) -> None:
        """Load spaCy's model. Raises ModelError if no package has it."""
        self._language = english()

    def ask(self, claim: str, answers: Sequence[Answer]) -> list[str]:
        """One question for each answer span (start, end, type), in order; "" if none can be made."""
        parsed = parse(self._language, claim, names_of(answers))
        found = clauses(parsed)
        return [_wh_question(parsed, found, answer) for answer in answers]

    def polar(self, claim: str, answers: Sequence[Answer] = ()) -> str:
        """The claim as a yes/no question. answers: spans whose names are kept whole. "" if there is no word."""
        return polar_question(self._language, claim, names_of(answers))


class PolarByModel:
    """Yes/no questions by rules; if these find no verb to move, by a model, asked for the question that "No" answers."""

    def __init__(self, rules: RuleQuestions, model: QuestionGenerator) -> None:
        self._rules, self._model = rules, model

    def polar(self, claim: str, answers: Sequence[Answer] = ()) -> str:
        """The claim as a yes/no question; that of the rules if the model asks nothing."""
        question = self._rules.polar(claim, answers)
        if not question.startswith(DIFFICULT):
            return question
        (asked,) = self._model.ask(claim, [(0, 0, "No")])
        return asked or question


def names_of(answers: Iterable[Answer]) -> list[tuple[int, int]]:
    """Spans that are names, not mere phrases."""
    from retrieval.models.english.spans import NOUN_PHRASE

    return [(start, end) for start, end, kind in answers if kind not in (NOUN_PHRASE, "ANSWER", "DATE", "CARDINAL")]


def _wh_question(parsed: Parsed, found: Sequence[Clause], answer: Answer) -> str:
    start, end, kind = answer
    inside = parsed.within(start, end)
    outside = [token for token in parsed.tokens if token.i not in inside and token.is_alpha]
    if not inside or not found or not outside or any(clause.verb in inside for clause in found):
        return ""
    if any(parsed.text(i) == "-" for i in (inside[0] - 1, inside[-1] + 1) if 0 <= i < len(parsed.tokens)):
        return ""  # half of "English-language"
    if parsed.starts[inside[0]] < start or parsed.ends[inside[-1]] > end:
        return _echo(parsed, inside, kind)  # part of a name: only the whole can be asked for
    head = parsed.tokens[inside[0] : inside[-1] + 1].root
    place = next((n for n in range(len(found)) if head.i in region(parsed, found, n)), 0)
    clause = found[place]
    if head.i in clause.subject and (place == 0 or clause.own_subject):
        return _about_subject(parsed, found, place, inside, head, kind)
    if head.dep_ in ("ROOT", "conj", "appos") or head.pos_ in ("VERB", "AUX") or not _said_of(clause, head):
        return _echo(parsed, inside, kind)
    return _about_predicate(parsed, asked_alone(parsed, found, place), inside, head, kind)


def _said_of(clause: Clause, head: Any) -> bool:
    """Whether the verb of the clause itself governs the word, not one of a clause inside it."""
    for token in head.ancestors:
        if token.i == clause.verb:
            return True
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("xcomp", "aux", "auxpass"):
            return False
    return False


def _about_subject(parsed: Parsed, found: Sequence[Clause], place: int, inside: list[int], head: Any, kind: str) -> str:
    """A director's name of "X directed it" -> "Who directed it?"; inside a longer subject the order stays."""
    subject, sentence = list(found[place].subject), parsed.tokens[found[place].verb].sent
    rest = [i for i in region(parsed, found, place) if i > subject[-1]]
    before = [i for i in range(sentence.start, subject[0]) if parsed.text(i) != ","] if place == 0 else []
    after = inside[-1] + 1
    if "POS" in (parsed.tokens[inside[-1]].tag_, parsed.tokens[after].tag_ if after < len(parsed.tokens) else ""):
        owned = [i for i in subject if i > inside[-1] and parsed.tokens[i].tag_ != "POS"]
        earlier = [i for i in subject if i < inside[0] and parsed.tokens[i].dep_ != "det"]
        return joined(parsed, [*_plain(parsed, earlier), ("whose", None), *_plain(parsed, [*owned, *rest, *before])])
    if head.dep_ in ("nsubj", "nsubjpass") and not _coordinated(head):
        return joined(parsed, [(_word(head, kind), None), *_plain(parsed, [*rest, *before])])
    return _echo(parsed, inside, kind)


def _coordinated(head: Any) -> bool:
    return any(child.dep_ == "conj" for child in head.children)


def _about_predicate(parsed: Parsed, question: Sequence[Piece], inside: list[int], head: Any, kind: str) -> str:
    """The wh-word first, then the yes/no question without the answer."""
    gone, first, head = _wh_phrase(parsed, inside, head, kind)
    governor = head.head
    if head.dep_ == "pobj" and governor.dep_ in ("prep", "agent") and governor.i not in gone:
        left = [index for _, index in question if index is not None and index not in gone]
        preposition = governor.lower_
        if kind in PLACES and preposition in AT_A_PLACE:
            first = first.replace("which place", "where", 1)
            gone |= {governor.i} if first == "where" else set()
        elif kind in TIMES and preposition in (*AT_A_TIME, "for"):
            gone.add(governor.i)
            first = "how long" if preposition == "for" else first
        elif left and left[-1] != governor.i:
            gone.add(governor.i)
            first = f"{preposition} {'whom' if first == 'who' else first}"
    return joined(parsed, [(first, None), *(piece for piece in question if piece[1] not in gone)])


def _wh_phrase(parsed: Parsed, inside: list[int], head: Any, kind: str) -> tuple[set[int], str, Any]:
    """(tokens that the wh-phrase stands for, the phrase, the noun that it hangs from)."""
    noun = head
    while noun.dep_ in (*MODIFIERS, "nummod", "poss") and noun.head.pos_ in ("NOUN", "PROPN"):
        noun = noun.head
    gone = {i for child in noun.lefts for i in (t.i for t in child.subtree)} | set(inside) | {noun.i}
    for child in noun.rights:
        if child.dep_ == "appos":
            gone |= {t.i for t in child.subtree} | {child.left_edge.i - 1}
    if noun.i == head.i:
        whole = [child for child in noun.rights if child.lower_ == "of" and noun.i in inside and kind not in WORDS]
        tail = [t.i for child in whole for t in child.subtree]
        return gone | set(tail), " ".join([_word(head, kind), *(parsed.text(i) for i in tail)]), noun
    kept = [
        t.i for child in noun.lefts if child.left_edge.i > inside[-1] and child.tag_ != "POS" for t in child.subtree
    ]
    first = {"poss": "whose", "nummod": WORDS.get(kind, "how many")}.get(head.dep_, "what kind of")
    return gone, " ".join([first, *(parsed.text(i) for i in [*kept, noun.i])]), noun


def _word(head: Any, kind: str) -> str:
    return "what number" if kind == "CARDINAL" and head.dep_ != "nummod" else WORDS.get(kind, "what")


def _echo(parsed: Parsed, inside: Sequence[int], kind: str) -> str:
    """The statement with the wh-word in place of the answer: never wrong, if not pretty."""
    sentence = parsed.tokens[inside[0]].sent
    after = range(inside[-1] + 1, sentence_end(parsed, inside[0]))
    before = _plain(parsed, range(sentence.start, inside[0]))
    return joined(parsed, [*before, (WORDS.get(kind, "what"), None), *_plain(parsed, after)])


def _plain(parsed: Parsed, indices: Iterable[int]) -> list[Piece]:
    return [(small(parsed, i), i) for i in indices]
