"""Claims that say who won a battle or war: "Robert the Bruce won the Battle of Bannockburn" beside "… was defeated by …"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from retrieval.text.names.nations import exclude, nation_of, nations_in
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_called

SENTENCES_ON_BATTLES = 15  # of a page
_FOUGHT = r"(?:battle|war|siege|campaign|raid|invasion|rebellion|revolution|crusade)"
_SIDE, _BATTLE = (
    r"(?:the )?(?P<side>[^,;:?!]{2,50}?)",
    rf"(?:the )?(?P<battle>(?=[^,;:?!]*\b{_FOUGHT}s?\b)[^,;:?!]{{3,60}}?)",
)
_BEAT = r"(?:defeated|beat|routed|crushed)"
_CLAIMS = ClaimForms(
    rf"(?:the )?{_SIDE} (?:won|were victorious in|was victorious in|was the winner of|were the winners of) {_BATTLE}",
    rf"(?:the )?{_SIDE} (?P<lost>lost|(?:was|were) (?:defeated|beaten) (?:in|at)) {_BATTLE}",
    rf"(?:the )?{_SIDE} {_BEAT} (?:the )?[^,;:?!]{{2,40}}? (?:in|at|during) {_BATTLE}",
    rf"(?:the )?{_BATTLE} (?:was|were) won by {_SIDE}",
    rf"(?:the )?{_BATTLE} (?:was|is) (?:an? )?(?:[a-z]+ ){{0,2}}?(?:victory (?:for|of)|won by) {_SIDE}",
    rf"(?:the )?{_BATTLE} was (?:an? )?(?:[a-z]+ ){{0,2}}?{_SIDE} victory",
    rf"(?:the )?{_BATTLE} was (?:an? )?(?:[a-z]+ ){{0,2}}?(?P<lost>defeat) (?:for|of) {_SIDE}",
)
_NAME = r"[A-Z][\w'’-]+(?: (?:and )?[A-Z][\w'’-]+){0,3}"
_ARMY = r"[^.;:()]{3,120}?"
_WON = (
    re.compile(rf"\b(?P<winner>{_NAME}) victory\b|\bvictory (?:for|by|of) (?P<winner2>{_ARMY})(?: over\b| against\b|[,.;]|$)"),
    re.compile(rf"(?P<winner>{_ARMY})(?<! was)(?<! were)(?<! been)(?<! be) (?:[a-z]+ly )?{_BEAT} (?P<loser>{_ARMY})(?:,| at | in | on | near |[.;]|$)"),
    re.compile(rf"(?P<loser>{_ARMY}) (?:was|were) (?:[a-z]+ly )?(?:defeated|beaten|routed|crushed)\b[^.;,]{{0,30}}? by (?P<winner>[^.;:()]{{3,120}})"),
    re.compile(rf"\b(?P<loser>{_NAME}) defeat\b|\bdefeat (?:for|of) (?P<loser2>{_ARMY})(?: by\b|[,.;]|$)"),
    re.compile(rf"(?P<winner>{_ARMY}) won (?:an? |the )?(?:[a-z]+ ){{0,2}}?(?:battle|victory|war)\b"),
)  # fmt: skip
# "between the Norman-French army of Duke William and an English army under Harold"
_BETWEEN = re.compile(r"\bbetween (?P<one>[^.;]{3,120}?) and (?P<other>[^.;]{3,120}?)(?:,|[.;]| during\b| in \d|$)")
_OPEN = re.compile(r"\b(?:claimed|claims|both sides|inconclusive|propaganda|pyrrhic|indecisive|stalemate|had|previous\w*|earlier)\b", re.IGNORECASE)  # fmt: skip
_OTHER_BATTLE = re.compile(r"\b(?:Battle|Siege) of (?:the )?(?P<where>[A-Z][\w'’-]+)")
_ONE_FIGHT = re.compile(r"\b(?:Battle|Siege|Raid)\b")  # of a war, others may have won a part
_ISLES = {"England", "Scotland", "Wales", "Ireland"}  # of one kingdom later
_LITTLE = frozenset("army force forces troops general king empire kingdom union the and of great".split())


def won(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the battle's page that says whether the claim's side won; None if sentences differ."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    lost = bool(match.groupdict().get("lost"))
    words, nations = side_words(match["side"]), {nation_of(match["side"]), *nations_in(match["side"])} - {""}
    for page in pages_called(match["battle"], pages)[:1]:
        sides = list(_sides(page))
        found = [
            (sentence, is_winner)
            for sentence, army, is_winner in sides
            if (words and words <= side_words(army)) or nations & set(nations_in(army))
        ] or list(_of_the_leader(words, page, sides))
        if not found and nations and not lost and _ONE_FIGHT.search(page.title):
            return _won_by_another(sides, nations)
        return by_result(found, lost)
    return None


def by_result(found: Sequence[tuple[Sentence, bool]], lost: bool) -> Ruling | None:
    """Decided by the sentences that say whether the claim's side won; None if they differ. lost: according to the claim."""
    if len({is_winner for _, is_winner in found}) != 1:
        return None
    sentence, is_winner = found[0]
    return _result(sentence, is_winner is not lost, "won" if is_winner else "lost")


def _of_the_leader(
    words: Set[str], page: Page, sides: Iterable[tuple[Sentence, str, bool]]
) -> Iterator[tuple[Sentence, bool]]:
    """Whether the side that someone led won: of "the Norman army of Duke William and an English army", William's is the Norman one."""
    firsts = (found for one in page.sentences()[:1] for found in _BETWEEN.finditer(one.text))
    armies = next(((side_words(found["one"]), side_words(found["other"])) for found in firsts), None)
    ours = [army for army in armies or () if any(len(word) > 2 for word in words & army)]
    if not armies or len(ours) != 1:
        return
    theirs = armies[0] if ours[0] is armies[1] else armies[1]
    for sentence, army, is_winner in sides:
        is_ours, is_theirs = (bool(side_words(army) & one) for one in (ours[0], theirs))
        if is_ours != is_theirs:
            yield sentence, is_winner is is_ours


def _won_by_another(sides: Iterable[tuple[Sentence, str, bool]], nations: Set[str]) -> Ruling | None:
    """The first sentence that calls the battle the victory of one country, if that is none of these."""
    found = ((sentence, set(nations_in(army))) for sentence, army, is_winner in sides if is_winner)
    sentence, winners = next(((sentence, named) for sentence, named in found if named), (None, set[str]()))
    if sentence and all(exclude(one, other) or {one, other} <= _ISLES for one in winners for other in nations):
        return _result(sentence, False, "did not win")
    return None


def _result(sentence: Sentence, holds: bool, did: str) -> Ruling:
    """did: what the claim's side did according to the sentence."""
    return Ruling(sentence, holds, "" if holds else f"“{without_bracket(sentence.title)}” says that this side {did}.")


def side_words(text: str, little: Set[str] = _LITTLE) -> frozenset[str]:
    """The stems of the words that name a side. little: words that name none."""
    return frozenset(stem(word) for word in fold(text).split() if word not in little)


def _sides(page: Page) -> Iterator[tuple[Sentence, str, bool]]:
    """The armies that the page calls winners (True) and losers."""
    for sentence in page.sentences()[:SENTENCES_ON_BATTLES]:
        others = (found["where"] for found in _OTHER_BATTLE.finditer(sentence.text))
        if _OPEN.search(sentence.text) or any(where not in page.title for where in others):
            continue
        for pattern in _WON:
            for found in pattern.finditer(sentence.text):
                for key, army in found.groupdict().items():
                    if army:
                        yield sentence, army, key.startswith("winner")
