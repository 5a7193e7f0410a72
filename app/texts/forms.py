"""The forms of texts, as sent and answered."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from app.checks.forms import DecisionForm, ShortVerdict
from app.claim_tables.forms import A_TABLE

TextState = Literal["reading", "ready", "failed"]


class NewText(BaseModel, strict=True, json_schema_extra={"examples": [{"text": "An article, a speech, a reply."}]}):
    """A text whose claims are to be found, or the address of a page that holds one, where `WEB` is set."""

    text: str | None = Field(None, description="At most 100,000 characters; an address alone is read as `address`.")
    address: str | None = Field(None, description="Of a page of the web, in place of the text: it is fetched and read.")
    title: str | None = Field(None, description="Where the text does not begin with it.")


class NewTextFile(BaseModel):
    """A file that holds a text (.txt, .md, .html, .pdf or .docx) or a table of claims (.csv, .tsv or .xlsx)."""

    file: Any = Field(description="The file. Its name tells its type.", json_schema_extra=A_TABLE)
    title: str | None = Field(None, description="Where the text does not begin with it.")
    column: str | None = Field(
        None, description="Of a table: name or number of the column of claims; the likeliest if left out."
    )


class EarlierForm(BaseModel):
    """The latest check of a claim that means the same."""

    id: str
    claim: str
    against: str
    verdict: ShortVerdict
    decision: DecisionForm | None = Field(description="What a person has signed about it.")
    finished: str
    similarity: float = Field(description="Cosine of the two claims' vectors.")
    url: str


class TextAsked(BaseModel):
    """How a text is shown."""

    against: str = Field("", description="What the checks under `before` have read; as for a single check.")


class FoundClaimForm(BaseModel):
    """A sentence of a text, reworded to stand alone, and its original from `start` to `end`."""

    text: str
    original: str
    start: int
    end: int
    score: float = Field(description="How worth checking it is, 0 to 1.")
    kind: str
    speaker: str
    context: str
    chosen: bool = Field(description="Whether it is worth checking.")
    before: EarlierForm | None = Field(
        None, description="Of a chosen claim: where it was checked before, as soon as that is known."
    )


class TextForm(BaseModel):
    """What was found in a text."""

    id: str
    title: str
    state: TextState
    language: str | None = Field(
        description="A code such as `en`; `und` is one that is not known; null where the text does not tell, or is being read."
    )
    characters: int
    source: str | None = Field(description="The address that it was fetched from, if it was.")
    published: str | None = Field(description="The day that its page gives.")
    read: int = Field(description="Percent of the text.")
    notes: list[str] = Field(description="What of it was left out or may be wrong, in sentences.")
    claims: list[FoundClaimForm]
    error: str | None
    url: str
