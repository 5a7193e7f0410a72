"""Removes a writer's remarks from a statement: "…, which will surprise the French", "(which I love)"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from retrieval.text.grammar import SAYS, WORD_SUBJECTS, capitalised, has_child, is_finite, root_of

MOST_COMMAS = 12  # commas after which to look for a remark
_WRITER = r"(?:I|we|me|us|my|our|myself)"
_ASIDE = r"by the way|for the record|of course|needless to say|to be (?:fair|honest|precise|clear|frank)|as it happens|mind you|believe it or not|believe me"
_PEOPLE = r"(?:any(?:one|body)|every(?:one|body)|nobody|no one|few(?: people)?|many(?: people)?|most(?: people| of us)?|you|locals|some of us)"
_REACTS = (
    r"(?:correct(?:s|ed)?|contradict(?:s|ed)?|notic(?:es?|ed)|question(?:s|ed)?|challeng(?:es?|ed)|object(?:s|ed)?|dar(?:es?|ed)|"
    r"bother(?:s|ed)?|check(?:s|ed)?|mind(?:s|ed)?|protest(?:s|ed)?|complain(?:s|ed)?|laugh(?:s|ed)?|nodd?(?:s|ed)?|cares?|cared|"
    r"argu(?:es?|ed)|seem(?:s|ed)?|(?:said|says|did|does) (?:anything|a word|a thing|nothing))"
)
_IN_BRACKETS = re.compile(
    rf"\s?\((?=[^()]{{0,300}}(?:\b(?:{_WRITER}|you)\b|[!?]\)|\b(?:as|like) every|\b(?:see (?:above|below|also)|or so|emphasis|of course|believe it or not|"
    rf"{_PEOPLE} (?:\w+ ){{0,4}}?{_REACTS}|apparently|surprisingly|sadly|luckily|un?fortunately|oddly enough)\b))[^()0-9]{{1,300}}\)"
)
_BETWEEN_COMMAS = re.compile(
    r", (?:as (?:every \w+|everyone|everybody|you|we all) (?:\w+ )?knows?|if you ask me|to my \w+|"
    rf"{_ASIDE}|I (?:might add|may add|should add|think|believe|suppose|guess|hear|admit|gather|must say|dare say)),"
)
_MOOD = r"(?:sadly|alas|un?fortunately|thankfully|luckily|honestly|frankly|ironically|incidentally|interestingly|surprisingly|obviously|admittedly|curiously)"
# The last alternative is a verb whose subject was removed with another remark.
_AT_END = re.compile(
    rf"(?:,? (?:{_ASIDE}|if you ask me|if memory serves(?: me)?(?: right| well)?|if {_WRITER} (?:remember|recall)(?: rightly| correctly)?|if (?:the|this|that|its|his|her|their) [\w ]{{1,40}}? (?:is|are) to be (?:believed|trusted)|or so {_WRITER} "
    r"\w+(?: \w+)?|or so (?:they|people|he|she|it) (?:say|says|claims?)|(?:most |many |all )?(?:historians|experts|scholars|scientists) "
    rf"agree|as far as {_WRITER} (?:know|remember|recall|can tell)|{_WRITER} (?:am told|think|believe|suppose|guess|hear|gather))|, (?:say|{SAYS}|{_MOOD}))(?=[.!]?\Z)"
)
_AT_START = re.compile(
    r"\A(?:As|Like) (?:I|we|you)(?: (?:have|had|all|may|already|just|probably))* (?:said|mentioned|noted|wrote|told|know|explained|remember)"
    rf"[\w ]{{0,40}}, |\AAs (?:mentioned|noted|stated|said|discussed|described|explained|shown) (?:above|before|earlier|previously|already), |\A(?i:{_ASIDE}|{_MOOD}|trust me), "
    r"|\A(?:(?i:lol|lmao|imho|imo|fyi|tbh|btw|ngl|omg|wow|p\.?s\.?)(?:[,:!]+ | (?=the\b|an?\b|it\b|[A-Z])))"
)
_JOINT = re.compile(r"(?:,|;| [—–-])\s+")
_FEELS = (
    r"(?:surpris|amus|annoy|delight|shock|pleas|puzzl|astonish|confus|irritat|interest|impress|disappoint|worr|upset|alarm|baffl|"
    r"intrigu|bother|sadden|comfort|ma[dk]e)\w*"
)
_REMARK = re.compile(
    rf"(?:(?:and|but|though|although|yet|so|as) )?(?:"
    rf"which (?:(?:will|would|may|might|should|must|did|does|has|is|was) )?(?:\w+ly |not |no doubt |rather |quite )?{_FEELS} (?:me|us|you|many|"
    rf"some|no one|nobody|everyone|anyone|few|the|its|his|her|their|to|by|at)\b"
    rf"|which (?:came|comes|sounds?|seems?|is|was) (?:\w+ly |a bit |rather |quite |just |simply )?(?:as|like|odd|strange|nonsense|wrong|untrue|"
    rf"false|true|right|news|surprising|absurd|a lot|plenty|impressive|amazing|incredible|remarkable|astonishing|a (?:surprise|shame|pity|joke|lie)|hard to believe|to me)\b"
    rf"|{_PEOPLE}\b[^,]{{0,80}}\b(?:will|would|can|could|might|may|knows?|remembers?|agrees?|disagrees?|objects?|tells?)\b"
    rf"|(?:{_PEOPLE}|not (?:a single|one) \w+|none of (?:us|them|the \w+)) (?:\w+ ){{0,4}}?{_REACTS}\b"
    rf"|(?:a|the|something|one) ?(?:thing|fact|claim|detail|date|story|statement|figure|point)?(?: that| which)? (?:{_PEOPLE}|{_WRITER})\b"
    rf"|as (?:every \w+|everyone|everybody|you|we all) (?:\w+ )?knows?\b)"
    rf"|(?:(?:and|but|though|although|yet|so|as|which|where|whom|while) [^;]{{0,100}})?\bI(?:['’](?:d|ll))? (?:\w+ ){{0,2}}?"
    rf"(?:could|can|cannot|can['’]t|would|will|must|should|might|do|don['’]t|did|didn['’]t|love|like|hate|doubt|think|thought|believe|"
    rf"agree|admit|confess|found|find|wonder|suspect|hope|know|knew|guess|suppose|enjoyed?|fault|check(?:ed)?|looked|googled|read|heard|saw|remember(?:ed)?|learn(?:ed|t)|bet|tried)\b"
)
_TRIGGER = re.compile(
    rf"(?i)\(|, (?:{_ASIDE}),|\b{_WRITER}\b|\b{_PEOPLE}\b|, which |[;—–]|, a |, as |something|\bnot (?:a single|one)\b|\bnone\b"
)
LONGEST_FRAGMENT = 3  # tokens; anything this short is no statement


def without_remarks(text: str, parse: Callable[[str], Any]) -> str:
    """The statement without remarks; unchanged if nothing else would remain. parse: spaCy."""
    unframed = capitalised(_AT_START.sub("", _AT_END.sub("", text)))  # without remarks about all of it
    text = unframed if unframed == text or _is_statement(parse(unframed)) else text
    if not _TRIGGER.search(text):
        return text
    bare = _BETWEEN_COMMAS.sub("", _IN_BRACKETS.sub("", text))
    for number, joint in enumerate(_JOINT.finditer(bare)):
        rest = bare[joint.end() :]
        if number >= MOST_COMMAS or not _REMARK.match(rest) or any(sign.isdigit() or sign in '"“' for sign in rest):
            continue
        if bare.count("(", 0, joint.start()) > bare.count(")", 0, joint.start()):
            continue
        first = _AT_END.sub("", bare[: joint.start()].rstrip(" ,;:") + ".")
        if _is_statement(parse(first)):
            return first
    return bare if bare == text or _is_statement(parse(bare)) else text


def _is_statement(doc: Any) -> bool:
    """Whether the words form a clause with a subject."""
    root = root_of(doc)
    if root is None or len(doc) <= LONGEST_FRAGMENT:
        return False
    # The parser may take a past tense for a participle with the same spelling: "The tunnel opened in 1950."
    seems_finite = root.tag_ == "VBN" and has_child(root, "nsubj")
    return has_child(root, *WORD_SUBJECTS) and (is_finite(root) or seems_finite)
