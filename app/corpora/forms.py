"""The forms of corpora and loads, as sent and answered."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

Source = Literal["simplewiki", "enwiki", "fever", "other"]
LoadState = Literal["waiting", "running", "pausing", "paused", "cancelling", "cancelled", "failed", "done"]


class CorpusEntry(BaseModel):
    """A corpus. key: its name in addresses."""

    key: str
    name: str
    against: str | None = Field(description="As a check names it; null where it is read only as the default.")
    default: bool = Field(description="Whether a check reads it that names nothing.")
    pages: int | None
    language: str | None = Field(description="BCP 47; null where it declares none.")
    built: str | None
    bytes: int | None = Field(description="On disk; null where it is on a server.")
    fingerprint: str | None
    problem: str | None = Field(description="Why it cannot be read.")


class LoadProgress(BaseModel):
    """How far the present step of a load is. done, total, rate (a second): bytes, or pages where `step` is load."""

    step: Literal["fetch", "read", "load"] | None
    done: int | None
    total: int | None
    pages: int
    rate: float | None
    seconds_left: float | None


class LoadForm(BaseModel):
    """A load."""

    id: str
    name: str
    source: Source
    default: bool = Field(description="Whether checks read it by default once it is complete.")
    state: LoadState
    progress: LoadProgress
    error: str | None = Field(description="Why it failed, or what was left out.")
    created: str
    changed: str


class CorpusList(BaseModel):
    """The default first, then by name; and the loads that have not ended."""

    corpora: list[CorpusEntry]
    loads: list[LoadForm]


class CorpusChange(
    BaseModel, strict=True, json_schema_extra={"examples": [{"name": "Wikipedia of May", "default": True}]}
):
    """What is to change; what is left out stays."""

    name: str | None = Field(None, description="At most 80 characters.")
    default: Literal[True] | None = None


class WantedDump(BaseModel, strict=True, json_schema_extra={"examples": [{"source": "simplewiki"}]}):
    """A dump. place, wiki: of the source other; a folder of the server or an address, and whose dump it is."""

    source: Source
    place: str = ""
    wiki: str = "enwiki"


class NewLoad(WantedDump):
    """A load to begin."""

    name: str = Field("", description="Of the corpus, at most 80 characters; empty: that of the source.")
    default: bool = Field(False, description="Read it by default once it is complete; not where STORE is set.")


class LoadPlan(BaseModel):
    """What a load would take. disk: bytes needed while it loads; free: what the disk has. seconds: about, at 80 Mbit/s."""

    name: str
    day: str
    files: int
    bytes: int
    fetched: int
    disk: int
    free: int
    seconds: int
