"""What undoing a deletion answers."""

from __future__ import annotations

from pydantic import BaseModel


class BroughtBack(BaseModel):
    """url: of the page of what was brought back."""

    url: str
