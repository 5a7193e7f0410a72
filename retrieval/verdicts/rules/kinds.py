"""Claims that put something into a kind to which it cannot belong: "Koalas are bears" beside "… is a marsupial".

The first sentence of the subject's page refutes the claim if it names a kind that excludes the claim's. It supports the claim if it
names the claim's kind or a part of it: "marine invertebrates" are animals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.text.sentences import begins_with_pronoun
from retrieval.text.titles import begins_with_title
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_in_any_number, without_brackets

SENTENCES_ON_KIND, MANY_SENTENCES = 5, 40  # of a page
# A kind, ":", and its words. Of two kinds, neither of which begins with the other, nothing is both. Words may end in "s" or "es".
_LIVING = """
animal: animal|(?:in)?vertebrate|arthropod; animal.mammal: mammal; animal.mammal.whale: whale|dolphin|porpoise|cetacean; animal.mammal.marsupial: marsupial;
animal.mammal.primate: primate; animal.mammal.primate.ape: ape; animal.mammal.primate.monkey: monkey|baboon|macaque;
animal.mammal.rodent: rodent|mouse|mice|rat|squirrel; animal.mammal.bear: bear; animal.mammal.bat: bat; animal.mammal.cat: cat|feline;
animal.mammal.dog: dog|canine; animal.mammal.horse: horse; animal.mammal.monotreme: monotreme; animal.bird: bird|owl|parrot|penguin|duck|eagle;
animal.fish: fish|shark; animal.reptile: reptile; animal.reptile.snake: snake; animal.reptile.lizard: lizard;
animal.reptile.turtle: turtle|tortoise; animal.reptile.crocodile: crocodile|alligator|crocodilian; animal.amphibian: amphibian|frog|toad|salamander;
animal.insect: insect|insecta|beetle|butterfly|butterflies|moth|ant|bee|wasp|fly|flies; animal.arachnid: arachnid|arachnida|spider|scorpion;
animal.crustacean: crustacean|crab|lobster; animal.mollusc: mollus[ck]|cephalopod|gastropod|snail|squid; animal.worm: worm;
plant: plant|herb; plant.tree: tree; plant.grass: grass; fungus: fungus|fungi|mushroom; bacterium: bacterium|bacteria; virus: \\w*virus
"""
_SKY = """
star: star; planet: planet; dwarf: dwarf planet; moon: moon|natural satellite; comet: comet; asteroid: asteroid; galaxy: galaxy|galaxies;
constellation: constellation
"""
_PLACES = """
river: river; lake: lake; mountain: mountain|volcano|peak; continent: continent; town: city|town|village|municipality;
sea: ocean|sea
"""
_STATES = "solid: solid; liquid: liquid; gas: gas"
_PANTHEONS = """
greek: greek|olympian; roman: roman; norse: norse|germanic; egyptian: egyptian; mesopotamian: mesopotamian?|sumerian?|akkadian?|babylonian?|assyrian?;
hindu: hindu(?:ism)?|vedic; aztec: aztec; maya: mayan?; inca: incan?; celtic: celtic|irish|welsh; slavic: slavic; japanese: japanese|shinto; chinese: chinese
"""
_MATTER = "metal: metal; gas: gas; metalloid: metalloid|nonmetal|non-metal"
_SUBSTANCES = "element: (?:chemical )?element; alloy: alloy; compound: (?:chemical )?compound"
_LANGUAGES = """
slavic: slavic; germanic: germanic; romance: romance; celtic: celtic; uralic: uralic|finno-ugric; turkic: turkic; semitic: semitic;
bantu: bantu; iranian: iranian; indic: indo-aryan; dravidian: dravidian; sinitic: sino-tibetan; isolate: isolate
"""
_STATUS = """
free: independent (?:country|nation|state)|sovereign (?:country|nation|state); ours: (?:us|u\\.s\\.|american) state|state of the (?:us|usa|united states);
part: (?:overseas|unincorporated|united states|u\\.s\\.|us|external|british) (?:\\w+ )?territory|autonomous (?:country|community|region|territory)|special administrative region|crown dependency|(?:\\w+ )?colony
"""
_RULE = "monarchy: (?:constitutional |absolute |parliamentary |federal |elective |hereditary |unitary )*monarchy; republic: (?:\\w+ )?republic"
_WEALTH = """
rich: developed (?:countr(?:y|ies)|nation|state|economy); poor: (?:developing|underdeveloped|le(?:ast|ss)[ -]developed) (?:countr(?:y|ies)|nation|state|economy)
"""
_FAITHS = "one: monotheis(?:tic|m); many: polytheis(?:tic|m)"
_DIET = "herbivore: herbivor(?:e|ous)|plant-eater; meat: meat-eater; meat.carnivore: carnivor(?:e|ous); meat.omnivore: omnivor(?:e|ous)"
_MADE = "natural: natural; constructed: constructed|artificial|planned"
_SPORTS = """
tennis: tennis; boxing: box(?:er|ing); golf: golf(?:er)?; swimming: swimm(?:er|ing); basketball: basketball; baseball: baseball;
cricket: cricket(?:er)?; rugby: rugby; hockey: hockey; football: football(?:er)?|soccer; cycling: cycli(?:st|ng); skiing: skier|skiing;
wrestling: wrestl(?:er|ing); racing: racing; chess: chess; gymnastics: gymnast(?:ics)?; athletics: sprinter|runner|athletics; snooker: snooker
"""
_MEDICINES = """
painkiller: painkiller|pain ?reliever|(?:opioid |pain )?analgesic|pain (?:medication|medicine); antibiotic: antibiotic; vaccine: vaccine;
antidepressant: antidepressant; stimulant: stimulant; sedative: sedative
"""
_SHOWS = """
comedy: sitcom|situation comedy|comedy (?:series|show); drama: (?<!comedy )drama (?:series|show); documentary: documentary series;
game: (?:quiz|game) show; soap: soap opera
"""
_DISEASES = """
infectious: (?:infectious|contagious|communicable) (?:disease|disorder|condition|illness);
inherited: (?:inherited|genetic|hereditary|congenital) (?:\\w+ )?(?:disease|disorder|condition|illness)
"""
_PARTIES = "democrats: democrat(?:ic)?; republicans: republican; conservatives: conservative|tory; labour: labour"
_COPULA = r"(?:is|was|are|were)"
_CLAIMS = ClaimForms(
    rf"(?:the |an? |all )?(?P<subject>[^,;:?!]{{2,60}}?) (?P<tense>{_COPULA}) (?:really |actually |technically |just |basically |also )?"
    r"(?!(?:\w+ )?(?:considered|regarded|thought|believed|classified|classed) )(?:an? |the |one of the )?(?:(?:type|kind|sort|species|form|breed|member) of (?:an? |the )?)?(?P<what>[\w.' -]{3,50}?)"
)
_EATS = ClaimForms(
    r"(?P<subject>[^,;:?!]{2,40}?) (?:(?:(?P<only>only|just|mostly|mainly|mostly only) )?eats? (?P<only2>only |just |mostly |mainly |nothing but )?)(?P<what>meat|plants)"
)
_OPINION = re.compile(
    r"\b(?:good|great|bad|terrible|talented|keen|avid|amateur|decent|excellent|skilled|better|best)\b"
)
_IS = re.compile(rf"\b{_COPULA} (?=(?:an?|the|any|one|some|among)\b|[a-z-]+,? |[A-Z][a-z]+['’]s )")
_GROUP_OF = re.compile(
    r"^(?:(?:an?|the|any|one|several|some|various|many|\d+) ?)*(?:[\w-]+ ){0,5}?(?:(?:name (?:for|given to)(?: (?:various|several|all))?|(?:groups?|species|genus|genera|famil(?:y|ies)|orders?|class|types?|kinds?|breeds?|members?|clade|tribe|suborder) of) )"
)
_HEAD_ENDS = re.compile(
    r" (?:of|in|within|on|at|by|from|with|that|which|who|whose|where|when|native|found|known(?= (?:as|for|to|in|from|by|only|since)\b)|related|endemic|inhabiting|belonging|closely|to|for|as)\b"
)
_TAXON = re.compile(r"\b(?:class|order|phylum|kingdom) (?:of )?([A-Z][a-z]+)")
# What a sentence behind the first calls its subject, or something else.
_CALLED = re.compile(
    rf"\b(?:{_COPULA}|as|called|considered) (?:(?!(?:than|like|to|in|on|of) )[\w'’-]+ ){{0,5}}[\w'’-]+"
)
_SMALL = re.compile(
    r"(?i)\b(?:of|in|to|from|by|with|and|or|not|than|for|like|at|on|no|never|near|between|within|around|under|over|located|that|which|who|can|cannot|can['’]t|could|\w+ing)\b"
)


@dataclass(frozen=True)
class _Kinds:
    """Kinds that exclude each other, with the pattern of each. player: words that may follow one. strict: a page that has the claim's
    words anywhere does not refute it; else only one that says so. first: whether only the first sentence says what it is. defined: whether
    the others do not count even if they say it, because they tell what it was taken for: Pluto "as a planet". supports: whether a part
    of the claim's kind supports it. now: whether only claims in the present tense are decided. sentences: how many are read.
    """

    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    player: str = ""
    sentences: int = SENTENCES_ON_KIND
    strict: bool = False
    first: bool = True
    defined: bool = False
    supports: bool = False
    now: bool = False
    later: bool = False


def _kinds(table: str, player: str = "", sentences: int = SENTENCES_ON_KIND, **how: bool) -> _Kinds:
    entries = (entry.split(": ") for entry in " ".join(table.split()).split("; "))
    patterns = (
        (kind, re.compile(rf"(?<![\w-])(?:{words})(?:e?s)?(?![\w-])", re.IGNORECASE)) for kind, words in entries
    )
    return _Kinds(tuple(patterns), player, sentences, **how)


_OF_A_PARTY = "(?: (?:politician|(?:party )?member|president|senator|governor|prime minister))?"
_ALL = (
    _kinds(_LIVING, supports=True),
    _kinds(_SKY, defined=True),
    _kinds(_PLACES),
    _kinds(_STATES, later=True),
    _kinds(_PANTHEONS, "(?: (?:\\w+ )?(?:god(?:dess)?|deity|hero))", strict=True, first=False),
    _kinds(_MATTER, strict=True, first=False),
    _kinds(_SUBSTANCES, first=False),
    _kinds(_FAITHS, "(?: (?:religion|faith))?", strict=True, first=False),
    _kinds(_LANGUAGES, "(?: languages?)", strict=True, first=False),
    _kinds(_STATUS),
    _kinds(_RULE, sentences=MANY_SENTENCES, first=False, now=True),
    _kinds(_WEALTH, sentences=MANY_SENTENCES, strict=True, first=False),
    _kinds(_DIET, strict=True, first=False, supports=True),
    _kinds(_MADE, "(?: [a-z]+){0,2} languages?", strict=True),
    _kinds(_MEDICINES, strict=True, supports=True),
    _kinds(_DISEASES, strict=True, first=False),
    _kinds(_SHOWS, strict=True, supports=True),
    _kinds(_PARTIES, _OF_A_PARTY, strict=True, first=False),
    _kinds(_SPORTS, "(?: (?:players?|drivers?))?", strict=True),
)


def of_another_kind(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says that the subject is of a kind which excludes the claim's; None if there is none."""
    match = _CLAIMS.match(_as_kind(claim))
    if match is None or _OPINION.search(match["what"]):
        return None
    for kinds in _ALL:
        kind, words = _asked(_HEAD_ENDS.split(match["what"])[0], kinds)
        if kind and not (kinds.now and match["tense"].lower() == "was"):
            meant = pages_in_any_number(match["subject"], pages)
            part = _part_of(meant, kind, kinds) if kinds.supports and words == match["what"] else None
            if ruling := part or _excluded(meant, kind, words, kinds):
                return ruling
    return None


def _as_kind(claim: str) -> str:
    """A claim on what an animal eats as one on its kind: "eats meat" makes it a meat-eater, "eats only plants" a plant-eater."""
    match = _EATS.match(claim)
    if match is None or (match["what"].lower() != "meat" and not (match["only"] or match["only2"])):
        return claim
    return f"{match['subject']} are {'meat' if match['what'].lower() == 'meat' else 'plant'}-eaters"


def _asked(what: str, kinds: _Kinds) -> tuple[str, str]:
    """The kind at the end of these words, and its words; empty if there is none."""
    found = [
        (kind, one.group())
        for kind, pattern in kinds.patterns
        for one in pattern.finditer(what)
        if re.fullmatch(kinds.player, what[one.end() :]) and not _SMALL.search(what[: one.start()])
    ]
    return max(found, key=lambda one: len(one[1]), default=("", ""))


def _part_of(meant: Sequence[Page], kind: str, kinds: _Kinds) -> Ruling | None:
    """The sentence of the subject's page that puts it in the kind or a part of it: "within the class Arachnida"."""
    for page in meant[:1]:
        for number, sentence in enumerate(page.sentences()[:SENTENCES_ON_KIND]):
            head = _head(sentence)
            if number and (not begins_with_title(sentence.text, sentence.title) or _SMALL.search(head)):
                continue  # "more manoeuvrable than birds"
            text = " ".join((head, *_TAXON.findall(sentence.text)))
            if any(f"{one}.".startswith(f"{kind}.") for one, _ in _named(text, kinds)):
                return Ruling(sentence, True)
    return None


def _excluded(meant: Sequence[Page], kind: str, words: str, kinds: _Kinds) -> Ruling | None:
    """The first sentence that gives the subject a kind, if that excludes the claim's and no page may name the claim's."""
    if any(_says(page, kind, kinds) for page in meant):
        return None
    for page in meant:
        for sentence, named in _kinds_of(page, kinds):
            if any(_may_be(kind, one) for one, _ in named):
                return None
            return Ruling.quoting(sentence, named[0][1], (words, named[0][1]))
    return None


def _kinds_of(page: Page, kinds: _Kinds) -> Iterator[tuple[Sentence, list[tuple[str, str]]]]:
    """The sentences that say what the page's subject is, and the kinds that they name, each with its words."""
    for sentence in page.sentences()[: kinds.sentences]:
        head = _head(sentence)
        own = not sentence.line or not kinds.later or begins_with_pronoun(sentence.text)
        if own and (named := list(_named(head if kinds.first else sentence.text, kinds))):
            yield sentence, named
        if head and kinds.first and not kinds.later:
            break


def _head(sentence: Sentence) -> str:
    """The words that say what the page's subject is: "elongated, legless, carnivorous reptiles"."""
    found = _IS.search(without_brackets(sentence.text))
    if found is None:
        return ""
    rest = _GROUP_OF.sub("", found.string[found.end() :])
    return re.split(r"[.;:]", _HEAD_ENDS.split(rest)[0])[0]


def _named(text: str, kinds: _Kinds) -> Iterator[tuple[str, str]]:
    """The kinds that the text names, with its words; "dwarf planet" is no planet."""
    found = [(kind, one) for kind, pattern in kinds.patterns for one in pattern.finditer(text)]
    for kind, one in found:
        if not any(
            one.span() != other.span() and other.start() <= one.start() and one.end() <= other.end()
            for _, other in found
        ):
            yield kind, one.group()


def _says(page: Page, kind: str, kinds: _Kinds) -> bool:
    """Whether the page may call its subject so: in its first sentence, behind "is", or, for strict kinds, anywhere."""
    for sentence in page.sentences()[: 1 if kinds.defined else None]:
        text = _head(sentence) if kinds.defined else sentence.text
        if not (kinds.strict or kinds.defined):
            text = _IS.split(text, 1)[-1] if sentence.line == 0 else " ".join(_CALLED.findall(text))
        if any(f"{one}.".startswith(f"{kind}.") for one, _ in _named(text, kinds)):
            return True
    return False


def _may_be(kind: str, other: str) -> bool:
    """Whether something can be of both kinds."""
    return f"{kind}.".startswith(f"{other}.") or f"{other}.".startswith(f"{kind}.")
