"""The form of the answer to undoing a deletion."""

from __future__ import annotations

from pydantic import BaseModel


class BroughtBack(BaseModel):
    """url: the page of the restored check, report or collection."""

    url: str
