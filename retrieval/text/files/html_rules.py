"""Prepares a page's tree for text extraction, so that it contains exactly the text that readers see.

Deleted text, `noscript` and pronunciation are removed; inline elements become plain words; raised marks, quotations and
equations are written out; layout tables become paragraphs. Each rule takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from retrieval.text.files.document import has_ended, is_open, is_sentence
from retrieval.text.files.equations import linear
from retrieval.text.files.hiding import Hiding
from retrieval.text.files.raised import SEEN, set_apart

LONGEST_RAISED = 60  # characters; longer raised text is neither a mark nor an exponent
FARTHEST = 12  # elements that may be between raised text and the words before it

BLOCKS = frozenset(
    "address article aside blockquote center details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header "
    "hr li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
# Inline elements that do not affect the text; extractors lose the words in some of them.
_IN_LINE = (
    "abbr acronym bdi bdo big cite data dfn font ins kbd label mark meter nobr output progress q rb ruby samp slot small "
    "span-math sub sup time tt u var wbr blink map marquee legend"
).split()
_RENAMED = ("form", "fieldset", "search", "dialog", "menu", "dir", "button", "svg", "footer", "aside")
MAY_BE_RAISED = ("sup", "span", "a", "font", "small")
QUOTATION_MARKS = (("“", "”"), ("‘", "’"))  # of a quotation, and of one within it
_STRUCK = ("del", "s", "strike")
GONE = (*_STRUCK, "noscript", "rp", "rt", "rtc")
_NOTE = re.compile(r"(?i)\b(?:reference|foot-?note|fn|note-?ref|cite_ref|doc-noteref|endnote)")
_NOTE_MARK = re.compile(r"\[?(?:\d{1,3}|[a-z*†‡§¶]{1,2}|[ivx]{1,5})\]?|[↑↩^]\ufe0e?")
_NOTE_PLACE = re.compile(r"(?i)#_?(?:user-content-)?(?:sd)?(?:fn|ftn|edn|foot|end|note|cite|ref)")
COMMENT = r"\bhref\s?=\s?[\"']?#cmnt_ref\d"  # the link from a comment in Google Docs back to the text
_NO_TEXT = re.compile(
    r"(?i)comment|cookie|consent|gdpr|newsletter|subscri|social|related|recommend|teaser|promo|advert|sponsor|breadcrumb|disqus|nav\b|navbar"
)
FEWEST_SENTENCES = 3  # with so many, a form in a fetched page is part of its text
_CREDIT = re.compile(r"(?<=[.!?]) (?=[A-Z©(])")  # where a credit may follow a caption's sentence
_HOLDERS = ("body", "main", "article", "section", "div", "center", "form")
NO_WORDS = frozenset("script style template svg iframe object video audio select textarea button canvas".split())
_AS_TYPED = ("pre", "textarea", "listing", "xmp")
_LINE_END = re.compile(r"[\r\n]+")


def make_readable(tree: Any, page: Hiding, whole: bool = True) -> int:
    """Apply the rules after `unfold`; returns the number of struck-out words. whole: keep all text, as in an uploaded file."""
    from lxml import etree  # type: ignore[import-untyped]

    if page.has_looks:
        _name_looks(tree, page)
    _name_plainly(tree, whole)
    _keep_captions(tree)
    outermost = (part for part in tree.iter(*_STRUCK) if next(part.iterancestors(*_STRUCK), None) is None)
    struck = sum(len(part.text_content().split()) for part in outermost)
    etree.strip_elements(tree, *GONE, with_tail=False)
    for link in tree.xpath("//span[@class='mw-editsection']"):
        link.drop_tree()  # "[edit]" beside headings of Wikipedia
    _lay_out(tree)
    _write_quotes(tree)
    _write_raised(tree)
    _join_broken_lines(tree)
    custom = [part for part in tree.iter("*") if "-" in part.tag]
    names = {part.tag for part in custom}
    for part in filter(_holds_blocks, custom):
        part.tag = "div"
    etree.strip_tags(tree, *_IN_LINE, *names)
    _fold_lines(tree)
    _wrap_loose(tree, whole)
    _join_posts(tree, whole)
    if whole:
        _keep_lines(tree)
    body = tree.find("body")
    if whole and body is not None and next(tree.iter("article", "main"), None) is None:
        etree.SubElement(body, "main").extend(list(body)[:-1])  # extractors lose headings outside `main`
    for part in [part for part in tree.iter("p", "li", "dd") if whole and (_is_line(part) or _has_few_links(part))]:
        etree.strip_tags(part, "a")  # extractors take parts with links, and all that is around them, for menus
    return struck


def take_out_comments(tree: Any) -> int:
    """Remove the comments at the end of a Google Docs document; returns how many there were."""
    links = [link for link in tree.iter("a") if link.get("href", "").startswith("#cmnt_ref")]
    for link in links:
        above = link.getparent()
        (link if above is None or above.tag == "body" else above).drop_tree()
    return len(links)


def unfold(tree: Any, page: Hiding) -> None:
    """Write out declared shadow trees and equations, even equations that a page hides behind their picture."""
    for template in list(tree.iter("template")):
        host = template.getparent()
        if host is not None and (template.get("shadowrootmode") or template.get("shadowroot")):
            _unfold_shadow(host, template)
    for equation in list(tree.iter("math")):
        text, tail = linear(equation) or equation.get("alttext", ""), equation.tail
        plain = "".join(equation.itertext()).strip()
        equation.clear()
        equation.tag, equation.text, equation.tail = "span-math", text, tail
        _show(equation, text, plain, page)


def _name_looks(tree: Any, page: Hiding) -> None:
    """Rename elements that a style strikes out or raises: to `del` and `sup`."""
    for part in [part for part in tree.iter("*") if part.tag not in ("html", "body")]:
        attributes = dict(part.attrib)
        if page.strikes(part.tag, attributes):
            part.tag = "del"
        elif part.tag in MAY_BE_RAISED and page.raises(part.tag, attributes):
            part.tag = "sup"


def _name_plainly(tree: Any, whole: bool) -> None:
    """Rename elements that extractors drop, with their words, to elements that extractors read."""
    for part in list(tree.iter(*_RENAMED)):
        name, above = part.tag, getattr(part.getparent(), "tag", "")
        if name == "svg":
            _write_drawing(part)
        elif name == "button" and above in ("p", "li", "dd"):
            part.tag = "span"  # an explained term
        elif name == "footer" and above == "blockquote":
            part.tag = "p"
        elif name == "aside" and whole and any(map(_is_line, list(part.iter("p", "li")) or [part])):
            part.tag = "div"
        elif name in ("menu", "dir"):
            part.tag = "ul"
        elif name in ("form", "fieldset", "search", "dialog"):
            sentences = sum(map(_is_line, part.iter("p", "li")))
            part.tag = "div" if whole or name == "dialog" or sentences >= FEWEST_SENTENCES else name


def _write_drawing(drawing: Any) -> None:
    """Replace a drawing by the sentences written in it."""
    from lxml import etree

    texts = (" ".join(part.text_content().split()) for part in drawing.iter("text", "foreignobject"))
    if not (lines := list(filter(is_sentence, texts))):
        return
    tail = drawing.tail
    drawing.clear()
    drawing.tag, drawing.tail = "div", tail
    for line in lines:
        etree.SubElement(drawing, "p").text = line


def _keep_lines(tree: Any) -> None:
    """Remove classes, ids and roles around prose, unless they match `_NO_TEXT`: extractors take "share" for a menu."""
    seen = set()
    for line in [part for part in tree.iter("p", "li", "dd", "td", "blockquote") if _is_line(part)]:
        for part in (line, *line.iterancestors()):
            if part in seen or part.tag == "body":
                break
            seen.add(part)
            if _NO_TEXT.search(f"{part.get('class', '')} {part.get('id', '')}"):
                break
            for name in ("class", "id", "role"):
                part.attrib.pop(name, None)


def _join_posts(tree: Any, whole: bool) -> None:
    """Turn the articles of a live blog or a thread into parts of one text, because extractors read only the first article."""
    outermost = [part for part in tree.iter("article") if next(part.iterancestors("article"), None) is None]
    posts = [post for post in outermost if any(map(_is_line, post.iter("p", "li"))) and not _is_beside(post)]
    if not whole:
        posts = [post for post in posts if post.getparent() is posts[0].getparent()]
        lengths = [len(post.text_content()) for post in posts]
        if max(lengths, default=0) > sum(lengths) / 2 or (posts and posts[0].find(".//h1") is not None):
            return  # an article, and others below it
    if len(posts) < 2:
        return
    for post in posts:
        post.tag = "div"
        post.attrib.clear()
    if not whole and posts[0].getparent().tag != "body":
        posts[0].getparent().tag = "article"


def _is_beside(part: Any) -> bool:
    """Whether an element or one around it is named as something beside the text."""
    around = (above for above in (part, *part.iterancestors()) if above.tag not in ("body", "html"))
    return any(_NO_TEXT.search(f"{above.get('class', '')} {above.get('id', '')}") for above in around)


def _has_few_links(part: Any) -> bool:
    """Whether most words of an element are outside its links."""
    linked = sum(len(link.text_content().split()) for link in part.iter("a"))
    return linked < len(part.text_content().split()) / 2


def _keep_captions(tree: Any) -> None:
    """Keep captions with sentences, because extractors drop figures as mere pictures."""
    for figure in list(tree.iter("figure")):
        figure.tag = "div"
        for caption in list(figure.iter("figcaption")):
            if any(map(is_sentence, _CREDIT.split(" ".join(caption.text_content().split())))):
                caption.tag = "div" if _holds_blocks(caption) else "p"


def _unfold_shadow(host: Any, template: Any) -> None:
    """Put the children of an element into the slots of its shadow tree, as a browser does."""
    children = [part for part in host if part is not template]
    rest = host.makeelement("div" if any(part.tag in BLOCKS for part in children) else "span")
    rest.text = f"{host.text or ''}{template.tail or ''}"
    named: dict[str, list[Any]] = {}
    for part in children:
        if not part.get("slot"):
            rest.append(part)
            continue
        after, part.tail = part.tail or "", None
        named.setdefault(part.get("slot"), []).append(part)
        host.remove(part)
        _add_text(rest, after)
    host.text = template.tail = None
    template.attrib.clear()
    template.tag = "div" if _holds_blocks(template) else "span"
    for slot in list(template.iter("slot")):
        name = slot.get("name", "")
        filling = named.pop(name, []) if name else [rest] if len(rest) or (rest.text or "").strip() else []
        if filling:
            slot.text, slot[:] = None, filling


def _add_text(part: Any, text: str) -> None:
    """Add text at the end of an element."""
    if len(part):
        part[-1].tail = (part[-1].tail or "") + text
    else:
        part.text = (part.text or "") + text


def _show(equation: Any, text: str, plain: str, page: Hiding) -> None:
    """Replace a hidden element that contains only an equation by that equation."""
    for above in list(equation.iterancestors())[:4]:
        parent = above.getparent()
        if parent is None or not isinstance(above.tag, str) or above.tag in BLOCKS:
            return
        if page.hides(above.tag, dict(above.attrib)):
            if "".join(above.itertext()).strip() in (text.strip(), plain):
                equation.tail = above.tail
                parent.replace(above, equation)
            return


def _lay_out(tree: Any) -> None:
    """Turn layout tables into paragraphs; tables of figures and names stay."""
    for table in list(tree.iter("table")):
        rows = table.xpath("tr | thead/tr | tbody/tr | tfoot/tr")
        cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
        if not _lays_out(table, cells):
            continue
        for cell in [cell for row in cells for cell in row]:
            cell.tag = "div" if _holds_blocks(cell) else "p"
        for part in (table, *rows, *table.xpath("thead | tbody | tfoot | caption")):
            part.tag = "div"


def _lays_out(table: Any, rows: list[list[Any]]) -> bool:
    if table.get("role", "").strip().lower() in ("presentation", "none") or table.find(".//table") is not None:
        return True
    cells = [cell for row in rows for cell in row]
    if max(map(len, rows), default=0) < 2 or any(map(_is_line, cells)):
        return True
    return any(sum(part.tag in BLOCKS for part in cell.iterdescendants()) > 1 for cell in cells)


def _is_line(part: Any) -> bool:
    """Whether an element contains running text."""
    return is_sentence(" ".join(part.text_content().split()))


def _write_quotes(tree: Any) -> None:
    for quote in tree.iter("q"):
        depth = sum(above.tag == "q" for above in list(quote.iterancestors())[:FARTHEST])
        opening, closing = QUOTATION_MARKS[depth % 2]
        quote.text = opening + (quote.text or "")
        _add_text(quote, closing)


def _write_raised(tree: Any) -> None:
    for part in list(tree.iter("sup", "a")):
        text = " ".join(part.text_content().split())
        links = [link for link in (part.getparent(), *part.iter("a")) if link is not None and link.tag == "a"]
        linked = part.tag == "sup" and any(link.get("href", "").startswith("#") for link in links)
        noted = is_note_mark(part.tag, dict(part.attrib), text, linked)
        if not (noted or part.tag == "sup") or len(text) > LONGEST_RAISED:
            continue
        words = "" if noted else set_apart(_before(part), text, (part.tail or "")[:SEEN])
        tail, part.tag = part.tail, "sup"
        part.clear()
        part.text, part.tail = words, tail


def is_note_mark(tag: str, attributes: Mapping[str, str], text: str, linked: bool) -> bool:
    """Whether an element is a note mark, or a note's link back. linked: whether raised text contains a link within the page."""
    names = [attributes.get(name, "") for name in ("class", "id", "role")]
    roles = " ".join([*names, *(value for name, value in attributes.items() if name.endswith("type"))])
    if tag == "sup":
        return linked or bool(_NOTE.search(roles))
    if tag != "a":
        return False
    href = attributes.get("href", "")
    to_note = _NOTE_PLACE.match(href) is not None or (href.startswith("#") and text[:1] in ("↑", "↩"))
    return "noteref" in roles or "footnote-ref" in roles or (to_note and _NOTE_MARK.fullmatch(text) is not None)


def _before(part: Any) -> str:
    """The last words before an element on its line."""
    words = ""
    for _ in range(FARTHEST):
        previous = part.getprevious()
        part = part.getparent() if previous is None else previous
        if part is None:
            break
        words = ((part.text if previous is None else part.tail) or "") + words
        if part.tag in BLOCKS or (previous is not None and part.tag == "br"):
            break
        if previous is not None and len(words) < SEEN and isinstance(part.tag, str):
            words = "".join(part.itertext())[-SEEN:] + words
        if len(words) >= SEEN or (words and words[0].isspace()):
            break
    return " ".join(words[-SEEN:].split()) + (" " if words[-1:].isspace() else "")


def _join_broken_lines(tree: Any) -> None:
    """Replace a line break within a sentence by a space."""
    for line_break in list(tree.iter("br")):
        if goes_on(_before(line_break), line_break.tail or ""):
            line_break.tag, line_break.text = "wbr", " "


def goes_on(before: str, after: str) -> bool:
    """Whether a sentence goes on after a line break."""
    before, after = before.rstrip(), after.lstrip()
    return bool(before) and not has_ended(before) and (after[:1].islower() or is_open(before))


def _fold_lines(tree: Any) -> None:
    """Replace line ends in the source by spaces, as browsers do outside `pre`; extractors would begin new lines there."""
    typed = {inner for part in tree.iter(*_AS_TYPED) for inner in part.iter()}
    for part in set(tree.iter()) - typed:
        if part.text and isinstance(part.tag, str):
            part.text = _LINE_END.sub(" ", part.text)
        if part.tail:
            part.tail = _LINE_END.sub(" ", part.tail)


def _wrap_loose(tree: Any, whole: bool) -> None:
    """Put words outside paragraphs into a paragraph, because extractors lose them otherwise: "<div>It is old.<p>It …"."""
    for holder in list(tree.iter(*_HOLDERS)):
        for before, parts in list(_loose(holder)):
            line = holder.makeelement("p")
            line.text = (holder.text if before is None else before.tail) or ""
            words = " ".join([line.text, *(f"{part.xpath('string()')}{part.tail or ''}" for part in parts)])
            if not (any(map(str.isalnum, words)) if whole else is_sentence(" ".join(words.split()))):
                continue
            line.extend(parts)
            if before is None:
                holder.text = None
                holder.insert(0, line)
            else:
                before.tail = None
                before.addnext(line)


def _loose(holder: Any) -> Iterator[tuple[Any, list[Any]]]:
    """The runs of text between the blocks of an element: (the block before, the inline elements in the run)."""
    before, parts = None, list[Any]()
    for part in holder:
        if part.tag in BLOCKS or part.tag in NO_WORDS or _holds_blocks(part):
            yield before, parts
            before, parts = part, []
        else:
            parts.append(part)
    yield before, parts


def _holds_blocks(part: Any) -> bool:
    return any(inner.tag in BLOCKS for inner in part.iterdescendants())
