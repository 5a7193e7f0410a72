"""The forms of documents, as sent and answered."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class Sharing(BaseModel, strict=True, json_schema_extra={"examples": [{"shared": True}]}):
    """Who may see it."""

    shared: bool = Field(description="true: all who have an account; false: its owner and admins alone.")


class NewDocuments(BaseModel):
    """Files in fields named `files`, and a name for them."""

    files: list[Any] = Field(
        json_schema_extra={"items": {"type": "string", "contentMediaType": "application/octet-stream"}}
    )
    name: str = ""
    shared: str = Field("", description="1 where all who have an account may see them.")
    language: str = Field("", description="Code of what they are written in, such as de. Without it, it is detected.")


class TakenDocuments(BaseModel):
    """The upload is being read."""

    id: str
    against: str = Field(description="What a check that is to read them names as its `against`.")
    url: str


class ReadFile(BaseModel):
    """What was read from a file."""

    file: str
    pages: int
    faults: list[str]
    language: str = Field("", description="Code of what it is written in, as given or detected; empty where unclear.")


class DocumentsForm(BaseModel):
    """An upload, and its reading progress."""

    id: str
    name: str
    state: Literal["reading", "ready", "failed"]
    files: list[ReadFile]
    total: int
    pages: int
    created: str
    error: str | None
    shared: bool = Field(description="Whether all who have an account may see it.")


class Choice(BaseModel):
    """Something to check against."""

    against: str
    name: str


class DocumentsList(BaseModel):
    """Everything that `against` can name."""

    documents: list[DocumentsForm]
    choices: list[Choice]
