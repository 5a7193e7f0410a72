"""A verdict that only leans to its side, and one that decides nothing, on pages and in exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient

from tests.app.checks.exporting import exports_of

Check = Callable[..., dict[str, Any]]


def test_a_verdict_that_leans_is_no_full_one(client: FlaskClient, check: Check) -> None:
    done = check("The evidence leans this way.")
    assert (done["verdict"]["label"], done["verdict"]["leans"]) == ("SUPPORTED", True)
    page = client.get(f"/checks/{done['id']}").text
    assert "<title>Leans supported:" in page
    assert "It is not sure enough for a full verdict." in page
    assert '<header class="ruling supports leans">' in page
    for path in ("/", "/history"):
        assert re.search(
            r"The evidence leans this way\.</bdi></a>\s*<span class=\"chip supports leans\"><svg.*?Leans supported</span>",
            client.get(path).text,
            re.S,
        )
    assert client.get("/api/checks?limit=1").json["checks"][0]["verdict"]["leans"] is True
    row, markdown, review = exports_of(client, done)
    assert (row["verdict"], row["leans"]) == ("SUPPORTED", "True")
    assert "**Leans supported** (80%, probability)" in markdown
    assert (review["reviewRating"]["alternateName"], review["reviewRating"]["ratingValue"]) == ("Leans supported", 4)


def test_no_number_beside_not_enough_evidence(client: FlaskClient, check: Check) -> None:
    done = check("For this there is not enough.")
    assert (done["verdict"]["label"], done["verdict"]["confidence"]) == ("NOT_ENOUGH_EVIDENCE", 0.8)
    assert 'class="confidence"' not in client.get(f"/checks/{done['id']}").text
    assert 'class="share">80%' in client.get(f"/checks/{done['id']}").text, "the bars stay"
    assert "**Not enough evidence**. About" in exports_of(client, done)[1]
    full = check("This is so.")
    assert 'class="confidence"' in client.get(f"/checks/{full['id']}").text
