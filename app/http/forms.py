"""Forms that features share, and those of the server's state."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from retrieval.output.forms import CorpusForm

Shared = Annotated[bool, Field(description="Whether everybody with an account may see it.")]
ToShare = Annotated[
    bool, Field(description="Whether everybody with an account may see it; without accounts, everybody may.")
]


class ProblemForm(BaseModel):
    """A problem as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened and what to do next, in sentences.")
    instance: str
    request: str = Field(description="Id of the request, as in X-Request-ID.")


class Health(BaseModel):
    """The process answers."""

    status: str


class Readiness(BaseModel):
    """Whether claims are accepted and checked. language_model: why it is left out for a minute; empty if it is not."""

    status: str
    corpus: CorpusForm
    language_model: str
