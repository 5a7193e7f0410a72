"""A table of claims sent as a text is: the cells of its column are the claims found, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flask import request

from app.claim_tables.pages import cells, sent_table
from app.http.problems import Problem
from app.http.security import person
from app.http.services import services
from app.jobs.readers.texts import LONGEST_TITLE, sentence_as_json
from app.reports.service import plain
from app.tables.claim_tables import table_of
from retrieval.text.extraction.finder import FoundClaim
from retrieval.text.extraction.kinds import CLAIM
from retrieval.text.languages.texts import NOT_TOLD, text_language


def take_table_text() -> str:
    """Keep the claims of the table of this request as a text that is ready; returns its id. Raises Problem."""
    name, read = sent_table()
    table = table_of(read)
    if table.total > len(table.rows):
        raise Problem(
            422,
            f"“{name}” has {table.total:,} rows, and at most {len(table.rows):,} are read at once. Split it, or send it to "
            "/api/tables, which reads the first.",
        )
    found = as_found([plain(cell, len(cell)) for cell in cells(table, request.form.get("column", ""))])
    content = "\n".join(claim.text for claim in found)
    texts, title = services().texts, " ".join(request.form.get("title", "").split()) or Path(name).stem
    text_id = texts.add(content, plain(title, LONGEST_TITLE), person(), name)
    language = text_language(content)
    notes = [*table.notes, *([] if language else [NOT_TOLD])]
    texts.finish(text_id, language, [sentence_as_json(claim) for claim in found], notes)
    return text_id


def as_found(claims: Sequence[str]) -> list[FoundClaim]:
    """Claims of which somebody has said already that they are worth checking, at their places in the text that they
    make when each stands below the one before.
    """
    found, start = [], 0
    for claim in claims:
        found.append(FoundClaim(claim, claim, start, start + len(claim), 1.0, CLAIM))
        start += len(claim) + 1
    return found
