"""Stores tables of claims, finds them again, and checks a column as a report or reads it as a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flask import request

from app.accounts.service import find_row
from app.claim_tables.forms import TableReport
from app.http.problems import Problem
from app.http.security import person
from app.http.services import services
from app.jobs.readers.claim_tables import read_sent_table
from app.jobs.readers.texts import LONGEST_TITLE
from app.reports.forms import NewReport
from app.reports.service import plain, start_report
from app.tables.claim_tables import StoredTable, table_of
from app.tables.reports import MOST_CLAIMS
from app.texts.service import sent_file
from retrieval.errors import CorpusError
from retrieval.output.record import Json
from retrieval.output.tables.reading import TYPES, Table, claim_column
from retrieval.text.extraction.finder import FoundClaim
from retrieval.text.extraction.kinds import CLAIM
from retrieval.text.languages.detecting import UNKNOWN_LANGUAGE, text_language


def take_table() -> str:
    """Read and store the table in this request; returns its id. Raises Problem."""
    name, read = sent_table()
    return services().claim_tables.add(name, read, person())


def sent_table() -> tuple[str, Json]:
    """Name of the table in this request, and its content as `table_as_json` writes it. Raises Problem."""
    name, content = sent_file(TYPES, f"not one of the types {' '.join(TYPES)}", "claims")
    return name, read_sent_table(content, name, services().settings)


def is_table(name: str) -> bool:
    return name.lower().endswith(TYPES)


def find_table(table_id: str) -> StoredTable:
    """The table with this id. Raises Problem 404."""
    missing = "There is no table with this id; it may have been deleted. Send it again from the home page."
    return find_row(services().claim_tables.get, table_id, missing)


def start_table_report(stored: StoredTable, asked: TableReport) -> str:
    """Check a column as a report; returns its id. Raises Problem and what `start_report` raises."""
    claims = cells(stored.read(asked.header), "" if asked.column is None else str(asked.column))[:MOST_CLAIMS]
    title, options = asked.title or stored.name, asked.model_dump(include={"recipe", "against", "shared"})
    return start_report(NewReport(claims=[*claims], title=title, **options))


def cells(table: Table, column: str) -> list[str]:
    """The filled cells of a column. column: name or number; empty for the likeliest. Raises Problem 422."""
    try:
        number = claim_column(table, column)
    except CorpusError as error:
        raise Problem(422, str(error)) from error
    if found := table.column(number):
        return found
    raise Problem(422, f"Column “{table.columns[number]}” is empty. Choose another one.")


def take_table_text() -> str:
    """Store the claims of the table in this request as a text that is ready; returns its id. Raises Problem."""
    name, read = sent_table()
    table = table_of(read)
    if table.total > len(table.rows):
        raise Problem(
            422,
            f"“{name}” has {table.total:,} rows, and at most {len(table.rows):,} are read at once. Split it, or send it to "
            "/api/tables, which reads the first ones.",
        )
    found = as_found([plain(cell, len(cell)) for cell in cells(table, request.form.get("column", ""))])
    content = "\n".join(claim.text for claim in found)
    texts, title = services().texts, " ".join(request.form.get("title", "").split()) or Path(name).stem
    text_id = texts.add(content, plain(title, LONGEST_TITLE), person(), name)
    language = text_language(content)
    notes = [*table.notes, *([] if language else [UNKNOWN_LANGUAGE])]
    texts.finish(text_id, language, found, notes)
    return text_id


def as_found(claims: Sequence[str]) -> list[FoundClaim]:
    """The claims as if found in a text of one claim a line, all worth checking."""
    found, start = [], 0
    for claim in claims:
        found.append(FoundClaim(claim, claim, start, start + len(claim), 1.0, CLAIM))
        start += len(claim) + 1
    return found
