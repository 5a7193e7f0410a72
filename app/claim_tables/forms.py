"""Forms of requests and answers about tables of claims."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from app.checks.forms import ToShare, example
from retrieval.output.forms import Form

A_TABLE: dict[str, Any] = {
    "type": "string",
    "format": "binary",
    "examples": ["claim\nMarie Curie was born in Warsaw.\n"],
    "x-file-name": "claims.csv",
}


class NewTable(BaseModel):
    """A table of claims: .csv, .tsv or .xlsx."""

    file: Any = Field(description="The file. Its name tells its type.", json_schema_extra=A_TABLE)


class ColumnForm(Form):
    """A column. examples: its first cells."""

    number: int = Field(description="From 1.")
    name: str
    claims: int = Field(description="Number of filled cells.")
    examples: list[str]


class TableForm(Form):
    """A table."""

    id: str
    name: str
    columns: list[ColumnForm]
    column: int = Field(description="The number of the column that looks most like claims.")
    header: bool = Field(description="Whether the first row was read as names of the columns.")
    rows: int = Field(description="Number of rows stored: the first 2,000.")
    total: int = Field(description="Number of rows in the file.")
    notes: list[str]
    created: str
    url: str


class TableReport(BaseModel, strict=True, json_schema_extra=example(column="claim")):
    """Which column to check, and how. All fields are optional."""

    column: str | int | None = Field(None, description="Its name or number; without it, the likeliest.")
    header: bool | None = Field(
        None,
        description="Whether the first row names the columns (true) or is a claim (false); without it, as it was read.",
    )
    title: str | None = None
    recipe: str | None = None
    against: str | list[str] | None = None
    shared: ToShare = False
