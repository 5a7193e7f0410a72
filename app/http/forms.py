"""The forms of what every address answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from retrieval.output.forms import CorpusForm


class ProblemForm(BaseModel):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened and what to do next, in sentences.")
    instance: str
    request: str = Field(description="The number of the request, as in X-Request-ID.")


class Health(BaseModel):
    """The process answers."""

    status: str


class Readiness(BaseModel):
    """Whether a claim would be accepted and run. language_model: why it is left out for a minute; empty where it is not."""

    status: str
    corpus: CorpusForm
    language_model: str
