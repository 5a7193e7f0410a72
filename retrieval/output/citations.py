"""Exports the pages that verdicts rest on for reference managers: CSL-JSON, BibTeX, RIS. Titles are untrusted: nothing in
them can end a field, begin another entry, or run as a TeX command.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from retrieval.text.addresses import opens, page_address
from retrieval.types import Evidence, FactCheck

LONGEST_CITED_TITLE = 500  # characters of a title
# Characters that TeX or BibTeX would interpret. Braces become commands, because BibTeX counts them even after a
# backslash.
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", '"': r"\textquotedbl{}",
}  # fmt: skip
_BIDI = re.compile(r"[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class Source:
    """A cited page; unknown fields are empty. address: on the web. name: the document's, if there is no address. site: the
    wiki's host. revision: of its page. retrieved: the day or month of the text. accessed: the day of the check.
    """

    title: str
    address: str
    name: str
    site: str
    revision: str
    retrieved: str
    accessed: str


def cited_sources(checks: Iterable[tuple[FactCheck, str]]) -> list[Source]:
    """The pages whose sentences bear on the claims, each once, in order of mention. checks: each with the time of its end."""
    found: dict[tuple[str, str, str], Source] = {}
    for check, finished in checks:
        pages = {hit.page.id: hit.page for hit in check.pages}
        for evidence in filter(partial(_bears_on_claim, check), check.evidence):
            page = pages.get(evidence.sentence.page_id)
            address = page_address(page) if page else ""
            title = plain_title(page.title if page else evidence.sentence.title) or "Untitled"
            web = address if opens(address) else ""
            revision = "" if page is None or page.revision is None else str(page.revision)
            name = "" if web else plain_title(page.source if page else "")
            site = plain_title(page.site) if page else ""
            retrieved = page.retrieved if page and _date(page.retrieved) else ""
            source = Source(title, web, name, site, revision, retrieved, finished[:10])
            found.setdefault((title, web or name, revision), source)
    return list(found.values())


def _bears_on_claim(check: FactCheck, evidence: Evidence) -> bool:
    """Whether the sentence takes a side, is cited by a language model, or was not judged. Others are merely similar."""
    stance, cited = evidence.stance, check.verdict.sources if check.verdict else None
    neutral = max(stance.supports, stance.refutes) < stance.neutral < 1
    return not neutral or check.evidence.index(evidence) + 1 in (cited or ())


def as_csl_json(sources: Sequence[Source]) -> str:
    """CSL-JSON, as Zotero, pandoc and citation.js read it."""
    return json.dumps([_csl(source, number) for number, source in enumerate(sources, 1)], ensure_ascii=False, indent=1)


def as_bibtex(sources: Sequence[Source]) -> str:
    """BibTeX in UTF-8; `url`, `urldate` and `version` are those of biblatex, which older styles ignore."""
    return "".join(_bibtex(source, number) for number, source in enumerate(sources, 1))


def as_ris(sources: Sequence[Source]) -> str:
    """RIS, one tag per line, with the line ends that the format requires."""
    return "".join(_ris(source) for source in sources)


FORMATS = {
    "csl": (as_csl_json, "application/vnd.citationstyles.csl+json"),
    "bib": (as_bibtex, "application/x-bibtex; charset=utf-8"),
    "ris": (as_ris, "application/x-research-info-systems; charset=utf-8"),
}


def plain_title(text: str) -> str:
    """One line without control characters, lone surrogates and direction marks, cut to the length of a title."""
    plain = (" " if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char for char in _BIDI.sub("", text))
    return " ".join("".join(plain).split())[:LONGEST_CITED_TITLE]


def _csl(source: Source, number: int) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": _key(source, number),
        "type": "webpage" if source.address else "document",
        "title": source.title,
        "URL": _url(source.address),
        "container-title": source.site,
        "version": source.revision,
        "issued": {"date-parts": [_date(source.retrieved)]} if source.retrieved else None,
        "source": source.name,
        "accessed": {"date-parts": [_date(source.accessed)]} if _date(source.accessed) else None,
    }
    return {name: value for name, value in item.items() if value}


def _bibtex(source: Source, number: int) -> str:
    fields = {
        "title": f"{{{_tex(source.title)}}}",  # in inner braces, so that styles keep its capitals
        "url": _url(source.address),
        "urldate": source.accessed,
        "organization": _tex(source.site),
        "version": source.revision,
        "date": source.retrieved,
        "howpublished": _tex(source.name),
        "note": _tex(_note(source)),
    }
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value and value != "{}"]
    return f"@misc{{{_key(source, number)},\n{''.join(lines)}}}\n\n"


def _ris(source: Source) -> str:
    tags = [
        ("TY", "ELEC" if source.address else "GEN"),
        ("TI", source.title),
        ("T2", source.site),
        ("UR", _url(source.address)),
        ("ET", source.revision),
        ("DA", source.retrieved.replace("-", "/")),
        ("Y2", source.accessed.replace("-", "/")),
        ("N1", " ".join(filter(None, (source.name, _note(source))))),
        ("ER", ""),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in tags if value or tag == "ER") + "\r\n"


def _note(source: Source) -> str:
    parts = [f"Revision {source.revision}"] if source.revision else []
    parts += [f"text of {source.retrieved}"] if source.retrieved else []
    return ", ".join(parts)


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in text)


def _url(address: str) -> str:
    """The address without characters that could end a field in any of the three formats."""
    return quote(address, safe="/:?#[]@!$&'()*+,;=%~", errors="replace")


def _key(source: Source, number: int) -> str:
    """`warsaw-2`: words of the title in ASCII, and a number that makes the key unique."""
    ascii_title = unicodedata.normalize("NFKD", source.title).encode("ascii", "ignore").decode().lower()
    return "-".join([*re.findall(r"[a-z0-9]+", ascii_title)[:4], str(number)])


def _date(text: str) -> list[int]:
    """2025-12-07 or 2025-12 or 2025 -> its parts; empty for anything else."""
    return [int(part) for part in text.split("-")] if re.fullmatch(r"\d{4}(-\d\d){0,2}", text, re.A) else []
