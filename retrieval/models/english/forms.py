"""Recognises texts that cannot be true or false: a greeting, a mere name, an opinion, a request, a prediction.

In doubt, a text is a statement: refusing a real one costs more than checking a strange one. Titles begin like
exclamations, too: "How Green Was My Valley won an Oscar."
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from retrieval.models.english.grammar import ParsedClaim, parse
from retrieval.text import grammar
from retrieval.text.extraction.kinds import JUDGING
from retrieval.text.grammar import auxiliaries, child_of, has_child, root_of
from retrieval.types import NoVerdict

# Each word matches as a whole or not at all, so time is linear.
_GREETING = re.compile(
    r"(?:(?>(?:hello|hi|hey|hiya|yo|howdy|greetings|good (?:morning|afternoon|evening|night|day)|how are you(?: doing| today)?|what['’]?s up|sup|"
    r"thanks?(?: you)?(?: (?:so|very) much| a lot)?|ty|thx|cheers|please|bye|goodbye|see you|ok|okay|yes|yeah|yep|no|nope|maybe|sure|cool|"
    r"lol|haha+|ha|hah|hehe|heh|rofl|lmao|omg|wow|yay|ugh|oops|hurray|hooray|bravo|nice(?: to meet you)?|test(?:ing)?|asdf\w*|qwert\w*|foo|bar|blah|hmm+|help|welcome|sorry|congratulations|"
    r"merry christmas|happy (?:birthday|new year|easter)|there|world|everyone|everybody|all|friends?|guys|bot|computer)\b)"
    r"[\s,.!?;:)]*+){1,6}+(?:lorem ipsum\b.*)?|lorem ipsum\b.*",
    re.IGNORECASE,
)
_LONGEST_PHRASE = 12  # words; a longer text without a verb is a sentence that the tagger misread
# In a longer text, a word in lower case may be a verb that the tagger took for a noun: "the Bulls play in Chicago".
_FEW_WORDS = 3
# Verbs in most claims where the tagger finds none: "fleas cant fly", "hot air rises".
_SEEMING_VERBS = re.compile(
    r"(?:\w{3,}(?:s|ed)|\w+(?:nt|n['’]t)|is|are|was|were|has|had|have|did|does|can|will|won|wrote|made|got|ran|led|met|sang)$"
)
# Words that also begin names, kinds and titles.
_MILD = frozenset("great interesting perfect sad cool nice fun pretty crazy evil funny hot".split())
_SUPERLATIVE = frozenset(
    "best worst greatest coolest funniest prettiest cutest smartest nicest ugliest tastiest dumbest stupidest silliest".split()
)
_ALL_JUDGING = (JUDGING | _SUPERLATIVE).union(
    "delicious ugly tasty yummy cute handsome pretty sexy gorgeous hilarious funny cool awesome nice hottest stupid dumb silly evil crazy gross "
    "fun interesting adorable annoying sad great excellent perfect yucky".split()
)
_SEEMS = ("be", "seem", "look", "taste", "sound", "smell", "feel", "'s")
# Nouns that follow a superlative in names of prizes, facts and titles: "best actor", "best seller", "best man".
_NEUTRAL = ("actor", "actress", "seller", "picture", "film award", "man", "friend")
_BETTER = frozenset("better worse nicer cooler prettier tastier funnier cuter uglier smarter".split())
# The verbs are in lower case, because "I Love Lucy" and "I Want to Know What Love Is" are titles.
_I_FEEL = re.compile(
    r"(?:[Ii]|[Ww]e) (?:[a-z]+ ){0,2}(?:love|like|hate|prefer|adore|enjoy|dislike|detest|admire|despise|can['’]t stand|agree|disagree|am (?:so |very )?(?:happy|sad|tired|bored|"
    r"hungry|angry|proud|sorry|glad))\b|(?:[Ii]n my (?:view|opinion|mind|eyes)|imo|IMO|IMHO|imho|[Tt]o my mind|[Ii]f you ask me|[Ff]or me),? |[Mm]y (?:personal |all-time )?favou?rite [a-z]"
)
_TOO_MANY = re.compile(r"\b(?:has|have|is|are|gets?) (?:way |far |just )?too (?:many|much) [a-z]+[.!]?$")
_WISH = re.compile(
    r"(?:[Ii]|[Ww]e) (?:[a-z]+ )?(?:wish|hope|want|would like|['’]d like|need)\b|(?:[Ll]et['’]?s|[Ll]et us|[Pp]lease|[Ii]f only|[Mm]ay the|[Ll]ong live|[Hh]opefully) [a-z]"
)
_SUPPOSED = re.compile(r"(?:if|suppose|supposing|imagine|assuming|assume|what if|provided|were)\b", re.IGNORECASE)
_WHAT_IF = re.compile(r"(?:what if|suppose|imagine)\b(?! (?:is|was|has|had|by|became|won)\b)", re.IGNORECASE)
_PERHAPS = re.compile(r"(?:maybe|perhaps|possibly|probably|presumably|conceivably)\b,? ", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:20[2-9]\d|2[1-9]\d\d)\b")
_COMING = re.compile(
    r"\b(?:tomorrow|soon|some ?day|one day|in the (?:near |distant |not too distant )?future|(?:next|coming) (?:year|season|week|month|summer|winter|spring|autumn|fall|"
    r"decade|century|election|monday|tuesday|wednesday|thursday|friday|saturday|sunday|few)|in the (?:next|coming) \w+|within (?:the next )?\w+ (?:years|months|weeks|days)|"
    r"(?:from now|eventually|by the end of (?:the|this) (?:year|decade|century)))\b",
    re.IGNORECASE,
)
_FORESEEN = frozenset(
    "win lose beat hit reach rise fall drop crash happen become die collapse go rain snow exceed double triple replace disappear vanish explode "
    "grow shrink increase decrease defeat overtake surpass resign divorce marry get make end survive conquer destroy take".split()
)
_PLANNED = frozenset(
    "hold host release premiere air star publish open feature direct play celebrate mark produce show broadcast stage give schedule".split()
)
# Exclamations, thanks and wishes are recognised by how they begin and by the lack of a verb.
_WHAT = re.compile(r"(?:(?:oh|wow|ah|my),? )?what (?:an? |(?-i:[a-z]+ )+)", re.IGNORECASE)
_HOW = re.compile(r"(?:(?:oh|wow|ah|my),? )?how (?:very |so |truly )?(?-i:[a-z]+)\b", re.IGNORECASE)
# The subject and verb at the end of an exclamation: "… that goal was".
_ABOUT_IT = re.compile(
    r" (?:(?:that|this|it|he|she|they|those|these|you|we|i)(?: [a-z]+)? (?:is|was|are|were|have|had|made|did)|"
    r"(?:it['’]s|you['’]re|we['’]ve|i['’]ve) (?:been|had))$",
    re.IGNORECASE,
)
_SALUTATION = re.compile(
    r"(?:many thanks|thanks|thank you|welcome|congratulations|congrats|happy|merry|good luck|best (?:wishes|regards)|cheers|bravo|hurray|hooray|"
    r"all the best|kind regards|well done|good job|nice (?:work|job|one)|rest in peace|rip|good (?:morning|afternoon|evening|night))\b",
    re.IGNORECASE,
)
_FEELING = re.compile(
    r"(?:such (?:an? )?|so |(?:love|loving|loved|hate|hating|enjoying) (?:this|that|these|it|my|your)\b)", re.IGNORECASE
)
_SLANG = re.compile(
    r"(?:this|that|it|everything|life) (?:just |really |totally )?(?:sucks|rocks|stinks)", re.IGNORECASE
)
_REMARK = re.compile(
    r"(?:i (?:don['’]t|do not) (?:know|care|understand)|i have no idea|no idea|you['’]re welcome|you are welcome|"
    r"i['’]m (?:so |very |really )?\w+|who cares|whatever)",
    re.IGNORECASE,
)
_BLESSING = re.compile(
    r"(?:(?:god|heaven) (?-i:save|bless|help|forbid)\b|may (?-i:the|he|she|they|we|you|it|your|god)\b|"
    r"(?:hope|wish) (?-i:you|we|it|that|they|to|everyone)\b)",
    re.IGNORECASE,
)
_SEEMING_VERB = re.compile(r" [a-z]{3,}(?:s|ed)\b")  # perhaps a verb that the tagger takes for a noun, such as "stars"


def form_of(statement: str, parsed: ParsedClaim) -> NoVerdict | None:
    """Why a text gets no verdict; None if it may be a statement."""
    if is_greeting(statement):
        return NoVerdict.GREETING
    tokens = [token for token in parsed.tokens if not token.is_punct and not token.is_space]
    if not tokens or _is_phrase(parsed, tokens):
        return NoVerdict.PHRASE
    root = root_of(parsed.tokens) or parsed.tokens[0]
    if _WISH.match(statement) or _is_command(parsed, root):
        return NoVerdict.REQUEST
    helpers = {child.lower_ for child in auxiliaries(root)}
    if _is_opinion(statement, parsed, root, helpers):
        return NoVerdict.OPINION
    if _is_hypothesis(statement, root, helpers):
        return NoVerdict.HYPOTHESIS
    return NoVerdict.PREDICTION if _is_prediction(statement, parsed, root, helpers) else None


def is_greeting(text: str) -> bool:
    """Whether the whole text is a greeting."""
    return _GREETING.fullmatch(text.strip()) is not None


def _is_phrase(parsed: ParsedClaim, tokens: list[Any]) -> bool:
    words = len(parsed.claim.split())
    if words > _LONGEST_PHRASE or any(token.tag_ in ("VB", *grammar.FINITE) or token.pos_ == "AUX" for token in tokens):
        return False
    if tokens[0].lower_ in _SUPERLATIVE and not any(_SEEMING_VERBS.match(token.lower_) for token in tokens[1:]):
        return True  # "Best pizza in town"
    small = [token for token in tokens[1:] if " " not in parsed.text(token.i) and parsed.text(token.i).islower()]
    if any(_SEEMING_VERBS.match(token.lower_) for token in small):
        return False
    nouns = [token for token in small if token.pos_ in ("NOUN", "PROPN", "ADJ", "INTJ", "X")]
    return not nouns or (words <= _FEW_WORDS and not parsed.text(0).endswith("s"))


def _is_command(parsed: ParsedClaim, root: Any) -> bool:
    """Whether a text without a subject begins with a bare verb: "Compare the offers.", not "COVID vaccines cause autism"."""
    first = parsed.tokens[0]
    do_not = first.lower_ in ("do", "don't", "dont", "never") and root.tag_ == "VB"
    if not do_not and (root.i != 0 or root.tag_ != "VB" or parsed.text(0).count(" ")):
        return False
    return not any(token.dep_ in grammar.WORD_SUBJECTS or token.tag_ in grammar.INFLECTED for token in parsed.tokens)


def _is_opinion(statement: str, parsed: ParsedClaim, root: Any, helpers: set[str]) -> bool:
    if _I_FEEL.match(statement) or helpers & {"should", "ought"}:
        return True
    if _TOO_MANY.search(statement):
        return True
    if root.lower_ in JUDGING and any(child.dep_ == "auxpass" and child.lemma_ == "be" for child in root.children):
        return not has_child(root, "agent", "prep")  # "is overrated"
    if root.lemma_ not in _SEEMS:
        return False
    return any(_judges(parsed, child) for child in root.children if child.i > root.i)


def _judges(parsed: ParsedClaim, predicate: Any) -> bool:
    """Whether the predicate is a judgement: "delicious", "the best toy", "better than KFC"."""
    word, children = predicate.lower_, list(predicate.children)
    modifiers = {child.lower_ for child in children if child.i < predicate.i and child.dep_ in ("amod", "advmod")}
    if predicate.dep_ in ("acomp", "advmod", "oprd"):
        if "too" in modifiers and len(children) == 1:  # "too sweet", but not "too hot to live on"
            return True
        if word in _BETTER:
            return any(child.lower_ == "than" for child in children) and "no" not in modifiers
        graded = word in _ALL_JUDGING - _SUPERLATIVE and "not" not in modifiers
        return graded and not (word in _MILD and has_child(predicate, "prep", "xcomp", "ccomp"))
    named = any(child.dep_ == "prep" and child.lower_ in ("by", "for", "according") for child in children)
    if predicate.dep_ not in ("attr", "dobj") or named or predicate.lemma_.lower() in _NEUTRAL:
        return False
    words = [parsed.text(child.i).lower() for child in predicate.lefts]
    most = any(
        child.lower_ in (_ALL_JUDGING - _MILD) and any(grand.lower_ in ("most", "least") for grand in child.children)
        for child in predicate.lefts
    )
    return (most or bool({*words, *modifiers} & _SUPERLATIVE)) and not any("-" in word for word in words)


def _is_hypothesis(statement: str, root: Any, helpers: set[str]) -> bool:
    if "might" in (*helpers, root.lower_) or _PERHAPS.match(statement) or _WHAT_IF.match(statement):
        return True
    supposed = any(
        child.dep_ == "advcl" and any(mark.lower_ in ("if", "were") for mark in child.children)
        for child in root.children
    )
    return bool(helpers & {"would", "could", "'d", "’d"} and (supposed or _SUPPOSED.match(statement)))


def _is_prediction(statement: str, parsed: ParsedClaim, root: Any, helpers: set[str]) -> bool:
    """Whether the main verb predicts something: an unplanned event at a future time, or an outcome."""
    verb = root
    if root.lower_ == "going" and helpers & {"is", "are", "'s", "’s", "'re"}:
        verb = child_of(root, "xcomp") or root
    if verb is root and not helpers & {"will", "'ll", "’ll", "shall", "wo"}:
        return False
    if any(child.lower_ in ("have", "been") for child in root.children if child.dep_ == "aux"):
        return False
    subject = child_of(root, *grammar.NOUN_SUBJECTS) or root
    behind = statement[parsed.ends[subject.i] :]
    coming = any(int(year) > datetime.now(UTC).year for year in _YEAR.findall(behind)) or bool(_COMING.search(behind))
    planned = verb.lemma_ in _PLANNED or (verb.lemma_ == "take" and "place" in behind)
    return not planned and (coming or (verb.lemma_ in _FORESEEN and not has_child(verb, "auxpass")))


def exclaimed(text: str, language: Any) -> NoVerdict | None:
    """Why a text that exclaims, thanks or wishes gets no verdict; None if it may be a statement. language: spaCy's."""
    bare = text.rstrip(" !.…")
    if _REMARK.fullmatch(bare):
        return NoVerdict.GREETING
    if _SLANG.fullmatch(bare):
        return NoVerdict.OPINION
    if found := _SALUTATION.match(bare):
        titled = bare[found.end() :].lstrip()[:1].isupper() and _SEEMING_VERB.search(bare, found.end())
        return None if titled or _has_verb(bare, language) else NoVerdict.GREETING
    if _BLESSING.match(bare):
        return None if _has_verb(bare, language, spared=4) else NoVerdict.REQUEST
    if _FEELING.match(bare):
        loud = text.endswith("!") or not re.match("so ", bare, re.IGNORECASE)
        return NoVerdict.OPINION if loud and not _has_verb(bare, language) else None
    if (_WHAT.match(bare) or _HOW.match(bare)) and _is_about(text, bare, language):
        return NoVerdict.OPINION
    return None


def _is_about(text: str, bare: str, language: Any) -> bool:
    """Whether an exclamation only describes something, as lovely or tall, and states nothing."""
    if text.endswith("?"):
        return False
    called = _ABOUT_IT.sub("", bare)
    if _WHAT.match(bare):
        whole = re.match(r"(?:\w+,? )?what an? ", bare, re.IGNORECASE) is not None or text.endswith("!")
        return whole and not _has_verb(called, language)
    tokens = list(parse(language, called).tokens)
    verbs = [token for token in tokens if token.tag_ in grammar.FINITE]
    described = any(token.pos_ in ("ADJ", "ADV") and token.lower_ not in ("many", "much") for token in tokens[1:3])
    return described and (not verbs or (text.endswith("!") and verbs == tokens[-1:]))


def _has_verb(bare: str, language: Any, spared: int = 1) -> bool:
    """Whether a finite verb follows the first `spared` words, which the tagger may mistake for verbs."""
    return any(token.tag_ in grammar.FINITE for token in list(parse(language, bare).tokens)[spared:])
