"""Claims about the name behind another: "Mark Twain's real name was Samuel Clemens"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from difflib import get_close_matches

from retrieval.text.quantities.dates import MONTHS
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, is_about, pages_meant
from retrieval.verdicts.rules.works.makers import ALIKE

SENTENCES_ON_REAL_NAMES = 6  # of a page
_REAL = r"(?:real|true|actual|birth|full|given|original|legal) name"
_OTHER = r"(?:(?:pen|stage|ring) name|pseudonym|alias|nickname|alter ego|secret identity)"
_ONE, _NAME_ASKED = r"(?P<one>[^,;:?!]{2,50}?)", r"(?P<name>[^\W\d][^,;:?!\d]{2,50}?)"
_CLAIMS = ClaimForms(
    rf"(?:the )?{_ONE}['’]s? {_REAL} (?:is|was) {_NAME_ASKED}",
    rf"(?:the )?{_REAL} of {_ONE} (?:is|was) {_NAME_ASKED}",
    rf"(?:the )?{_NAME_ASKED} (?:is|was) {_ONE}['’]s? {_REAL}",
    rf"(?:the )?{_NAME_ASKED} (?:is|was) the {_REAL} of {_ONE}",
    rf"(?:the )?{_ONE}['’]s? secret identity (?:is|was) {_NAME_ASKED}",
    rf"(?:the )?{_ONE} (?:is|was) the {_OTHER} (?:of|for) {_NAME_ASKED}",
    rf"(?:the )?{_ONE} (?:is|was) {_NAME_ASKED}['’]s? {_OTHER}",
    rf"(?:the )?{_ONE} (?:is|was) born (?:as )?(?=\S+ \S)(?!in |on |at |to |into |near |by |and |before |after |during |the |a |an |with |under ){_NAME_ASKED}",
)
_ITS_OWN = ClaimForms(
    rf"(?P<one>(?-i:[^\W\d_a-z])[\w'’.-]*(?: [\w'’.-]+){{0,3}}?) (?:is|was) (?:his|her|their) {_REAL}"
)
_WORD = r"[^\W\d_a-z][\w'’.-]*"
_NAME = rf"{_WORD}(?: (?:{_WORD}|de|da|di|van|von|der|la|le|of|bin|al)){{1,6}}"
# "Samuel Langhorne Clemens (1835 – 1910), known by the pen name Mark Twain"
_KNOWN_AS = re.compile(
    rf"^(?P<name>{_NAME})(?: ?\([^()]*\))?,? (?:[a-z]+ ){{0,3}}?(?:known|remembered|credited|billed|famous|(?:used|using|writing|wrote|adopted) (?:under )?(?:the|his|her) (?:(?:pen|stage) name|pseudonym))\b(?P<as>[^;()]{{2,120}})"
)
_BEHIND = re.compile(
    rf"\b(?:(?:was |is )?(?:born|née|né)(?: as)?|{_REAL}(?: is| was|,|:)?|secret identity(?: is| was|,|:)?|{_OTHER} (?:of|for)) (?P<name>{_NAME})"
)


def real_name(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the page that gives the name behind its subject's; None if it also has the claim's last name."""
    if match := _ITS_OWN.match(claim):  # "Lewis Carroll was his real name"
        one = match["one"]
        for page in pages_meant(one, pages)[:1]:
            for sentence, name in _names_behind(page, {fold(one)}):
                return Ruling(sentence, False, f"“{one}” is not the name given: {name}.", (one, name))
        return None
    match = _CLAIMS.match(claim)
    asked = fold(match["name"]).split() if match else []
    if match is None or not asked:
        return None
    for page in pages_meant(match["one"], pages)[:1]:
        found = list(_names_behind(page, {fold(match["one"]), fold(without_bracket(page.title))}))
        for sentence, name in found:
            rest = iter(fold(name).split())
            if all(word in rest for word in asked):  # in this order, perhaps with others between
                return Ruling(sentence, True)
        if found and not get_close_matches(asked[-1], fold(page.text).split(), 1, ALIKE):
            sentence, name = found[0]
            return Ruling.quoting(sentence, name, (match["name"], name))
    return None


def _names_behind(page: Page, known_as: Set[str]) -> Iterator[tuple[Sentence, str]]:
    """The names that the page gives its subject besides those that it is known as."""
    for number, sentence in enumerate(page.sentences()[:SENTENCES_ON_REAL_NAMES]):
        known = _KNOWN_AS.match(sentence.text) if number == 0 else None
        if (
            known
            and fold(known["name"]) not in known_as
            and any(holds_name(fold(known["as"]), name) for name in known_as)
        ):
            yield sentence, known["name"]
        for match in _BEHIND.finditer(sentence.text):
            words = match["name"].split()
            if words[0] not in MONTHS and is_about(" ".join(known_as), sentence.text[: match.start()]):
                yield sentence, match["name"]
