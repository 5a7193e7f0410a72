"""Extracts the text of an HTML page as a browser shows it, with trafilatura, by the same rules for files and web pages."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrieval.errors import CorpusError
from retrieval.text.files.charsets import declared_charset, decode
from retrieval.text.files.document import MARK, Converted, listed, with_headings
from retrieval.text.files.hiding import Hiding, hidden_note, take_out_hidden
from retrieval.text.files.html_rules import make_readable, take_out_comments, unfold
from retrieval.text.files.plain_text import real_title

GOOGLE_TITLES = "//body[contains(@class, 'doc-content')]//p[@class='title' or starts-with(@class, 'title ')]"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def read_page(content: bytes, charset: str = "", address: str = "") -> Converted:
    """The text of a page. charset: from the server. address: of a web page, for only its main text and date; empty for a
    file, for all its text. Raises CorpusError if there is no text.
    """
    from trafilatura import load_html

    decoded = decode(content, charset, declared_charset(content))
    source = decoded.text.replace(MARK, "")
    # libxml2 refuses a string whose XML declaration names an encoding.
    source = re.sub(r"\A\s*<\?xml[^>]{0,300}\?>", "", source)
    if not re.search(r"(?i)<(?:html|body)\b", source):
        source = f"<html><body>{source}</body></html>"
    tree = load_html(source)
    if tree is None:
        raise CorpusError("it contains no text")
    page = Hiding(source)
    unfold(tree, page)
    hidden = take_out_hidden(tree, page)
    comments = listed([(take_out_comments(tree), "comment was left out", "comments were left out")])
    struck = make_readable(tree, page, whole=not address)
    marked_title = _mark_headings(tree)
    title, text, date = _main_text(tree, address)
    document = with_headings((title if address else "") or marked_title, text.replace("\f", " "))
    left_out = [hidden_note(words, what) for words, what in ((hidden, "hides"), (struck, "strikes out")) if words]
    return document._replace(date=date).noting(decoded.note(), *left_out, comments)


def _main_text(tree: Any, address: str) -> tuple[str, str, str]:
    """(title, text, date); without an address, all the text."""
    from trafilatura import bare_extraction, html2txt
    from trafilatura.settings import use_config

    config = use_config()
    # By default, a text shorter than 250 characters counts as a failure, and the fallback includes menus.
    config["DEFAULT"]["min_extracted_size"] = "1"
    options: dict[str, Any] = {"url": address, "with_metadata": True} if address else {"favor_recall": True}
    with _silent():
        extracted: Any = bare_extraction(tree, include_comments=False, config=config, **options)
    text = str(getattr(extracted, "text", None) or "")
    if not text and not address:
        headings = [heading.text or "" for heading in tree.iter(*HEADINGS)]
        for heading in tree.iter(*HEADINGS):
            heading.text = ""
        text = "\n".join([*headings, html2txt(tree)])
    title, date = (str(getattr(extracted, name, None) or "") for name in ("title", "date"))
    return title.replace(MARK, ""), text, date


def _mark_headings(tree: Any) -> str:
    """Mark the headings of a page; returns the title."""
    for line_break in [inner for heading in tree.iter(*HEADINGS) for inner in heading.iter("br")]:
        line_break.tail = f" {line_break.tail or ''}"
    for paragraph in tree.xpath(GOOGLE_TITLES):
        paragraph.tag = "h1"
    titles = [tag for tag in tree.iter("title") if next(tag.iterancestors("svg"), None) is None]
    title = next(filter(None, (real_title(tag.text_content()) for tag in [*titles, *tree.iter("h1")])), "")
    for heading in list(tree.iter(*HEADINGS)):
        words = " ".join(heading.text_content().split())
        heading[:] = []
        heading.text = MARK + words
    return title


@contextmanager
def _silent() -> Iterator[None]:
    """Silence trafilatura's log about pages that it cannot parse."""
    logger = logging.getLogger("trafilatura")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before
