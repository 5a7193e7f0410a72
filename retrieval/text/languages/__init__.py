"""Rules for each language of a corpus: stop words, stems, sentence boundaries, titles.

The models of this program were trained and measured in English. A corpus in another language is searched by these rules;
a verdict needs models that were measured in that language: those of the hub that its profile names (`LANGUAGE_MODELS`), or
others that you choose (`READER_LANGUAGES`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.text.extraction.language import NAMES


@dataclass(frozen=True)
class Language:
    """The profile of a language. code: BCP 47. stemmer: a name of Snowball's, empty for none. ubiquitous: words that a search
    ignores. before_name, before_number: abbreviations after which no sentence ends (before a number). perhaps: abbreviations
    after which a sentence ends only before a word in `begins`; capitalised: such abbreviations that are words in lower case.
    ordinals: "3. Mai" ends no sentence. disambiguation: marks such a page in its title and categories. tail: headings after
    which an article has only lists. models: those of the hub that read the language, by the setting that chooses each.
    """

    code: str
    name: str
    stemmer: str = ""
    function_words: frozenset[str] = frozenset()
    ubiquitous: frozenset[str] = frozenset()
    before_name: str = r"dr|prof|st"
    before_number: str = r"no|nr|pp?"
    perhaps: str = r"[^\W\d_]"
    capitalised: str = r"\b\B"
    begins: str = r"\b\B"
    ordinals: bool = False
    disambiguation: str = r"disambiguation"
    tail: str = r"references"
    models: tuple[tuple[str, str], ...] = ()


# Their authors measured the reader in 15 languages, including German and Spanish (XNLI), the ranker in 14 (mMARCO).
_RANKER = "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1"
_ENCODER = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
MULTILINGUAL = (
    ("relevance_model", _RANKER),
    ("stance_model", "MoritzLaurer/multilingual-MiniLMv2-L6-mnli-xnli"),
    ("reranker", _RANKER),
    ("question_encoder", _ENCODER),
    ("page_encoder", _ENCODER),
    ("similarity_model", _ENCODER),
)
ENGLISH = Language(
    "en",
    "English",
    "english",
    # Words that do not matter to a claim. The list is short on purpose: "first", "only" and "not" do matter.
    frozenset(
        "a an the of in on at by for with to from and or is was are were be been being has have had it its his her their "
        "he she they that this as who which did does do there one s".split()
    ),
    # Words in more than a third of 118,863 pages: they cause most of BM25's work and hardly affect its results.
    frozenset("a and as by for in is it of on the to was".split()),
    before_name=r"mrs?|ms|dr|prof|st|mt|messrs|mme|mlle|gen|col|maj|capt|cpt|lt|sgt|cpl|pvt|adm|cmdr|cdr|brig|rev|fr|hon|gov|sen|"
    r"reps?|pres|atty|insp|msgr|supt|med|e\.g|i\.e|cf|viz|vs?|ca|approx|a\.k\.a|f\.k\.a|incl|esp",
    before_number=r"nos?|pp?|vols?|figs?|chap|ch|secs?|sect|arts?|eqs?|paras?|abs|tabs?|pop|alt|pts?|opp?|ser|ex|cl|apt|ste|rte|tel|ver|ft|lbs?|oz|yds?|[cbdr]|fl",
    perhaps=r"inc|ltd|co|corp|bros|jr|sr|etc|al|ed|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|tues?|thurs?|ave|blvd|rd|dept|univ|"
    r"est|pub|geo|wm|chas|thos|edw|benj|ph\.d|(?:\w+-)?(?:[^\W\d_]\.)+[^\W\d_]{1,4}|[^\W\d_]",
    capitalised=r"Mar|Mon|Wed|Thu|Fri|Sat|Sun|Ft|Pt|Op|Ill|Calif|Mass|Conn|Penna?|Tenn|Fla|Ind|Wis[ck]?|Minn|Mich|Okla|Ore|Ariz|Colo|"
    r"Del|Ala|Ark|Tex|Va|Vt|Md|Pa|Ga|La|Ky|Mo|Miss|Mont|Neb|Nev|Wash|Wyo|Cal|App|Stat|Reg|Supp|Cir|Assn|Gov't|Dist|Mfg|Intl",
    begins=r"the|an?|this|that|these|those|its?|he|his|s?he|her|they|their|we|our|i|your?|there|here|in|on|at|as|by|for|from|"
    r"with|after|before|during|since|until|when|while|where|although|because|if|but|and|or|however|moreover|both|each|"
    r"some|many|most|such|other|another|all|not?|what|who|why|how|according|despite|under|over|among|between|through|within|"
    r"one|two|three|four|five|several|then|now|later|today|also|nobody|every|everyone|only|it's|he's|she's|there's",
    tail=r"references|notes|external links|see also|further reading|bibliography|sources|citations|footnotes|"
    r"notes and references|references and notes|works cited",
)
GERMAN = Language(
    "de",
    "German",
    "german",
    frozenset(
        "der die das den dem des ein eine einen einem einer eines und oder ist war sind waren wird wurde wurden werden hat "
        "haben hatte hatten sein seine seiner seinem seinen ihr ihre ihrer er sie es wir in im an am auf aus bei beim mit nach "
        "von vom vor zu zum zur fur als wie dass sich auch durch uber um bis".split()
    ),
    frozenset("der die das den dem und in im von zu ist ein eine mit".split()),
    before_name=r"dr|prof|hr|fr|st|hl|z\.b|d\.h|u\.a|v\.a|i\.d\.r|bzw|ca|vgl|sog|geb|gest|urspr|dipl|ing|inkl|evtl|ggf|mind|max|"
    r"inh|verh|o\.ä|v|n|s\.o|s\.u",
    before_number=r"nr|s|bd|kap|abb|abs|art|jh|jg|tab|max|min|ca|um|§",
    perhaps=r"usw|u\.s\.w|etc|jh|jhd|chr|mio|mrd|str|tel|co|kg|mbh|jan|feb|aug|sept|okt|nov|dez|[^\W\d_]",
    begins=r"der|die|das|dem|den|ein|eine|er|sie|es|wir|ihr|ich|und|aber|oder|doch|im|am|auf|bei|mit|nach|von|vor|zu|zum|zur|"
    r"für|als|wenn|dass|weil|da|dort|hier|dies|diese|dieser|dieses|jede|viele|einige|nicht|auch|seit|während|durch|in|an|"
    r"sein|seine|ihre|heute|später|danach|dabei|damit",
    ordinals=True,
    disambiguation=r"begriffsklärung(?:sseite)?",
    tail=r"einzelnachweise|weblinks|literatur|siehe auch|quellen|anmerkungen|belege|fußnoten|anmerkungen und einzelnachweise",
    models=MULTILINGUAL,
)
SPANISH = Language(
    "es",
    "Spanish",
    "spanish",
    frozenset(
        "el la los las un una unos unas de del al a en y o u e que es era fue fueron son ser ha han habia su sus se por para "
        "con como lo le les este esta estos estas ese esa entre desde hasta sobre".split()
    ),
    frozenset("el la los las de del en y que un una es por con se a".split()),
    before_name=r"sr|sra|srta|sres|dr|dra|d|dª|dña|st|sta|sto|ud|uds|prof|profa|lic|ing|arq|gral|cnel|cap|mons|p\.ej|ej|cf|vid|aprox|ca|av|avda|ee",
    before_number=r"n|núm|nº|pág|págs|p|pp|art|arts|cap|caps|vol|vols|fig|c|s|km",
    perhaps=r"etc|ee\.uu|uu|a\.c|d\.c|s\.a|cía|hnos|jr|ene|feb|abr|ago|sept|oct|nov|dic|[^\W\d_]",
    begins=r"el|la|los|las|un|una|unos|unas|en|de|del|al|a|este|esta|estos|estas|ese|esa|su|sus|se|y|pero|o|como|cuando|donde|"
    r"mientras|aunque|porque|si|no|también|entre|desde|hasta|según|para|por|con|tras|durante|después|antes|él|ella|ellos|"
    r"algunos|muchos|otros|otro|cada|todos|hoy",
    disambiguation=r"(?:wikipedia:)?(?:páginas de )?desambiguación",
    tail=r"referencias|enlaces externos|véase también|bibliografía|notas|notas y referencias|fuentes|lecturas adicionales|citas",
    models=MULTILINGUAL,
)
ENGLISH_CODE = ENGLISH.code
AND = "+"  # joins the codes of several corpora that are read together
LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN, SPANISH)}


@functools.lru_cache(maxsize=256)
def whole(pattern: str) -> re.Pattern[str]:
    """The compiled pattern, for a match of a whole word."""
    return re.compile(pattern)


@functools.lru_cache(maxsize=64)
def find_language(code: str) -> Language:
    """The profile for a code: English if empty, an empty one for a language that has none; for several codes joined by `+`,
    that of the first that is not English.
    """
    if AND in code:
        parts = [find_language(part) for part in code.split(AND)]
        other = next((part for part in parts if part.code != ENGLISH_CODE), ENGLISH)
        return replace(other, code=code, name=" and ".join(part.name for part in parts))
    known = (code or ENGLISH_CODE).partition("-")[0].lower()
    return LANGUAGES.get(known) or Language(known, NAMES.get(known, f"“{known[:20]}”"))


def language_of_wiki(wiki: str) -> str:
    """The code of the language that a wiki is written in: dewiki -> de."""
    code = wiki.removesuffix("wiki").replace("_", "-")
    return ENGLISH_CODE if code == "simple" else code


def several_languages(codes: Sequence[str]) -> str:
    """The languages of several corpora together: one code, or several joined by `+`; empty if any corpus declares none."""
    known = sorted({find_language(code).code for code in codes})
    return AND.join(known) if len(known) > 1 else known[0] if all(codes) and known else ""
