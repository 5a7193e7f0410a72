"""Turns of speech that people use and encyclopedias do not: "tied the knot with" is "married", "nothing but bamboo" is "only bamboo".

The networks seldom know what they mean, so a statement is read in plain words.
"""

from __future__ import annotations

import re

_HE = r"(?:he|she)"
_TABLE = (
    (r"\b(?:tied the knot with|got (?:married|hitched) to|was wed to|wed)\b", "married"),
    (r"\b(?:kicked the bucket|passed on|lost (?:his|her) life)\b", "died"),
    (r"\b(?:is|was) the (?:brains?|mastermind|creator|man|woman|mind|genius|person|guy) behind\b", "created"),
    (r"\b(?:almost|nearly|practically|virtually) nothing but\b", "almost only"),
    (r"\bnothing but\b", "only"),
    (r"\bstart(?P<tense>ed|s) (?:out|off) (?:by )?(?=\w+ing\b)", r"began by "),
    (r"\bstart(?P<tense>ed|s) (?:out|off) as\b", r"start\g<tense> as"),
    (r"\bdied (?:at|aged) (?:just|only|a mere) (?=\d)", "died at the age of "),
    (rf"\b(?:was|were) (?:just|only) (?P<age>\d+)(?: years old)? when {_HE} died\b", r"died at the age of \g<age>"),
    (r"\b(?P<be>is|was) (?:just|only) (?P<age>\d+)(?= (?:years old )?when)", r"\g<be> \g<age>"),
    (r"\bsat on the throne for\b", "reigned for"),
    (r"\b(?:got|bagged|scooped|picked up|took home|landed) (?=(?:an?|the|his|her|their|two|three|four|five|six|\d+) (?:[\w-]+ ){0,3}?"
     r"(?i:oscars?|academy awards?|grammys?|emmys?|tonys?|golden globes?|nobel prizes?|medals?|prizes?)\b)", "won "),
    (r"\bplay(?:s|ed) the (?:lead|leading|main|title)(?: role| character| part)? in\b", "stars in"),
    (r"^[Tt]he (?:word|term) (?=[\"“']?\w+[\"”']? (?:comes|came|derives|is derived|originates|originated)\b)", "The name "),
)  # fmt: skip
_IDIOMS = tuple((re.compile(idiom), plain) for idiom, plain in _TABLE)


def in_plain_words(statement: str) -> str:
    """The statement with plain words for its turns of speech. Linear in its length."""
    for idiom, plain in _IDIOMS:
        statement = idiom.sub(plain, statement)
    return statement
