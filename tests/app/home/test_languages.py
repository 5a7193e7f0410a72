"""What the home page says of a corpus in a language that nobody was measured in."""

from __future__ import annotations

from pathlib import Path

from app import create_app
from indexing.load import load_documents
from retrieval.resources import Resources
from retrieval.settings import Settings


def test_the_home_page_says_that_it_only_retrieves(tmp_path: Path) -> None:
    text = tmp_path / "hafen.txt"
    text.write_text("Die Straßenbahn zum Hafen wurde 1987 eröffnet.", "utf-8")
    for language, told in (("de", True), ("en", False), ("", False)):
        data = tmp_path / f"data-{language}"
        load_documents([text], str(data / "store"), language=language, report=lambda _: None)
        settings = Settings(data=data)
        app = create_app(settings, Resources(settings))
        shown = app.test_client().get("/").text
        assert ("The corpus is in German" in shown) is told
        assert ("1 page, " in shown) is bool(language)
        app.extensions["esoteric"].checks.engine.dispose()
