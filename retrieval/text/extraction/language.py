"""The language of a text, by its script and its most common words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

ENGLISH, UNKNOWN = "en", "und"  # BCP 47
LONGEST_READ = 20_000  # characters
FEWEST_CONCLUSIVE = 8  # words
CLEARLY = 1.5  # times as many common words as English must have, because short words belong to several languages
FEWEST_COMMON = 3  # common words of a language that a short text needs
LEAST_COMMON_SHARE = 0.12  # of a text's words that must be among the language's most common ones

NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "cs": "Czech", "pl": "Polish", "sv": "Swedish", "da": "Danish", "fi": "Finnish", "hu": "Hungarian",
    "ro": "Romanian", "tr": "Turkish", "id": "Indonesian", "vi": "Vietnamese",
}  # fmt: skip
SCRIPTS = {
    "CYRILLIC": "in Cyrillic script", "ARABIC": "in Arabic script", "HEBREW": "in Hebrew script",
    "GREEK": "in Greek script", "CJK": "in Chinese characters", "HIRAGANA": "in Japanese script",
    "KATAKANA": "in Japanese script", "HANGUL": "in Korean script", "DEVANAGARI": "in Devanagari script",
    "THAI": "in Thai script",
}  # fmt: skip
_COMMON = {
    "en": "the a an of and to in is was that for it with as on be at by this had are but from or have an they which were her "
    "she he his their been has would who will more when we not said its if about can",
    "de": "der die das und ist nicht ein eine zu den mit von auf für sich dem im es auch als war wird sind oder nach bei "
    "wie aber aus durch wurde hat einer noch über zum",
    "fr": "le la les de des et est un une du en que qui dans pour pas sur au avec ce il elle sont par plus ne se été aux "
    "cette mais ou son sa ses",
    "es": "el la los las de y que en un una es por con no para se su al del lo como más pero fue son sus ha este ya entre "
    "cuando muy",
    "it": "il lo la gli le di e che è un una per non in con del della si sono da al dei nel anche come più ma alla ha suo "
    "questo delle",
    "pt": "o a os as de e que em um uma é por com não para se do da no na dos das ao mais como mas foi ele sua são pelo "
    "pela",
    "nl": "de het een en van is dat niet te in op zijn met voor er aan die ook als bij door naar werd om maar uit nog wordt "
    "heeft deze over",
    "cs": "a je se na že v s z do to by jako ale pro tak který jsou byl není nebo při podle také už jeho jen bylo",
    "pl": "i w na z się nie do to że jest jak o za po ale od przez dla był są tak jego być tym który oraz",
    "sv": "och att det som en på är av för med den till inte om ett han men var jag sig från har också eller blev",
    "da": "og at det som en på er af for med den til ikke om et han men var sig fra har også eller blev de",
    "fi": "ja on ei että se oli hän kun mutta myös ovat joka ole niin kuin tai sen jos vain mukaan",
    "hu": "a az és hogy nem is egy van volt meg de ezt csak már még vagy azt mint el ha után",
    "ro": "și în de la a cu pe o din că este nu un pentru mai au fost sau care ce prin dar sunt",
    "tr": "ve bir bu da de için ile çok daha olarak gibi ne var ama olan kadar sonra ise en mi",
    "id": "yang dan di dengan untuk dari ini itu pada adalah tidak dalam akan ke oleh juga atau telah sebagai",
    "vi": "và của là có trong được cho các một những với không này đã người từ khi về như đến",
}
# Language code, as in `NAMES` -> the most common words, in lower case.
COMMON_WORDS: Mapping[str, frozenset[str]] = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_WORD = re.compile(r"[^\W\d_]+")


def common_shares(text: str) -> tuple[dict[str, float], int]:
    """(language -> share of the text's words that are common in it, number of words)."""
    words = [word.casefold() for word in _WORD.findall(text[:LONGEST_READ])]
    count = max(1, len(words))
    return {code: sum(word in known for word in words) / count for code, known in COMMON_WORDS.items()}, len(words)


def language_of(text: str) -> str:
    """A code of `NAMES`, or `und` if neither script nor words decide; `en` for short texts. For whole texts: `text_language`."""
    if script_of(text):
        return UNKNOWN
    shares, count = common_shares(text)
    if count < FEWEST_CONCLUSIVE:
        return ENGLISH
    best = max(shares, key=lambda language: (shares[language], language == ENGLISH))
    if shares[best] >= LEAST_COMMON_SHARE:
        return best if shares[best] > CLEARLY * shares[ENGLISH] else ENGLISH
    return ENGLISH if shares[ENGLISH] > 0 or count < 3 * FEWEST_CONCLUSIVE else UNKNOWN


def clearly_other(text: str, code: str) -> str:
    """Code of the language, other than `code`, that a short text is clearly in, by its common words; else empty."""
    if script_of(text):
        return UNKNOWN if code in NAMES else ""
    words = {word.casefold() for word in _WORD.findall(text[:LONGEST_READ])}
    counts = {language: len(words & known) for language, known in COMMON_WORDS.items()}
    best = max(counts, key=lambda language: (counts[language], language == code))
    clear = counts[best] >= FEWEST_COMMON and counts[best] > 2 * counts.get(code, 0)
    return best if best != code and code in counts and clear else ""


def script_of(text: str) -> str:
    """The non-Latin script of more than half of the letters; empty if there is none."""
    letters = [sign for sign in text[:LONGEST_READ] if sign.isalpha() and not sign.isascii()]
    plain = sum(sign.isalpha() for sign in text[:LONGEST_READ] if sign.isascii())
    counts = Counter(unicodedata.name(sign, "").partition(" ")[0] for sign in letters)
    counts.pop("LATIN", None)
    known = {script: count for script, count in counts.items() if script in SCRIPTS}
    return max(known, key=lambda script: known[script]) if sum(known.values()) > plain else ""


def described(text: str) -> str:
    """A text's language or script, to put into a sentence: `German`, `in Cyrillic script`; empty for English."""
    if script := script_of(text):
        return SCRIPTS[script]
    language = language_of(text)
    return "" if language == ENGLISH else NAMES.get(language, "in a language that ESOTERIC does not know")
