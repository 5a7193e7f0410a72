"""Removes the noise around a pasted statement: hashtags, mentions, links, Markdown, list marks, labels.

Lowers text in capitals, replaces look-alike characters (ligatures, letters of "bold" fonts), and removes invisible ones
and emoji.
"""

from __future__ import annotations

import html
import re
import unicodedata

from retrieval.text.languages import ENGLISH
from retrieval.text.typed.framing import LEAST_STATEMENT

# Soft hyphen, joiners, variation selectors, tags of flags: all invisible.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u3164\ufe00-\ufe0f\U000e0000-\U000e007f]+"
)
# Pictures, arrows and dingbats, but not signs of units, money, rights, degrees or musical keys.
_PICTURES = re.compile(
    "[\u20e3\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u265f\u2670-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\ufffc\ufffd"
    "\U0001f000-\U0001f0ff\U0001f1e6-\U0001faff]+"
)
# Ligatures, full-width forms, mathematical and enclosed letters. Superscripts keep their meaning: 10\u2079 is not 109.
_FORMS = re.compile("[\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f130-\U0001f149]")
_SAME = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2024": ".", "\u02bc": "\u2019"})
_LINK = re.compile(r"<?(?:https?://|www\.)\S+", re.IGNORECASE)
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
# The source: "(source: Wikipedia)", "… - Wikipedia", "| BBC News".
_SOURCE = re.compile(
    r"(?<=[\w.!?”\"’'])\s*(?:[(\[](?i:sources?|via|credits?|from|cf\.?|see)\b:? [^()\[\]]{2,80}[)\]]|(?:[-–—|]|(?<=[.!?]) ?)\s*(?i:sources?|via|credits?): ?\S.{1,80}|"
    r"\s[-–—|] (?:Wikipedia|Snopes|Reuters|AP|BBC|CNN|NPR|PolitiFact|Britannica|The (?:New York )?(?:Times|Guardian)|BBC News|Fox News|New York Times)"
    r"(?:, the free encyclopedia)?)\s*[.!]*$"
)
_CITATION = re.compile(r"\[(?:\d{1,3}|citation needed|note \d{1,2}|[a-z])\]", re.IGNORECASE)
_REPOST = re.compile(r"(?:RT|MT|QT)\b:?\s*(?=@)")
_MENTION = re.compile(r"(?<![\w.])@(\w{1,40})\b:?")
_LEADING_MENTIONS = re.compile(r"(?:@\w{1,40}:?\s+){1,50}(?=[A-Z#“\"‘'(\d])")
_LAST_MENTION = re.compile(r"@\w{1,40}|via|cc|h/t", re.IGNORECASE)
_LAST_TAG = re.compile(r"#\w+")
# "#fact" and "#DidYouKnow" in front are no part of the statement; "#history is taught at school" needs its hashtag.
_LABEL_TAG = re.compile(
    r"(?:#(?:(?:fun|true|random)?facts?|factcheck|did(?:you|u)know|dyk|til|truth|trivia|breaking(?:news)?|news|fakenews|psa|fyi|history|science|"
    r"geography|interesting)\b:?\s+){1,5}(?!(?:is|was|are|were|has|have|had|can|does|do|of|in|and|or)\b)(?=\S)",
    re.IGNORECASE,
)
_HASHTAG = re.compile(r"(?<![\w&])#(\w*[^\W\d]\w*)")
_HUMP = re.compile(r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])|(?<=[A-Za-z])(?=\d{4}\b)")
_NEEDS_MORE = frozenset(
    "in of at on by the a an is was are were and or to from for with as called named near into than about".split()
)
_HEADING = re.compile(r"(?:#{1,6}|>+)\s+")
_LIST_MARK = re.compile(
    r"(?:\d{1,2}/(?=\s+[A-Z])|[-*+•·▪‣–—»]|\(?[a-zA-Z]\)|\(\d{1,2}\)|\d{1,2}\))\s+|\d{1,2}\.\s+(?=[A-ZÀ-Þ“\"‘'#*_])"
)
_NUMBERED_NAME = re.compile(
    r"\d{1,2}\.\s+(?:FC|FK|FSV|SC|SV|TSV|VfB|VfL|[A-Z]?[Ll]iga|Bundesliga|HNL|Division|Divisi\w+|Deild|Reich|Armee|Panzer\w*)\b"
)
_LABEL = re.compile(
    r"(?:fact(?:[ -]check)?|fun fact|true fact|true story|breaking(?: news)?|just in|update|news(?: flash)?|claim|statement|rumou?r|"
    r"psa|viral|reminder|headline|did you know|true or false|true/false|t/f|q|question|thesis|answer|note|til|fyi|tl;? ?dr|edit(?: \d)?|ok so|so)"
    r"\s?(?:\((?:true|false|\d)\))?\s?(?::|\||!|[-–—](?=\s))+\s*",
    re.IGNORECASE,
)
_SHOUTED = re.compile(
    r"(?:BREAKING(?: NEWS)?|JUST IN|FACT|FACT CHECK|NEWS|UPDATE|ALERT|EXCLUSIVE|TIL|PSA|FYI|WATCH)\b[:!\s]+(?=\S)"
)
_STRESSED = (
    re.compile(r"(?<![\w*])\*{1,3}(?=[^\s*])([^*]*)(?<=[^\s*])\*{1,3}(?![\w*])"),
    re.compile(r"(?<![\w_])_{1,3}(?=[^\s_])([^_]*)(?<=[^\s_])_{1,3}(?![\w_])"),
    re.compile(r"~~([^~]*)~~"),
    re.compile(r"`+([^`]*)`+"),
)
_QUOTES = {"“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", '"': '"', "'": "'", "‹": "›", "「": "」"}
_ENDS = re.compile(r"([!?.…])[!?.…]+$")
_CONTRACTED = re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)nt\b", re.IGNORECASE)
_INITIALS = re.compile(  # words without a vowel, numerals, and other common initials stay in capitals
    r"[B-DF-HJ-NP-TV-XZ]{2,6}|[B-DF-HJ-NP-TV-XZ]*I{2,3}|IV|VI{1,3}|USA|UK|EU|UN|NASA|NATO|AIDS|HIV|DNA|RNA|CIA|FBI|NBA|UFO"
)
_LEAST_WORDS_SHOUTED = 3
SMALL_WORDS = ENGLISH.function_words | frozenset(
    "not no never been into over under about after before than then also only but if because so such can will would could should may "
    "might must do does born located made built known called died won wrote".split()
)


def without_noise(text: str) -> str:
    """The statement without noise; the text itself if all of it is noise. text: one line. Linear in its length."""
    found = html.unescape(text) if "&" in text else text
    found = plain_characters(found)
    found = _CITATION.sub("", _LINK.sub(" ", _MARKDOWN_LINK.sub(r"\1", found)))
    found = _without_marks(_without_prefixes(_without_tags(_tidy(found))))
    found = _CONTRACTED.sub(r"\1n't", _quietly(_once(_SOURCE.sub("", _tidy(found)))))  # "isnt"
    return found if any(char.isalnum() for char in found) else text


def _once(text: str) -> str:
    """The text, once if it was pasted twice."""
    first, second = text[: len(text) // 2].rstrip(), text[len(text) // 2 :].strip()
    return first if first.count(" ") >= LEAST_STATEMENT - 1 and first == second else text


def without_quotes(text: str) -> str:
    """The text without quotation marks that enclose all of it."""
    while len(text) > 2 and text[0] in _QUOTES:
        closing = _QUOTES[text[0]]
        inner, tail = text[1:].rstrip(), ""
        if inner[-1:] in ".!?," and inner[-2:-1] in closing:
            inner, tail = inner[:-1], inner[-1]
        within = re.sub(r"(?<=\w)['’](?=\w)", "", inner[:-1])  # an apostrophe is no quotation mark
        if inner[-1:] not in closing or text[0] in inner[:-1] or inner[-1] in within:
            break
        inner = inner[:-1].strip()
        text = inner.rstrip(",") + ("" if inner[-1:] in (".", "!", "?") else tail.replace(",", ""))
    return text


def _tidy(text: str) -> str:
    return re.sub(r"\s+([.,;:!?])(?=\s|$)", r"\1", " ".join(text.split())).strip(" |")


def _without_tags(text: str) -> str:
    for leading in (_REPOST, _LEADING_MENTIONS, _LABEL_TAG):
        text = text[match.end() :] if (match := leading.match(text)) else text
    words = text.split()
    while len(words) > 1 and "@" in text and _LAST_MENTION.fullmatch(words[-1]):
        words.pop()
    count = len(words)
    while count and _LAST_TAG.fullmatch(words[count - 1]):
        count -= 1
    if count:  # a hashtag that completes the sentence stays
        words = words[: count + (words[count - 1].casefold() in _NEEDS_MORE)]
    return _HASHTAG.sub(_words_of_tag, _MENTION.sub(r"\1", " ".join(words)))


def _words_of_tag(match: re.Match[str]) -> str:
    """#WasBornInKenya -> Was Born in Kenya."""
    words = _HUMP.sub(" ", match[1]).replace("_", " ").split()
    return " ".join([*words[:1], *(word.lower() if word.lower() in SMALL_WORDS else word for word in words[1:])])


def _without_prefixes(text: str) -> str:
    """The text without list marks, heading marks and labels such as "FACT:" at its beginning."""
    for _ in range(4):  # "> - 1. FACT: ..."
        rest = text[match.end() :] if (match := _HEADING.match(text)) else text
        if not _NUMBERED_NAME.match(rest) and (mark := _LIST_MARK.match(rest)):
            rest = rest[mark.end() :]
        label = _LABEL.match(rest) or _SHOUTED.match(rest)
        # Not the beginning of a text in capitals: "BREAKING BAD IS A SERIES".
        if label and (re.search(r"[:!|]", label[0]) or not rest[label.end() :].isupper()):
            rest = rest[label.end() :]
        if rest == text or not rest.strip():
            break
        text = rest
    return text


def without_label(text: str) -> str:
    """A sentence without a label such as "Fact:" or "BREAKING:" at its beginning."""
    match = _LABEL.match(text)
    rest = text[match.end() :] if match and ":" in match[0] else text
    return rest[:1].upper() + rest[1:] if any(map(str.isalpha, rest)) else text


def _without_marks(text: str) -> str:
    for pattern in _STRESSED:
        text = pattern.sub(r"\1", text)
    text = re.sub(r"\*\*|__(?=\w)|(?<=\w)__", "", text) if "**" in text or "__" in text else text
    return without_quotes(_ENDS.sub(_one_end, text.strip()))


def _one_end(match: re.Match[str]) -> str:
    return "?" if "?" in match[0] else "!" if match[0][0] == "!" else "."


def _quietly(text: str) -> str:
    """A text in capitals, rewritten like a title: words keep their first capital, function words lose theirs."""
    words = re.findall(r"[^\W\d_]+", text)
    if len(words) < _LEAST_WORDS_SHOUTED or any(not word.isupper() for word in words) or max(map(len, words)) < 4:
        return text
    lowered = [word if _keeps_capitals(word) else word.lower() for word in text.split()]
    written = [word if word.strip(".,;:!?") in SMALL_WORDS else word[:1].upper() + word[1:] for word in lowered]
    return written[0][:1].upper() + written[0][1:] + "".join(f" {word}" for word in written[1:])


def _keeps_capitals(word: str) -> bool:
    """Whether a word stays in capitals: initials, numerals and words with a digit, such as "U.S.", "JFK", "WWII", "F16"."""
    return bool(re.search(r"\d|\.\w", word) or _INITIALS.fullmatch(word.strip(".,;:!?()")))


def plain_characters(text: str) -> str:
    """The text without invisible characters and pictures; look-alikes become the letters that they imitate. Linear."""
    text = _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _PICTURES.sub(" ", _UNSEEN.sub("", text)).translate(_SAME)
    return unicodedata.normalize("NFC", " ".join(text.split()))
