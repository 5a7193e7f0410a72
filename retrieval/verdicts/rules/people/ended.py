"""Claims that someone still does what has ended: "Pelé plays for Santos", who has retired."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.statements import statements
from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, pages_meant

SENTENCES_ON_OFFICES = 5  # of a page
_SUBJECT = r"(?P<subject>[^,;:?!]{2,60}?)"
_NOW = r"(?:still |currently |now )"
_RULER = (
    r"king|queen|president|prime minister|chancellor|emperor|empress|tsar|pope|dictator|leader|ruler|mayor|governor"
)
# "Plays tennis" may say what someone is known for, as FEVER's annotators read it.
_SPORT = r"(?:tennis|(?:ice |field )?hockey|football|soccer|basketball|baseball|golf|cricket|rugby|volleyball|handball|snooker|professionally)"
_PLAYS = ClaimForms(
    rf"{_SUBJECT} (?:{_NOW}?(?:plays|coaches|fights|boxes|competes|races|drives|rides) (?:for|with|in|at|against) [^;:?!]{{2,60}}"
    rf"|is {_NOW}?(?:playing|coaching|boxing|fighting|racing|competing|driving|riding)(?: (?:(?:{_SPORT} )?(?:for|with|in|at|against) [^;:?!]{{2,60}}|{_SPORT}(?: professionally)?))?"
    r"|is (?:an? )?(?:active|current) [^;:?!]{2,60})"
)
# "no longer plays for Santos", "does not live in Paris anymore": the same, denied.
_NO_LONGER = re.compile(r" (?:(?P<is>is) )?no longer (?=\w)")
_LIVES = ClaimForms(
    rf"{_SUBJECT} (?:{_NOW}?(?:(?:lives|resides|works|reigns|rules|governs) (?:in|at|for|as|over|with) |(?:rules|leads|governs|runs) (?-i:[A-Z]))[^;:?!]{{2,60}}|is {_NOW}?(?:alive|living)(?: [^;:?!]{{2,60}})?"
    rf"|is {_NOW}?(?:the )?(?:current |present )?(?:{_RULER}|ceo|chief executive) of [^;:?!]{{2,60}})"
)
_OFFICE = rf"(?:{_RULER}|secretary)"
# "served as Prime Minister from 1959 to 1976": an office whose end the page gives, and words for one that is held today.
_HELD = re.compile(
    rf"(?i)\b(?:served as|was) (?:the )?[^.;]{{0,60}}?\b{_OFFICE}\b[^.;]{{0,80}}?\b(?:from|between) [^.;]{{0,20}}?\d{{4}} (?:to|until|and|till) [^.;]{{0,20}}?\d{{4}}"
)
_HOLDS = re.compile(
    rf"(?i)\b(?:since|current\w*|incumbent|present|today|re-?elected|is (?:the |an? )?(?:[\w-]+ ){{0,4}}?{_OFFICE})\b"
)
_IN_OFFICE, _IS_CEO = (
    re.compile(rf" is {_NOW}?(?:the )?(?:current |present )?{office} of ", re.IGNORECASE)
    for office in (_OFFICE, "(?:ceo|chief executive(?: officer)?)")
)
_RESIGNED = re.compile(
    r"(?i)\b(?:CEO|chief executive)\b[^.;]{0,160}?\b(?:until|resign\w+|stepp?\w+ down|retired)\b[^.;]{0,40}?\d{4}|\b(?:resigned|stepped down|retired) (?:as|from) [^.;]{0,40}?\b(?:CEO|chief executive)\b"
)
# An office at a time: "was president in the 1970s".
_THEN = ClaimForms(
    rf"{_SUBJECT} (?:was|served as) (?:the |an? )?(?:[\w.]+ ){{0,2}}?(?P<office>{_OFFICE})(?: of [^,;:?!]{{2,40}}?)? (?:in|during) (?:the )?(?:\d{{4}}s?|\w+ century)"
)
_RETIRED = re.compile(r"\bis an? (?:[\w’'-]+ ){0,3}?(?:retired|former)\b")
# "(23 October 1940 – 29 December 2022)", and "was" behind it.
_DIED = re.compile(
    r"\b(?:led|ruled|governed|reigned) [^.;]{2,120} until (?:his|her|their) death\b|\bwas [^.;]{2,120} until (?:his|her|their) death\b|\d{3,4}\s*[–-]\s*(?:[\w. ]{0,25}?)\d{3,4}[^()]{0,40}\)[^.;]{0,80}?\b(?:was|were)\b"
)


def ended(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence by which the person has retired, died or left the office; it supports a claim with "no longer"."""
    text = " ".join(claim.split())
    if _NO_LONGER.search(text):
        ruling = _over(_NO_LONGER.sub(lambda match: " is " if match["is"] else " ", text, count=1), pages)
        return ruling and Ruling(ruling.sentence, True)
    return _over(text, pages)


def _over(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that refutes a claim in the present tense."""
    if match := _THEN.match(claim):
        return _at_another_time(match["subject"], match["office"], claim, pages)
    plays = _PLAYS.match(claim)
    match = plays or _LIVES.match(claim)
    for page in pages_meant(match["subject"], pages)[:1] if match else ():
        for sentence in page.sentences()[:1]:
            died, retired = _DIED.search(sentence.text), plays and _RETIRED.search(sentence.text)
            if died or retired:
                words = "has died" if died else "has retired"
                return Ruling(sentence, False, f"“{without_bracket(page.title)}” says that this person {words}.")
        if _IN_OFFICE.search(claim):
            return _left_office(page, _HELD)
        if _IS_CEO.search(claim):
            return _left_office(page, _RESIGNED)
    return None


def _left_office(page: Page, words: re.Pattern[str]) -> Ruling | None:
    """The sentence whose words give an office of the subject an end, if no sentence speaks of one held today."""
    first = page.sentences()[:SENTENCES_ON_OFFICES]
    left = [] if any(_HOLDS.search(one.text) for one in first) else [one for one in first if words.search(one.text)]
    note = f"“{without_bracket(page.title)}” says when this person left the office."
    return Ruling(left[0], False, note) if left else None


def _at_another_time(subject: str, office: str, claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the person the office at another time; None if one may give it at the claim's."""
    asked = [one for one in statements(claim) if one.kind is Kind.DATE]
    rulings: list[Ruling] = []
    for sentence, found in matches(pages_meant(subject, pages)[:1], re.compile(rf"\b{office}\b", re.IGNORECASE)):
        ends = [one for one in statements(sentence.text) if one.kind is Kind.DATE and one.of in ("from", "to")]
        time = [one for one in ends if one.start > found.end()][:2]
        if not time:
            continue
        open_end = [one.of for one in time] != ["from", "to"]
        if open_end or any(time[0].low <= one.high and one.low <= time[1].high for one in asked):
            return None
        note = f"“{without_bracket(sentence.title)}” gives another time for this office."
        rulings.append(Ruling(sentence, False, note))
    return next(iter(rulings), None)
