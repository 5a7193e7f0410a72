"""Sources for reference managers: true fields, and no title that can break out of its own."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from retrieval.output.citations import Source, as_bibtex, as_csl_json, as_ris, cited_sources, plain_title
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Stance, Verdict
from tests.app.fake import PAGES

CURIE = Source(
    "Marie Curie", "https://en.wikipedia.org/w/index.php?title=Marie_Curie&oldid=1234", "", "en.wikipedia.org", "1234",
    "2025-12-07", "2026-11-22",
)  # fmt: skip


def checked(*titles: str) -> FactCheck:
    pages = [page for page in PAGES if page.title in titles]
    sentences = [sentence for page in pages for sentence in page.sentences()]
    evidence = tuple(Evidence(sentence, 0.5, Stance(0.7, 0.2, 0.1), "claim") for sentence in sentences)
    return FactCheck(
        Claim("1", "A claim."), "fast", pages=tuple(Hit(page, 1, "text") for page in pages), evidence=evidence
    )


def test_sources_of_several_checks_each_once() -> None:
    checks = [(checked("Marie Curie", "Warsaw"), "2026-11-22T10:00:00Z"), (checked("Warsaw"), "2026-11-23T10:00:00Z")]
    found = cited_sources(checks)
    assert [source.title for source in found] == ["Marie Curie", "Warsaw"]
    assert found[0] == CURIE
    assert (found[1].revision, found[1].retrieved, found[1].accessed) == ("", "2017-06", "2026-11-22")


def test_a_page_that_is_merely_near_is_no_source() -> None:
    """Unless a language model names it, or nobody judged its sentences."""
    near, unjudged = Stance(0.1, 0.1, 0.8), Stance(0, 0, 1)
    check = checked("Marie Curie", "Warsaw")
    evidence = tuple(
        replace(one, stance=near if one.sentence.title == "Warsaw" else one.stance) for one in check.evidence
    )
    assert [one.title for one in cited_sources([(replace(check, evidence=evidence), "")])] == ["Marie Curie"]
    named = Verdict(Label.SUPPORTED, {Label.SUPPORTED: 1.0}, "So.", "m", sources=(len(evidence),))
    found = cited_sources([(replace(check, evidence=evidence, verdict=named), "")])
    assert [one.title for one in found] == ["Marie Curie", "Warsaw"]
    evidence = tuple(replace(one, stance=unjudged) for one in evidence)
    assert len(cited_sources([(replace(check, evidence=evidence), "")])) == 2


def test_a_document_has_a_name_and_no_address() -> None:
    page = replace(PAGES[1], site="", source="/srv/here/minutes.pdf, page 3")
    check = replace(checked("Warsaw"), pages=(Hit(page, 1, "text"),))
    (source,) = cited_sources([(check, "2026-11-22")])
    assert source.address == ""
    assert "minutes.pdf" in source.name
    assert json.loads(as_csl_json([source]))[0]["type"] == "document"


def test_each_format() -> None:
    (item,) = json.loads(as_csl_json([CURIE]))
    assert item == {
        "id": "marie-curie-1",
        "type": "webpage",
        "title": "Marie Curie",
        "URL": CURIE.address,
        "container-title": "en.wikipedia.org",
        "version": "1234",
        "issued": {"date-parts": [[2025, 12, 7]]},
        "accessed": {"date-parts": [[2026, 11, 22]]},
    }
    assert as_bibtex([CURIE]) == (
        "@misc{marie-curie-1,\n  title = {{Marie Curie}},\n"
        f"  url = {{{CURIE.address}}},\n  urldate = {{2026-11-22}},\n  organization = {{en.wikipedia.org}},\n"
        "  version = {1234},\n  date = {2025-12-07},\n  note = {Revision 1234, text of 2025-12-07},\n}\n\n"
    )
    assert as_ris([CURIE]).split("\r\n")[:4] == ["TY  - ELEC", "TI  - Marie Curie", "T2  - en.wikipedia.org", f"UR  - {CURIE.address}"]  # fmt: skip
    assert as_ris([CURIE]).endswith("ER  - \r\n\r\n")


SIGNS = [*'{}\\"%$#_&~^@,=\n\r\u2028\u202e\x00 aé', "ER  - ", "TY", "@misc{x,"]
HOSTILE = st.lists(st.sampled_from(SIGNS), max_size=30).map("".join)
SOURCES = st.lists(
    st.builds(
        lambda title, name, address: replace(
            CURIE, title=plain_title(title) or "Untitled", name=plain_title(name), address=f"https://x.example/{plain_title(address)}"
        ),
        HOSTILE | st.text(max_size=40), HOSTILE, HOSTILE,
    ),
    min_size=1, max_size=4,
)  # fmt: skip


@given(SOURCES)
def test_no_title_breaks_out_of_bibtex(sources: list[Source]) -> None:
    text = as_bibtex(sources)
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?m)^@", text)) == len(sources)
    known = "title|url|urldate|organization|version|date|howpublished|note"
    assert all(re.fullmatch(rf"@misc\{{[a-z0-9-]+,|  ({known}) = \{{.*\}},|\}}|", line) for line in text.split("\n"))
    commands = set(re.findall(r"\\[a-zA-Z]+|\\.", text))
    assert commands <= {r"\&", r"\%", r"\$", r"\#", r"\_"} | {f"\\text{name}" for name in (
        "backslash", "braceleft", "braceright", "asciitilde", "asciicircum", "quotedbl",
    )}  # fmt: skip


@given(SOURCES)
def test_no_title_adds_a_line_to_ris(sources: list[Source]) -> None:
    lines = as_ris(sources).split("\r\n")
    assert sum(line == "ER  - " for line in lines) == len(sources)
    assert all(re.fullmatch(r"(TY|TI|T2|UR|ET|DA|Y2|N1|ER)  - .*", line) for line in lines if line)
    assert "\n" not in "".join(lines)


@given(SOURCES)
def test_csl_json_holds_the_titles_as_they_are(sources: list[Source]) -> None:
    items = json.loads(as_csl_json(sources))
    assert [item["title"] for item in items] == [source.title for source in sources]
    assert len({item["id"] for item in items}) == len(items)


@given(st.text())
def test_titles_are_one_line_and_stay_so(text: str) -> None:
    title = plain_title(text)
    assert plain_title(title) == title
    assert len(title.splitlines()) <= 1
    assert not any("\ud800" <= sign <= "\udfff" or sign < " " for sign in title)
