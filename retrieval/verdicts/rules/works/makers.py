"""Claims that say who made something, or of which country the maker is: "Charles Dickens wrote Hamlet".

The page of the work or thing names its maker, in words that a search for another maker seldom finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice, product

from retrieval.text.names.nations import ANY_NATION, exclude, nation_of, nations_in
from retrieval.text.titles import begins_with_title, fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import (
    ClaimForms,
    Ruling,
    called_in_any_number,
    first_that_holds,
    matches,
    pages_called,
    pages_meant,
    without_brackets,
)

_IS = re.compile(r" (?:is|was) ")
SENTENCES_ON_MAKERS = 8  # of a page
MOST_TO_BY = 70  # characters between what was done and "by"
MOST_TO_OTHER_MAKER = 60  # and between it and a name that may be another maker's
ANYWHERE = 100_000  # the same for what a singer, a band and a label "release"
# What a claim says was done, and what a page says instead.
_DEEDS = {
    "wrote|written|authored|penned|published": r"(?:co-)?written|wrote|writing|authored|novels?|plays?|tragedy|comedy|poems?|book|novella|story|stories|essay|screenplay|treatise|textbook|pamphlet|work of [a-z ]+",
    "directed|made the film|made the movie": r"(?:co-)?directed|direction|director",
    "painted": r"painted|painting|portrait|artwork|mural|fresco\w*|canvas|work",
    "composed": r"composed|composition|composer|opera|symphony|ballet|music|concerto|sonata|piece",
    "invented": r"invented|invention|inventor|developed|devised|patent\w*",
    "discovered": r"discovered|discovery|discoverer|isolated|identified",
    "founded|established|set up|started": r"(?:co-)?founded|founders?|established|formed|started|created|incorporated",
    "designed": r"designed|design|designer|architect\w*|engineer\w*",
    "created|came up with|thought up|dreamed up": r"created|creators?|creation|developed",
    "recorded|sung|sang|sings|performed|performs|released|put out": r"song|single|album|track|recorded|performed|sung|duet|ballad",
    "made the song|has a song called": r"song|single|ballad|recorded",
    "made the album|has an album called": r"album|EP",
    "sculpted|carved": r"sculpted|sculpture|carved|statue|sculptor",
    "made|manufactured": r"made|manufactured|produced|developed|manufacturer|product",
    "developed": r"developed|developer|created|designed|programmed",
}
_OTHERS_TOO = ("published", "released", "put out")  # a publisher or a label does it: on a page, it names no maker
_WITH_A_COMPANY = ("created", "came up with", "thought up", "dreamed up")
_DONE = "|".join(_DEEDS)
_CAPITAL = r"(?:[^\W\d_a-z]\.|[^\W\d_a-z][\w'’-]*)"
_NAME = rf"{_CAPITAL}(?: (?:(?:de|da|di|van|von|der|la|le|of|bin|al|du|del|y) ){{0,2}}{_CAPITAL}){{0,5}}"
_NAMES = rf"{_NAME}(?:(?:, and |, | and | & ){_NAME}){{0,8}}"
_ACTIVE = (
    rf"(?P<maker>[^,;:?!]{{2,40}}?) (?P<deed>{_DONE}) (?!(?:in|as|at|on|with) )(?:the )?(?P<work>[^,;:?!]{{2,60}}?)"
)
_PASSIVE = rf"(?:the )?(?P<work>[^,;:?!]{{2,60}}?) (?:is|was|were|are) (?:an? (?P<kind>(?:[\w-]+ ){{1,6}}?)|originally |first )?(?P<deed>{_DONE}) by (?P<maker>[^,;:?!]{{2,40}}?)"
# "Othello is a play by Shakespeare": what is made -> what was done. Of a film by Disney, another directed.
_MADE = {
    **dict.fromkeys(("novel", "novella", "book", "poem", "play", "tragedy", "comedy", "short story", "essay"), "wrote"),
    **dict.fromkeys(("opera", "symphony", "ballet", "concerto"), "composed"),
    **dict.fromkeys(("song", "single", "album"), "recorded"),
    **dict.fromkeys(("painting", "fresco"), "painted"),
}
_BY_NAME = rf"(?:the )?(?P<work>[^,;:?!]{{2,60}}?) (?:is|was) an? (?P<what>(?:[\w-]+ ){{0,3}}?(?P<made>{'|'.join(_MADE)})) (?:by|of) (?P<maker>[^,;:?!]{{2,40}}?)"
_CLAIMS = ClaimForms(_PASSIVE, _BY_NAME, _ACTIVE)
# Of "a 1974 horror film directed by", only "film" is borne out by who directed it.
_PLAIN = frozenset(
    "film movie novel book play painting song album opera symphony poem company game show series".split()
)
_WORK = re.compile(r"\b(?:film|album|song|series|EP|single)\)$")  # many "make" one
_NOUN = {
    "director": "directed", "author": "wrote", "writer": "wrote", "painter": "painted", "artist": "painted", "composer": "composed",
    "inventor": "invented", "discoverer": "discovered", "founder": "founded", "designer": "designed", "architect": "designed", "creator": "created",
}  # fmt: skip
_SAME = ClaimForms(
    r"(?:both )?(?:the )?(?P<one>[^,;:?!]{2,60}?) and (?:the )?(?P<other>[^,;:?!]{2,60}?) (?:both )?"
    rf"(?:(?:have|had|share|shared) the same (?P<noun>{'|'.join(_NOUN)})"
    rf"|(?:are|were) (?:both )?(?P<verb>{_DONE}) by the same (?:man|woman|person|people|company|firm|{'|'.join(_NOUN)}))"
)
_TRADE = (
    r"(?!under |after |over |later |former )"
    r"(?:[a-z-]{3,}(?:er|or|ist|ian|man|woman|wright|ect)|poet|artist|studio|company|firm|band|group|duo|team)"
)
# "by the Dutch Post-Impressionist painter Vincent van Gogh": capitalised words before a trade are no name.
_BY = re.compile(
    rf"\b(?:by|(?:attributed|credited) to) (?:the )?(?:(?:{ANY_NATION}|[a-z-]+) )*(?:{_NAME}(?: & {_NAME})?(?:,? (?:and )?{_TRADE})+ )?"
    rf"(?P<makers>{_NAMES})"
)
_CLAUSE = re.compile(r"[;:()]|\b(?:which|who|that|whose|where|based)\b")
_DONE_TOO = re.compile(r"\b(?:[a-z]+-)?(?:[a-z]+ed|written)\b")
_NO_NAME = re.compile(
    rf"(?i)\b(?:an?|the|some|many|several|and|or|with|in|on|for|by|from|who|starring|\w+men|\w+women|(?:{ANY_NATION})s?)\b"
)
LETTERS_OF_A_DEED = 4  # "invented", "inventing"
# "Bell was the first to be granted a patent for the device" invented it.
_PATENTED = r"(?:is|was|were) (?:the )?first (?:person )?to (?:be (?:granted|awarded|issued|given)|receive|obtain|hold) (?:an?|the) (?:[\w.]+ ){0,3}patent for"
_THIS = ("it", "device", "instrument", "machine")  # what a page calls its subject
_RECORD = re.compile(r"\bis (?:an?|the) (?:[\w-]+ ){0,6}?(?P<kind>album|song)\b")
ALIKE = 0.8  # of the letters of two last names: one may be misspelt
# "Nutella is made by a German company"
_OF_A_NATION = ClaimForms(
    r"(?:the )?(?P<work>[^,;:?!]{2,60}?) (?:is|was|are|were) (?:an? (?:[\w-]+ ){1,4}?)?(?:originally |first )?(?:(?:made|created|written|directed|produced|manufactured|invented|designed|developed|founded|painted|composed|owned|recorded|published|built) )?by an? "
    rf"(?P<nation>{ANY_NATION}) (?P<role>[a-z][a-z -]{{2,30}}?)(?: (?:called|named) [^,;:?!]{{2,40}}?)?"
)
_BY_A_NATION = re.compile(
    rf"\bby (?:the )?(?:[a-z-]+ ){{0,2}}?(?P<nations>(?:{ANY_NATION})(?:[-– ](?:{ANY_NATION}))*) (?P<role>[a-z]+(?: [a-z]+)?)"
)


@dataclass(frozen=True)
class _Deed:
    """What was done, as pages say it. words: before "by". active: a clause whose subject does it, with its makers and what they made.
    credited: one "who is credited as its discoverer". beside: characters around the words in which another name may be another maker's.
    """

    words: re.Pattern[str]
    active: re.Pattern[str]
    credited: re.Pattern[str]
    beside: int


def maker(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says who made the claim's work or thing; None if its page does not, or if the claim has another form."""
    match = _CLAIMS.match(claim)
    if match is None or not _is_name(match["maker"], match.string):
        return None
    name, work, groups = match["maker"], match["work"], match.groupdict()
    done = groups.get("deed") or _MADE[match["made"].lower()]
    done = _recorded(work, pages) if done.lower() == "made" else done
    deed = _deed(done)
    called = [page for page in called_in_any_number(work, pages) if _may_be_meant(page, done, groups.get("made"))]
    found = [one for page in called for one in _rulings_of(page, name, deed)]
    ruling = first_that_holds(found)
    if ruling is None and not found:
        ruling = _credited(name, done, work, pages)
    if ruling is None or ruling.holds:
        more = not _PLAIN.issuperset((groups.get("kind") or groups.get("what") or "").lower().split())
        return None if more else ruling
    may_be_true = (
        None in found
        or any(
            page.id != ruling.sentence.page_id and _names(f"{page.title} {page.text}", name) for page in called
        )  # which may be meant
        or any(
            set(fold(name).split()) <= set(fold(one.text).split())
            and begins_with_title(one.text, one.title)
            and holds_name(fold(_IS.split(one.text)[0]), fold(work))
            for page in pages
            for one in page.sentences()[:1]
            if page.id != ruling.sentence.page_id and page not in called
        )  # "Madama Butterfly (“Madame Butterfly”) is an opera by Puccini"
        or _is_shared(name, done.lower(), ruling.sentence, called)
    )
    return None if may_be_true else ruling


def _recorded(work: str, pages: Sequence[Page]) -> str:
    """What it means to have "made" the work: singers make an album or song, if nothing else has its name without a bracket."""
    called = pages_called(work, pages)
    plain = [page for page in called if page.title == without_bracket(page.title)]
    firsts = (one.text for page in plain or called for one in page.sentences()[:1])
    kinds = (found["kind"] for found in map(_RECORD.search, firsts) if found)
    return next((f"made the {kind}" for kind in kinds), "made")


def _may_be_meant(page: Page, done: str, made: str | None) -> bool:
    """Whether the page may be on the claim's work: of "a play by", what its first sentence calls a play."""
    if made is None:
        return done != "made" or not _WORK.search(page.title)
    kinds = "|".join(kind for kind, deed in _MADE.items() if deed == _MADE[made.lower()])
    return any(re.search(rf"\b(?:{kinds})\b", one.text, re.IGNORECASE) for one in page.sentences()[:1])


def same_maker(claim: str, pages: Sequence[Page]) -> list[Ruling]:
    """The sentences that say who made the two works of "Titanic and Avatar had the same director": two that name one maker, or
    one of each work if all differ. Empty where a work's page does not say.
    """
    match = _SAME.match(claim)
    if match is None:
        return []
    deed = _deed(match["verb"] or _NOUN[match["noun"].lower()])
    ones, others = (
        [made for page in pages_called(match[name], pages) for made in _made(page, deed)] for name in ("one", "other")
    )
    for one, other in product(ones, others):
        if not _each(one[1]).isdisjoint(_each(other[1])):
            return [Ruling(one[0], True), Ruling(other[0], True)]
    return [Ruling(found[0][0], False, _note(*found[0])) for found in (ones, others)] if ones and others else []


def _credited(maker: str, deed: str, work: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the maker's page that credits them with the work; None if there is none."""
    if not fold(work):
        return None
    stem, thing, title = deed[:LETTERS_OF_A_DEED].lower(), re.escape(fold(work).split()[-1]), re.escape(work)
    nouns = "|".join(noun for noun, verb in _NOUN.items() if verb == deed.lower()) or "-"
    kinds = "|".join(kind for kind, done in {**_MADE, "film": "directed"}.items() if done == deed.lower()) or "(?!)"
    credit = re.compile(
        rf"\b(?:credited (?:with|as)|(?:known|famous|remembered|noted) for)\b[^,;.]{{0,80}}\b{stem}\w*\b[^,;.]{{0,80}}\b{thing}\b"
        # "the co-creator of two series, “The Simpsons” and “Futurama”"
        rf"|\b(?:{nouns})s? of\b[^.;]{{0,200}}[“\"](?:The )?{title}[,”\"]"
        # "his 1651 book “Leviathan”", "Truffaut's film “The 400 Blows”"
        rf"|\b(?:his|her|{re.escape(maker.split()[-1])}['’]s?) (?:\d{{4}} )?(?:[a-z-]+ ){{0,3}}(?:{kinds}),? (?:called |entitled |titled )?[“\"]?(?:The )?{title}\b",
        re.IGNORECASE,
    )
    found = matches(pages_meant(maker, pages), credit, SENTENCES_ON_MAKERS)
    return next((Ruling(sentence, True) for sentence, _ in found), None)


def _deed(verb: str) -> _Deed:
    """What the claim's verb says."""
    verbs, words = next(
        (verbs.split("|"), words) for verbs, words in _DEEDS.items() if verb.lower() in verbs.split("|")
    )
    nouns = "|".join(noun for noun, done in _NOUN.items() if done in verbs) or "-"
    makes = "|".join(one for one in verbs if one not in _OTHERS_TOO)
    if "invented" in verbs:
        makes += f"|{_PATENTED}"
    return _Deed(
        re.compile(rf"\b(?:{words})\b"),
        re.compile(
            rf"(?P<makers>{_NAMES})(?:, [^,;.()]{{3,80}},)? (?:(?:is|was|are|were) (?:the |an? )?(?:{nouns}) of|(?:first )?(?:{makes}))"
            r" (?:(?:the|an?|its) )?(?P<what>[\w'’. -]{2,60})"
        ),
        re.compile(
            rf"(?P<makers>{_NAMES}), who (?:is|was) (?:[a-z]+ )?(?:credited|considered|regarded|recogni[sz]ed) (?:as|to be) (?:its|the|an?) (?:{nouns})\b"
        ),
        ANYWHERE if "released" in verbs else MOST_TO_OTHER_MAKER,
    )


def _made(page: Page, deed: _Deed) -> Iterator[tuple[Sentence, str]]:
    """The first sentence of the page that names makers, and these."""
    sentences = page.sentences()[:SENTENCES_ON_MAKERS]
    return islice(((sentence, makers) for sentence in sentences for makers in _makers(sentence, deed)), 1)


def _each(makers: str) -> set[str]:
    return {fold(name) for name in re.split(r", and |, | and | & ", makers)}


def _note(sentence: Sentence, makers: str) -> str:
    return f"“{without_bracket(sentence.title)}” names {makers}."


def _is_name(maker: str, claim: str) -> bool:
    """Whether it is written as a name; in a claim without capitals, whether it may be one."""
    words = maker.split()
    return not _NO_NAME.search(maker) and (claim.islower() or all(word[0].isupper() for word in (words[0], words[-1])))


def _rulings_of(page: Page, maker: str, deed: _Deed) -> Iterator[Ruling | None]:
    """Decided by the first sentence that names a maker; None if that may be the claim's, or if the page names the claim's elsewhere."""
    words = fold(maker).split()
    for sentence, makers in _made(page, deed):
        named = fold(makers).split()
        if set(words) <= set(named):
            yield Ruling(sentence, True)
        elif len(words[-1]) == 1 or _may_be(words[-1], makers, sentence) or _credits(page, words[-1], deed):
            yield None
        else:
            yield Ruling(sentence, False, _note(sentence, makers), (maker, makers))


def _is_shared(maker: str, done: str, sentence: Sentence, pages: Sequence[Page]) -> bool:
    """Whether the claim's maker may have done it too: a writer and a publisher both "publish", a company "develops" what one of its
    people "creates", and the page may name that person for something else.
    """
    named = "creat" not in sentence.text or any(_names(page.text, maker) for page in pages)
    return done == "published" or (done in _WITH_A_COMPANY and named)


def _names(text: str, maker: str) -> bool:
    """Whether the text has the maker's last name."""
    return holds_name(fold(text), fold(maker).split()[-1])


def _may_be(last: str, makers: str, sentence: Sentence) -> bool:
    """Whether one of the makers is spelt almost like this last name, or the clause continues with it."""
    rest = re.split(r"[,;.()]| by ", sentence.text.partition(makers)[2])[0]
    return last in fold(rest).split() or bool(get_close_matches(last, fold(makers).split(), 1, ALIKE))


def _credits(page: Page, last: str, deed: _Deed) -> bool:
    """Whether a sentence of the page holds this last name near words of the deed."""
    name = re.compile(rf"\b{re.escape(last)}", re.IGNORECASE)
    return any(
        deed.words.search(one.text[max(0, found.start() - deed.beside) : found.end() + deed.beside])
        for one in page.sentences()
        for found in name.finditer(one.text)
    )


def _makers(sentence: Sentence, deed: _Deed) -> Iterator[str]:
    """Who the sentence says did the deed: the names behind "by" that follow it within one clause, or its subject."""
    for match in _BY.finditer(sentence.text):
        before = _CLAUSE.split(sentence.text[max(0, match.start() - MOST_TO_BY) : match.start()])[-1]
        done = list(deed.words.finditer(before))
        if done and _is_of(before[done[-1].end() :]):
            yield match["makers"]
    for match in deed.credited.finditer(sentence.text):
        yield match["makers"]
    title = fold(without_bracket(sentence.title)).split()
    for match in deed.active.finditer(sentence.text):
        made = fold(match["what"]).split()
        if not {*_THIS, *title[-1:]}.isdisjoint(made[:1]) or made[: len(title)] == title:
            yield match["makers"]


def _is_of(between: str) -> bool:
    """Whether "by" still belongs to the deed: "directed, written and produced by", not "a novel published by"."""
    return all(between[: one.start()].rstrip().endswith((",", "and", "or")) for one in _DONE_TOO.finditer(between))


def of_makers_nation(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the maker's country; None if none does, or if the page also names the claim's."""
    match = _OF_A_NATION.match(claim)
    meant = (pages_called(match["work"], pages) or pages_meant(match["work"], pages)) if match else []
    if match is None or len(meant) != 1:  # of several works of one name, any may be meant
        return None
    nation, head = nation_of(match["nation"]), match["role"].split()[-1].lower()
    too = nation in nations_in(without_brackets(meant[0].text))
    for sentence, found in matches(meant, _BY_A_NATION, first=6):
        nations = set(nations_in(found["nations"]))
        if nation in nations and head in found["role"].split():
            return Ruling(sentence, True)
        if nations and not too and all(exclude(nation, one) for one in nations):
            return Ruling.quoting(sentence, f"{found['nations']} {found['role']}", (match["nation"], found["nations"]))
    return None
