"""Pages, forms, headers, exports."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from app.checks.exports import plain
from app.tables.checks import table
from retrieval.output.cells import NUMBER, safe_cell
from retrieval.recipes import RECIPES
from retrieval.recipes.tuning import deciding_values
from retrieval.settings import Settings
from retrieval.version import PROGRAM
from tests.app.checks.exporting import exports_of
from tests.app.conftest import CLAIM, token, wait
from tests.app.fake import HOSTILE
from tests.app.reports.waiting import wait_report

Check = Callable[..., dict[str, Any]]
ROOT = Path(__file__).parents[3]


def test_the_form_starts_a_check_and_leads_to_it(client: FlaskClient) -> None:
    sent = client.post("/checks", data={"claim": "From the form.", "csrf_token": token(client)})
    assert sent.status_code == 303
    check_id = sent.headers["Location"].rpartition("/")[2]
    wait(client, check_id)
    page = client.get(sent.headers["Location"]).text
    assert "Supported" in page
    assert "From the form." in client.get("/history").text
    again = client.post("/checks", data={"claim": "From the form.", "csrf_token": token(client)})
    assert again.headers["Location"] == f"/checks/{check_id}?earlier=1"
    assert "with the same corpus" in client.get(again.headers["Location"]).text
    fresh = client.post("/checks", data={"claim": "From the form.", "fresh": "1", "csrf_token": token(client)})
    assert check_id not in fresh.headers["Location"]
    wait(client, fresh.headers["Location"].rpartition("/")[2])


def test_nothing_starts_without_the_token_or_by_get(client: FlaskClient, check: Check) -> None:
    check_id = check()["id"]
    paths = ("/checks", f"/checks/{check_id}/cancel", f"/checks/{check_id}/delete", "/history/delete")
    for path in paths:
        for body in ({}, {"csrf_token": "wrong"}):
            response = client.post(path, data={"claim": CLAIM, "sure": "yes", **body})
            assert response.status_code == 400, path
            assert "reload" in response.text
        assert client.get(path).status_code == 405
    assert client.get(f"/checks/{check_id}").status_code == 200


def test_a_refused_claim_stays_in_the_field(client: FlaskClient) -> None:
    text = "</textarea><script>x</script>" + "long " * 21_000
    response = client.post("/checks", data={"claim": text, "csrf_token": token(client)})
    assert response.status_code == 422
    assert 'role="alert"' in response.text
    assert "&lt;/textarea&gt;&lt;script&gt;" in response.text
    assert "<script>x" not in response.text


@pytest.mark.parametrize(
    "path", ["/", "/history", "/about", "/nothing", "/api/checks", "/static/parts/style.css", "/healthz"]
)
def test_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as response:
        headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_pages_hold_no_inline_code_and_no_outside_asset(client: FlaskClient, check: Check) -> None:
    paths = ["/", "/history", "/about", "/nothing", f"/checks/{check()['id']}"]
    for path in paths:
        page = client.get(path).text
        if path == "/about":  # has a bookmark to be dragged away, which the policy keeps from running here
            page = re.sub(r'(href|value)="javascript:[^"]*"', "", page, count=2)
        assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)", page)
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
        sources = r'<a class="open" href="https://[^"]*" target="_blank" rel="noopener noreferrer">'
        for address in re.findall(r'(?:src|href)="([^"]*)"', re.sub(sources, "", page)):
            assert address.startswith(("/", "#")), address


def test_scripts_never_read_what_was_found_as_html() -> None:
    for script in (ROOT / "static").rglob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", script.read_text())


def test_hostile_text_of_a_page_is_text(client: FlaskClient, check: Check) -> None:
    page = client.get(f"/checks/{check()['id']}").text
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(&#39;page&#39;)&lt;/script&gt;") >= 3


def test_quotations_are_marked_in_their_page(client: FlaskClient, check: Check) -> None:
    page = client.get(f"/checks/{check()['id']}").text
    assert 'href="#quote-1"' in page
    assert re.search(r'<mark id="quote-1"[^>]*>Marie Curie was a physicist\.<span class="tied">', page)
    assert "Warsaw is the capital of Poland." in page  # found, not used


def test_the_key_is_the_owners_only(data: Path, client: FlaskClient) -> None:
    file = data / "secret.key"
    assert file.stat().st_mode & 0o777 == 0o600
    client.get("/")
    cookie = client.get_cookie("esoteric")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"


def test_history_searches_pages_and_deletes(client: FlaskClient, check: Check) -> None:
    ids = [check(f"History claim {n} Straße 100%.")["id"] for n in range(27)]
    first = client.get("/history?q=history+claim").text
    assert first.count('<a href="/checks/') == 25
    older = re.search(r'href="(/history\?[^"]*before=[^"]*)"', first)
    assert older
    assert client.get(older[1].replace("&amp;", "&")).text.count('<a href="/checks/') == 2
    for search, found in (("claim 3 STRASSE", 1), ("100%", 25), ("nothing like it", 0), ("<script>", 0)):
        page = client.get("/history", query_string={"q": search}).text
        assert page.count('<a href="/checks/') == found, search
        assert "<script>" not in page
    disputed = check("On this the pages disagree, in the history.")["id"]
    for asked, many in (({}, 1), ({"q": "the history"}, 1), ({"q": "claim 3"}, 0)):
        page = client.get("/history", query_string={"verdict": "CONFLICTING", **asked}).text
        assert page.count('<a href="/checks/') == many, asked
        assert f"{'has' if many == 1 else 'have'} the verdict “conflicting evidence”" in page
    assert client.get("/history?verdict=nonsense").text.count('<a href="/checks/') == 25
    supported = client.get("/history?q=claim&verdict=SUPPORTED").text
    assert re.search(r'href="/history\?before=\w+&amp;q=claim&amp;verdict=SUPPORTED"', supported), (
        "the next page asks the same"
    )
    form = {"csrf_token": token(client), "q": "pages", "verdict": "CONFLICTING"}
    assert client.post(f"/checks/{disputed}/delete", data=form).location == (
        f"/history?q=pages&verdict=CONFLICTING&deleted={disputed}"
    )
    deleted = client.post(f"/checks/{ids[0]}/delete", data={"csrf_token": token(client)})
    assert deleted.status_code == 303
    assert client.get(f"/checks/{ids[0]}").status_code == 404
    assert client.get(f"/checks/{ids[1]}").status_code == 200
    assert client.post("/history/delete", data={"csrf_token": token(client)}).status_code == 400
    client.post("/history/delete", data={"csrf_token": token(client), "sure": "yes"})
    assert "No claim has been checked yet" in client.get("/history").text
    assert client.get(f"/checks/{ids[1]}").status_code == 404


def test_exports(client: FlaskClient, check: Check) -> None:
    done = check("=HYPERLINK(1) is *true* <b>.")
    address = f"/checks/{done['id']}"
    exported = json.loads(client.get(f"{address}.json").data)
    assert exported["evidence"] == done["evidence"]
    assert exported["claim"] == done["claim"]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))
    assert len(rows) == 3
    assert rows[0]["claim"] == "'=HYPERLINK(1) is *true* <b>."
    assert rows[0]["text"] == "Marie Curie was a physicist."
    markdown = client.get(f"{address}.md").text
    assert markdown.startswith("# &#61;HYPERLINK(1) is \\*true\\* &lt;b&gt;.")
    assert "<script>" not in markdown
    assert "\u202e" not in markdown
    review = json.loads(client.get(f"{address}.jsonld").data)
    assert (review["@context"], review["@type"]) == ("https://schema.org", "ClaimReview")
    assert review["claimReviewed"] == done["claim"]
    assert review["reviewRating"]["ratingValue"] == 5
    assert review["reviewRating"]["alternateName"] == "Supported"
    assert client.get(f"{address}.xml").status_code == 404


def test_every_export_and_the_about_page_say_the_version(client: FlaskClient, check: Check) -> None:
    address = f"/checks/{check()['id']}"
    assert client.get(f"{address}.json").json["program"] == PROGRAM
    assert (
        next(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))["program"]
        == PROGRAM
    )
    assert f"with {PROGRAM}, recipe careful." in client.get(f"{address}.md").text
    made_by = json.loads(client.get(f"{address}.jsonld").data)["producer"]
    assert f"{made_by['name']} {made_by['softwareVersion']}" == PROGRAM
    assert f"This is {PROGRAM}." in client.get("/about").text


def test_the_about_page_has_the_algorithm_and_its_references(client: FlaskClient) -> None:
    shown = client.get("/about").text
    steps = shown[shown.index('id="algorithm"') : shown.index('id="references"')]
    assert steps.count("<li>") == 9
    assert "at most 1,000, in the order of BM25" in steps
    for work in (
        "Natural Language Processing for Automated Fact Verification",
        "FEVER: a large-scale",
        "AVeriTeC: A Dataset",
    ):
        assert work in shown
    for name in RECIPES:
        assert f"<dt><code>{name}</code></dt><dd>" in shown


def calibrated(client: FlaskClient) -> list[str]:
    """The recipes of which the About page has a calibration error."""
    shown = client.get("/about").text
    assert shown.count("so its shares are estimates.") + shown.count("Calibration error of") == len(RECIPES)
    rows = {name: shown.split(f"<dt><code>{name}</code></dt>")[1].split("</dd>")[0] for name in RECIPES}
    return [name for name, row in rows.items() if "Calibration error of its local verdict: 0.0" in row]


def test_the_about_page_has_the_errors_of_probabilities_alone(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once had those of four labels over other answers than a recipe finds, and of models that do not read."""
    assert calibrated(client) == ["careful", "fast"]
    parts = app.extensions["esoteric"]
    named = replace(parts.settings, stance_model="own/stance")
    monkeypatch.setattr(parts, "settings", named)
    assert calibrated(client) == []


def test_what_the_grounding_test_found_is_said_everywhere(client: FlaskClient, check: Check) -> None:
    rests, loose, untested = (check(f"This verdict {words}.") for words in ("rests", "stays the same", "is not tested"))
    assert [done["verdict"]["grounded"] for done in (rests, loose, untested)] == [True, False, None]
    assert rests["verdict"]["without_evidence"]["label"] == "NOT_ENOUGH_EVIDENCE"
    sentences = (
        "The verdict rests on the sentences it cites: without them, it would be “not enough evidence” (70%).",
        "The verdict does not rest on the sentences it cites: without them, it would still be “supported” (80%), "
        "from the other sentences that were read.",
    )
    for done, sentence in zip((rests, loose), sentences, strict=True):
        row, markdown, review = exports_of(client, done)
        assert sentence in client.get(f"/checks/{done['id']}").text
        assert plain(sentence) in markdown
        assert sentence in review["reviewBody"]
        assert row["grounded"] == str(done["verdict"]["grounded"])
        assert row["without_evidence"] == done["verdict"]["without_evidence"]["label"]
    page = client.get(f"/checks/{rests['id']}").text
    assert page.count("without the sentences cited") == 3, "for those who cannot see the marks"
    row, markdown, review = exports_of(client, untested)
    assert (row["grounded"], row["without_evidence"]) == ("", "")
    for text in (client.get(f"/checks/{untested['id']}").text, markdown, review["reviewBody"]):
        assert "it cites" not in text


def test_a_verdict_that_nothing_is_left_without_is_tested_and_has_no_second_ratings(
    client: FlaskClient, check: Check
) -> None:
    done = check("Beside this there is nothing else.")
    page = client.get(f"/checks/{done['id']}").text
    assert (
        "<strong>Tested.</strong> The verdict rests on the sentences it cites: without them, no sentence is left"
        in page
    )
    assert "without the sentences cited" not in page, "nobody rated anything"
    row, _, _ = exports_of(client, done)
    assert (row["grounded"], row["without_evidence"]) == ("True", "NOT_ENOUGH_EVIDENCE")


def test_conflicting_evidence_stands_side_by_side(client: FlaskClient, check: Check) -> None:
    done = check("On this the pages disagree.")
    assert done["verdict"]["label"] == "CONFLICTING"
    page = client.get(f"/checks/{done['id']}").text
    assert "<title>Conflicting evidence:" in page
    sides = re.findall(r'<section class="side (\w+)".*?</section>', page, re.S)
    assert sides == ["supports", "refutes"]
    supports, refutes = (part.partition("</section>")[0] for part in page.split('<section class="side ')[1:])
    assert "Marie Curie was a physicist." in supports
    unmarked = re.sub(r"</?mark[^>]*>", "", refutes)
    assert re.search(r'<a class="quotation" href="#quote-\d"><q dir="auto">Warsaw is the capital', unmarked)
    row, markdown, review = exports_of(client, done)
    assert row["verdict"] == "CONFLICTING"
    assert "**Conflicting evidence** (50%, estimate)" in markdown
    assert review["reviewRating"] == {
        "@type": "Rating", "alternateName": "Conflicting evidence", "ratingValue": 3, "worstRating": 1, "bestRating": 5
    }  # fmt: skip


def test_where_claim_and_evidence_differ_is_marked_in_both_and_told_in_words(client: FlaskClient, check: Check) -> None:
    done = check("On this the pages disagree.")
    against = next(one for one in done["evidence"] if one["differs"])
    claim, sentence = against["differs"]["claim"], against["differs"]["sentence"]
    assert (done["claim"][claim["start"] : claim["end"]], claim["text"]) == ("disagree", "disagree")
    assert against["text"][sentence["start"] : sentence["end"]] == sentence["text"]
    page = client.get(f"/checks/{done['id']}").text
    heading = page.partition("<h1")[2].partition("</h1>")[0]
    assert '<mark class="differs">disagree</mark>' in heading
    assert f'<mark class="differs">{sentence["text"]}</mark>' in page.partition("</h1>")[2]
    assert f"The claim says “<bdi>disagree</bdi>”, the sentence “<bdi>{sentence['text']}</bdi>”." in page


def test_not_sure_is_not_the_same_as_not_enough_evidence(client: FlaskClient, check: Check) -> None:
    done = check("Of this it is unsure.")
    assert (done["verdict"]["label"], done["verdict"]["abstained"]) == ("SUPPORTED", True)
    page = client.get(f"/checks/{done['id']}").text
    assert "<title>Not sure:" in page
    assert "It leans towards “supported”" in page
    assert '<header class="ruling neutral">' in page
    for path in ("/", "/history"):
        assert re.search(
            r"Of this it is unsure\.</bdi></a>\s*<span class=\"chip neutral\">.*?Not sure</span>",
            client.get(path).text,
            re.S,
        )
    assert client.get("/api/checks?limit=1").json["checks"][0]["verdict"]["abstained"] is True
    row, markdown, review = exports_of(client, done)
    assert (row["verdict"], row["abstained"]) == ("SUPPORTED", "True")
    assert "**Not sure**, leaning towards supported (80%, probability)" in markdown
    assert review["reviewRating"] == {"@type": "Rating", "alternateName": "Not sure"}


FORMULAS = st.lists(
    st.sampled_from(["=1+1", "@SUM(1)", "＝1", "-1", ";", ",", "|", "\t", '"', " ", "\n", "a"]), max_size=8
)


@given(st.text(max_size=30) | FORMULAS.map("".join))
@pytest.mark.parametrize("delimiter", list(",;|\t"))
def test_no_cell_is_a_formula(delimiter: str, text: str) -> None:
    """Where people's settings part cells by a semicolon, a spreadsheet parts ours so too. A number alone is no formula."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(["claim", safe_cell(text)])
    for row in csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter):
        assert not [
            cell
            for cell in row
            if cell.lstrip(' "\t\r\n').startswith(("=", "+", "-", "@", "＝")) and not NUMBER.fullmatch(cell)
        ]


def test_exported_json_ends_no_script_element(client: FlaskClient, check: Check) -> None:
    done = check("</script><!-- <script> & so on is true.")
    exported = client.get(f"/checks/{done['id']}.jsonld").text
    assert not set("<>&") & set(exported)
    assert json.loads(exported)["claimReviewed"] == done["claim"]


@given(st.text(alphabet="<>&*_[]()#`!|~\\-+=1. \n\u202ex:/w@", max_size=30))
def test_no_markup_survives(text: str) -> None:
    out = plain(text)
    assert not re.search(r"[<>\n\u202e]", out)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_\[\]`]", out)
    assert "://" not in out


def test_sample_is_named_as_such(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "It is a small sample, in which most claims find nothing." in page
    assert "Load Wikipedia</a>" in page or "<code>make wikipedia-today</code>" in page
    assert page.count('<button type="submit" name="example"') == 3
    assert HOSTILE not in page


@pytest.mark.parametrize(("kind", "begins"), [("bib", "@misc{marie-curie-1,"), ("ris", "TY  - ELEC"), ("csl", "[")])
def test_sources_for_reference_managers(client: FlaskClient, check: Check, kind: str, begins: str) -> None:
    found = client.get(f"/checks/{check()['id']}.{kind}")
    assert found.text.startswith(begins)
    assert 'filename="check-' in found.headers["Content-Disposition"]
    assert "oldid=1234" in found.text


def test_a_check_shows_the_settings_that_decided_where_they_are_known(
    app: Flask, client: FlaskClient, check: Check
) -> None:
    found = check("Which settings decided about this?")
    path, engine = f"/checks/{found['id']}", app.extensions["esoteric"].checks.engine
    page = client.get(path).text
    assert "<summary>Settings</summary>" in page
    assert all(f"<dt>{name}</dt>" in page for name in deciding_values(found["recipe"], Settings()))
    for key, said in (("that of other settings", "changed since"), (None, "not recorded")):
        with engine.begin() as connection:
            connection.execute(sa.update(table).where(table.c.id == found["id"]).values(cache_key=key))
        page = client.get(path).text
        assert "<summary>Settings</summary>" not in page
        assert f"<dt>Settings</dt><dd>{said}</dd>" in page


def test_a_check_of_a_report_shows_the_settings_of_the_report(client: FlaskClient) -> None:
    claims = [{"text": "Warsaw has settings.", "context": "A title"}]
    made = wait_report(client, client.post("/api/reports", json={"claims": claims}).json["id"])
    page = client.get(f"/checks/{made['claims'][0]['check_id']}").text
    assert all(f"<dt>{name}</dt>" in page for name in made["settings"])
