"""Forms of requests and answers about corpora and loads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from app.checks.forms import example
from retrieval.output.forms import Form, Known, OrNull

Source = Literal["simplewiki", "enwiki", "fever", "other"]
LoadState = Literal["waiting", "running", "pausing", "paused", "cancelling", "cancelled", "failed", "done"]


class CorpusEntry(Form):
    """A corpus. key: its name in addresses."""

    key: str
    name: str
    against: str | None = Field(description="How a check names it; null if it is read only as the default.")
    default: bool = Field(description="Whether checks that name nothing read it.")
    pages: int | None
    language: Known = Field(description="BCP 47; null if it declares none.")
    built: str | None
    bytes: Annotated[int | None, OrNull] = Field(description="On disk; null if it is on a server.")
    fingerprint: str | None
    problem: Known = Field(description="Why it cannot be read.")


class LoadProgress(BaseModel):
    """Progress of a load's current step. done, total, rate (a second): in pages if `step` is load, else in bytes."""

    step: Literal["fetch", "read", "load"] | None
    done: int | None
    total: int | None
    rate: float | None
    pages: int
    seconds_left: float | None


class LoadForm(Form):
    """A load."""

    id: str
    name: str
    source: Source
    state: LoadState
    created: str
    changed: str
    default: bool = Field(description="Whether it becomes the default once it is complete.")
    progress: LoadProgress
    error: Known = Field(description="Why it failed, or what was left out.")


class CorpusList(Form):
    """Corpora, the default first, then by name; and the unfinished loads."""

    corpora: list[CorpusEntry]
    loads: list[LoadForm]


class CorpusChange(BaseModel, strict=True, json_schema_extra=example(name="Wikipedia of May", default=True)):
    """What to change; fields left out stay as they are."""

    name: str | None = Field(None, description="At most 80 characters.")
    default: Literal[True] | None = None


class WantedDump(BaseModel, strict=True, json_schema_extra=example(source="simplewiki")):
    """A dump. For the source `other`, place is a folder on the server or an address, wiki the wiki that it is of."""

    source: Source
    place: str = ""
    wiki: str = "enwiki"


class NewLoad(WantedDump):
    """A load to start."""

    name: str = Field("", description="Name of the corpus, at most 80 characters; without it, that of the source.")
    default: bool = Field(False, description="Make it the default once it is complete; has no effect if STORE is set.")


class LoadPlan(Form):
    """What a load would take. disk: bytes needed while it loads. free: bytes free on the disk. seconds: about, at 80 Mbit/s."""

    name: str
    day: str
    files: int
    bytes: int
    fetched: int
    disk: int
    free: int
    seconds: int
