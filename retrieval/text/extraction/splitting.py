"""Splits a compound sentence if its halves stand alone: clauses joined by "and", "but" or a semicolon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.text import grammar
from retrieval.text.extraction.mentions import Edit, edited
from retrieval.text.grammar import auxiliaries, end_of, has_child, is_mark, root_of

MOST_HALVES = 4  # of a sentence; one with more is a list, or not a sentence
SHORTEST_HALF = 3  # words, besides its subject
_JOINING = frozenset(("and", "but"))
TIMES = frozenset(
    "year month week day time century decade end beginning start part place yesterday today morning evening night spring summer autumn winter".split()
)
# Attributes of things: after a sentence about one of these, "its" means the owner.
MEASURES = frozenset(
    "area population temperature length height width depth price cost value size age weight speed number amount average mean rate share "
    "level density elevation altitude capacity budget revenue turnover rainfall climate economy income output volume distance diameter "
    "circumference circulation attendance enrolment enrollment membership gdp currency capital motto flag anthem".split()
)
# Objects that "it" seldom means in the next clause.
_HELD = TIMES.union(
    MEASURES, "prize award medal title role record name status fame permission attention independence".split()
)
_FORBIDDEN = frozenset("respectively either neither or nor both whether if unless not-only".split())


@dataclass(frozen=True)
class Half:
    """A part of a sentence that can stand alone. subject: offsets of a subject that only an earlier half contains, or None."""

    start: int
    end: int
    subject: tuple[int, int] | None = None

    def words(self, text: str, edits: Sequence[Edit] = ()) -> str:
        """The half with its subject, after edits. text: the sentence."""
        words = edited(text, self.start, self.end, edits)
        return f"{edited(text, *self.subject, edits)} {words}" if self.subject else words


def halves(doc: Any) -> list[Half]:
    """The two or more statements that the sentence coordinates; none if it does not, or if one of them is doubtful."""
    root = root_of(doc)
    if root is None or not _is_plain(doc, root):
        return []
    joined = _joined(root)
    if not 0 < len(joined) < MOST_HALVES:
        return []
    subject = _subject(root)
    if subject is None or not _is_inflected(root):
        return []
    if root.nbor(-1).text == "," and all(token.text != "," for token in doc[subject.i + 1 : root.i - 1]):
        return []  # "The bridge, opened in 1937, is long": the parser takes the participle for the verb
    # A time or place before the subject may hold for both halves or for one.
    fronted = any(not token.is_punct and not token.is_space for token in doc[: subject.left_edge.i])
    found, start = [], doc[0].idx
    shared: tuple[int, int] | None = None
    for verb in joined:
        second = _subject(verb)
        again = second if second is not None and second.pos_ == "PRON" else None
        if not _is_inflected(verb) or (second is None and fronted):
            return []
        if again is not None and not _means_subject(again, subject):
            return []
        if second is not None and any(child.tag_ == "PRP$" for child in second.subtree):
            return []  # "and its industry": without the first half, the owner is unknown
        first = _beginning(verb, second)
        if second is None and not (is_mark(first.nbor(-1)) or first.nbor(-1).dep_ == "cc"):
            return []  # "in 2019 and the new one cost": the parser has not seen the subject
        found.append(Half(start, _before(doc, first), shared))
        start = first.idx if again is None else again.nbor(1).idx
        shared = None if second is not None and again is None else _span(subject)
    last = doc[-1]
    while is_mark(last) and last.i > 0:
        last = doc[last.i - 1]
    found.append(Half(start, end_of(last), shared))
    short = any(doc.text[half.start : half.end].count(" ") + 1 < SHORTEST_HALF for half in found)
    return [] if short else found


def _is_plain(doc: Any, root: Any) -> bool:
    if any(token.lower_ in _FORBIDDEN for token in doc) or any(sign in doc.text for sign in '"“”«»?:('):
        return False
    return not has_child(root, "advcl", "mark", "neg") and root.pos_ in ("VERB", "AUX")


def _joined(root: Any) -> list[Any]:
    """Verbs coordinated with the root, in text order; none if they are linked in any other way."""
    found: list[Any] = []
    verb = root
    while True:
        following = [child for child in verb.children if child.dep_ == "conj" and child.pos_ in ("VERB", "AUX")]
        if not following:
            return found
        joins = {child.lower_ for child in verb.children if child.dep_ == "cc"}
        if len(following) > 1 or not joins <= _JOINING:
            return []
        verb = following[0]
        found.append(verb)


def _subject(verb: Any) -> Any | None:
    return next((child for child in verb.children if child.dep_ in grammar.WORD_SUBJECTS and child.i < verb.i), None)


def _is_inflected(verb: Any) -> bool:
    """Whether a verb, or else one of its auxiliaries, is in the past or present tense, unlike "may close"."""
    return any(word.tag_ in grammar.INFLECTED for word in auxiliaries(verb) or [verb])


def _means_subject(pronoun: Any, subject: Any) -> bool:
    """Whether a pronoun at the start of a half can only mean the previous subject: a "he", "she" or "it" that fits it."""
    before = [child for child in pronoun.head.children if child.i < pronoun.i and child.dep_ not in ("cc", "punct")]
    if pronoun.lower_ not in ("he", "she", "it") or before:
        return False
    if subject.pos_ == "PRON":
        return bool(subject.lower_ == pronoun.lower_)
    if any(child.lower_ == "its" for child in subject.children):
        return False  # "its founder is Ann Lee, and it has": "it" is the owner, not the subject
    if pronoun.lower_ == "it" and acts_on_another(subject.head):
        return False  # "The zoo bought an elephant, and it died"
    plural = subject.tag_ in grammar.PLURAL or has_child(subject, "conj")
    person = subject.ent_type_ == "PERSON"
    return not plural and (person if pronoun.lower_ != "it" else not person)


def acts_on_another(verb: Any) -> bool:
    """Whether the verb acts on another thing, which "it" may mean as well: "The firm bought the mill. It burned down"."""
    objects = [child for child in verb.children if child.dep_ in ("dobj", "oprd")]
    things = [word for word in objects if word.tag_ in ("NN", "NNP") and not has_child(word, "nummod")]
    return any(word.lemma_.lower() not in _HELD for word in things)


def _beginning(verb: Any, subject: Any | None) -> Any:
    """The first word of a half."""
    if subject is not None:
        return verb.left_edge
    before = (child for child in verb.lefts if child.dep_ in (*grammar.AUXILIARIES, "advmod", "neg"))
    return min((child.left_edge for child in before), default=verb, key=lambda token: token.i)


def _before(doc: Any, first: Any) -> int:
    """Where the text before a half ends, without its "and" and comma."""
    last = first.i - 1
    while last > 0 and (is_mark(doc[last]) or doc[last].is_space or doc[last].dep_ == "cc"):
        last -= 1
    return end_of(doc[last])


def _span(subject: Any) -> tuple[int, int]:
    edge = subject.right_edge
    for child in subject.children:
        if child.dep_ in ("relcl", "appos", "acl") and child.i > subject.i:
            edge = min(edge, subject.doc[max(child.left_edge.i - 1, subject.i)], key=lambda token: token.i)
    while is_mark(edge) and edge.i > subject.i:
        edge = subject.doc[edge.i - 1]
    return subject.left_edge.idx, end_of(edge)
