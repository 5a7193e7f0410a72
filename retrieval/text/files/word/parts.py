"""Reads the parts of a .docx, within limits and without external entities, and its styles."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from typing import Any, NamedTuple

from retrieval.errors import CorpusError
from retrieval.text.files.document import LARGEST_FILE

LARGEST_ARCHIVE = 4 * LARGEST_FILE  # bytes of all parts of a .docx, unpacked
UNREADABLE = 2  # half points: a size that nobody can read
MOST_STYLES = 10  # in a chain of inheritance, which may be a circle in damaged files
WHITE = 245  # of 255, each of red, green and blue
OFF = ("0", "false", "off", "none")
_CONTENTS = re.compile(r"(?i)toc [1-9]|table of (?:figures|authorities)")
_HEADING = re.compile(r"(?i)(sub)?title|heading [1-9]")


def name_of(element: Any) -> str:
    """An element's name without namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: Any, name: str) -> Any:
    """The first child with this name; None if there is none, or if there is no element."""
    return None if element is None else next((part for part in element if name_of(part) == name), None)


def attribute(element: Any, name: str) -> str:
    """The value of an attribute in any namespace; empty if there is none."""
    if element is None:
        return ""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


class Look(NamedTuple):
    """How Word shows a run of text. tiny: too small to read. white: with white letters. shaded: on a coloured
    background.
    """

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
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise CorpusError("it is not a complete .docx file; copy or save it again") from error
        members = self._archive.infolist()
        # A few kilobytes can unpack to gigabytes. Python never unpacks more of a member than the size declared here.
        texts = sum(member.file_size for member in members if not member.filename.startswith("word/media/"))
        if texts > LARGEST_FILE or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
            raise CorpusError(
                f"it unpacks to more than {LARGEST_FILE / 1e6:,.0f} MB of text; split it into smaller files"
            )
        self._main = self._related("", "officeDocument")
        if not self._main:
            raise CorpusError("its content is damaged: it names no document of Word; save it again")

    def body(self) -> Any:
        """The element that contains the paragraphs."""
        body = child(self._part(self._main), "body")
        if body is None:
            raise CorpusError("its content is damaged: it has no body; save it again")
        return body

    def title(self) -> str:
        """The title in the document's properties; empty if there is none."""
        properties = self._related_part("", "core-properties")
        return (getattr(child(properties, "title"), "text", "") or "") if properties is not None else ""

    def notes(self, kind: str) -> dict[str, Any]:
        """Footnotes or endnotes by number, without the separators that Word draws above them."""
        found = self._related_part(self._main, kind)
        listed = [] if found is None else [note for note in found if attribute(note, "type") in ("", "normal")]
        return {attribute(note, "id"): note for note in listed}

    def comments(self) -> int:
        """The number of comments."""
        found = self._related_part(self._main, "comments")
        return 0 if found is None else sum(name_of(comment) == "comment" for comment in found)

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
        """The name of the part of this kind that another part refers to; empty if there is none. source: that part's
        name; empty for the whole file.
        """
        folder, _, last = source.rpartition("/")
        listing = posixpath.join(folder, "_rels", f"{last}.rels")
        if listing not in self._archive.namelist():
            return ""
        for relation in self._part(listing):
            if (
                attribute(relation, "Type").rpartition("/")[2] == kind
                and attribute(relation, "TargetMode") != "External"
            ):
                target = attribute(relation, "Target")
                name = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                name = posixpath.normpath(name)
                return name if name in self._archive.namelist() else ""
        return ""

    def _part(self, name: str) -> Any:
        from lxml import etree  # type: ignore[import-untyped]

        # A new parser, without entities and the network, and with lxml's limits on depth and length.
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)  # fmt: skip
        try:
            root = etree.fromstring(self._archive.read(name), parser)
        except (etree.XMLSyntaxError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, ValueError, KeyError, _zlib_error()) as error:  # fmt: skip
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
        """Whether it is Title, Subtitle or Heading 1 to 9, in any of Word's languages, or inherits from one of them."""
        if style not in self._headings:
            names = [attribute(child(made, "name"), "val") for made in self._line(style)]
            self._headings[style] = any(map(_HEADING.fullmatch, names))
        return self._headings[style]

    def is_contents(self, style: str) -> bool:
        """Whether it is the style of an entry in a table of contents."""
        names = (attribute(child(made, "name"), "val") for made in self._line(style))
        return any(map(_CONTENTS.fullmatch, names))

    def look(self, run: Any, paragraph: str) -> Look:
        """How a run is shown. paragraph: the style of its paragraph; empty if it has none."""
        own = child(run, "rPr")
        styled = self._styled(paragraph)
        if own is None:
            return styled
        return _changed(self._over(styled, attribute(child(own, "rStyle"), "val")), own)

    def is_shaded(self, paragraph: Any, style: str) -> bool:
        """Whether a paragraph or its style sets a background colour."""
        own = [child(child(made, "pPr"), "shd") for made in (paragraph, *self._line(style))]
        return is_coloured(next((shading for shading in own if shading is not None), None))

    def _styled(self, style: str) -> Look:
        if style not in self._looks:
            self._looks[style] = self._over(Look(), style)
        return self._looks[style]

    def _over(self, look: Look, style: str) -> Look:
        for made in reversed(self._line(style)) if style else ():
            look = _changed(look, child(made, "rPr"))
        return look

    def _line(self, style: str) -> list[Any]:
        """The style, the style that it inherits from, and so on."""
        line: list[Any] = []
        while style in self._styles and len(line) < MOST_STYLES:
            line.append(self._styles[style])
            style = attribute(child(line[-1], "basedOn"), "val")
        return line


def _changed(look: Look, properties: Any) -> Look:
    """The look after these properties are applied."""
    if properties is None:
        return look
    for part in properties:
        name, value = name_of(part), attribute(part, "val")
        on = value not in OFF
        if name == "vanish":
            look = look._replace(hidden=on)
        elif name in ("caps", "smallCaps"):
            look = look._replace(capitals=on)
        elif name in ("strike", "dstrike"):
            look = look._replace(struck=on)
        elif name == "vertAlign":
            look = look._replace(raised=value == "superscript")
        elif name == "position":
            look = look._replace(raised=value.isdecimal() and int(value[:6]) > 0)
        elif name == "sz" and value.isdecimal():
            look = look._replace(tiny=int(value[:6]) <= UNREADABLE)
        elif name == "rFonts":
            look = look._replace(font=attribute(part, "ascii") or attribute(part, "hAnsi"))
        elif name == "color":
            look = look._replace(
                white=_is_white(value) or (not value and attribute(part, "themeColor") == "background1")
            )
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


def _zlib_error() -> type[Exception]:
    import zlib

    return zlib.error
