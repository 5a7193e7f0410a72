"""What several tests of reports need."""

from __future__ import annotations

import time
from typing import Any

from flask.testing import FlaskClient


def wait_report(client: FlaskClient, report_id: str, limit: float = 60) -> dict[str, Any]:
    """The report as soon as it is not running any more."""
    until = time.monotonic() + limit
    while True:
        shown: dict[str, Any] = client.get(f"/api/reports/{report_id}").json
        if shown["state"] != "running":
            return shown
        assert time.monotonic() < until, shown
        time.sleep(0.02)
