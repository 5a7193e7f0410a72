"""Forms of requests and answers about reports."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from app.checks.forms import THAT_COUNTS, DecisionForm, MachineVerdict, Shared, ToShare, example
from retrieval.output.forms import Form, Known, Label, State

ReportState = Literal["running", "done", "cancelled"]


class NewReportClaim(BaseModel, strict=True):
    """A claim, and its offsets in the text if known. context: its title and the sentence before, which are searched too."""

    text: str
    original: str | None = None
    start: int | None = None
    end: int | None = None
    speaker: str | None = None
    context: str | None = None


class NewReport(BaseModel, strict=True, json_schema_extra=example(claims=[{"text": "One sentence to be checked."}])):
    """Claims to check together: 1 to 2,000. Without `claims`, those chosen in `text_id`."""

    claims: list[str | NewReportClaim] | None = None
    text_id: str | None = Field(None, description="Id of the text in which they were found.")
    text: str | None = Field(None, description="The text itself, if it was not sent before.")
    title: str | None = None
    recipe: str | None = Field(None, description="How to check them; without it, the default of the settings.")
    against: str | list[str] | None = Field(None, description="What to check them against, as in a single check.")
    shared: ToShare = False


class ReportChange(BaseModel, strict=True, json_schema_extra=example(title="The speech of 3 May")):
    """What to change; fields left out stay as they are."""

    title: str | None = None
    shared: bool | None = Field(None, description="Whether everybody with an account may see it and its checks.")


class CreatedReport(Form):
    """The id, and the address of the page."""

    id: str
    url: str


class ReportClaimForm(Form):
    """A claim of a report in its current state."""

    text: str
    original: str
    start: int | None
    end: int | None
    speaker: str
    check_id: str | None
    state: State
    error: Known
    verdict: MachineVerdict
    decision: DecisionForm | None


class ReportCorpus(BaseModel):
    """The corpus at the start."""

    name: str = ""
    fingerprint: str
    pages: int


class ReportForm(Form):
    """A report in its current state."""

    id: str
    title: str
    state: ReportState
    total: int
    done: int
    failed: int
    decided: int = Field(description="Claims that a person has signed.")
    counts: dict[str, int] = Field(description="Label of the machine -> number of claims.")
    tally: dict[str, int] = Field(
        description="Label that counts -> number of claims: a person's label if one has signed."
    )
    seconds_left: int | None
    source: str | None = Field(description="The address from which its text was fetched.")
    recipe: str
    against: str
    corpus: ReportCorpus | None
    models: dict[str, str] | None
    settings: dict[str, str] | None
    program: str | None
    shared: Shared
    created: str
    finished: str
    url: str
    text: str | None = None
    claims: list[ReportClaimForm] | None = None


class WithClaims(BaseModel):
    """Which parts of a report to answer."""

    claims: Literal["yes", "no"] = "yes"


class ReportSummary(Form):
    """A report in a list."""

    id: str
    title: str
    state: ReportState
    total: int
    created: str
    url: str


class ReportList(Form):
    """Reports, newest first. next: address of the older ones; null if there are none."""

    reports: list[ReportSummary]
    next: str | None


class ReportPage(BaseModel):
    """Which reports to list."""

    limit: int = Field(100, ge=1, le=100)
    before: str | None = Field(None, description="Id of the report after which the list continues.")
    words: str = Field("", max_length=500, description="Words in the title or in a claim.")
    verdict: Label | None = Field(None, description="Reports with a claim of this verdict. " + THAT_COUNTS)
