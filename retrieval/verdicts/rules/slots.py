"""Claims that fill a slot that holds one value: "The Nile flows into the Red Sea", "Einstein won the Nobel Prize in Chemistry".

A network finds a sentence with another value irrelevant. Here, it refutes the claim if the page never names the claim's value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.text.names.nations import ANY_NATION, names_a_state, nations_in
from retrieval.text.titles import fold, holds_name
from retrieval.text.words import stem
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import YEAR_IN_TEXT, ClaimForms, Ruling, is_about, matches, pages_meant

LETTERS_OF_A_ROOT = 4
# A group has one name in a pattern: the second is for another form of the claim.
_SUBJECT, _SUBJECT2 = (rf"(?:the )?(?P<{name}>[^,;:?!]{{2,60}}?)" for name in ("subject", "subject2"))
_NUMBER = re.compile(r"\b(?:\d+|[IVX]{2,})\b")
_NAME = r"(?P<value>[A-Z][\w'’.-]*(?: (?:of |de |la )?(?:the )?[A-Z][\w'’.-]*)*)"
_TOWN = rf"(?:the (?:city|town) of )?(?!{ANY_NATION})(?P<value>(?-i:[A-Z])[^,;:?!]{{2,30}}?)"
_HE = re.compile(r"\b(?:[Hh]e|[Ss]he) [^.;,]{0,30}$")
# Whom else a sentence of the page may be about.
_OTHER = re.compile(
    r"(?i)\b(?:his|her|their|its|whose) (?:[\w-]+ )?(?:wife|husband|father|mother|son|daughter|brother|sister|students?|colleagues?|teacher"
    r"|tributar\w+|branch\w*)\b|\btributar(?:y|ies)\b"
)


@dataclass(frozen=True)
class _Slot:
    """claims: forms of claims, with their subject and value. sentence: where a sentence gives the value. about: words of the sentences in
    which the claim's value counts. anywhere: a sentence may name others before, as where a river flows past towns. own: the claim's
    value counts only where the slot of the page's subject has it. supports: so it supports the claim. refutes: another value refutes.
    """

    claims: ClaimForms
    sentence: re.Pattern[str]
    about: re.Pattern[str]
    anywhere: bool = False
    own: bool = False
    supports: bool = False
    refutes: bool = True


def _slot(claim: str, sentence: str, about: str = "", **how: bool) -> _Slot:
    return _Slot(ClaimForms(f"(?:{claim})"), re.compile(sentence), re.compile(about, re.IGNORECASE), **how)


_WON = r"(?:won|received|got|was awarded|has won)"
_FIELD = r"physics|chemistry|literature|peace|medicine|physiology|economics|economic sciences"
_FIELD_IN_TEXT = r"[Pp]hysics|[Cc]hemistry|[Ll]iterature|[Pp]eace|[Mm]edicine|[Pp]hysiology|[Ee]conomics?"
FLOWS_THROUGH = r"(?:flows|runs|passes) through"
_OFFICES = ("president", "prime minister", "king", "queen", "emperor", "dictator")
_SLOTS = (
    _slot(
        rf"{_SUBJECT} (?:flows|empties|drains|discharges|runs) into (?:the )?(?P<value>[^,;:?!]{{3,40}}?)",
        rf"\b(?:(?:flow|empt|drain|discharg|debouch)\w*[^.;()]{{0,160}}? into|(?:enter|join)(?:s|ing)) (?:the )?(?=[^,.;()]{{0,30}}?\b(?:Sea|Ocean|Gulf|Bay|Lake|Channel|Firth|Strait|Lagoon|River)\b){_NAME}",
        anywhere=True,
        about=r"flow|empt|drain|discharg|mouth|\b(?:enter|join)(?:s|ing)\b|confluence|estuary|delta|reach",
    ),
    _slot(
        rf"{_SUBJECT} (?:lies|is|stands|sits|is located|is situated|was built) on (?:the )?(?:banks? of )?(?:the )?(?:river )?(?P<value>(?-i:[A-Z])[^,;:?!]{{2,30}}?)(?: river)?"
        rf"|(?:the )?(?:river )?(?P<value2>(?-i:[A-Z])[^,;:?!]{{2,30}}?)(?: river)? {FLOWS_THROUGH} (?!{ANY_NATION}){_SUBJECT2}",
        rf"\b(?:banks? of (?:the )?(?:[Rr]iver )?|on the [Rr]iver |on the (?=[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? River\b)){_NAME}",
        supports=True,
    ),
    *(
        _slot(
            rf"{_SUBJECT} {FLOWS_THROUGH} {where}",
            r"\b(?:through|past|bordering|cities|towns|capitals) (?P<value>[^.;]{3,250})",
            anywhere=True,
            supports=True,
            refutes=where != _TOWN,  # a page seldom names all towns on a river
        )
        for where in (rf"(?:the )?(?P<value>{ANY_NATION})", _TOWN)
    ),
    _slot(
        rf"{_SUBJECT} {_WON} (?:the |a |an? )?(?:\d{{4}} )?nobel (?:memorial )?(?:prize (?:in|for) )?(?P<value>{_FIELD})(?: prize)?(?: in \d{{4}})?",
        rf"\bNobel (?:Memorial )?(?:Prize (?:in|for) )?(?P<value>{_FIELD_IN_TEXT})\b",
        about="Nobel|prize",
        supports=True,
    ),
    _slot(
        rf"{_SUBJECT} {_WON} (?:the |a |an? |his |her )?(?:\d{{4}} )?nobel (?:memorial )?prize (?:in (?:{_FIELD}) )?for (?:the |his |her )?(?!{_FIELD})(?P<value>[a-z][\w -]{{5,60}}?)",
        rf"\bNobel (?:Memorial )?Prize(?: in (?:{_FIELD_IN_TEXT}))?,? for (?:the |his |her |their )?(?P<value>[^.;]{{5,250}})",
        own=True,
        supports=True,
    ),
    _slot(
        rf"{_SUBJECT} is (?:the |a )?(?:holy|sacred|central religious|main religious|religious) (?:book|text|scripture)s? (?:of|in) (?P<value>[a-z]{{4,20}})",
        r"\b(?:religious|sacred|holy) (?:text|book|scripture)s? (?:of|in) (?P<value>[A-Z]\w{3,20})",
        own=True,
        supports=True,
    ),
    *(
        _slot(
            rf"{_SUBJECT} (?:is|are) (?:an? |the )?(?:alloys?|mixtures?|compounds?) (?:made |composed |consisting )?of {materials}",
            r"\b(?:alloy|mixture|compound)\b[^.;]{0,40}? of (?P<value>[^.;]{5,250})",
            own=True,
        )
        for materials in (
            r"(?:[a-z]+(?:,| and|, and) )*(?P<value>[a-z]+)",
            r"(?P<value>[a-z]+)(?:(?:,| and|, and) [a-z]+)+",
        )
    ),
    _slot(  # of a present player alone: a page need not name all former clubs
        rf"{_SUBJECT} (?:plays|is playing)(?: (?:football|soccer))? for (?:the )?(?!{ANY_NATION})(?P<value>(?-i:[A-Z])[^,;:?!]{{2,40}}?)(?: (?:fc|football club))?",
        r"\bplays (?:as an? [\w -]{3,30} )?for (?P<value>[^.;]{3,120})",
    ),
    _slot(
        rf"{_SUBJECT} (?:is|was) (?:the |an? )?(?:[a-z]+ )?(?:god|goddess|deity) of (?:the )?(?P<value>[a-z]{{3,20}})",
        r"\b(?:[Gg]od|[Gg]oddess|deity)(?: associated with| of)(?: the)? (?P<value>[A-Za-z][\w ,-]{2,80})",
        own=True,
    ),
    _slot(
        rf"{_SUBJECT} (?:is|was|are) (?:[a-z]+ )?written (?:in|with|using) (?:the |an? )?(?P<value>[a-z]+)(?:-based)? (?:alphabet|script|characters)"
        r"|(?:the )?(?P<subject2>[^,;:?!]{2,60}?) (?:[a-z]+ )?(?:uses|used) (?:the |an? )?(?P<value2>[a-z]+)(?:-based)? (?:alphabet|script|characters)",
        r"\b(?:written|writing|in|with|using|uses|use of|adopted) (?:the |an? )?(?:[a-z]+ ){0,2}?(?P<value>[A-Z]\w+)(?:-based)? (?:alphabet|script|characters)\b",
        anywhere=True,
        about="alphabet|script|characters|writ",
        supports=True,
    ),
    _slot(
        rf"{_SUBJECT} (?:play|plays|compete|competes) in (?:the )?(?P<value>(?-i:[A-Z])[\w ]{{2,30}}?) (?:league|conference|division)",
        r"\b(?:compet\w+ in|plays? in|members?(?: club)? of) (?:the )?(?P<value>[^.;]{3,160})",
        about=r"\b(?:compet\w+|plays?|members?)\b",
        supports=True,
    ),
    _slot(
        rf"{_SUBJECT} (?:had (?:its|his|her) (?:world )?premi[eè]re|premi[eè]red|debuted|was first (?:performed|staged|shown|screened)) (?:at|in) (?:the )?(?P<value>(?-i:[A-Z])[^,;:?!]{{3,50}}?)",
        r"\b(?:premi[eè]red?|first (?:performed|staged|shown|screened)|debuted)\b[^.;()]{0,60}? (?:at|in) (?:the )?(?P<value>(?!\d)[^.;]{3,120})",
        supports=True,
    ),
    *(
        _slot(
            rf"{_SUBJECT} (?:is|was) (?:the |an? )?(?:[a-z]+ )?{kind} (?:to|of|for) (?:the )?(?:(?:film|movie|book|novel|series|game) )?(?P<value>(?-i:[A-Z])(?:(?! and (?:it|is|was) )[^,;?!]){{2,60}}?)",
            rf"\b{kind} (?:to|of|for) (?:(?:the|his|her|its|their) )?(?:[a-z\d' -]{{0,40}}?)[“\"]?(?P<value>[A-Z][^”\".;]{{2,80}})",
            own=True,
            supports=True,
        )
        for kind in ("sequel", "prequel", "remake", "spin-off")
    ),
    _slot(
        rf"(?:the )?(?:chemical )?symbol (?:of|for) {_SUBJECT} is (?P<value>[A-Z][a-z]?)|{_SUBJECT2}(?:['’]s| has the) (?:chemical )?symbol (?:is )?(?P<value2>[A-Z][a-z]?)",
        r"\bsymbol (?P<value>[A-Z][a-z]?)\b",
    ),
    _slot(
        rf"{_SUBJECT} (?:is|was|are|were) named (?:after|for|in honou?r of) (?!an? |some)(?P<value>[^,;:?!]{{3,40}}?)",
        rf"\bnamed (?:after|for|in honou?r of) (?:[a-z][\w'’-]* ){{0,6}}?{_NAME}",
    ),
    *(
        _slot(
            rf"{_SUBJECT} (?:is|was|became) (?:the |an? )?(?:(?:former|current) )?{office} of (?:the )?(?P<value>{ANY_NATION})",
            rf"\b(?i:{office}) of (?:the )?{_NAME}",
            about=rf"\b{office}\b",
            supports=True,
        )
        for office in (*_OFFICES, "chancellor", "tsar")
    ),
    _slot(
        rf"{_SUBJECT} (?:(?:is|was|became) (?:the |an? )?(?:(?:former|current) )?(?:{'|'.join(_OFFICES)}|ruler|leader) of|ruled(?: over)?|led|governed|reigned over) (?:the )?(?P<value>{ANY_NATION})",
        rf"\b(?:ruled(?: over)?|led|governed|reigned over|ruler of|leader of|dictator of) (?:the )?{_NAME}",
    ),
    _slot(
        # Countries alone: a town may lie in the claim's valley.
        rf"{_SUBJECT} (?:is|was) (?:based|headquartered) in (?:the )?(?P<value>{ANY_NATION})|the headquarters of {_SUBJECT2} (?:is|are) in (?:the )?(?P<value2>{ANY_NATION})",
        rf"\b(?:based|[Hh]eadquarter(?:ed|s)(?: (?:is|are|located))?) (?:in|at) (?:the )?{_NAME}",
    ),
)


def slot(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that fills the slot with the claim's value, or with another if the page never names the claim's."""
    for filled in _SLOTS:
        if not (match := filled.claims.match(claim)):
            continue
        asked = {name.rstrip("2"): words for name, words in match.groupdict().items() if words}
        value, meant = asked["value"], pages_meant(asked["subject"], pages)
        # Of pages of one title, one may be a false copy.
        same = [page for page in meant if page.title == meant[0].title]
        found = list(_values(same[:1], filled))
        agreed = [sentence for sentence, words in found if _agrees(words, value, filled.own)]
        if agreed and filled.supports and len(same) == 1:
            years = set(YEAR_IN_TEXT.findall(claim))
            dated = (one for one in agreed if not years or years == set(YEAR_IN_TEXT.findall(one.text)))
            return next((Ruling(one, True) for one in dated), None)
        if agreed or not found or not filled.refutes:
            continue
        if filled.own or not any(_names(page, value, filled) for page in same):
            sentence, words = found[0]
            return Ruling.quoting(sentence, words, (value, words))
    return None


def _names(page: Page, value: str, filled: _Slot) -> bool:
    """Whether the page has a word of the value, or the adjective of a country that it is."""
    text = " ".join(one.text for one in page.sentences() if filled.about.search(one.text))
    folded, nations = fold(text), set(nations_in(value))
    named = any(holds_name(folded, word) for word in fold(value).split() if len(word) > 3 or word == fold(value))
    in_a_state = "United States" in nations and names_a_state(text)
    return named or in_a_state or not nations.isdisjoint(nations_in(f"{page.title}. {text}"))


def _agrees(words: str, value: str, own: bool) -> bool:
    """Whether the words name the value; if own, perhaps its longest word in another form: "hunt" and "hunting"."""
    longest = stem(max(fold(value).split(), key=len, default=""))
    numbered = set(_NUMBER.findall(value)) <= set(_NUMBER.findall(words))
    return holds_name(fold(words), fold(value)) or (own and numbered and longest[:LETTERS_OF_A_ROOT] in fold(words))


def _values(pages: Sequence[Page], filled: _Slot) -> Iterator[tuple[Sentence, str]]:
    """The sentences that fill the slot of the pages' subject, and with what."""
    for sentence, match in matches(pages, filled.sentence, first=12):
        before = sentence.text[: match.start()]
        may_be_own = filled.anywhere or sentence.line == 0 or _HE.search(before) or is_about(sentence.title, before)
        if may_be_own and not _OTHER.search(before):
            yield sentence, match["value"].rstrip(".")
