"""Claims on two things at once: "Bach and Beethoven were both German" is true if it is true of each."""

from __future__ import annotations

import re

_BOTH = re.compile(
    r"^(?:both )?(?P<one>[^,;:?!]{2,60}?) and (?P<other>[^,;:?!]{2,60}?)"
    r" (?:(?P<verb>are|were|come|came|hail|hailed)(?P<both> both)?|both (?P<did>[a-z]+)) (?P<rest>[^;:?!]{2,100})$",
    re.IGNORECASE,
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
    """The claim on each of the two things; the claim alone where it is not on two."""
    match = _BOTH.match(" ".join(claim.split()))
    if match is None or not (match["both"] or match["did"] or claim.lower().startswith("both ")):
        return (claim,)
    said = (match["verb"] or match["did"]).lower()
    verb = _SINGULAR.get(said, said)
    return tuple(f"{match[name]} {verb} {match['rest']}" for name in ("one", "other"))
