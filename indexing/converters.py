"""The reader for each file type."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from retrieval.text.files.charsets import decode
from retrieval.text.files.document import MARK, Converted, titled, with_headings
from retrieval.text.files.formats import READERS
from retrieval.text.files.plain_text import LINE_BREAK, real_title, tidy, unwrap
from retrieval.text.pasted.subtitles import is_subtitles, spoken

# Extensions that CommonMark lacks: struck-out words, note marks, tasks, alerts, "==marked==", "H~2~O", "10^9^".
_EXTENSIONS = re.compile(
    r"(?<![~\\`])~~(?=\S)[^~\n]{1,500}~~(?!~)|(?<!\\)\[\^[\w-]{1,30}\](?::[ \t]*)?|(?m:(?<=^[-*+] )\[[ xX]\] )|(?m:(?<=^> )\[!\w{1,20}\][ \t]*$)"
    r"|(?<![=\\])==(?=[^\s=])(?P<lit>[^=\n]{1,500})==(?!=)|(?<=\w)~(?P<low>\w{1,10})~|(?<=\d)(?P<raised>\^\d{1,9})\^"
)


def load_readers(paths: Sequence[Path]) -> None:
    """Import the readers of these files now, and not with the first file of each type; for a folder, all readers."""
    types = {path.suffix.lower() for path in paths} & set(CONVERTERS)
    types = set(CONVERTERS) if any(map(os.path.isdir, paths)) else types
    for module in {_LIBRARIES[type] for type in types & set(_LIBRARIES)}:
        import_module(module)


def _text(content: bytes) -> Converted:
    decoded = decode(content)
    text = spoken(decoded.text) if is_subtitles(decoded.text) else decoded.text
    return titled("", tidy(unwrap(text))).noting(decoded.note())


def _markdown(content: bytes) -> Converted:
    from markdown_it import MarkdownIt
    from mdit_plain.renderer import RendererPlain

    decoded = decode(content)
    source = LINE_BREAK.sub("\n", decoded.text).replace(MARK, "")
    # Front matter is not parsed as YAML, because hostile aliases in it could fill the memory.
    if front := re.match(r"(?s)---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", source):
        source = source[front.end() :]
    title_line = re.search(r"(?m)^title:(.+)$", front[1]) if front else None
    source, heading = _one_line_each(
        _EXTENSIONS.sub(lambda match: match["lit"] or match["low"] or match["raised"] or "", source)
    )
    text = MarkdownIt(renderer_cls=RendererPlain).render(source)
    title = real_title(title_line[1].strip(" \"'") if title_line else "") or heading
    return with_headings(title, text.replace("\f", "\n")).noting(decoded.note())


def _one_line_each(markdown: str) -> tuple[str, str]:
    """(the Markdown with headings marked and each paragraph on one line, as the renderer keeps line breaks; first heading)."""
    from markdown_it import MarkdownIt

    lines: list[str | None] = list(markdown.split("\n"))
    title = before = ""
    for token in MarkdownIt().enable("table").parse(markdown):
        in_heading, before = before == "heading_open", token.type
        if token.type not in ("inline", "html_block") or not token.map:
            continue
        first, last = token.map
        children = token.children or []
        if token.type == "html_block":
            lines[first:last] = [_HTML_HEADING.sub(rf"\g<0>{MARK}", line or "") for line in lines[first:last]]
            continue
        if in_heading:
            line, content = lines[first] or "", token.content.split("\n")[0]
            at = max(0, line.rfind(content))
            lines[first] = f"{line[:at]}{MARK}{line[at:]}" if content else line
            title = title or real_title("".join(child.content or " " for child in children if child.type in _WORDS))
        if in_heading or all(child.type != "hardbreak" for child in children):
            later = [(line or "").lstrip(" \t>") for line in lines[first + 1 : last]]
            lines[first:last] = [" ".join([lines[first] or "", *later]), *([None] * len(later))]
    return "\n".join(line for line in lines if line is not None), title


_WORDS = ("text", "code_inline", "softbreak")
_HTML_HEADING = re.compile(r"(?i)<h[1-6](?:\s[^<>]*)?>")


CONVERTERS: dict[str, Callable[[bytes], Converted]] = {".txt": _text, ".md": _markdown, **READERS}
_LIBRARIES = {".md": "markdown_it", ".pdf": "pypdfium2", ".docx": "lxml.etree"}
_LIBRARIES |= dict.fromkeys((".html", ".htm"), "trafilatura")
