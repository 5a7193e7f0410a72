"""What an upload says of headings, which are no evidence."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.app.documents.test_documents import NOTES, read


def test_headings_that_are_left_out_are_named(client: FlaskClient) -> None:
    alone, among = b"# The tram is blue.\n", f"# Trams\n\n{NOTES}\n\n## The tram is blue.\n".encode()
    found = read(client, ("alone.md", alone), ("among.md", among))
    first, second = found["files"]
    assert (first["pages"], second["pages"]) == (0, 1)
    assert "nothing but headings" in first["faults"][0]
    assert "sentences as headings" in second["faults"][0]
    assert second["faults"][0].endswith("“The tram is blue.”")
    assert "“The tram is blue.”" in client.get("/documents").text
