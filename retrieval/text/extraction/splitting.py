"""Splits a compound sentence if its halves stand alone: clauses joined by "and", "but" or a semicolon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FINITE = ("VBD", "VBZ", "VBP")
SUBJECTS = ("nsubj", "nsubjpass", "expl")
MOST_HALVES = 4  # of a sentence; one with more is a list, or not a sentence
LEAST_WORDS = 3  # of a half, besides its subject
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
_HELD = (
    TIMES
    | MEASURES
    | frozenset("prize award medal title role record name status fame permission attention independence".split())
)
_FORBIDDEN = frozenset("respectively either neither or nor both whether if unless not-only".split())


@dataclass(frozen=True)
class Half:
    """A part of a sentence that can stand alone. subject: offsets of the subject that it shares but lacks, or None."""

    start: int
    end: int
    subject: tuple[int, int] | None = None


def halves(doc: Any) -> list[Half]:
    """The two or more statements that the sentence coordinates; none if it does not, or if one of them is doubtful."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or not _plain(doc, root):
        return []
    joined = _joined(root)
    if not 0 < len(joined) < MOST_HALVES:
        return []
    subject = _subject(root)
    if subject is None or not _finite(root) or (root.nbor(-1).text == "," and not _is_inserted(subject, root)):
        return []  # "The bridge, opened in 1937, is long": the parser takes the participle for the verb
    found, start = [], doc[0].idx
    shared: tuple[int, int] | None = None
    for verb in joined:
        own = _subject(verb)
        again = own if own is not None and own.pos_ == "PRON" else None
        if (
            not _finite(verb)
            or (own is None and _fronted(doc, subject))
            or (again is not None and not _same(again, subject))
        ):
            return []
        if own is not None and any(child.tag_ == "PRP$" for child in own.subtree):
            return []  # "and its industry": without the first half, the owner is unknown
        first = _beginning(verb, own)
        if own is None and not (is_mark(first.nbor(-1)) or first.nbor(-1).dep_ == "cc"):
            return []  # "in 2019 and the new one cost": the parser has not seen the subject
        found.append(Half(start, _before(doc, first), shared))
        start = first.idx if again is None else again.nbor(1).idx
        shared = None if own is not None and again is None else _span(subject)
    last = doc[-1]
    while is_mark(last) and last.i > 0:
        last = doc[last.i - 1]
    found.append(Half(start, last.idx + len(last), shared))
    if any(doc.text[half.start : half.end].count(" ") + 1 < LEAST_WORDS for half in found):
        return []
    return found


def _is_inserted(subject: Any, verb: Any) -> bool:
    """Whether commas enclose something between subject and verb: "Ann Lee, the mayor, said"."""
    return any(is_mark(token) and token.text == "," for token in subject.doc[subject.i + 1 : verb.i - 1])


def _plain(doc: Any, root: Any) -> bool:
    if any(token.lower_ in _FORBIDDEN for token in doc) or any(sign in doc.text for sign in '"“”«»?:('):
        return False
    return not any(child.dep_ in ("advcl", "mark", "neg") for child in root.children) and root.pos_ in ("VERB", "AUX")


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


def is_mark(token: Any) -> bool:
    """Whether a token is punctuation; "%" and "°" are part of their number."""
    return bool(token.is_punct) and token.text not in ("%", "‰", "°", "#", "&")


def _finite(verb: Any) -> bool:
    helpers = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    return verb.tag_ in FINITE if not helpers else any(helper.tag_ in FINITE for helper in helpers)


def _subject(verb: Any) -> Any | None:
    return next((child for child in verb.children if child.dep_ in SUBJECTS and child.i < verb.i), None)


def _same(pronoun: Any, subject: Any) -> bool:
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
    plural = subject.tag_ in ("NNS", "NNPS") or any(child.dep_ == "conj" for child in subject.children)
    person = subject.ent_type_ == "PERSON"
    return not plural and (person if pronoun.lower_ != "it" else not person)


def acts_on_another(verb: Any) -> bool:
    """Whether the verb acts on another thing, which "it" may mean as well: "The firm bought the mill. It burned down"."""
    objects = [child for child in verb.children if child.dep_ in ("dobj", "oprd")]
    return any(
        word.tag_ in ("NN", "NNP")
        and word.lemma_.lower() not in _HELD
        and not any(child.dep_ == "nummod" for child in word.children)
        for word in objects
    )


def _fronted(doc: Any, subject: Any) -> bool:
    """Whether a time or place precedes the subject, which may hold for both halves or for one."""
    return any(not token.is_punct and not token.is_space for token in doc[: subject.left_edge.i])


def _beginning(verb: Any, subject: Any | None) -> Any:
    return (
        verb.left_edge
        if subject is not None
        else min(
            (
                child.left_edge
                for child in verb.children
                if child.i < verb.i and child.dep_ in ("aux", "auxpass", "advmod", "neg")
            ),
            default=verb,
            key=lambda token: token.i,
        )
    )


def _before(doc: Any, first: Any) -> int:
    """Where the text before a half ends, without its "and" and comma."""
    last = first.i - 1
    while last > 0 and (is_mark(doc[last]) or doc[last].is_space or doc[last].dep_ == "cc"):
        last -= 1
    return int(doc[last].idx + len(doc[last]))


def _span(subject: Any) -> tuple[int, int]:
    edge = subject.right_edge
    for child in subject.children:
        if child.dep_ in ("relcl", "appos", "acl") and child.i > subject.i:
            edge = min(edge, subject.doc[max(child.left_edge.i - 1, subject.i)], key=lambda token: token.i)
    while is_mark(edge) and edge.i > subject.i:
        edge = subject.doc[edge.i - 1]
    return subject.left_edge.idx, edge.idx + len(edge)
