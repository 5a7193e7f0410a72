"""Reads the parts of a sentence around a quotation: its speaker, and the writer's own statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval.text.extraction.quoting.saying import (
    LEAST_WORDS,
    SUBJECTS,
    Span,
    bare,
    has_saying,
    is_clause,
    is_share,
    naming,
    says,
    words_in,
)
from retrieval.text.extraction.quoting.speakers import facts_about, nearest_noun, speaker_after, speaker_span
from retrieval.text.extraction.splitting import is_mark

_JOINT_BEFORE = re.compile(r"[^\w.!?…]*(?:(?:and|but|while|whereas|yet)\s+|[;—–]\s*)", re.IGNORECASE)
_JOINT_AFTER = re.compile(r"(?:\b(?:and|but|while|whereas|yet)|[;—–])\W*\Z", re.IGNORECASE)
LONGEST_GESTURE = 4  # words
OTHER_SIDE = frozenset("while whereas although though but".split())


@dataclass(frozen=True)
class Attribution:
    """A speaker, whose mention begins at `start`.

    others: the statements beside it, each with whether the same speaker makes it; None if there is anything else except
    adverbials. asides: facts about the speaker, "won in 2010" for "who won in 2010". whole: whether the sentence must
    stay whole, because it says more about the speaker.
    """

    speaker: Span
    start: int
    others: tuple[tuple[Span, bool], ...] | None = ()
    asides: tuple[Span, ...] = ()
    whole: bool = False


@dataclass(frozen=True)
class Beside:
    """A part of a sentence beside quotation marks. attribution: the speaker, if it names one. others, asides: as in
    `Attribution`. plain: whether it has only the speaker and statements beside "said". whole: whether part of its
    meaning needs the whole sentence.
    """

    attribution: Attribution | None
    others: tuple[tuple[Span, bool], ...] = ()
    asides: tuple[Span, ...] = ()
    plain: bool = False
    whole: bool = False


def beside(doc: Any, start: int, end: int) -> Beside:
    """Read a part of a sentence beside quotation marks: the speaker, and the writer's own statements."""
    found = attribution_in(doc, start, end)
    if found and found.others is not None:
        return Beside(found, found.others, found.asides, plain=True, whole=found.whole)
    stated = writers_part(doc, start, found.start if found else end)
    others = ((stated, False),) if stated else ()
    if found is None:
        return Beside(None, others, whole=not stated)
    again = attribution_in(doc, found.start, end) if stated else None  # "The council met, and Ann Lee said"
    if again and again.others is not None:
        return Beside(again, others + again.others, again.asides, whole=again.whole)
    return Beside(found, whole=True)


def writers_part(doc: Any, start: int, end: int) -> Span | None:
    """A statement that is only joined to the quotation: "The bridge is old, and “…”". None if it may depend on it."""
    part = doc.text[start:end]
    before, after = _JOINT_BEFORE.match(part), _JOINT_AFTER.search(part)
    if bool(before and before[0].strip()) == bool(after):
        return None
    span = bare(doc.text, start + (before.end() if before else 0), start + (after.start() if after else len(part)))
    return span if states(doc, [span]) and not has_saying(doc, span) else None


def states(doc: Any, spans: Sequence[Span]) -> bool:
    """Whether these parts of a sentence form a statement: a main clause with a subject."""
    tokens = [token for token in doc if any(start <= token.idx < end for start, end in spans)]
    own = {token.i for token in tokens}
    tops = [token for token in tokens if token.head.i not in own or token.head.i == token.i]
    tops = [token for token in tops if not is_mark(token) and token.dep_ not in ("cc", "mark")]
    return words_in(doc.text, spans) >= LEAST_WORDS and bool(tops) and all(_stands(token, own) for token in tops)


def _stands(top: Any, own: set[int]) -> bool:
    helpers = [child for child in top.children if child.i in own and child.dep_ in ("aux", "auxpass")]
    parts = [child for verb in (top, *helpers) for child in verb.children if child.i in own]
    subject = next((child for child in parts if child.dep_ in SUBJECTS), None)
    if subject is None or subject.tag_ in ("WDT", "WP") or not any(map(is_clause, (top, *helpers))):
        return False
    return not any(child.dep_ == "mark" or child.tag_ == "WRB" for child in parts)


def attribution_in(doc: Any, start: int, end: int, last: bool = False) -> Attribution | None:
    """The speaker in doc.text[start:end], which is beside a quotation: "said Ann Lee, the mayor". last: whether to
    take, of several speakers, the last one, whose quotation follows.
    """
    tokens = [token for token in doc if start <= token.idx < end]
    for verb in reversed(tokens) if last else tokens:
        if not says(verb):
            continue
        own = [child for child in verb.children if child.dep_ in SUBJECTS and start <= child.idx < end]
        outer = None if own else _says_before(verb, start)
        if outer is not None:
            return _adding(outer, verb, start, end)
        who = own[0] if own else nearest_noun(verb, tokens)
        if who is None or is_share(who):
            continue
        first = max(start, min(verb.idx, who.left_edge.idx))
        return _attribution(doc, who, start, end, first, statements_beside(verb, who, start, end))
    for token in tokens[:-1]:
        if token.lower_ == "according" and (who := speaker_after(token)) is not None:
            found = _attribution(doc, who, start, end, token.idx, ())
            rest = doc.text[start : token.idx] + doc.text[found.speaker[1] : end]
            return found if not any(map(str.isalnum, rest)) else replace(found, others=None)
    return None


def _says_before(verb: Any, start: int) -> Any | None:
    """The verb of saying that a subjectless ", adding" belongs to, if there is one: "Ann Lee said that …, adding"."""
    before = (above for above in verb.ancestors if start <= above.idx < verb.idx and says(above))
    found = next(before, None) if verb.tag_ == "VBG" else None
    return found if found is not None and any(child.dep_ in SUBJECTS for child in found.children) else None


def _adding(outer: Any, verb: Any, start: int, end: int) -> Attribution:
    """The speaker of "Ann Lee said that the toll fell, adding", who states both."""
    who = next(child for child in outer.children if child.dep_ in SUBJECTS)
    what = next((child for child in outer.children if child.dep_ == "ccomp" and child.i > outer.i), None)
    stated: tuple[tuple[Span, bool], ...] | None = ()
    if what is not None:
        first = what.left_edge
        while first.i < what.i and first.lower_ == "that":
            first = first.nbor(1)
        stated = ((bare(what.doc.text, first.idx, verb.idx), True),)
    own = naming(outer, who) | {token.i for token in outer.subtree}
    if is_share(who) or any(is_clause(token) and token.i not in own for token in outer.doc if start <= token.idx < end):
        stated = None
    return _attribution(outer.doc, who, start, end, min(outer.idx, who.left_edge.idx), stated)


def _attribution(
    doc: Any, who: Any, start: int, end: int, first: int, others: tuple[tuple[Span, bool], ...] | None
) -> Attribution:
    speaker = speaker_span(doc, who, start, end)
    asides, whole = facts_about(who, speaker[1], end)
    return Attribution(speaker, first, others, asides, whole)


def statements_beside(verb: Any, who: Any, start: int, end: int) -> tuple[tuple[Span, bool], ...] | None:
    """The statements beside "X said" in a part of its sentence; None if one of the clauses is not a statement."""
    found: list[tuple[Span, bool]] = []
    seen = naming(verb, who)
    for child in verb.children:
        inside = start <= child.idx < end and child.i > verb.i
        if not inside or child.dep_ not in ("advcl", "conj", "parataxis", "ccomp") or child.i in seen:
            continue
        if _introduces_another(child, end):
            seen |= {token.i for token in child.subtree}
            continue
        other = _statement(child, end)
        if other is None and is_gesture(child):
            seen |= {token.i for token in child.subtree}
            continue
        if other is None:
            if is_clause(child) or child.dep_ != "parataxis":
                return None
            continue
        found.append(other)
        seen |= {token.i for token in child.subtree}
    rest = [token for token in verb.doc if start <= token.idx < end and token.i not in seen]
    if any(is_clause(token) for token in rest):
        return None
    return tuple(sorted(found))


def is_gesture(clause: Any) -> bool:
    """Whether a clause only describes how somebody spoke: ", smiling", ", laughing out loud"."""
    words = list(clause.subtree)
    plain = not any(token.ent_type_ or token.like_num or token.dep_ in ("dobj", "ccomp") for token in words)
    return clause.tag_ == "VBG" and plain and len(words) <= LONGEST_GESTURE and not says(clause)


def _introduces_another(clause: Any, end: int) -> bool:
    """Whether this part of a sentence ends with "…, while Bob Green said", which introduces another quotation."""
    what = [child for child in clause.children if child.dep_ == "ccomp" and child.idx < end]
    named = any(child.dep_ in SUBJECTS for child in clause.children)
    return says(clause) and named and not what and end < len(clause.doc.text)


def _is_said(clause: Any) -> bool:
    """Whether "X said" or "X said that" introduces this clause."""
    verb = clause.head
    if clause.dep_ != "ccomp" or not says(verb) or says(clause):
        return False
    before = {child.dep_ for child in verb.children if child.i < verb.i}
    marks = {child.lower_ for child in clause.children if child.dep_ == "mark"}
    return not before.isdisjoint(SUBJECTS) and "ccomp" not in before and marks <= {"that"}


def _statement(clause: Any, end: int) -> tuple[Span, bool] | None:
    """The clause beside "X said" as a statement, and whether X makes it: "adding that …", "but …"."""
    subject = next((child for child in clause.children if child.dep_ in SUBJECTS), None)
    stop = min(end, clause.right_edge.idx + len(clause.right_edge))
    if subject is None and says(clause):
        what = next((child for child in clause.children if child.dep_ == "ccomp" and child.i > clause.i), None)
        if what is None or not any(child.dep_ in SUBJECTS for child in what.children):
            return None
        first = what.left_edge
        while first.i < what.i and first.lower_ == "that":
            first = first.nbor(1)
        return bare(clause.doc.text, first.idx, stop), True
    if subject is None or not (is_clause(clause) or any(map(is_clause, clause.children))):
        return None
    first, said = clause.left_edge, _is_said(clause)
    while said and first.i < clause.i and first.lower_ == "that":
        first = first.nbor(1)
    last = [
        token for token in clause.doc[clause.i : clause.right_edge.i + 1] if token.idx < stop and not token.is_punct
    ][-1]
    if last.tag_ == "VBG" and says(last) and clause.i < last.i - 1 and last.nbor(-1).text == ",":
        stop = min(stop, last.idx)  # "…, adding:" belongs to what follows
    if clause.dep_ == "advcl" and first.lower_ not in OTHER_SIDE:
        return None
    if first.lower_ in OTHER_SIDE:
        first = first.nbor(1)
    return bare(clause.doc.text, first.idx, stop), said
