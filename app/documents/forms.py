"""Forms of requests and answers about documents."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from app.checks.forms import Shared, example
from retrieval.output.forms import Form, Known


class Sharing(BaseModel, strict=True, json_schema_extra=example(shared=True)):
    """Who may see the documents."""

    shared: bool = Field(description="true: everybody with an account; false: only their owner and admins.")


class NewDocuments(BaseModel):
    """Files, in fields named `files`, and a name for the upload."""

    files: list[Any] = Field(
        json_schema_extra={"items": {"type": "string", "contentMediaType": "application/octet-stream"}}
    )
    name: str = ""
    shared: str = Field("", description="1: everybody with an account may see them.")
    language: str = Field("", description="Code of their language, such as de; without it, it is detected.")


class TakenDocuments(Form):
    """The upload is being read."""

    id: str
    against: str = Field(description="The `against` of a check that reads them.")
    url: str


class ReadFile(BaseModel):
    """A file that has been read."""

    file: str
    pages: int
    faults: list[str]
    language: str = Field("", description="Code of its language, given or detected; empty if unclear.")


class DocumentsForm(Form):
    """An upload, and how much of it has been read."""

    id: str
    name: str
    state: Literal["reading", "ready", "failed"]
    files: list[ReadFile]
    total: int
    pages: int
    created: str
    error: Known
    shared: Shared


class Choice(Form):
    """Something to check against."""

    against: str
    name: str


class DocumentsList(Form):
    """Uploads, and everything that `against` can name."""

    documents: list[DocumentsForm]
    choices: list[Choice]
