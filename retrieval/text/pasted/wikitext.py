"""Reads the pasted source of wiki pages: templates, links, references, tables and emphasis of MediaWiki."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice

from retrieval.text.pasted.inline import Cut

# Two of these make a text wikitext; Markdown and prose have none, or one by chance.
_SIGN = re.compile(
    r"\[\[[^\[\]\n]{1,300}\]\](?!\()|\{\{[^{}]{1,300}\}\}|\{\{[A-Z][\w ]{1,60}\n|'{2,5}[^'\n]{1,300}'{2,5}|<ref[\s>/]|(?m:^={2,6}[^=\n]{1,100}={2,6}[ \t]*$)"
    r"|(?m:^\{\|)"
)
_SURE_SIGN = re.compile(
    r"\[\[[^\[\]\n]{1,300}\]\](?!\()|\{\{(?:[Cc]it|[Cc]onvert|[Ii]nfobox|[Ll]ang)|<ref[\s>/]|'''[^'\n]{1,300}'''"
)
_TOKEN = re.compile(
    r"(?P<comment><!--)|<(?P<unread>ref|gallery|math|nowiki|del|s|strike|syntaxhighlight|timeline)\b[^<>]{0,500}(?P<single>/)?(?<!-)>"
    r"|(?P<opens>\{\{|\[\[)|(?P<closes>\}\}|\]\])|(?P<table>(?m:^[ \t:]*\{\|))|(?P<ended>(?m:^[ \t]*\|\}))"
    r"|(?P<link>\[(?:https?:)?//[^\s\[\]]{1,800}[ \t]*)|(?P<tag></?[a-z][a-z0-9]{0,12}(?:\s[^<>]{0,300})?/?>)"
    r"|(?P<entity>&(?:[a-zA-Z]{2,20}|#\d{1,7});)|(?P<bold>'{2,5})|(?P<heading>(?m:^={2,6}[ \t]*|[ \t]*={2,6}[ \t]*$))|(?P<list>(?m:^[*#:;]{1,6}[ \t]*))|(?P<word>__[A-Z]{3,20}__)"
)
_PAIR = re.compile(r"\{\{|\}\}|\[\[|\]\]")
_NO_TEXT = re.compile(r"(?i)\s*:?(?:file|image|category|datei|bild|kategorie|archivo|categoría|media|[a-z]{2,3})\s?:")
# Templates that show their arguments, and those that show a quantity with its unit.
_SHOWN = re.compile(
    r"(?:nowrap|nobr|lang|lang-\w{2,3}|small|big|em|strong|abbr|circa|c\.|date|(?:start|end|birth|death)[ -]date(?: and age)?|dts|sort|transliteration|translit|"
    r"ill|interlanguage link|ship|uss|hms|sc|smallcaps|val|formatnum|number|nowrap begin|quote|blockquote|langx|native name)",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"(?:convert|cvt|convinfobox)", re.IGNORECASE)
_UNITS = {"km2": "km²", "sqmi": "sq mi", "m2": "m²", "m3": "m³", "C": "°C", "F": "°F"}
_SIGNS = {
    "snd": " – ", "spnd": " – ", "spaced ndash": " – ", "ndash": "–", "–": "–", "mdash": "—", "·": " · ", "nbsp": " ", "'": "'",
}  # fmt: skip
_FIRST_OF_CODE = re.compile(r"lang|lang-?x|transliteration|translit|abbr-?lang", re.IGNORECASE)
_MARKED = re.compile(r"\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{0,200})\]\]|'{2,5}")  # a link, emphasis
LONGEST_TEMPLATE = 5_000  # characters
DEEPEST_TEMPLATE = 40  # nested templates and links


def is_wikitext(text: str) -> bool:
    """Whether a text is the source of a wiki page."""
    return len([*islice(_SIGN.finditer(text), 2)]) == 2 and _SURE_SIGN.search(text) is not None


def wikitext_cuts(text: str) -> list[Cut]:
    """The cuts, in text order."""
    return sorted(_cuts(text, 0, len(text)))


def _cuts(text: str, start: int, end: int) -> Iterator[Cut]:
    position, unclosed = start, set[str]()
    while match := _TOKEN.search(text, position, end):
        position = max(match.end(), match.start() + 1)
        first = match.start()
        if match["single"]:
            yield first, position, ""
        elif match["comment"] or match["unread"] or match["table"]:
            close = "-->" if match["comment"] else f"</{match['unread']}>" if match["unread"] else "\n|}"
            stop = -1 if close in unclosed else text.find(close, position, end)
            unclosed |= {close} if stop < 0 else set()
            position = position if stop < 0 else stop + len(close)
            yield first, position, ""
        elif match["opens"]:
            stop = _closing(text, first, end)
            if stop >= 0:
                yield from (_template if match["opens"] == "{{" else _link)(text, first, stop)
                position = stop
        elif match["link"]:
            stop = text.find("]", position, min(end, position + 500))
            if stop >= 0:
                yield first, position, ""
                yield stop, stop + 1, ""
        elif match["tag"]:
            yield first, position, "\n" if re.match(r"</?(?:br|p|div|li|blockquote)\b", match[0]) else ""
        elif match["entity"]:
            yield first, position, html.unescape(match[0]).replace("\xa0", " ")
        elif not match["closes"]:
            yield first, position, ""


def _closing(text: str, start: int, end: int) -> int:
    """Where the template or link that opens at `start` ends; -1 if it does not end within the limits."""
    depth = 0
    for match in _PAIR.finditer(text, start, min(end, start + LONGEST_TEMPLATE)):
        depth += 1 if match[0] in ("{{", "[[") else -1
        if depth <= 0 or depth > DEEPEST_TEMPLATE:
            return match.end() if depth <= 0 else -1
    return -1


def _link(text: str, start: int, stop: int) -> Iterator[Cut]:
    """The cuts that leave a link's words, and nothing of pictures, categories and links to other languages."""
    inner = text[start + 2 : stop - 2]
    if _NO_TEXT.match(inner) and not inner.startswith(":"):
        yield start, stop, ""
        return
    first = start + 2 + inner.rfind("|") + 1
    yield start, first, ""
    yield from _cuts(text, first, stop - 2)
    yield stop - 2, stop, ""


def _template(text: str, start: int, stop: int) -> Iterator[Cut]:
    """The cuts that leave what a template shows: its arguments, a quantity with its unit, or a sign; nothing of others."""
    name, *parts = text[start + 2 : stop - 2].split("|")
    name = name.strip()
    arguments = [part.strip() for part in parts if "=" not in part]
    if _QUANTITY.fullmatch(name) and len(arguments) > 1:
        between = arguments[1] in ("-", "–", "to", "and", "by", "x", "or") and len(arguments) > 3
        unit = arguments[3] if between else arguments[1]
        shown = f"{arguments[0]} {arguments[1]} {arguments[2]}" if between else arguments[0]
        yield start, stop, f"{shown} {_UNITS.get(unit, unit)}"
    elif _SHOWN.fullmatch(name) and arguments:
        words = " ".join(arguments[1:2] if _FIRST_OF_CODE.fullmatch(name) else arguments[:1])
        if "date" in name.lower() and arguments[0].isdecimal():
            words = "-".join(part.zfill(2) for part in arguments[:3] if part.isdecimal())
        prefix = "c. " if name.lower() in ("circa", "c.") else ""
        yield start, stop, prefix + _MARKED.sub(r"\1", words)
    elif shown := _SIGNS.get(name, ""):
        yield start, stop, shown
    else:
        yield *_with_brackets(text, start, stop), ""


def _with_brackets(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span of a template that shows nothing, with brackets that would be left empty: "Berlin ({{IPA|…}}) is"."""
    if text[start - 1 : start] != "(":
        return start, stop
    while text[stop : stop + 1] in (";", ",", " ", "\n"):
        stop += 1
    return (start - 1, stop + 1) if text[stop : stop + 1] == ")" else (start, stop)
