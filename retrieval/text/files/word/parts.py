"""Reads the parts of a .docx, within limits and without external entities, its styles, and characters of symbol fonts."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from typing import Any, NamedTuple

from retrieval.errors import CorpusError
from retrieval.text.files.document import LARGEST_DOCUMENT, WHITE, ZIP, other_type
from retrieval.text.files.equations import name_of

LARGEST_ARCHIVE = 4 * LARGEST_DOCUMENT  # bytes of all parts of a .docx, unpacked
TINY = 2  # half points: a size that nobody can read
MOST_STYLES = 10  # in a chain of inheritance, which may be a circle in damaged files
OFF = ("0", "false", "off", "none")
_SWITCHES = {"vanish": "hidden", "caps": "capitals", "smallCaps": "capitals", "strike": "struck", "dstrike": "struck"}
# What zipfile raises for damaged and encrypted members.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError, KeyError)
_CONTENTS = re.compile(r"(?i)toc [1-9]|table of (?:figures|authorities)")
_HEADING = re.compile(r"(?i)(sub)?title|heading [1-9]")
# Characters of the fonts Symbol and Wingdings, which Word stores by their position in the font (ECMA-376, 17.3.3.30).
PRIVATE = 0xF000  # the offset that Word adds to the position

# Adobe's Symbol from 0x20; spaces where it has no character, or a piece of a tall bracket.
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ "
    "                                "
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫⌠ ⌡          "
)
_WINGDINGS = {
    0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "☐", 0xA7: "▪", 0xA8: "☐", 0xB7: "•", 0xD8: "➢",
    0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip


def child(element: Any, *names: str) -> Any:
    """The first child with this name, its first child with the next name, and so on; None if one is missing."""
    for name in names:
        element = None if element is None else next((part for part in element if name_of(part) == name), None)
    return element


def attribute(element: Any, name: str) -> str:
    """The value of an attribute in any namespace; empty if there is none, or if the element is None."""
    attributes = {} if element is None else element.attrib
    return next((str(value) for key, value in attributes.items() if key.rpartition("}")[2] == name), "")


class Look(NamedTuple):
    """How Word shows a run of text. tiny: too small to read. white: with white letters. shaded: on a colour."""

    hidden: bool = False
    tiny: bool = False
    struck: bool = False
    raised: bool = False
    capitals: bool = False
    white: bool = False
    shaded: bool = False
    font: str = ""


class WordFile:
    """The parts of one file, read on demand."""

    def __init__(self, content: bytes) -> None:
        """Raises CorpusError if the file is not a .docx, or too large."""
        if content.startswith(b"\xd0\xcf\x11\xe0"):
            raise CorpusError("it is protected by a password or in the old .doc format; save it as .docx without one")
        if wrong := other_type(content, ZIP):
            raise CorpusError(wrong)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise CorpusError("it is not a complete .docx file; copy or save it again") from error
        members = self._archive.infolist()
        # A few kilobytes can unpack to gigabytes. Python never unpacks more of a member than the size declared here.
        texts = sum(member.file_size for member in members if not member.filename.startswith("word/media/"))
        if texts > LARGEST_DOCUMENT or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
            most = f"{LARGEST_DOCUMENT / 1e6:,.0f} MB of text"
            raise CorpusError(f"it unpacks to more than {most}; split it into smaller files")
        self._main = self._related("", "officeDocument")
        if not self._main:
            raise CorpusError("its content is damaged: it names no Word document; save it again")

    def body(self) -> Any:
        """The element that contains the paragraphs."""
        body = child(self._part(self._main), "body")
        if body is None:
            raise CorpusError("its content is damaged: it has no body; save it again")
        return body

    def title(self) -> str:
        """The title in the document's properties; empty if there is none."""
        return getattr(child(self._related_part("", "core-properties"), "title"), "text", "") or ""

    def notes(self, kind: str) -> dict[str, Any]:
        """Footnotes or endnotes by number, without the separators that Word draws above them."""
        part = self._related_part(self._main, kind)
        notes = [] if part is None else [note for note in part if attribute(note, "type") in ("", "normal")]
        return {attribute(note, "id"): note for note in notes}

    def comments(self) -> int:
        """The number of comments."""
        part = self._related_part(self._main, "comments")
        return 0 if part is None else sum(name_of(comment) == "comment" for comment in part)

    def is_coloured(self) -> bool:
        """Whether the pages have a background colour."""
        return is_coloured(child(self._part(self._main), "background"), "color")

    def styles(self) -> Styles:
        """The styles of the document."""
        return Styles(self._related_part(self._main, "styles"))

    def _related_part(self, source: str, kind: str) -> Any:
        name = self._related(source, kind)
        return self._part(name) if name else None

    def _related(self, source: str, kind: str) -> str:
        """The name of the part of this kind that `source` refers to, "" for the file itself; empty if there is none."""
        folder, _, last = source.rpartition("/")
        listing = posixpath.join(folder, "_rels", f"{last}.rels")
        if listing not in self._archive.namelist():
            return ""
        for relation in self._part(listing):
            is_external = attribute(relation, "TargetMode") == "External"
            if attribute(relation, "Type").rpartition("/")[2] == kind and not is_external:
                target = attribute(relation, "Target")
                path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                name = posixpath.normpath(path)
                return name if name in self._archive.namelist() else ""
        return ""

    def _part(self, name: str) -> Any:
        from lxml import etree  # type: ignore[import-untyped]

        # A new parser, without entities and the network, and with lxml's limits on depth and length.
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)  # fmt: skip
        try:
            root = etree.fromstring(self._archive.read(name), parser)
        except (etree.XMLSyntaxError, *_UNREADABLE) as error:
            raise CorpusError(f"its content is damaged: {error}"[:300]) from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise CorpusError("its content is damaged: it declares entities, which Word never writes")
        return root


class Styles:
    """A document's styles: which are headings, hidden, struck out or raised, and which style each inherits from."""

    def __init__(self, part: Any) -> None:
        self._styles = {} if part is None else {attribute(style, "styleId"): style for style in part}
        self._headings: dict[str, bool] = {"": False}
        self._looks: dict[str, Look] = {"": Look()}

    def is_heading(self, style: str) -> bool:
        """Whether a style is Title, Subtitle or Heading 1 to 9, in any of Word's languages, or inherits from one of them."""
        if style not in self._headings:
            self._headings[style] = any(map(_HEADING.fullmatch, self._names(style)))
        return self._headings[style]

    def is_contents(self, style: str) -> bool:
        """Whether a style is for entries of a table of contents."""
        return any(map(_CONTENTS.fullmatch, self._names(style)))

    def _names(self, style: str) -> list[str]:
        return [attribute(child(element, "name"), "val") for element in self._ancestry(style)]

    def look(self, run: Any, paragraph: str) -> Look:
        """How a run is shown. paragraph: the style of its paragraph; empty if it has none."""
        if paragraph not in self._looks:
            self._looks[paragraph] = self._with_style(Look(), paragraph)
        properties = child(run, "rPr")
        styled = self._with_style(self._looks[paragraph], attribute(child(properties, "rStyle"), "val"))
        return _changed(styled, properties)

    def is_shaded(self, paragraph: Any, style: str) -> bool:
        """Whether a paragraph or its style sets a background colour."""
        shadings = (child(element, "pPr", "shd") for element in (paragraph, *self._ancestry(style)))
        return is_coloured(next((shading for shading in shadings if shading is not None), None))

    def _with_style(self, look: Look, style: str) -> Look:
        for element in reversed(self._ancestry(style)) if style else ():
            look = _changed(look, child(element, "rPr"))
        return look

    def _ancestry(self, style: str) -> list[Any]:
        """The style, the style that it inherits from, and so on."""
        chain: list[Any] = []
        while style in self._styles and len(chain) < MOST_STYLES:
            chain.append(self._styles[style])
            style = attribute(child(chain[-1], "basedOn"), "val")
        return chain


def _changed(look: Look, properties: Any) -> Look:
    """The look after these properties are applied."""
    for part in () if properties is None else properties:
        name, value = name_of(part), attribute(part, "val")
        if name in _SWITCHES:
            switched: dict[str, Any] = {_SWITCHES[name]: value not in OFF}
            look = look._replace(**switched)
        elif name == "vertAlign":
            look = look._replace(raised=value == "superscript")
        elif name == "position":
            look = look._replace(raised=value.isdecimal() and int(value[:6]) > 0)
        elif name == "sz" and value.isdecimal():
            look = look._replace(tiny=int(value[:6]) <= TINY)
        elif name == "rFonts":
            look = look._replace(font=attribute(part, "ascii") or attribute(part, "hAnsi"))
        elif name == "color":
            background = not value and attribute(part, "themeColor") == "background1"
            look = look._replace(white=background or _is_white(value))
        elif name in ("shd", "highlight"):
            look = look._replace(shaded=is_coloured(part) if name == "shd" else value not in ("none", "white"))
    return look


def is_coloured(element: Any, name: str = "fill") -> bool:
    """Whether a shading or a page background has a colour other than white."""
    fill = attribute(element, name)
    pattern = attribute(element, "val") if name == "fill" else ""
    return pattern not in ("", "clear", "nil") or (fill not in ("", "auto") and not _is_white(fill))


def _is_white(colour: str) -> bool:
    """Whether six hexadecimal digits mean white, or nearly so."""
    try:
        return len(colour) == 6 and min(bytes.fromhex(colour)) >= WHITE
    except ValueError:
        return False


def symbol(font: str, code: int) -> str:
    """The character at a position in a font; empty if it is unknown, or a picture without meaning."""
    place = code - PRIVATE if PRIVATE <= code <= PRIVATE + 0xFF else code
    if place > 0xFF:
        return chr(place) if place < 0xD800 else ""
    if font.casefold().startswith(("wingdings", "webdings", "marlett")):
        return _WINGDINGS.get(place, "") if font.casefold() == "wingdings" else ""
    if "symbol" in font.casefold():
        return _SYMBOL[place - 0x20].strip() if 0x20 <= place < 0x20 + len(_SYMBOL) else ""
    return chr(place) if code < PRIVATE and place >= 0x20 else ""


def without_private(text: str, font: str) -> str:
    """The text with its characters from 0xF000, which are positions in a font, replaced by what they show."""
    font = font if "dings" in font.casefold() else "Symbol"
    return re.sub("[\uf000-\uf0ff]", lambda match: symbol(font, ord(match[0])), text)
