"""A table of claims: sent, its column chosen, checked as one report."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import encode_multipart

from app.errors import Unusable
from app.jobs.readers.claim_tables import read_sent_table
from retrieval.settings import Settings
from tests.app.conftest import token
from tests.app.reports.waiting import wait_report
from tests.workbook import workbook

CLAIMS = [f"Country {n} has {n + 2} provinces." for n in range(5)]
BOOK = workbook(Claims=[["id", "statement", "note"], *[[n, claim, ""] for n, claim in enumerate(CLAIMS)]])


def send(client: FlaskClient, name: str, content: bytes, address: str = "/api/tables", **form: str) -> Any:
    fields: MultiDict[str, Any] = MultiDict([("file", FileStorage(io.BytesIO(content), name))])
    boundary, body = encode_multipart(MultiDict([*fields.items(multi=True), *form.items()]))
    return client.post(address, data=body, content_type=f"multipart/form-data; boundary={boundary}")


def report(client: FlaskClient, address: str) -> dict[str, Any]:
    """The report as soon as it is done."""
    return wait_report(client, address.rpartition("/")[2])


def test_a_workbook_becomes_a_report(client: FlaskClient) -> None:
    sent = send(client, "claims.xlsx", BOOK)
    assert sent.status_code == 200, sent.text
    found = sent.json
    assert (found["column"], found["header"], found["rows"], found["total"]) == (2, True, 5, 5)
    assert found["columns"][1] == {"number": 2, "name": "statement", "claims": 5, "examples": CLAIMS[:3]}
    assert found["columns"][2]["claims"] == 0
    assert client.get(f"/api/tables/{found['id']}").json == found
    created = client.post(f"/api/tables/{found['id']}/report", json={})
    assert created.status_code == 202, created.text
    done = report(client, created.json["url"])
    assert [claim["text"] for claim in done["claims"]] == CLAIMS
    assert done["title"] == "claims.xlsx"
    sources = client.get(f"{created.json['url']}.bib").text
    assert sources.count("@misc{") == 2, "each page once, however many claims rest on it"
    assert client.delete(f"/api/tables/{found['id']}").status_code == 204
    assert client.get(f"/api/tables/{found['id']}").status_code == 404


def test_a_person_chooses_another_column(client: FlaskClient) -> None:
    content = b"Rome is a very old city.,The first note is here.\nOslo is a very old city.,The second note.\n"
    sent = send(client, "list.csv", content, "/checks", csrf_token=token(client), claim="", recipe="fast")
    assert sent.status_code == 303
    page = client.get(sent.location).text
    assert 'value="1" id="column-1" aria-describedby="cells-1" checked' in page
    assert "The columns have no names" in page
    form = {"csrf_token": token(client, sent.location), "column": "2", "recipe": "fast", "title": "Notes"}
    started = client.post(sent.location.partition("?")[0], data=form)
    assert started.status_code == 303, started.text
    done = report(client, started.location)
    assert [claim["text"] for claim in done["claims"]] == ["The first note is here.", "The second note."]
    assert done["title"] == "Notes"


def test_the_first_row_can_be_a_claim_after_all(client: FlaskClient) -> None:
    found = send(client, "t.csv", b"claim\nThe moon is round.\n").json
    created = client.post(f"/api/tables/{found['id']}/report", json={"header": False, "column": 1})
    assert [claim["text"] for claim in report(client, created.json["url"])["claims"]] == ["claim", "The moon is round."]


UNSEEN = b"what they said,who said it\nThe moon is round.,Ada of York\n" + b"Rome is very old.,Bo\n"


def test_the_first_row_can_be_the_names_after_all(client: FlaskClient) -> None:
    found = send(client, "t.csv", UNSEEN).json
    assert found["header"] is False
    address = f"/api/tables/{found['id']}/report"
    said = ["The moon is round.", "Rome is very old."]
    for asked in ({"header": True}, {"header": True, "column": "what they said"}):
        created = client.post(address, json=asked)
        assert [claim["text"] for claim in report(client, created.json["url"])["claims"]] == said
    for asked in ({}, {"header": False}):
        created = client.post(address, json=asked)
        assert [claim["text"] for claim in report(client, created.json["url"])["claims"]] == ["what they said", *said]


@pytest.mark.parametrize(("content", "guessed"), [(UNSEEN, False), (b"claim\nThe moon is round.\n", True)])
def test_the_page_offers_the_header_both_ways(client: FlaskClient, content: bytes, guessed: bool) -> None:
    found = send(client, "t.csv", content).json
    page = client.get(found["url"]).text
    assert ('name="header" value="yes" checked' in page) == guessed
    form = {"csrf_token": token(client, found["url"]), "column": "1", "recipe": "fast"}
    rows = content.decode().splitlines()
    for ticked, first in (({"header": "yes"}, rows[1]), ({}, rows[0])):
        started = client.post(found["url"], data=form | ticked)
        assert report(client, started.location)["claims"][0]["text"] == first.partition(",")[0]
        refused = client.post(found["url"], data=form | ticked | {"column": "9"})
        assert ('name="header" value="yes" checked' in refused.text) == bool(ticked), "as it was sent"


def test_a_table_of_names_alone_is_empty(client: FlaskClient) -> None:
    found = send(client, "t.csv", b"The moon is round.\n").json
    refused = client.post(f"/api/tables/{found['id']}/report", json={"header": True})
    assert (refused.status_code, "is empty" in refused.json["detail"]) == (422, True)


def test_a_million_rows_give_the_first_two_thousand_and_say_so(client: FlaskClient) -> None:
    sent = send(client, "many.csv", b"claim\n" + b"Rome is old.\n" * 1_000_000)
    assert sent.status_code == 200, sent.text
    assert (sent.json["rows"], sent.json["total"]) == (2_000, 1_000_000)
    page = client.get(sent.json["url"]).text
    assert "This table has 1,000,000 rows." in page
    assert "only the first 2,000 rows are read" in page


def test_a_table_that_is_too_large_to_send_says_how_large_it_may_be(client: FlaskClient) -> None:
    refused = send(client, "huge.csv", b"claim\n" + b"Rome is old.\n" * 1_800_000)
    assert refused.status_code == 413
    assert "may have 20 MB" in refused.json["detail"]
    assert "Split them" in refused.json["detail"]


REFUSED = {
    "odd.exe": (b"MZ", "is not one of the types .csv .tsv .xlsx"),
    "empty.csv": (b"", "holds no claims"),
    "broken.xlsx": (BOOK[:-40], "not a workbook that can be read"),
    "binary.tsv": (bytes(range(256)) * 9, "holds binary data"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_says_so(client: FlaskClient, name: str) -> None:
    refused = send(client, name, REFUSED[name][0])
    assert refused.status_code == 422
    assert REFUSED[name][1] in refused.json["detail"]
    assert "/" not in refused.json["detail"], "where it lay for a moment is nobody's business"


def test_an_empty_column_and_one_that_is_not_there(client: FlaskClient) -> None:
    found = send(client, "claims.xlsx", BOOK).json
    address = f"/api/tables/{found['id']}/report"
    assert "is empty" in client.post(address, json={"column": "note"}).json["detail"]
    assert "There is no column '9'" in client.post(address, json={"column": 9}).json["detail"]
    page = client.post(found["url"], data={"csrf_token": token(client, found["url"]), "column": "9", "recipe": "fast"})
    assert page.status_code == 422
    assert "There is no column" in page.text


def test_a_workbook_that_unpacks_to_millions_of_cells_ends_its_reader_alone(tmp_path: Path) -> None:
    row = [1] * 2_000
    bomb = workbook(A=[row] * 2_000)
    assert len(bomb) < 200_000
    with pytest.raises(Unusable, match=r"Reading “bomb\.xlsx” stopped"):
        read_sent_table(bomb, "bomb.xlsx", Settings(data=tmp_path, upload_memory=150))
    assert list((tmp_path / "uploads").iterdir()) == []


def test_what_is_to_know_of_a_table_goes_with_its_text(client: FlaskClient) -> None:
    sent = send(
        client, "t.csv", "claim\nZoë is here.\n".encode() + "José is here.\n".encode("cp1252"), "/api/texts"
    ).json
    assert [claim["text"] for claim in sent["claims"]] == ["Zoë is here.", "José is here."]
    assert sent["notes"] == ["1 of its 3 lines is not UTF-8 and was read as Windows-1252; look at its accents."]
