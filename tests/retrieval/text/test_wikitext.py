"""The source of wiki pages, as people paste it."""

from __future__ import annotations

import time

import pytest

from retrieval.text.pasted.prose import read_prose


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("'''Paris''' is the [[capital city|capital]] of [[France]].<ref>{{cite web |title=Paris}}</ref> It is old.<ref name=\"a\" />", "Paris is the capital of France. It is old."),
        ("'''Berlin''' ({{IPA|b}}; {{lang-de|Stadt}}) is in [[Germany]].{{sfn|Meyer|1990|p=5}}", "Berlin (Stadt) is in Germany."),
        ("'''Oslo''' ({{IPA|o}}) has {{convert|454|km2}} of [[land]].{{citation needed|date=May 2019}}", "Oslo  has 454 km² of land."),
        ("{{Infobox\n| age = {{nowrap|9}}\n}}\nThe '''mill''' burned in {{circa|1850}}.\n[[Category:Mills]]", "The mill burned in c. 1850."),
        ("== Mills ==\n* The [[mill]] is&nbsp;[https://x.org old].[[File:A.jpg|thumb|A [[mill]]]]\n{| class=\"a\"\n| 9\n|}", "Mills\nThe mill is old."),
    ],
)  # fmt: skip
def test_the_source_of_a_wiki_page_is_read_as_the_page_shows_it(source: str, read: str) -> None:
    prose = read_prose(source)
    assert prose.text.strip() == read
    assert len(prose.starts) == len(prose.text) == len(prose.ends)


def test_what_merely_looks_like_wikitext_is_read_in_time() -> None:
    begun = time.process_time()
    for sign in ("{{", "[[", "<ref>", "<!--", "'''", "{{a|", "[//x", "\n{|", "== "):
        read_prose(f"'''A''' [[B]] {sign * (99_000 // len(sign))}")
    assert time.process_time() - begun < 10
