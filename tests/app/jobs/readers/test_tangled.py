"""Small documents of every kind that are meant to take a reader's time or memory: each ends within its bounds."""

from __future__ import annotations

import io
import zipfile

from flask import Flask
from flask.testing import FlaskClient

from app.jobs.readers.process import Bounds
from tests.app.documents.test_documents import NOTES, read


def packed(inside: str, content: bytes) -> bytes:
    """A zip of one file, as a docx is one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(inside, content)
    return out.getvalue()


TANGLED = {  # about 90 kB each
    "deep.html": b"<div>" * 18_000,
    "tables.html": b"<table><tr><td>" * 6_000,
    "unclosed.htm": b"<a <b x='" * 10_000,
    "brackets.md": b"[" * 90_000,
    "quotes.md": b">" * 90_000,
    "line.txt": b"a" * 90_000,
    "points.txt": b". " * 45_000,
    "deep.json": b"[" * 90_000,
    "line.jsonl": b'{"url":"' + b"\\\\" * 45_000,
    "objects.pdf": b"%PDF-1.7\n" + b"1 0 obj <</Kids [1 0 R]>> endobj " * 2_500,
    "bomb.docx": packed("word/document.xml", b"<w:p>" * 4_000_000),
}


def test_tangled_documents_of_every_kind_end_in_time(app: Flask, client: FlaskClient) -> None:
    own = app.extensions["esoteric"].uploads
    before, own.bounds = own.bounds, Bounds(1, 400, 600)
    try:
        found = read(client, ("before.txt", NOTES.encode()), *TANGLED.items(), ("after.txt", NOTES.encode()))
    finally:
        own.bounds = before
    assert [file["file"] for file in found["files"]] == ["before.txt", *TANGLED, "after.txt"]
    assert found["files"][0]["pages"] == found["files"][-1]["pages"] == 1
    assert all(file["pages"] or file["faults"] for file in found["files"])
