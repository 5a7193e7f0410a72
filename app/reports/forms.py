"""The forms of texts, reports and decisions, as sent and answered."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from app.checks.forms import THAT_COUNTS, DecisionForm, ShortVerdict
from retrieval.output.forms import CorpusForm, Label, State

ReportState = Literal["running", "done", "cancelled"]


class NewReportClaim(BaseModel, strict=True):
    """A claim of a report, and its place in the text if known. context: a title, the previous sentence; searched
    too."""

    text: str
    original: str | None = None
    start: int | None = None
    end: int | None = None
    speaker: str | None = None
    context: str | None = None


class NewReport(
    BaseModel, strict=True, json_schema_extra={"examples": [{"claims": [{"text": "One sentence to be checked."}]}]}
):
    """Claims to check together: 1 to 2,000. Without `claims`, those chosen in `text_id`."""

    claims: list[str | NewReportClaim] | None = None
    text_id: str | None = Field(None, description="The text that they were found in.")
    text: str | None = Field(None, description="That text itself, where it was not sent before.")
    title: str | None = None
    recipe: str | None = Field(None, description="How they are checked; the default of the settings if left out.")
    against: str | list[str] | None = Field(None, description="What they are checked against, as for a single check.")
    shared: bool = Field(False, description="Whether all who have an account may see it; without accounts all may.")


class ReportChange(BaseModel, strict=True, json_schema_extra={"examples": [{"title": "The speech of 3 May"}]}):
    """What to change of a report; what is left out stays."""

    title: str | None = None
    shared: bool | None = Field(None, description="Whether all who have an account may see it and its checks.")


class CreatedReport(BaseModel):
    """id, and the address of the page for people."""

    id: str
    url: str


class ReportClaimForm(BaseModel):
    """The current state of a claim of a report."""

    text: str
    original: str
    start: int | None
    end: int | None
    speaker: str
    check_id: str | None
    state: State
    error: str | None
    verdict: ShortVerdict | None
    decision: DecisionForm | None


class ReportForm(BaseModel):
    """The current state of a report."""

    id: str
    title: str
    state: ReportState
    total: int
    done: int
    failed: int
    decided: int = Field(description="Claims that a person has signed.")
    counts: dict[str, int] = Field(description="Label of the machine -> how many claims.")
    tally: dict[str, int] = Field(description="The same by the label that counts: a person's where one has signed.")
    seconds_left: int | None
    source: str | None = Field(description="The address that its text was fetched from, if it was.")
    recipe: str
    against: str
    corpus: CorpusForm | None
    models: dict[str, str] | None
    settings: dict[str, str] | None
    shared: bool = Field(description="Whether all who have an account may see it.")
    program: str | None
    created: str
    finished: str
    url: str
    text: str | None = None
    claims: list[ReportClaimForm] | None = None


class WithClaims(BaseModel):
    """How much of a report."""

    claims: Literal["yes", "no"] = "yes"


class ReportSummary(BaseModel):
    """A report in a list."""

    id: str
    title: str
    state: ReportState
    total: int
    created: str
    url: str


class ReportList(BaseModel):
    """Reports, newest first. next: the address of the older ones; null if there are none."""

    reports: list[ReportSummary]
    next: str | None


class ReportPage(BaseModel):
    """Which part of the list of reports."""

    limit: int = Field(100, ge=1, le=100)
    before: str | None = Field(None, description="The id of the report that the list continues after.")
    words: str = Field("", max_length=500, description="Words that the title or a claim holds.")
    verdict: Label | None = Field(None, description="Reports with a claim of this verdict. " + THAT_COUNTS)
