"""A person uploads documents, checks a claim against them, and deletes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.app.process import Server
from tests.browser.axe import axe_faults
from tests.browser.opening import open_how, open_options

CLAIM = "The tram line to the harbour of Brackwater was opened in 1987."
TRAM = "# The harbour tram\n\nThe tram line to the harbour of Brackwater was opened in 1987. It has twelve stops.\n"
Open = Callable[..., Any]


def upload(page: Any, *files: Path) -> None:
    page.set_input_files("#files", [str(file) for file in files])
    page.click("button.primary")


def test_upload_check_delete(server: Server, open_page: Open, tmp_path: Path) -> None:
    tram, odd = tmp_path / "tram.md", tmp_path / "<img src=x onerror=alert(1)>.txt"
    tram.write_text(TRAM, "utf-8")
    odd.write_bytes(bytes(range(256)) * 20)
    page = open_page(f"{server.address}/documents")
    page.set_default_timeout(90_000)
    upload(page, tram, odd)
    page.wait_for_selector("article.documents.ready")
    assert "1 page from 2 files" in page.inner_text("article.documents")
    assert "<img src=x onerror=alert(1)>.txt: " in page.inner_text(".faults")
    page.click("a.go")
    assert page.input_value("#against").startswith("upload:")
    open_options(page)
    page.locator(".ways summary").first.click()
    page.check("#recipe-rag_fusion")
    page.fill("#claim", CLAIM)
    page.click("button.primary")
    page.wait_for_selector("body.result")
    result = page.url
    assert "opened in 1987" in page.inner_text("section[aria-labelledby=evidence]")
    assert page.locator(".asked .question").count() >= 1
    open_how(page)
    assert "tram.md and 1 more" in page.inner_text(".how")
    page.goto(f"{server.address}/documents")
    page.locator("article.documents summary", has_text="Delete").click()
    assert "the 1 check that reads them" in page.inner_text("article.documents .confirm")
    assert axe_faults(page) == []
    page.get_by_role("button", name="Yes, delete all of it").click()
    page.wait_for_selector("text=No uploads yet.")
    page.goto(result)
    assert page.inner_text("h1") == "Nothing is here"


def test_what_would_be_refused_is_said_before_it_is_sent(server: Server, open_page: Open, tmp_path: Path) -> None:
    wrong, large = tmp_path / "program.exe", tmp_path / "large.txt"
    wrong.write_bytes(b"MZ")
    large.write_bytes(b"x" * 21_000_000)
    page = open_page(f"{server.address}/documents")
    upload(page, wrong)
    assert "not one of the types" in page.inner_text("#upload-problem")
    upload(page, large)
    assert "This file has 21.0 MB; the limit is 20 MB. Split it." in page.inner_text("#upload-problem")
    assert page.locator("article.documents").count() == 0


def test_without_scripts(server: Server, open_page: Open, tmp_path: Path) -> None:
    file = tmp_path / "empty.txt"
    file.write_text(" ", "utf-8")
    page = open_page(f"{server.address}/documents", java_script_enabled=False)
    page.set_default_timeout(90_000)
    upload(page, file)
    page.wait_for_selector("article.documents.failed")
    assert "empty.txt: it is empty" in page.inner_text(".faults")
    page.locator("article.documents summary", has_text="Delete").click()
    page.get_by_role("button", name="Yes, delete them").click()
    page.wait_for_selector("text=No uploads yet.")


def test_it_fits_a_small_screen(server: Server, open_page: Open) -> None:
    for place in ("/", "/documents"):
        page = open_page(f"{server.address}{place}", viewport={"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
