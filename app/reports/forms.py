"""The forms of texts, reports and decisions, as sent and answered."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.checks.forms import THAT_COUNTS, CorpusForm, DecisionForm, Label, ShortVerdict, State
from app.claim_tables.forms import A_TABLE

TextState = Literal["reading", "ready", "failed"]
ReportState = Literal["running", "done", "cancelled"]


class NewText(BaseModel):
    """A text whose claims are to be found, or the address of a page that holds one, where `WEB` is set."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"text": "An article, a speech, a reply."}]})

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


class NewReportClaim(BaseModel):
    """A claim of a report, and its place in the text if known. context: a title, the previous sentence; searched
    too."""

    model_config = ConfigDict(strict=True)

    text: str
    original: str | None = None
    start: int | None = None
    end: int | None = None
    speaker: str | None = None
    context: str | None = None


class NewReport(BaseModel):
    """Claims to check together: 1 to 2,000. Without `claims`, those chosen in `text_id`."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"claims": [{"text": "One sentence to be checked."}]}]}
    )

    claims: list[str | NewReportClaim] | None = None
    text_id: str | None = Field(None, description="The text that they were found in.")
    text: str | None = Field(None, description="That text itself, where it was not sent before.")
    title: str | None = None
    recipe: str | None = Field(None, description="How they are checked; the default of the settings if left out.")
    against: str | list[str] | None = Field(None, description="What they are checked against, as for a single check.")
    shared: bool = Field(False, description="Whether all who have an account may see it; without accounts all may.")


class ReportChange(BaseModel):
    """What to change of a report; what is left out stays."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"title": "The speech of 3 May"}]})

    title: str | None = None
    shared: bool | None = Field(None, description="Whether all who have an account may see it and its checks.")


class CreatedReport(BaseModel):
    """id, and the address of the page for people."""

    id: str
    url: str


class NewDecision(BaseModel):
    """A person's own verdict, signed with their name."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"examples": [{"label": "REFUTED", "note": "", "author": "Ada Lovelace"}]}
    )

    label: str | None = Field(description="A verdict; empty or null takes back what was decided.")
    author: str
    note: str | None = None
    seen: int | None = Field(None, ge=0, description="How many decisions you have seen: where there are more, 409.")


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
