"""Rules that ask questions about a claim: a yes/no question, and one for each part that may be an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from retrieval.models.english.asking import wh_words
from retrieval.models.english.asking.wh_words import MODIFIERS, PLACES, TIMES, wh_first, wh_word
from retrieval.models.english.asking.whole_answers import Answer, names_of, whole_answers
from retrieval.models.english.grammar import (
    Clause,
    ParsedClaim,
    Piece,
    as_question,
    clause_in_polar_order,
    clause_tokens,
    clauses,
    in_polar_order,
    parse,
    pieces_of,
    sentence_end,
)
from retrieval.models.english.parser import english
from retrieval.protocols import QuestionGenerator
from retrieval.text.grammar import AUXILIARIES, NOUN_SUBJECTS, has_child

AT_A_PLACE = ("in", "at", "on", "near", "inside", "within")
# "When" replaces these too: "released after 2005" -> "When was it released?"
AT_A_TIME = ("in", "on", "at", "during", "after", "before", "around", "about", "by", "as", "of")
IS_IT_TRUE = "Is it true that"  # begins the question for a claim in which no verb moves
# Words that only restrict the answer: "exclusively a German film".
RESTRICTING = ("only", "exclusively", "just", "solely", "merely", "simply", "also", "once")


class RuleQuestions:
    """Makes questions from spaCy's parse of the claim. Implements `QuestionGenerator`."""

    id = "rules"

    def __init__(self) -> None:
        """Load spaCy's model. Raises ModelError if no package has it."""
        self._language = english()

    def ask(self, claim: str, answers: Sequence[Answer]) -> list[str]:
        """One question for each answer span (start, end, type), in order; "" without a rule or for a repeated name."""
        parsed = parse(self._language, claim, names_of(claim, answers))
        found = clauses(parsed)
        wholes = whole_answers(claim, answers)
        return [_wh_question(parsed, found, answer) if answer else "" for answer in wholes]

    def polar(self, claim: str, answers: Sequence[Answer] = ()) -> str:
        """The claim as a yes/no question, or "Is it true that …?" if no verb can move; "" if it has no words.

        answers: spans; names among them are not split.
        """
        statement = " ".join(claim.split()).rstrip(" .!?")
        if not any(map(str.isalnum, statement)):
            return ""
        parsed = parse(self._language, claim, names_of(claim, answers))
        if found := clauses(parsed):
            return as_question(parsed, in_polar_order(parsed, found))
        words = pieces_of(parsed, range(len(parsed.tokens)))
        return as_question(parsed, [(IS_IT_TRUE, None), *words]) if words else f"{IS_IT_TRUE} {statement}?"


class PolarByModel:
    """Yes/no questions by rules; if these find no verb to move, a model writes the question that "No" answers."""

    def __init__(self, rules: RuleQuestions, model: QuestionGenerator) -> None:
        self._rules, self._model = rules, model

    def polar(self, claim: str, answers: Sequence[Answer] = ()) -> str:
        """The claim as a yes/no question; by the rules if the model writes none."""
        question = self._rules.polar(claim, answers)
        if not question.startswith(IS_IT_TRUE):
            return question
        (written,) = self._model.ask(claim, [(0, 0, "No")])
        return written or question


def _wh_question(parsed: ParsedClaim, found: Sequence[Clause], answer: Answer) -> str:
    start, end, kind = answer
    inside = parsed.within(start, end)
    outside = any(token.is_alpha for token in parsed.tokens if token.i not in inside)
    if not inside or not found or not outside or kind == "ORDINAL" or any(clause.verb in inside for clause in found):
        return ""
    head = parsed.tokens[inside[0] : inside[-1] + 1].root
    if head.pos_ in ("ADP", "SCONJ", "DET") and len(inside) > 1:  # "under nine" of "under nine episodes"
        head = parsed.tokens[inside[-1]]
    place = next((n for n in range(len(found)) if head.i in clause_tokens(parsed, found, n)), 0)
    clause = found[place]
    if any(parsed.text(i) == "-" for i in (inside[0] - 1, inside[-1] + 1) if 0 <= i < len(parsed.tokens)):
        return wh_words.about_compound(parsed, clause, _unrestricted(parsed, found, place), inside)
    if parsed.starts[inside[0]] < start or parsed.ends[inside[-1]] > end or _in_apposition(head, clause):
        return ""  # parts of words, and asides
    if head.i in clause.subject and (place == 0 or clause.own_subject):
        return _about_subject(parsed, found, place, inside, head, kind)
    if head.head.i == clause.verb and has_child(head.head, "expl"):
        return ""  # "there is"
    if _coordinated(head) or head.dep_ == "ROOT" or head.pos_ in ("VERB", "AUX") or not _governs(clause, head):
        return _echo(parsed, inside, head, kind)
    question = _unrestricted(parsed, found, place)
    if (
        head.dep_ in MODIFIERS
        and (asked := wh_words.about_modifier(parsed, clause, question, inside, kind)) is not None
    ):
        return asked
    return _about_predicate(parsed, clause, question, inside, head, kind)


def _unrestricted(parsed: ParsedClaim, found: Sequence[Clause], place: int) -> list[Piece]:
    """The yes/no question of a clause, without words that restrict its answer."""
    gone = {token.i for token in parsed.tokens if token.lower_ in RESTRICTING and token.pos_ == "ADV"}
    gone.discard(found[place].verb)
    return [piece for piece in clause_in_polar_order(parsed, found, place) if piece[1] not in gone]


def _in_apposition(head: Any, clause: Clause) -> bool:
    """Whether the word is within an apposition."""
    below = takewhile(lambda token: token.i != clause.verb, (head, *head.ancestors))
    return any(token.dep_ == "appos" for token in below)


def _governs(clause: Clause, head: Any) -> bool:
    """Whether this clause's verb governs the word, rather than the verb of a clause inside it."""
    for token in head.ancestors:
        if token.i == clause.verb:
            return True
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("xcomp", *AUXILIARIES):
            return False
    return False


def _about_subject(
    parsed: ParsedClaim, found: Sequence[Clause], place: int, inside: list[int], head: Any, kind: str
) -> str:
    """The question with a wh-word for the subject or a part of it: "X directed it" -> "Who directed it?" """
    subject, verb = list(found[place].subject), parsed.tokens[found[place].verb]
    rest = [i for i in clause_tokens(parsed, found, place) if i > subject[-1]]
    before = [i for i in range(verb.sent.start, subject[0]) if parsed.text(i) != ","] if place == 0 else []
    after = inside[-1] + 1
    if after < len(parsed.tokens) and parsed.tokens[after].tag_ == "POS":
        if kind in (*TIMES, "CARDINAL"):
            return ""
        owned = [i for i in subject if i > after]
        earlier = [i for i in subject if i < inside[0] and parsed.tokens[i].dep_ != "det"]
        return _asking(parsed, "whose", [*owned, *rest, *before], earlier)
    word = wh_word(kind, parsed.span_text(inside), head, verb)
    if kind in ("CARDINAL", "PERCENT") and after in subject and parsed.text(after) == "of":
        counted = any(parsed.tokens[i].tag_ == "NNS" for i in subject if i > after)
        word = "what share" if kind == "PERCENT" else "how many" if counted else "how much"
        return _asking(parsed, word, [*(i for i in subject if i >= after), *rest, *before])
    if head.dep_ in NOUN_SUBJECTS and not _coordinated(head):
        if word == "what" and (kinds := _category_words(parsed, verb, rest)):
            return _asking(parsed, f"what {verb.lower_} the name of the", kinds)
        return _asking(parsed, word, [*rest, *before])
    if (head.dep_ in MODIFIERS and head.head.i in subject) or inside[0] == verb.sent.start:
        return ""
    return _echo(parsed, inside, head, kind)


def _category_words(parsed: ParsedClaim, verb: Any, rest: Sequence[int]) -> list[int]:
    """The words "a film" of "is only a film", if nothing follows them: "What is a film?" would ask for a definition."""
    article = next((i for i in rest if parsed.tokens[i].lower_ in ("a", "an")), None)
    if article is None or verb.lower_ not in ("is", "was"):
        return []
    noun = parsed.tokens[article].head
    between = [i for i in rest if verb.i < i < article]
    ends = wh_words.is_predicate(noun, verb) and noun.head.i == verb.i and noun.i == rest[-1]
    alone = ends and all(parsed.tokens[i].lower_ in RESTRICTING for i in between)
    return list(range(article + 1, noun.i + 1)) if alone else []


def _coordinated(head: Any) -> bool:
    return head.dep_ == "conj" or has_child(head, "conj")


def _about_predicate(
    parsed: ParsedClaim, clause: Clause, question: Sequence[Piece], inside: list[int], head: Any, kind: str
) -> str:
    """The wh-word first, then the yes/no question without the answer."""
    predicate = head.dep_ in ("acomp", "attr") and parsed.tokens[clause.verb].lemma_ == "be"
    gone, first, head = wh_words.wh_phrase(parsed, clause, inside, head, kind)
    if not first or (kind == "CARDINAL" and predicate and head.dep_ == "attr"):
        return ""
    if kind in ("NORP", "LANGUAGE") and predicate:
        group = wh_words.of_a_people(parsed.span_text(inside))
        first = f"what {group}" if group else first
    governor = head.head
    if head.dep_ == "pobj" and governor.dep_ in ("prep", "agent", "pcomp") and governor.i not in gone:
        left = [index for _, index in question if index is not None and index not in gone]
        preposition = governor.lower_
        if kind in PLACES and preposition in AT_A_PLACE and wh_words.in_a_show(parsed.tokens[clause.verb]):
            first = first.replace("which place", "what", 1)
        elif kind in PLACES and preposition in AT_A_PLACE:
            first = first.replace("which place", "where", 1)
            gone |= {governor.i} if first == "where" else set()
        elif first == "how long":
            if preposition != "for":
                return ""
            gone.add(governor.i)
        elif first == "when" and preposition in AT_A_TIME:
            gone |= _time_words(parsed, governor)
        elif first == "when":
            gone.add(governor.i)
            first = f"{preposition} when"
        elif left and left[-1] != governor.i:
            gone.add(governor.i)
            first = f"{preposition} {'whom' if first == 'who' else first}"
    elif first == "when" and inside[0] and parsed.tokens[inside[0] - 1].lower_ in AT_A_TIME:
        gone.add(inside[0] - 1)
    return wh_first(parsed, first, question, gone)


def _time_words(parsed: ParsedClaim, preposition: Any) -> set[int]:
    """A time's preposition, with those joined to it: "in or before", "as of"."""
    first = preposition
    while first.dep_ in ("conj", "prep", "pcomp") and first.head.pos_ in ("ADP", "SCONJ"):
        first = first.head
    return {*range(first.i, preposition.i + 1), *(child.i for child in preposition.lefts)}


def _echo(parsed: ParsedClaim, inside: Sequence[int], head: Any, kind: str) -> str:
    """The statement with the wh-word in place of the answer: always correct, seldom elegant."""
    sentence = parsed.tokens[inside[0]].sent
    start, after = inside[0], inside[-1] + 1
    if after < sentence.end and parsed.tokens[after].tag_ == "POS":
        word, after = "whose", after + 1
    elif head.dep_ in MODIFIERS:
        return ""
    else:
        word = wh_word(kind, parsed.span_text(inside), head, None)
    before = list(parsed.tokens[sentence.start : start])
    while before and before[-1].dep_ == "det" and before[-1].head.i == head.i:
        before.pop()
    if before and before[-1].tag_ == "PRP$":
        return ""  # "his which organisation"
    if before and before[-1].pos_ == "ADP":
        word = "whom" if word == "who" else word
        if word == "when" and before[-1].lower_ in AT_A_TIME:
            before.pop()
    behind = range(after, sentence_end(parsed, inside[0]))
    return _asking(parsed, word, behind, [token.i for token in before])


def _asking(parsed: ParsedClaim, wh_phrase: str, after: Iterable[int], before: Iterable[int] = ()) -> str:
    """The question with the wh-phrase between these tokens."""
    return as_question(parsed, [*pieces_of(parsed, before), (wh_phrase, None), *pieces_of(parsed, after)])
