"""What several tests of reports need."""

from __future__ import annotations

import io
import time
from typing import Any

from flask.testing import FlaskClient

from tests.waiting import waits


def wait_report(client: FlaskClient, report_id: str, limit: float = 60) -> dict[str, Any]:
    """The report as soon as it is not running any more."""
    for late in waits(limit):
        shown: dict[str, Any] = client.get(f"/api/reports/{report_id}").json
        if shown["state"] != "running":
            return shown
        assert not late, shown


def read_file(client: FlaskClient, name: str, content: bytes) -> dict[str, Any]:
    """The text of a file as soon as it has been read, however busy the machine is."""
    sent = client.post("/api/texts", data={"file": (io.BytesIO(content), name)})
    while sent.status_code == 202 or sent.json.get("state") == "reading":
        time.sleep(0.2)
        sent = client.get(sent.json["url"].replace("/texts/", "/api/texts/"))
    assert sent.status_code == 200, sent.text
    return dict(sent.json)
