"""What stands closed until a person asks for it."""

from __future__ import annotations

from typing import Any


def open_options(page: Any) -> None:
    """On Home: the file, what is checked against, and the ways of checking."""
    if not page.locator("#options[open]").count():
        page.locator("#options > summary").click()


def open_signing(page: Any) -> None:
    """On a result: the form that signs a verdict. By keyboard."""
    if not page.locator("details.sign[open]").count():
        page.locator("details.sign > summary").focus()
        page.keyboard.press("Enter")


def open_how(page: Any) -> None:
    """On a result: how it was found."""
    page.locator(".how > details > summary").click()
