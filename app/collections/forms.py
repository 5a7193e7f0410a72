"""Forms of requests and answers about collections."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from app.checks.forms import THAT_COUNTS, DecisionForm, MachineVerdict, ToShare, Words, example
from retrieval.output.forms import Form, Label, State

Kind = Literal["check", "report"]


class NewCollection(BaseModel, strict=True, json_schema_extra=example(name="Claims about the budget")):
    """A collection to make. Names are unique among your collections."""

    name: str = Field(description="At most 120 characters.")
    shared: ToShare = False


class CollectionChange(BaseModel, strict=True, json_schema_extra=example(name="Claims about the budget")):
    """What to change; fields left out stay as they are."""

    name: str | None = None
    shared: bool | None = None


class NewItem(BaseModel, strict=True, json_schema_extra=example(kind="check", id="ID of a check")):
    """A check or report to file."""

    kind: Kind
    id: str


class CollectionForm(Form):
    """A collection. checks, reports: number of filed ones that you may see."""

    id: str
    name: str
    checks: int
    reports: int
    created: str
    shared: bool
    url: str


class CollectionList(Form):
    """By name."""

    collections: list[CollectionForm]


class ItemForm(Form):
    """A filed check or report."""

    kind: Kind
    id: str
    title: str = Field(description="The title of a report, the claim of a check.")
    state: State
    total: int | None = Field(description="Number of claims in a report.")
    created: str
    added: str = Field(description="When it was filed.")
    name: Words = Field(description="The name that people gave a check, if any.")
    verdict: MachineVerdict = Field(description="The machine's verdict about a check.")
    decision: DecisionForm | None = Field(description="The signed decision about a check.")
    url: str


class CollectionItems(CollectionForm):
    """A collection with its items, the latest first."""

    items: list[ItemForm]
    next: str | None = Field(description="Address of the items filed earlier.")


class ItemsAsked(BaseModel):
    """Which items to list."""

    q: str = Field("", description="Words in a claim, a name or a title.")
    verdict: Label | None = Field(
        None, description="Checks with this verdict, and reports with such a claim. " + THAT_COUNTS
    )
    limit: int = Field(20, ge=1, le=100)
    before: int | None = Field(None, ge=0, lt=1_000_000_000, description="As in `next`.")
