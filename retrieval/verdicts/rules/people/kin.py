"""Claims that say how two people are related: "Ada Lovelace was Lord Byron's daughter".

A network often confuses the relation with its reverse. Two people are related in only one of these ways, so a sentence of either's
page that names the other beside a word of kinship decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.text.titles import without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, is_about, pages_called, pages_meant, spellings

SENTENCES_ON_KIN = 40  # of a page
# What the first person is to the second.
CHILD, PARENT, SPOUSE, SIBLING = "child", "parent", "spouse", "sibling"
_GRANDCHILD, _GRANDPARENT = "grandchild", "grandparent"  # only as what a page says
_TURNED = {
    **{CHILD: PARENT, PARENT: CHILD, SPOUSE: SPOUSE, SIBLING: SIBLING},
    **{_GRANDCHILD: _GRANDPARENT, _GRANDPARENT: _GRANDCHILD},
}
_WORDS = {
    CHILD: "son|sons|daughter|daughters|child|children|kid",
    PARENT: "father|mother|parent|parents|dad|mum|mom",
    SPOUSE: "wife|husband|spouse",
    SIBLING: "brother|sister|sibling|siblings|brothers|sisters",
}
_RELATION = {word: relation for relation, words in _WORDS.items() for word in words.split("|")}
_ANY = "|".join(sorted(_RELATION, key=len, reverse=True))
_RELATION[_GRANDCHILD] = _GRANDCHILD
_ONE, _OTHER = r"(?P<one>[^,;:?!]{2,50}?)", r"(?P<other>[^,;:?!]{2,50}?)"
_KIND = r"(?P<kind>(?:[a-z]+ ){0,2}?)"  # "only legitimate child"
_CLAIMS = ClaimForms(
    rf"{_ONE} (?:is|was) (?:an?|the|one of the) {_KIND}(?P<word>{_ANY}) of {_OTHER}",
    rf"{_ONE} (?:is|was) {_OTHER}['’]s? {_KIND}(?P<word>{_ANY})",
    rf"{_OTHER}['’]s? {_KIND}(?P<word>{_ANY}) (?:is|was) {_ONE}",
)
_PAIRS = ClaimForms(
    rf"{_ONE} and {_OTHER} (?:is|are|was|were) (?P<words>siblings|brothers|sisters|brother and sister|husband and wife)"
)
_GENDER = {
    **dict.fromkeys("son father dad husband brother".split(), "male"),
    **dict.fromkeys("daughter mother mum mom wife sister".split(), "female"),
}
_NAMED = r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3}"
_LAW = r"(?P<law>[- ]in[- ]law)?"
# "the daughter of Stephen and Naomi, and the older sister of Jake"
_CHILD_AND = re.compile(rf"\b(?:{_WORDS[CHILD]}) of [^.;:()]{{3,90}}?,? and (?:the |an? )?(?:[a-z]+ ){{0,2}}$")


@dataclass(frozen=True)
class Asked:
    """The claim says that `one` is the `word` of `other`. narrower: it says more of the relation ("the third son")."""

    one: str
    word: str
    other: str
    narrower: bool


def kin(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says how the claim's two people are related."""
    asked = _asked(claim, pages)
    if asked is None:
        return None
    ones, others = pages_meant(asked.one, pages), pages_meant(asked.other, pages)
    found = [one for page in ones for one in _related(page, spellings(asked.other, others))]
    turned_round = (one for page in others for one in _related(page, spellings(asked.one, ones)))
    found += [(sentence, word, not turned) for sentence, word, turned in turned_round]
    # Hera is "the wife and one of three sisters of Zeus": one of several relations is enough.
    rulings = [_ruling(asked, *one) for one in found if one[0] == found[0][0]]
    return next((one for one in rulings if one is None or one.holds), next(iter(rulings), None))


def _asked(claim: str, pages: Sequence[Page]) -> Asked | None:
    if pair := _PAIRS.match(claim):
        full = f"{pair['one']} {pair['other'].rpartition(' ')[2]}"  # "Jake and Maggie Gyllenhaal"
        return Asked(
            full if pages_called(full, pages) else pair["one"],
            "spouse" if "wife" in pair["words"].lower() else "sibling",
            pair["other"],
            False,
        )
    match = _CLAIMS.match(claim)
    return match and Asked(match["one"], match["word"].lower(), match["other"], bool(match["kind"]))


def _ruling(asked: Asked, sentence: Sentence, word: str, turned: bool) -> Ruling | None:
    """word: of the sentence. turned: it says what the claim's second person is to the first."""
    found, wanted = _RELATION[word], _RELATION[asked.word]
    same = wanted == (_TURNED[found] if turned else found)
    genders = {_GENDER.get(asked.word, ""), "" if turned else _GENDER.get(word, "")} - {""}
    if same and len(genders) < 2:
        return None if asked.narrower else Ruling(sentence, True)
    differ = (asked.word, word) if found != wanted else None
    return Ruling(sentence, False, f"“{without_bracket(sentence.title)}” tells of another relation: {word}.", differ)


def _related(page: Page, named: re.Pattern[str]) -> Iterator[tuple[Sentence, str, bool]]:
    """Sentences that say what the page's subject is to the person named, and the word for it.

    The last item says whether the word is for that person instead.
    """
    person = rf"(?:{named.pattern})(?!['’]s)(?!\w)"
    of = re.compile(
        rf"\b(?P<word>{_ANY}){_LAW}(?:,? and (?:the |an? |one of (?:the |\w+ )?)?(?:[a-z]+ )?(?P<too>{_ANY}))? of (?:the |his |her )?(?:[a-z]+ ){{0,4}}(?:{_NAMED} and (?:the |his wife |her husband )?)?{person}"
    )
    beside = re.compile(
        rf"\b(?:[Hh]is|[Hh]er|[Tt]heir|including|family:|[Hh]e has|[Ss]he has)(?: [a-z-]+){{0,2}}? (?P<word>{_ANY}){_LAW},? (?:the |an? )?(?:[a-z]+ ){{0,3}}{person}"
    )
    born = re.compile(
        rf"\b[Bb]orn to (?:the |an? )?(?:[a-z]+,? ){{0,6}}(?:{_NAMED}(?: ?\([^()]*\))?,? and (?:the |an? |his |her )?(?:[a-z]+ ){{0,4}})?{person}"
    )
    married = re.compile(rf"\b(?:[Mm]arried|[Mm]arriage)(?: to| with)? (?:the |an? )?(?:[a-z]+ ){{0,4}}{person}")
    # "the daughter of Prince Edward, Duke of Kent, the fourth son of King George III"
    grand = re.compile(
        rf"\b(?:{_WORDS[CHILD]}) of {_NAMED}[^.;()]{{0,60}}?, (?:the |an? )?(?:[a-z]+ ){{0,3}}(?:{_WORDS[CHILD]}) of (?:the )?(?:[A-Z][a-z]+ )?{person}"
    )
    patterns = (
        (grand, _GRANDCHILD, False),
        (of, "", False),
        (beside, "", True),
        (born, CHILD, False),
        (married, SPOUSE, False),
    )
    for sentence in page.sentences()[:SENTENCES_ON_KIN]:
        for pattern, relation, turned in patterns:
            match = pattern.search(sentence.text)
            groups = match.groupdict() if match else {}
            before = _CHILD_AND.sub("", sentence.text[: match.start()]) if match else ""
            if match and not groups.get("law") and is_about(page.title, before):
                for word in filter(None, (relation, groups.get("word"), groups.get("too"))):
                    yield sentence, word, turned
