"""Forms of requests and answers about texts."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from app.checks.forms import DecisionForm, ShortVerdict, example
from app.claim_tables.forms import A_TABLE
from retrieval.output.forms import ClaimForm, Form, Known

TextState = Literal["reading", "ready", "failed"]


class NewText(BaseModel, strict=True, json_schema_extra=example(text="An article, a speech, a reply.")):
    """A text in which to find claims, or the address of a page, if `WEB` is set."""

    text: str | None = Field(None, description="At most 100,000 characters; an address alone is read as `address`.")
    address: str | None = Field(None, description="Of a web page to fetch and read, instead of a text.")
    title: str | None = Field(None, description="If the text does not begin with it.")


class NewTextFile(BaseModel):
    """A file that holds a text (.txt, .md, .html, .pdf or .docx) or a table of claims (.csv, .tsv or .xlsx)."""

    file: Any = Field(description="The file. Its name tells its type.", json_schema_extra=A_TABLE)
    title: str | None = Field(None, description="If the text does not begin with it.")
    column: str | None = Field(
        None, description="Of a table: name or number of the column with the claims; without it, the likeliest."
    )


class EarlierForm(Form):
    """The latest check of a claim that means the same."""

    id: str
    claim: str
    against: str
    finished: str
    similarity: float = Field(description="Cosine of the two claims' vectors.")
    verdict: ShortVerdict
    decision: DecisionForm | None = Field(description="The signed decision about it.")
    url: str


class TextAsked(BaseModel):
    """What to answer beside the claims."""

    against: str = Field("", description="What the checks under `before` must have read, as in a single check.")


class FoundClaimForm(ClaimForm):
    """A sentence of a text, reworded to stand alone. original: the sentence, from `start` to `end` in the text."""

    chosen: bool = Field(description="Whether it is worth checking.")
    before: EarlierForm | None = Field(None, description="The earlier check of a chosen claim, once it is found.")


class TextForm(Form):
    """A text and the claims found in it."""

    id: str
    title: str
    state: TextState
    language: Known = Field(
        description="A code such as `en`; `und` for an unknown language; null if the text is too short to tell, or is being read."
    )
    characters: int
    source: Known = Field(description="The address from which it was fetched.")
    published: Known = Field(description="The date that its page gives.")
    read: int = Field(description="Percent of the text that has been read.")
    notes: list[str] = Field(description="Sentences on what was left out or may be wrong.")
    claims: list[FoundClaimForm]
    error: Known
    url: str
