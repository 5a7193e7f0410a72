"""Reads transcripts: "SMITH: The bridge was closed." begins Smith's turn, which lasts until the next such label."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

FEWEST_LABELS = 2  # labels; a single one may be anything
_LABEL = re.compile(
    r"(?m)(?:^[ \t]*(?:\[?\(?\d{1,2}:\d\d(?::\d\d)?\)?\]?[ \t]+)?|(?<=[.!?…”\"] )(?=(?:MR|MS|DR)\. |[A-Z]{3}))(?P<who>[A-Z][A-Z.'’-]{0,30}(?: [A-Z][A-Z.'’-]{0,30}){0,4})"
    r"(?:,? [\[(][^()\[\]\n]{1,60}[\])]|, [A-Z][A-Z .,'’&-]{1,60}){0,3}:[ \t]+(?=\S)"
)
# Labels in small letters, as in printed interviews: "Ann Lee: The bridge was closed."
_NAMED = re.compile(
    r"(?m)^[ \t]*(?P<before>\[?\(?\d{1,2}:\d\d(?::\d\d)?\)?\]?[ \t]+)?(?P<who>The(?: (?:[A-Z][\w'’-]{1,30}|of|for|and|the|to)){1,12}(?= \()|(?:Dr|Mr|Mrs|Ms|Prof|Sen|Rep|Gov)?\.? ?[A-Z][\w'’-]{1,30}(?: [A-Z][\w.'’-]{0,30}){0,3}(?: \d{1,2})?)"
    r"(?:,? [\[(](?:(?P<behind>\d{1,2}:\d\d(?::\d\d)?)|(?P<within>[A-Z][^()\[\]\n]{1,60})|[^()\[\]\n]{1,60})[\])]){0,3}:[ \t]+(?=[\"“'‘]?\w+[ ,.!?])"
)
# An exported chat: "[12/05/2024, 09:14:22] Ann: …", "12/05/24, 09:14 - Ann Lee: …".
_CHAT = re.compile(
    r"(?m)^[ \t]*\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?\]?(?: -)? (?P<who>[^:\n\[\]]{1,40}):[ \t]+(?=\S)"
)
# A line above what is said, as meetings and chats are copied: "Ann Lee  00:12:05".
_HEADER = re.compile(
    r"(?m)^[ \t]*(?P<who>[A-Z][\w.'’-]{0,30}(?: [A-Z][\w.'’-]{0,30}){0,3}(?: \d{1,2})?)[ \t]+(?:[—–|·-][ \t]*)?"
    r"(?:(?:Today|Yesterday)(?: at)? |\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?[ \t]*\n(?=\s*\S)"
)
_SENTENCE_END = re.compile(r"[.!?…—–-][\"”’)]?\Z")
_ROLES = frozenset(
    "Interviewer Interviewee Moderator Host Guest Reporter Journalist Narrator Speaker Audience Chair Chairman Presenter".split()
)
# One such label is enough: the rest of a speech may have none.
_OFFICES = frozenset(
    "THE PRESIDENT|THE VICE PRESIDENT|THE PRIME MINISTER|THE CHANCELLOR|THE WITNESS|THE COURT|THE SPEAKER|THE CHAIR|THE CHAIRMAN|"
    "THE FIRST LADY|THE MAYOR|THE GOVERNOR|NARRATOR|MODERATOR|INTERVIEWER|ANNOUNCER|PRESENTER".split("|")
)
# Labels of other kinds of text, and of questions and answers without names.
_NO_NAMES = frozenset(
    "NOTE NOTES WARNING FACT FACTS CLAIM CLAIMS VERDICT RATING BREAKING UPDATE SOURCE SOURCES TITLE DATE TIME PLACE PHOTO IMAGE VIDEO "
    "CAPTION CONTACT EMAIL TEL FAX WEB URL MYTH TRUE FALSE PS P.S EDITOR'S SUBJECT FROM TO CC RE SUMMARY ABSTRACT METHODS RESULTS "
    "CONCLUSION CONCLUSIONS RESOLVED AGREED MOVED NOTED ACTION ACTIONS AOB PRESENT APOLOGIES MOTION VOTE DECISION ITEM AGENDA "
    "WHO WHAT WHEN WHERE WHY HOW BACKGROUND OBJECTIVE KEYWORDS TRUTH MYTHS STATEMENT REALITY ANSWER QUESTION TIP TODO IMPORTANT CORRECTION EXCLUSIVE WATCH READ MORE TLDR FAQ".split()
)
_UNNAMED = frozenset(("Q", "A", "Q.", "A."))
_TITLES = frozenset("MR MRS MS DR MR. MRS. MS. DR. SEN. REP. GOV. PROF. SEN REP GOV PROF THE".split())


@dataclass(frozen=True)
class Turn:
    """A turn of a transcript. speaker: capitalised as a name; empty for Q and A."""

    start: int  # of the label
    speech: int  # where the spoken words begin
    speaker: str


class Turns:
    """A text's turns; none if it has only one label."""

    def __init__(self, text: str) -> None:
        labels = [match for match in _LABEL.finditer(text) if _may_name(match["who"])]
        labels = labels if labels and _are_spoken(text, labels) else []
        if len(labels) >= FEWEST_LABELS or any(label["who"] in _OFFICES for label in labels):
            labels = _with_small(text, labels)
        else:
            labels = [*_CHAT.finditer(text)] or _headers(text) or _named(text)
        called = {label.groupdict().get("within"): label["who"] for label in labels}  # "Ann Lee (AL)", later "AL"
        names = _in_full([_as_name(called.get(label["who"]) or _who(label)) for label in labels])
        self._turns = [
            Turn(at.end() - len(at[0].lstrip()), at.end(), name) for at, name in zip(labels, names, strict=True)
        ]
        self._starts = [turn.start for turn in self._turns]

    def bare(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The spans of sentences without the labels at their beginnings."""
        return [(self._after_label(start, end), end) for start, end in spans]

    def _after_label(self, start: int, end: int) -> int:
        turn = self._at(start + (end - start > 1) * min(20, end - start - 1))
        return turn.speech if turn and start <= turn.start < turn.speech < end else start

    def _at(self, place: int) -> Turn | None:
        number = bisect_right(self._starts, place) - 1
        return self._turns[number] if number >= 0 else None

    def is_label(self, start: int, end: int) -> bool:
        """Whether a span is within a label: a line that only names who speaks next."""
        turn = self._at(start)
        return turn is not None and end <= turn.speech

    def speaker(self, place: int) -> str:
        """The speaker at this place; empty outside transcripts."""
        turn = self._at(place)
        return turn.speaker if turn else ""


def _may_name(label: str) -> bool:
    """Whether a label in capitals may name a speaker, unlike "NOTE" and "THE FACTS"."""
    first = next((word for word in label.split() if word != "THE"), "").rstrip(".")
    return first not in _NO_NAMES


def _are_spoken(text: str, labels: Sequence[re.Match[str]]) -> bool:
    """Whether what follows most labels ends as a sentence does, unlike "WIND: 12 km/h"."""
    ends = [*(label.start() for label in labels[1:]), len(text)]
    said = (text[label.end() : end].split("\n\n")[0].rstrip() for label, end in zip(labels, ends, strict=True))
    return 2 * sum(_SENTENCE_END.search(words[-3:]) is not None for words in said) >= len(labels)


def _who(label: re.Match[str]) -> str:
    """The speaker whom a label names: the person whose office it gives in "The Prime Minister (Theresa May)"."""
    within = label.groupdict().get("within")
    return within if within and label["who"].startswith("The ") else label["who"]


def _in_full(names: Sequence[str]) -> list[str]:
    """The names of speakers, each surname as the only longer name that ends with it: "Lee" as "Ann Lee"."""
    longer: dict[str, set[str]] = {}
    for name in names:
        longer.setdefault(name.rpartition(" ")[2], set()).add(name)
    full = {surname: [name for name in found if name != surname] for surname, found in longer.items()}
    return [full[name][0] if len(full.get(name, ())) == 1 else name for name in names]


def _headers(text: str) -> list[re.Match[str]]:
    """The lines above what is said, if a name is repeated or what follows are sentences, unlike a schedule."""
    found = list(_HEADER.finditer(text))
    ends = [text.find("\n", match.end()) % (len(text) + 1) for match in found]
    sentences = sum(_SENTENCE_END.search(text[end - 3 : end].rstrip()) is not None for end in ends)
    repeated = len({match["who"] for match in found}) < len(found)
    return found if len(found) >= FEWEST_LABELS and (repeated or 2 * sentences >= len(found)) else []


def _with_small(text: str, labels: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Labels in capitals, with those in small letters that have a time, are a role, or name one of the same people."""
    known = {word for match in labels for word in re.findall(r"\w{2,}", match["who"].casefold())}
    initials = {match["who"] for match in labels}
    others = {
        match.start("who"): match
        for match in _NAMED.finditer(text)
        if match["before"]
        or match["who"] in _ROLES
        or match["within"] in initials
        or {*re.findall(r"\w{2,}", match["who"].casefold())} <= known
    }
    return [match for _, match in sorted({**others, **{match.start("who"): match for match in labels}}.items())]


def _named(text: str) -> list[re.Match[str]]:
    """Labels in small letters that have times, or of which one is a role or repeated; others are lists ("Area: 5 acres")."""
    found = [match for match in _NAMED.finditer(text) if match["who"].split()[0].rstrip(".").upper() not in _NO_NAMES]
    ends = [text.find("\n", match.end()) % (len(text) + 1) for match in found]
    sentences = sum(_SENTENCE_END.search(text[end - 3 : end].rstrip()) is not None for end in ends)
    names = Counter(match["who"] for match in found)
    if len(names) < FEWEST_LABELS or 2 * sentences < len(found):
        return []
    timed = all(match["before"] or match["behind"] for match in found)
    placed = 2 * sum(match["within"] is not None for match in found) >= len(found)  # "Ann Lee (Harlow) (Lab)"
    return found if timed or placed or max(names.values()) > 1 or not _ROLES.isdisjoint(names) else []


def _as_name(label: str) -> str:
    """ "MS. LEE" as "Ms. Lee"."""
    if not label.isupper():
        return "" if label in _ROLES else label
    words = [] if label in _UNNAMED else label.split()
    return " ".join(_with_capitals(word) if len(word) > 2 or word in _TITLES else word for word in words)


def _with_capitals(word: str) -> str:
    return word.title() if "-" in word or word[1] in "'’" else word.capitalize()
