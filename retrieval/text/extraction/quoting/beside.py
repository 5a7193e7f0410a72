"""Reads the parts of a sentence around a quotation: its speaker, and the writer's own statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval.text.extraction.quoting import saying
from retrieval.text.extraction.quoting.saying import Span, bare, says
from retrieval.text.grammar import SUBJECTS, auxiliaries, child_of, end_of, has_child, is_clause, is_mark

_JOINT_BEFORE = re.compile(r"[^\w.!?…]*(?:(?:and|but|while|whereas|yet)\s+|[;—–]\s*)", re.IGNORECASE)
_JOINT_AFTER = re.compile(r"(?:\b(?:and|but|while|whereas|yet)|[;—–])\W*\Z", re.IGNORECASE)
LONGEST_GESTURE = 4  # words

# Statements beside "X said", each with whether X makes it.
Statements = tuple[tuple[Span, bool], ...]


@dataclass(frozen=True)
class Beside:
    """A part of a sentence beside quotation marks."""

    speaker: Span | None  # None if it names none
    start: int = 0  # of the speaker's mention: "said Ann Lee"
    others: Statements = ()  # in this part
    asides: tuple[Span, ...] = ()  # facts about the speaker, "won in 2010" for "who won in 2010"
    plain: bool = False  # whether it has nothing else, except adverbials
    whole: bool = False  # whether part of its meaning needs the whole sentence


def beside(doc: Any, start: int, end: int) -> Beside:
    """Read a part of a sentence beside quotation marks."""
    found = attribution_in(doc, start, end)
    if found and found.plain:
        return found
    stated = writers_part(doc, start, found.start if found else end)
    others = ((stated, False),) if stated else ()
    if found is None:
        return Beside(None, others=others, whole=not stated)
    again = attribution_in(doc, found.start, end) if stated else None  # "The council met, and Ann Lee said"
    if again and again.plain:
        return replace(again, others=others + again.others, plain=False)
    return Beside(found.speaker, found.start, whole=True)


def writers_part(doc: Any, start: int, end: int) -> Span | None:
    """The writer's statement beside a quotation: "The bridge is old, and “…”"; None if one may depend on the other."""
    part = doc.text[start:end]
    before, after = _JOINT_BEFORE.match(part), _JOINT_AFTER.search(part)
    if bool(before and before[0].strip()) == bool(after):
        return None
    span = bare(doc.text, start + (before.end() if before else 0), start + (after.start() if after else len(part)))
    return span if states(doc, [span]) and not saying.has_saying(doc, span) else None


def states(doc: Any, spans: Sequence[Span]) -> bool:
    """Whether these parts of a sentence form a statement: a main clause with a subject."""
    tokens = [token for token in doc if any(start <= token.idx < end for start, end in spans)]
    within = {token.i for token in tokens}
    tops = [token for token in tokens if token.head.i not in within or token.head.i == token.i]
    tops = [token for token in tops if not is_mark(token) and token.dep_ not in ("cc", "mark")]
    enough = saying.words_in(doc.text, spans) >= saying.SHORTEST_QUOTATION
    return enough and bool(tops) and all(_stands_alone(top, within) for top in tops)


def _stands_alone(top: Any, within: set[int]) -> bool:
    verbs = [top, *(helper for helper in auxiliaries(top) if helper.i in within)]
    parts = [child for verb in verbs for child in verb.children if child.i in within]
    subject = next((child for child in parts if child.dep_ in SUBJECTS), None)
    if subject is None or subject.tag_ in ("WDT", "WP") or not any(map(is_clause, verbs)):
        return False
    return not any(child.dep_ == "mark" or child.tag_ == "WRB" for child in parts)


def attribution_in(doc: Any, start: int, end: int, last: bool = False) -> Beside | None:
    """The speaker in doc.text[start:end], which is beside a quotation: "said Ann Lee". last: take the last of several."""
    tokens = [token for token in doc if start <= token.idx < end]
    for verb in reversed(tokens) if last else tokens:
        if not says(verb):
            continue
        subject = next((child for child in verb.children if child.dep_ in SUBJECTS and start <= child.idx < end), None)
        outer = None if subject is not None else _says_before(verb, start)
        if outer is not None:
            return _adding(outer, verb, start, end)
        who = subject if subject is not None else saying.nearest_noun(verb, tokens)
        if who is None or saying.is_share(who):
            continue
        first = max(start, min(verb.idx, who.left_edge.idx))
        return _attribution(who, start, end, first, statements_beside(verb, who, start, end))
    for token in tokens[:-1]:
        if token.lower_ == "according" and (who := saying.speaker_after(token)) is not None:
            rest = doc.text[start : token.idx] + doc.text[saying.speaker_span(who, start, end)[1] : end]
            return _attribution(who, start, end, token.idx, None if any(map(str.isalnum, rest)) else ())
    return None


def _says_before(verb: Any, start: int) -> Any | None:
    """The verb of saying that a subjectless ", adding" belongs to, if there is one: "Ann Lee said that …, adding"."""
    before = (above for above in verb.ancestors if start <= above.idx < verb.idx and says(above))
    found = next(before, None) if verb.tag_ == "VBG" else None
    return found if found is not None and has_child(found, *SUBJECTS) else None


def _adding(outer: Any, verb: Any, start: int, end: int) -> Beside:
    """The speaker of "Ann Lee said that the toll fell, adding", who states both."""
    who = child_of(outer, *SUBJECTS)
    content = _content_of(outer)
    stated: Statements | None = ()
    if content is not None:
        stated = ((bare(content.doc.text, _after_that(content).idx, verb.idx), True),)
    known = saying.naming(outer, who) | {token.i for token in outer.subtree}
    others = [token for token in outer.doc if start <= token.idx < end and token.i not in known]
    if saying.is_share(who) or any(map(is_clause, others)):
        stated = None
    return _attribution(who, start, end, min(outer.idx, who.left_edge.idx), stated)


def _attribution(who: Any, start: int, end: int, first: int, others: Statements | None) -> Beside:
    """others: None if the part says more than these statements."""
    speaker = saying.speaker_span(who, start, end)
    asides, whole = saying.facts_about(who, speaker[1], end)
    return Beside(speaker, first, others or (), asides, others is not None, whole)


def statements_beside(verb: Any, who: Any, start: int, end: int) -> Statements | None:
    """The statements beside "X said" in a part of its sentence; None if one of the clauses is not a statement."""
    found: list[tuple[Span, bool]] = []
    seen = saying.naming(verb, who)
    for child in verb.children:
        inside = start <= child.idx < end and child.i > verb.i
        if not inside or child.dep_ not in ("advcl", "conj", "parataxis", "ccomp") or child.i in seen:
            continue
        another = _introduces_another(child, end)
        other = None if another else _statement(child, end)
        if other is None and not another and not is_gesture(child):
            if is_clause(child) or child.dep_ != "parataxis":
                return None
            continue
        found += [other] if other else []
        seen |= {token.i for token in child.subtree}
    if any(is_clause(token) for token in verb.doc if start <= token.idx < end and token.i not in seen):
        return None
    return tuple(sorted(found))


def is_gesture(clause: Any) -> bool:
    """Whether a clause only describes how somebody spoke: ", smiling", ", laughing out loud"."""
    words = list(clause.subtree)
    plain = not any(token.ent_type_ or token.like_num or token.dep_ in ("dobj", "ccomp") for token in words)
    return clause.tag_ == "VBG" and plain and len(words) <= LONGEST_GESTURE and not says(clause)


def _introduces_another(clause: Any, end: int) -> bool:
    """Whether this part of a sentence ends with "…, while Bob Green said", which introduces another quotation."""
    has_content = any(child.dep_ == "ccomp" and child.idx < end for child in clause.children)
    return says(clause) and has_child(clause, *SUBJECTS) and not has_content and end < len(clause.doc.text)


def _content_of(verb: Any) -> Any | None:
    """The clause after a verb of saying that gives what is said."""
    return next((child for child in verb.children if child.dep_ == "ccomp" and child.i > verb.i), None)


def _after_that(clause: Any) -> Any:
    """The first word of a clause without "that"."""
    first = clause.left_edge
    while first.i < clause.i and first.lower_ == "that":
        first = first.nbor(1)
    return first


def _is_quoted(clause: Any) -> bool:
    """Whether "X said" or "X said that" introduces this clause."""
    verb = clause.head
    if clause.dep_ != "ccomp" or not says(verb) or says(clause):
        return False
    before = {child.dep_ for child in verb.children if child.i < verb.i}
    marks = {child.lower_ for child in clause.children if child.dep_ == "mark"}
    return not before.isdisjoint(SUBJECTS) and "ccomp" not in before and marks <= {"that"}


def _statement(clause: Any, end: int) -> tuple[Span, bool] | None:
    """The clause beside "X said" as a statement, and whether X makes it: "adding that …", "but …"."""
    text, stop = clause.doc.text, min(end, end_of(clause.right_edge))
    subject = child_of(clause, *SUBJECTS)
    if subject is None and says(clause):
        content = _content_of(clause)
        if content is None or not has_child(content, *SUBJECTS):
            return None
        return bare(text, _after_that(content).idx, stop), True
    if subject is None or not (is_clause(clause) or any(map(is_clause, clause.children))):
        return None
    is_quoted = _is_quoted(clause)
    first = _after_that(clause) if is_quoted else clause.left_edge
    words = clause.doc[clause.i : clause.right_edge.i + 1]
    last = [token for token in words if token.idx < stop and not token.is_punct][-1]
    if last.tag_ == "VBG" and says(last) and clause.i < last.i - 1 and last.nbor(-1).text == ",":
        stop = min(stop, last.idx)  # "…, adding:" belongs to what follows
    if clause.dep_ == "advcl" and first.lower_ not in saying.OTHER_SIDE:
        return None
    if first.lower_ in saying.OTHER_SIDE:
        first = first.nbor(1)
    return bare(text, first.idx, stop), is_quoted
