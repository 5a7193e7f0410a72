"""Claims on two things at once, or that say two things of one: "Bach and Beethoven were both German", "Paris is the capital of France
and lies on the Seine". Each is true if both halves are."""

from __future__ import annotations

import re

_BOTH = re.compile(
    r"^(?:both )?(?P<one>[^,;:?!]{2,60}?) and (?P<other>[^,;:?!]{2,60}?)"
    r" (?:(?P<verb>are|were|come|came|hail|hailed)(?P<both> both)?|both (?P<did>[a-z]+)) (?P<rest>[^;:?!]{2,100})$",
    re.IGNORECASE,
)
# "Neither Norway nor Iceland is in the EU" is read as the denial of this.
_EITHER = re.compile(
    r"^(?:either )?(?P<one>[^,;:?!]{2,60}?) or (?P<other>[^,;:?!]{2,60}?) (?P<rest>(?:is|are|was|were|has|had|borders|belongs|won|wrote) [^;:?!]{2,100})$",
    re.IGNORECASE,
)
# A second verb. Without an object or a preposition behind it, the word may be a noun: "cats and walks".
_VERB = (
    r"(?:is|was|are|were|has|had|have|lies|lay|flows|borders|contains|died|won|wrote|became|lived|lives|plays|stars|made|led|met|ran|sang|"
    r"built|founded|married|[a-z]{3,}ed)"
)
_TWO_VERBS = re.compile(
    rf"^(?P<subject>[^,;:?!]{{2,60}}?) (?P<one>{_VERB} [^;:?!]{{2,100}}?),? and (?:also )?"
    rf"(?P<other>{_VERB} (?:an?|the|in|on|at|by|to|from|for|of|two|three|four|five|\d+|his|her|its|their|[A-Z][\w.'’-]*)\b[^;:?!]*)$"
)
_SINGULAR = {
    "are": "is",
    "were": "was",
    "come": "comes",
    "came": "came",
    "hail": "hails",
    "hailed": "hailed",
    "have": "has",
}


def each_of(claim: str) -> tuple[str, ...]:
    """The claim on each of the two things, or each of the two things that it says; the claim alone if it has one part."""
    text = " ".join(claim.split())
    match = _BOTH.match(text)
    if match and (match["both"] or match["did"] or claim.lower().startswith("both ")):
        said = (match["verb"] or match["did"]).lower()
        verb = _SINGULAR.get(said, said)
        return tuple(f"{match[name]} {verb} {match['rest']}" for name in ("one", "other"))
    if match := _TWO_VERBS.match(text):
        return tuple(f"{match['subject']} {match[name]}" for name in ("one", "other"))
    return (claim,)


def either_of(claim: str) -> tuple[str, ...]:
    """The claim on each of two things of which one suffices; empty if it is not such a claim."""
    match = _EITHER.match(" ".join(claim.split()))
    return tuple(f"{match[name]} {match['rest']}" for name in ("one", "other")) if match else ()
