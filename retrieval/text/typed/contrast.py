"""Removes the contrast from a claim: "Canberra, not Sydney, is the capital", "whales are mammals, not fish".

A sentence of a page seldom mentions both sides, so the networks would leave such claims open.
"""

from __future__ import annotations

import re

_RATHER = r"rather than|instead of|as opposed to"
_NOT = rf"(?:(?:and |but )?not|{_RATHER})"
_OTHER = r"(?:(?:in|on|at|by|from|to|as|with|for) )?(?:[\w'’.&-]+ ){0,4}[\w'’&-]+"
_IN_THE_MIDDLE = re.compile(rf"^(?P<subject>[^,;:?!]{{2,60}}), (?P<contrast>{_NOT} {_OTHER}), (?P<rest>[^;:?!]{{3,}})$")
_AT_END = re.compile(
    rf"^(?P<subject>[^;:?!]{{8,}}?)(?P<contrast>, {_NOT} {_OTHER}| (?:and not|{_RATHER}) {_OTHER})(?P<rest>[.!]?)$"
)
_MEASURE = re.compile(r"\d[\d.,]* \w")  # "100 rather than 90 degrees": the unit belongs to both
# A further statement is not a mere contrast: "…, not that he knew".
_STATES = re.compile(
    r"\b(?:not|that|is|are|was|were|has|have|had|will|would|can|could|do|does|did|be|been|only|just|even|yet|until|because|"
    r"if|when|who|which|all|every|always|necessarily|more|less|\w{3,}ed)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\bnot\b|n[’']t\b|\bnever\b")
_LEAST_WORDS = 3  # of the statement that remains


def without_contrast(statement: str) -> str:
    """The statement without the alternative that it rejects; unchanged if it has none. Linear in its length."""
    match = _IN_THE_MIDDLE.match(statement) or _AT_END.match(statement)
    if match is None:
        return statement
    other = re.sub(rf"^,? ?{_NOT} ", "", match["contrast"])
    subject, rest = match["subject"], match["rest"]
    found = f"{subject}{rest if rest in ('', '.', '!') else f' {rest}'}"
    if _STATES.search(other) or _MEASURE.match(other) or _DENIES.search(found) or found.count(" ") < _LEAST_WORDS - 1:
        return statement
    return found
