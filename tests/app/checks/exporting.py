"""The exports of a finished check."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from flask.testing import FlaskClient


def exports_of(client: FlaskClient, done: dict[str, Any]) -> tuple[dict[str, str], str, dict[str, Any]]:
    """First row of the CSV, Markdown, ClaimReview."""
    address = f"/checks/{done['id']}"
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}.csv").text.removeprefix("\ufeff"))))
    return rows[0], client.get(f"{address}.md").text, json.loads(client.get(f"{address}.jsonld").data)
