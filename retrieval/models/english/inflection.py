"""Third person and past tense of English verbs ("does win" -> "wins"), and plurals of nouns."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FORMS = (
    "be:was bear:bore beat:beat become:became begin:began bend:bent bet:bet bind:bound bite:bit bleed:bled blow:blew break:broke "
    "breed:bred bring:brought build:built burst:burst buy:bought cast:cast catch:caught choose:chose come:came cost:cost "
    "creep:crept cut:cut deal:dealt dig:dug do:did draw:drew drink:drank drive:drove eat:ate fall:fell feed:fed feel:felt "
    "fight:fought find:found flee:fled fly:flew forbid:forbade forget:forgot forgive:forgave freeze:froze get:got give:gave "
    "go:went grow:grew hang:hung have:had hear:heard hide:hid hit:hit hold:held hurt:hurt keep:kept know:knew lay:laid lead:led "
    "leave:left lend:lent let:let lie:lay lose:lost make:made mean:meant meet:met pay:paid put:put quit:quit read:read ride:rode "
    "ring:rang rise:rose run:ran say:said see:saw seek:sought sell:sold send:sent set:set shake:shook shoot:shot shut:shut "
    "sing:sang sink:sank sit:sat sleep:slept speak:spoke spend:spent split:split spread:spread stand:stood steal:stole "
    "stick:stuck strike:struck swear:swore swim:swam take:took teach:taught tear:tore tell:told think:thought throw:threw "
    "understand:understood wake:woke wear:wore win:won wind:wound withdraw:withdrew write:wrote rewrite:rewrote undergo:underwent "
    "overcome:overcame retell:retold rebuild:rebuilt oversee:oversaw remake:remade"
)
_PAST: Mapping[str, str] = dict(pair.split(":", 1) for pair in _FORMS.split())
_DOUBLED = frozenset(
    "stop plan ban drop star rob rub ship trap wed slip strip step grab top tip nod hug occur refer prefer transfer".split()
)
_UNCHANGED = frozenset("people series species aircraft".split())  # in the plural


def third_person(lemma: str) -> str:
    """win -> wins."""
    regular = f"{lemma}es" if lemma.endswith("o") else _with_s(lemma)
    return {"have": "has", "be": "is"}.get(lemma, regular)


def plural(noun: str) -> str:
    """sequel -> sequels."""
    return noun if noun.lower() in _UNCHANGED else _with_s(noun)


def _with_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh)$", word) else "s")


def past(lemma: str) -> str:
    """win -> won."""
    if lemma in _PAST:
        return _PAST[lemma]
    if re.search(r"[^aeiou]y$", lemma):
        return f"{lemma[:-1]}ied"
    if lemma in _DOUBLED:
        return f"{lemma}{lemma[-1]}ed"
    return lemma + ("d" if lemma.endswith("e") else "ed")


def without_do(helper: str, verb: str) -> str:
    """The finite verb equivalent to `do`, `does` or `did` with a bare verb: did, win -> won."""
    inflected = {"did": past, "does": third_person}.get(helper.lower(), str)
    return inflected(verb)
