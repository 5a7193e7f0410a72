"""Frames around a statement ("I read that …", "Is it true that …?", "It is false that …"), and whether they deny it.

Speakers ("X said that …") are found elsewhere, by grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST_FRAMES = 4  # around one statement
LEAST_STATEMENT = 3  # words
_SURELY = r"(?:(?:simply|just|totally|completely|absolutely|actually|really|indeed|also|still|quite|entirely|perhaps|often) ){0,2}"
_UNTRUE = (
    r"(?:false|untrue|incorrect|wrong|inaccurate|mistaken|a (?:common )?(?:myth|lie|hoax|misconception)|an? (?:urban )?(?:legend|error)|fake(?: news)?|"
    r"nonsense|not (?:true|correct|right|accurate|the case|a fact|so))"
)
_TRUE = r"(?:true|correct|right|accurate|a (?:well-known |known )?fact|the (?:case|truth)|certain|a given)"
_IS = r"(?:is|was|'s|’s|has been)"
_IS_NOT = r"(?:isn['’]t|wasn['’]t|is not|was not|['’]s not|is no longer)"
_THOUGHT = (
    r"(?:claim|idea|notion|belief|assertion|statement|myth|rumou?r|story|allegation|suggestion|theory|view|assumption|opinion|report|"
    r"saying|thesis|hypothesis|hoax|conspiracy theory|news)"
)
_A_THOUGHT = rf"(?:the|this|that|any|a|your|his|her|their|my) (?:\w+ ){{0,2}}{_THOUGHT} that"
_PEOPLE = r"(?:people|of us|humans|americans|kids|children|fans|men|women|persons|users|tourists)"
_KNOW = r"(?:know|knew|realis?ze?|realise|remember|learn|learnt|learned|understand)s?"
_FINITE = r"\b(?:is|are|was|were|has|have|had|can|could|will|would|do|does|did|won|wrote|made|became|\w{3,}ed)\b"
_HEAR = (  # like the next, in lower case only, because "I Think We're Alone Now" is a title
    r"(?-i:read|heard|learned|learnt|saw|seen|found out|discovered|noticed|remember(?:ed)?|know|knew|was told|were told|am told|"
    r"am (?:pretty |quite |fairly |very )?(?:sure|certain|convinced)|recall|noted)"
)
_THINK = r"(?-i:think|thought|believe|guess|bet|suppose|reckon|assume|swear|say)"
_TEACHERS = r"(?:they|we|i|(?:our|my|the) (?:\w+ )?(?:teachers?|professors?|parents|textbooks?)|teachers|schools?)"
_TAUGHT = r"(?-i:taught|teach|teaches|told|tell|were taught|was taught|learned|learnt|are taught|am taught)(?: us| me| you| kids| children| everyone)?"
_AT_SCHOOL = r"(?: (?:at|in) (?:school|college|university|kindergarten|class|church|history class|biology|physics))"
_AS_I_KNOW = (
    r"in my (?:humble |honest )?opinion|as far as i (?:know|can tell|remember|am aware)|afaik|iirc|imho|imo|if i (?:remember|recall) (?:correctly|right|rightly)|"
    r"from what i(?:['’]ve| have)? (?:know|heard|read|learned|gathered|understand)|to my knowledge|to the best of my knowledge"
)
_WHERE = r"(?: (?:somewhere|online|on the (?:news|internet|web|radio)|on (?:tv|twitter|facebook|reddit|wikipedia)|in (?:a|the) \w+|today|yesterday|once|recently)){0,2}"
_ADVERB = (
    r"(?:actually|apparently|allegedly|supposedly|reportedly|in fact|in reality|in truth|as a matter of fact|honestly|basically|interestingly(?: enough)?|"
    r"surprisingly(?: enough)?|of course|obviously|clearly|by the way|btw|fyi|well|yes|yeah|wow|omg|lol|hey|hello|hi|so|ok|okay|fact|fact is|truth is|"
    r"as (?:everyone|everybody|we all) knows?|contrary to (?:popular|common|general) (?:belief|opinion)|believe it or not|til|today i learned|"
    r"you know|i mean|look|listen|guys|folks|no offen[cs]e|to be (?:honest|fair)|imho|tbh)"
)
_DENIALS = (
    rf"it{{is}} {_SURELY}{_UNTRUE} (?:to (?:say|claim|think|believe) )?that (.+)",
    rf"it ?{_IS_NOT} {_SURELY}{_TRUE} (?:to (?:say|claim) )?that (.+)",
    rf"{_A_THOUGHT} (.+?),? (?:is|was|has been) {_SURELY}{_UNTRUE}",
    rf"{_A_THOUGHT} (.+?),? (?:isn['’]t|wasn['’]t|has been (?:proven|shown to be)|has been) (?:{_TRUE}|{_UNTRUE}|debunked|disproved|disproven|refuted)",
    rf"there(?: is|['’]s) no (?:truth|evidence|proof) (?:in|to|for|of) {_A_THOUGHT} (.+)",
    rf"[“\"‘'](.+)[”\"’'],? (?:is|was) {_SURELY}{_UNTRUE}",
)
_FRAMES = (
    rf"{_A_THOUGHT} (.+?),? (?:is|was) {_SURELY}{_TRUE}",
    rf"[“\"‘'](.+)[”\"’'],? (?:is|was) {_SURELY}{_TRUE}",
    rf"it{{is}} {_SURELY}{_TRUE},? (?:that )?(.+)",
    r"it{is} (?:\w+ ){0,2}(?:known|accepted|established|documented|agreed|proven|recorded|said|claimed|reported|rumou?red|believed|alleged) that (.+)",
    rf"(?:very |only (?:a )?|not )?(?:few|many|a lot of|most|some|lots of|plenty of|not a lot of) (?:{_PEOPLE} )?(?:do not |don['’]t |still |will |would |even )?{_KNOW} that (.+)",
    rf"(?:everyone|everybody|we all|nobody|no one|you|we|people|i) (?:all |should |already |also |probably |may |might |don['’]t )?{_KNOW} that (.+)",
    rf"(?:everyone|everybody|we all) (?:already )?{_KNOW} (?=.+{_FINITE})(.+)",
    rf"{_TEACHERS} {_TAUGHT}{_AT_SCHOOL} (?:that )?(.+)",
    rf"i(?: have|['’]ve| had| also| just| once| recently| often| once){{0,2}} {_HEAR}{_WHERE} that (.+)",
    rf"i (?:really |do |always )?{_THINK} (?:that )?(.+)",
    r"(?:rumou?r has it|word has it|legend has it|the (?:fact|truth|thing|reality) is|fact is|they say|people say|some say|it turns out|it seems|it appears|today i learned|til) (?:that )?(.+)",
    rf"(?:you|i|we|many|most|few|some|not many) (?:{_PEOPLE} )?(?:[a-z]+(?: not|n['’]t)? )?{_KNOW} (?:it|this|that),? (?:but|yet|though) (.+)",
    r"(?-i:that) (.+)",  # "that sharks are fish", after a colon or a question mark
    rf"{_ADVERB}\s?[,:…!–—-]+ ?(.+)",
    # Without a comma, only before a word in small letters, because "Actually Rosie" may be a title.
    rf"(?:{_AS_I_KNOW}),? (.+)",
    r"(?:apparently|actually|supposedly|reportedly|allegedly|honestly|basically|obviously) (?-i:(?=[a-z]))(.+)",
)
_QUESTIONS = (
    rf"(?:is|was|isn['’]t|wasn['’]t|could) it (?:be )?{_SURELY}(?:not )?{_TRUE} (?:to say )?that (.+)",
    rf"(?:is|was|isn['’]t) {_A_THOUGHT} (.+?),? {_SURELY}{_TRUE}",
    rf"is there any (?:truth|evidence) (?:in|to|for) {_A_THOUGHT} (.+)",
    r"(?:did|do|didn['’]t|don['’]t) (?:you|u) (?:all )?(?:know|realise|realize|think|believe) (?:that )?(.+)",
    r"(?:have|haven['’]t) you (?:ever )?(?:heard|read) that (.+)",
    r"(?:can|could|would) (?:you|someone|anyone|anybody) (?:please )?(?:confirm|check|verify|tell me|say)(?: for me)? (?:if|whether|that) (.+)",
)
_DENYING_QUESTIONS = (
    rf"(?:is|was|isn['’]t|wasn['’]t) it (?:be )?{_SURELY}{_UNTRUE} that (.+)",
    rf"(?:is|was|isn['’]t) {_A_THOUGHT} (.+?),? {_SURELY}{_UNTRUE}",
)
_REQUESTS = (
    r"(?:please )?(?:check|verify|confirm|fact[- ]check|tell me|find out) (?:for me )?(?:if|whether|that)(?: it is true that)? (.+)",
    r"i (?:wonder|want to know|would like to know|['’]d like to know|am not sure|wonder,) (?:if|whether) (.+)",
)
_VERB_FIRST = re.compile(
    r"(?:is|was|are|were|would|will|could|can|should|has|had|have|does|did|do|may|might)\b", re.IGNORECASE
)
_TAG = re.compile(
    r"(.{8,}?),? (?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?:n['’]t| not)? (?:i|you|he|she|it|we|they|there|that)(?: not)?|"
    r"ain['’]t it|isnt it|didnt (?:he|she|it|they)|right|correct|true|no|yes|eh|huh|innit|or not|true or false|really|yeah|is that (?:true|right|correct|so))\?+",
    re.IGNORECASE,
)
_TAILS = re.compile(
    r"(.{8,}[.!]|.{8,},) ?(?:true or false|right or wrong|is (?:this|that|it) (?:true|right|correct|so)|true|correct|right|fact or fiction|really)\s?\?+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Framed:
    """A statement without frames. denied: whether a frame denies it. asked: whether it was a question."""

    text: str
    denied: bool = False
    asked: bool = False


def unframed(text: str) -> Framed:
    """The statement inside all frames; the text itself if there is none. Linear in the length of the text."""
    found = Framed(text)
    for _ in range(_MOST_FRAMES):
        inner = _one_frame(found.text)
        if inner is None:
            break
        found = Framed(inner.text, found.denied != inner.denied, found.asked or inner.asked)
    return found


def _one_frame(text: str) -> Framed | None:
    bare = text.rstrip(" .!")
    end = "" if bare == text else text[len(bare) :][:1].strip()
    asked = bare.endswith("?")
    for patterns in (_COMPILED_QUESTIONS,) if asked else (_COMPILED, _COMPILED_REQUESTS):
        for pattern, denied in patterns:
            match = pattern.fullmatch(bare.rstrip("? ") if asked else bare)
            if match and (inner := _stated(match[1])):
                return Framed(inner + ("." if asked else end), denied, asked or patterns is _COMPILED_REQUESTS)
    if asked and (match := _TAILS.fullmatch(bare) or _TAG.fullmatch(bare)) and (inner := _stated(match[1])):
        return Framed(inner + "." * inner[-1].isalnum(), asked=True)
    return None


def _stated(text: str) -> str:
    """The words as a sentence; empty if they are too few for a statement, or begin with a verb."""
    text = text.strip(" ,;:–—-")
    whole = text.count(" ") >= LEAST_STATEMENT - 1 and not _VERB_FIRST.match(text)
    return text[0].upper() + text[1:] if whole else ""


def _compiled(patterns: tuple[str, ...], denied: bool) -> list[tuple[re.Pattern[str], bool]]:
    return [(re.compile(pattern.replace("{is}", f" ?{_IS}"), re.IGNORECASE), denied) for pattern in patterns]


_COMPILED = [*_compiled(_DENIALS, True), *_compiled(_FRAMES, False)]
_COMPILED_QUESTIONS = [*_compiled(_QUESTIONS, False), *_compiled(_DENYING_QUESTIONS, True)]
_COMPILED_REQUESTS = _compiled(_REQUESTS, False)
