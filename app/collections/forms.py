"""The forms of collections, as sent and answered."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from app.checks.forms import THAT_COUNTS, DecisionForm, ShortVerdict
from retrieval.output.forms import Label, State

Kind = Literal["check", "report"]


class NewCollection(BaseModel, strict=True, json_schema_extra={"examples": [{"name": "Claims about the budget"}]}):
    """A collection to make. Its owner has none of this name yet."""

    name: str = Field(description="At most 120 characters.")
    shared: bool = Field(False, description="Whether all who have an account may see it; without accounts all may.")


class CollectionChange(BaseModel, strict=True, json_schema_extra={"examples": [{"name": "Claims about the budget"}]}):
    """What is to change; what is left out stays."""

    name: str | None = None
    shared: bool | None = None


class NewItem(BaseModel, strict=True, json_schema_extra={"examples": [{"kind": "check", "id": "ID of a check"}]}):
    """What is to be filed."""

    kind: Kind
    id: str


class CollectionForm(BaseModel):
    """A collection. checks, reports: how many are filed that you may see."""

    id: str
    name: str
    checks: int
    reports: int
    created: str
    shared: bool
    url: str


class CollectionList(BaseModel):
    """By name."""

    collections: list[CollectionForm]


class ItemForm(BaseModel):
    """A check or a report that is filed."""

    kind: Kind
    id: str
    title: str = Field(description="The title of a report, the claim of a check.")
    name: str = Field(description="What people named a check; empty if they did not.")
    state: State
    verdict: ShortVerdict | None = Field(description="The machine's, of a check that has one.")
    decision: DecisionForm | None = Field(description="What a person has signed about a check.")
    total: int | None = Field(description="Claims of a report.")
    created: str
    added: str = Field(description="When it was filed.")
    url: str


class CollectionItems(CollectionForm):
    """A collection with what is filed in it, the latest first."""

    items: list[ItemForm]
    next: str | None = Field(description="The address of what was filed earlier.")


class ItemsAsked(BaseModel):
    """Which of them."""

    q: str = Field("", description="Words in a claim, a name or a title.")
    verdict: Label | None = Field(
        None, description="Checks with this verdict, and reports with such a claim. " + THAT_COUNTS
    )
    limit: int = Field(20, ge=1, le=100)
    before: int | None = Field(None, ge=0, lt=1_000_000_000, description="As in `next`.")
