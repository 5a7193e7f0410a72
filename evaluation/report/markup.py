"""HTML and SVG by construction: text is escaped unless it was made here."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

_VOID = frozenset("meta br hr img link line rect circle path polyline polygon".split())
# What HTML forbids even as a character reference.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

Content = object  # text, markup, or any value that str() makes text; None and False stand for nothing


class Html(str):
    """Markup that is already safe."""

    __slots__ = ()


def escape(value: object) -> Html:
    """Any value as text inside an element or an attribute; characters that HTML cannot hold become U+FFFD."""
    if isinstance(value, Html):
        return value
    return Html(html.escape(_FORBIDDEN.sub("\ufffd", str(value)), quote=True))


def join(parts: Iterable[Content]) -> Html:
    """Parts joined, text among them escaped."""
    return Html("".join(escape(part) for part in parts if part is not None and part is not False))


def element(name: str, /, *content: Content, **attributes: object) -> Html:
    """One element. `class_` is class, underscores are hyphens, None leaves an attribute out, floats are shortened."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not content:
        return Html(f"<{name}{pairs}/>")
    return Html(f"<{name}{pairs}>{join(content)}</{name}>")


def table(heads: Iterable[Content], rows: Iterable[Html]) -> Html:
    """A table that scrolls if it is too wide. heads: of the columns, as text or as their `th`; rows: `tr` elements."""
    columns = [head if isinstance(head, Html) else element("th", head, scope="col") for head in heads]
    head = element("thead", element("tr", *columns)) if columns else None
    return element("div", element("table", head, element("tbody", *rows)), class_="scroll")


def row(head: Content, *cells: Html) -> Html:
    """A row of a table, with its heading. cells: `td` elements."""
    return element("tr", element("th", head, scope="row"), *cells)


def _short(value: object) -> object:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
