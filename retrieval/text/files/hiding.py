"""Finds text that an HTML page hides from its readers: by attributes, inline styles, or rules in `<style>` elements.

Only selectors of a single element are read: `p`, `.note`, `#a`, `p.note.b`, and lists of these. Rules that do not apply
to a wide screen, such as those for printing, are ignored. A closed `<details>` counts as visible, because a click opens
it. `_rules` reads 340 kB of styles in .02 s; tinycss2 1.5 takes .5 s, and 2.7 s for 200 kB of hostile nesting.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SCREEN = 1_280.0  # pixels: the width of the screen that rules are read for
EM = 16.0  # pixels
FAR = -500.0  # pixels; a position beyond this is outside the page
UNREADABLE = 1.0  # pixels; a letter, or a box that clips its text, of this size shows nothing
MOST_ALIKE = 100  # rules for several classes that begin with the same class

_BLOCK = re.compile(r"(?i)<!--|<noscript\b|<style\b([^<>]{0,500})>")
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")
_SELECTOR = re.compile(r"(?:(?:html|body)\s+)?(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_PART = re.compile(r"[.#][\w-]+")
_CONDITION = re.compile(r"\((min|max)-width\s*:\s*([\d.]+)(px|em|rem)\)")
_ENTERED = re.compile(r"@(?:media|layer|supports)\b", re.IGNORECASE)
_LENGTH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))(px|r?em|ch|pt|v[wh]|%)?")
_BRACE = re.compile("[{}]")
_LOOKS = re.compile(r"(?i)line-through|vertical-align")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)")
_CUT_AWAY = re.compile(r"(?:inset\(\s*(?:[5-9]\d|\d{3,})(?:\.\d+)?%|circle\(\s*0|ellipse\(\s*0)")
_OUTSIDE = ("left", "right", "top", "bottom", "text-indent")
_SIZES = ("height", "width", "block-size", "inline-size")
_READ = frozenset(
    (*_OUTSIDE, *_SIZES, "display", "visibility", "content-visibility", "opacity", "font-size", "overflow", "overflow-x",
     "overflow-y", "clip", "clip-path", "transform", "text-decoration", "text-decoration-line", "vertical-align")
)  # fmt: skip
_COLOURS = frozenset(("color", "background", "background-color", "background-image", "position"))
_WHITE_LETTERS = re.compile(r"(?i)(?<![\w-])color\s*[:=]\s*[\"']?(?:white\b|#f|rgba?\(\s*25)")
_WHITE = re.compile(r"white|#f{3}|#(?:f[a-f]){3}|rgba?\(\s*25[0-5]\s*,?\s*25[0-5]\s*,?\s*25[0-5]\b.*")
_STYLED_ELSEWHERE = re.compile(r"(?i)<link\b[^<>]{0,500}\bstylesheet\b")
_SEE_THROUGH = ("transparent", "none", "inherit", "initial", "unset")
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "em": EM, "rem": EM, "ch": EM / 2, "vw": 12.8, "vh": 7.2, "%": 10.0}
# Classes that usually mean words for screen readers only, unless the page's own styles define them otherwise.
_HEARD = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only element-invisible".split()
)
_NEVER_BY_RULE = ("html", "body")  # rules may hide these only until scripts have loaded the page

Styles = Mapping[str, str]


# A rule's tag, the classes and ids that an element needs, and whether it is important.
Selector = tuple[str, frozenset[str], bool]
# Whether important, whether inline, rank, which decide the precedence in this order; then the styles.
Layer = tuple[bool, bool, tuple[int, ...], Styles]


@dataclass(frozen=True)
class Shade:
    """The colours at a place. white: whether the letters are white. bare: whether their background is white, too."""

    white: bool = False
    bare: bool = True

    @property
    def hides(self) -> bool:
        """Whether letters are invisible."""
        return self.white and self.bare


class Hiding:
    """Decides which elements of a page are hidden."""

    def __init__(self, page: str) -> None:
        """page: its whole source, including `<style>` elements."""
        self.has_looks = bool(_LOOKS.search(page))  # whether any style may strike something out or raise it
        self.has_white = bool(_WHITE_LETTERS.search(page))  # whether any letters may be white
        self._read = _READ | _COLOURS if self.has_white else _READ
        self._plain: dict[tuple[str, str, str], Styles] = {}  # styles of elements without inline styles
        # By the selector's first class or id, else by its tag; then by all of it.
        self._rules: dict[str, dict[Selector, tuple[tuple[int, ...], Styles]]] = {}
        # Rules elsewhere, which are not read, may set any background.
        self.shade_of_page = Shade(bare=not (self.has_white and _STYLED_ELSEWHERE.search(page)))
        for order, (selector, important, styles) in enumerate(_page_rules(page, self._read)):
            self._add(selector, important, styles, order)

    def hides(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Whether an element itself is hidden, apart from its ancestors. tag, names of attributes: in lower case."""
        if "hidden" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
            return True
        if tag == "dialog" and "open" not in attributes:
            return True
        styles = self._styles(tag, attributes)
        return _hidden_by(styles) if styles else is_heard(attributes)

    def strikes(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Whether a style strikes the element out."""
        styles = self._styles(tag, attributes)
        return "line-through" in styles.get("text-decoration-line", styles.get("text-decoration", ""))

    def raises(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Whether a style raises the element."""
        return self._styles(tag, attributes).get("vertical-align") in ("super", "text-top")

    def shade(self, tag: str, attributes: Mapping[str, str], above: Shade) -> Shade:
        """The colours within an element. above: those around it."""
        styles = _in_force(_declarations(attributes.get("style", ""), self._read), self._matching(tag, attributes))
        colour = styles.get("color") or (attributes.get("color", "").strip().lower() if tag == "font" else "")
        white = above.white if colour in ("", *_SEE_THROUGH) else _WHITE.fullmatch(colour) is not None
        if tag == "a" and not colour:
            white = False  # browsers colour links
        backgrounds = [styles.get(name, "") for name in ("background", "background-color", "background-image")]
        backgrounds.append(attributes.get("bgcolor", "").strip().lower())
        behind = [value for value in backgrounds if value not in ("", *_SEE_THROUGH)]
        placed = styles.get("position", "static") not in ("static", *_SEE_THROUGH)  # it may lie over a picture
        bare = all(map(_WHITE.fullmatch, behind)) if behind else above.bare and not placed and tag != "mark"
        return Shade(white, bare)

    def _styles(self, tag: str, attributes: Mapping[str, str]) -> Styles:
        """The styles in force on an element, of those in `_READ`."""
        key = tag, attributes.get("class", ""), attributes.get("id", "")
        if not (style := attributes.get("style")) and key in self._plain:
            return self._plain[key]
        rules = [] if tag in _NEVER_BY_RULE else self._matching(tag, attributes)
        styles = _in_force(_declarations(style or "", _READ), rules)
        if not style:
            self._plain[key] = styles
        return styles

    def _add(self, selector: str, important: bool, styles: Styles, order: int) -> None:
        match = _SELECTOR.fullmatch(selector.strip())
        if not match or not selector.strip():
            if any(name.startswith("background") for name in styles):
                self.shade_of_page = Shade(bare=False)
            return
        parts = _PART.findall(match[2])
        tag = (match[1] or "*").lower()
        rank = (sum(part[0] == "#" for part in parts), len(parts), int(tag != "*"), order)
        rules = self._rules.setdefault(parts[0] if parts else tag, {})
        key = tag, frozenset(parts), important
        _, earlier = rules.pop(key, (rank, {}))
        if len(rules) < MOST_ALIKE or len(parts) + (tag != "*") <= 1:
            rules[key] = rank, {**earlier, **styles}

    def _matching(self, tag: str, attributes: Mapping[str, str]) -> list[Layer]:
        """The styles of the rules that apply to an element."""
        if not self._rules:
            return []
        names = {f".{name}" for name in attributes.get("class", "").split()}
        names |= {f"#{attributes['id'].strip()}"} if attributes.get("id") else set()
        return [
            (important, False, rank, styles)
            for key in ("*", tag, *sorted(names))
            for (name, parts, important), (rank, styles) in self._rules.get(key, {}).items()
            if name in ("*", tag) and parts <= names
        ]


def take_out_hidden(tree: Any, page: Hiding) -> int:
    """Remove hidden elements, and templates, from a page's tree; returns how many words were hidden."""
    hidden = _take_out_white(tree, page) if page.has_white else 0
    for tag in tree.xpath("//*[@aria-hidden]"):
        before, after = tag.getprevious(), tag.getnext()
        beside = [after] if after is not None and not (tag.tail or "").strip() else []
        beside += [before] if before is not None and not (before.tail or "").strip() else []
        if any(is_heard(dict(other.attrib)) for other in beside):
            del tag.attrib["aria-hidden"]  # its counterpart is for screen readers
    for template in [tag for tag in tree.iter("template") if tag.getparent() is not None]:
        template.drop_tree()
    for tag in [tag for tag in tree.iter("*") if tag.getparent() is not None and page.hides(tag.tag, dict(tag.attrib))]:
        parts = tag.xpath("descendant-or-self::*[not(self::script or self::style or self::noscript or self::template)]")
        hidden += sum(len(text.split()) for element in parts for text in element.xpath("text()"))
        if is_heard(dict(tag.attrib)) and not (tag.tail or "") and tag.getnext() is not None:
            tag.tail = " "  # "2<span class=sr-only>+</span><span>1</span>/2"
        tag.drop_tree()
    return hidden


def _take_out_white(tree: Any, page: Hiding) -> int:
    """Remove white letters on white; returns how many words they had."""
    shades: dict[Any, Shade] = {}
    hidden = 0
    for part in tree.iter("*"):
        above = shades.get(part.getparent(), page.shade_of_page)
        shades[part] = page.shade(part.tag, dict(part.attrib), above)
        if shades[part].hides and part.tag not in ("script", "style"):
            hidden += len((part.text or "").split())
            part.text = ""
        if above.hides:
            hidden += len((part.tail or "").split())
            part.tail = ""
    return hidden


def is_heard(attributes: Mapping[str, str]) -> bool:
    """Whether an element is only for screen readers, by the names of its classes."""
    return not _HEARD.isdisjoint(attributes.get("class", "").lower().split())


def hidden_note(words: int, verb: str = "hides") -> str:
    """The note that words were left out, without a full stop. words: how many. verb: what the page does with them."""
    singular, plural = f"word that the page {verb} was", f"words that the page {verb} were"
    return f"{words:,} {singular if words == 1 else plural} left out"


def read_attributes(written: str) -> dict[str, str]:
    """A tag's attributes: name, in lower case -> value; of two with the same name, the first counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(written):
        found.setdefault(match[1].lower(), html.unescape(match[2] or match[3] or match[4] or ""))
    return found


def _in_force(inline: Iterable[tuple[str, str, bool]], rules: list[Layer]) -> Styles:
    """The styles in force: inline over rules, rules for ids over those for classes, later ones over earlier ones."""
    layers = [*rules, *((important, True, (), {name: value}) for name, value, important in inline)]
    winning: dict[str, str] = {}
    for *_, styles in sorted(layers, key=lambda layer: layer[:3]):
        winning |= styles
    return winning


def _hidden_by(styles: Styles) -> bool:
    get = styles.get
    if get("display") == "none" or get("visibility") in ("hidden", "collapse") or get("content-visibility") == "hidden":
        return True
    opacity = _NUMBER.match(get("opacity", ""))
    if (opacity and float(opacity[0]) <= 0.01) or _pixels(get("font-size", "")) <= UNREADABLE:
        return True
    if any(_pixels(get(name, "")) <= FAR for name in _OUTSIDE):
        return True
    cuts = any(get(name, "") in ("hidden", "clip") for name in ("overflow", "overflow-x", "overflow-y"))
    if cuts and any(_pixels(get(name, "")) <= UNREADABLE for name in _SIZES):
        return True
    return _clipped(get("clip", ""), get("clip-path", "")) or get("transform", "").startswith(("scale(0)", "scale(0,"))


def _clipped(clip: str, path: str) -> bool:
    """Whether clipping leaves nothing of a box."""
    if _CUT_AWAY.match(path):
        return True
    shape = path if path.startswith("polygon(") else clip if clip.startswith("rect(") else ""
    return bool(shape) and all(abs(float(number)) <= UNREADABLE for number in _NUMBER.findall(shape))


def _pixels(value: str) -> float:
    """An approximate length in pixels; infinite if there is none."""
    match = _LENGTH.fullmatch(value)
    return float(match[1]) * _UNITS[match[2] or ""] if match else float("inf")


def _declarations(styles: str, read: frozenset[str]) -> Iterator[tuple[str, str, bool]]:
    """(name, value, whether important) of the declarations that can hide."""
    for part in styles.split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip().lower(), value.strip().lower()
        if name in read and value:
            plain = value.removesuffix("!important").rstrip()
            yield name, plain, plain != value


def _page_rules(page: str, read: frozenset[str]) -> Iterator[tuple[str, bool, Styles]]:
    """(selector, whether important, styles) of every rule of a page that can hide something or show it again."""
    position = 0
    while opened := _BLOCK.search(page, position):
        end = "-->" if opened[0] == "<!--" else "</" if opened[1] is not None else "</noscript"
        closed = page.find(end, opened.end())
        position = len(page) if closed < 0 else closed
        if opened[1] is None or not _obeyed(read_attributes(opened[1]).get("media", "")):
            continue
        first, *others = page[opened.end() : position].replace("<!--", " ").replace("-->", " ").split("/*")
        css = first + "".join(other.partition("*/")[2] for other in others)  # without comments
        for selectors, written in _rules(css):
            for important in (False, True):
                styles = {name: value for name, value, weight in _declarations(written, read) if weight == important}
                yield from ((selector, important, styles) for selector in selectors.split(",") if styles)


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) of a style sheet's rules, with those under conditions that hold."""
    position = 0
    while (opening := css.find("{", position)) >= 0:
        before = css[position:opening].rpartition(";")[2].replace("}", " ").strip()
        if before.startswith("@"):
            entered = _ENTERED.match(before) and (before[:6].lower() != "@media" or _obeyed(before[len("@media") :]))
            position = opening + 1 if entered else _end(css, opening)
            continue
        closing = css.find("}", opening)
        closing = len(css) if closing < 0 else closing
        yield before, css[opening + 1 : closing]
        position = closing + 1


def _obeyed(media: str) -> bool:
    """Whether a media condition such as `screen and (min-width: 600px)` holds on a wide screen; unknown ones do not."""
    return not media.strip() or any(_holds(condition.strip().lower()) for condition in media.split(","))


def _holds(media: str) -> bool:
    widths = ((kind, _pixels(number + unit)) for kind, number, unit in _CONDITION.findall(media))
    if any(width > SCREEN if kind == "min" else width < SCREEN for kind, width in widths):
        return False
    rest = " ".join(_CONDITION.sub(" ", media).replace(" and ", " ").split())
    return rest in ("", "all", "screen", "only screen", "not print")


def _end(css: str, opening: int) -> int:
    """Where the block that opens at this offset ends."""
    depth = 0
    for match in _BRACE.finditer(css, opening):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.end()
    return len(css)
