"""Every recipe over uploaded documents, with the real models. A module of its own, as one application runs jobs at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrieval.recipes import RECIPES
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import CorpusInfo
from tests.app.conftest import wait, working_app
from tests.app.sources.test_documents import NOTES, read


def test_real_models_over_uploaded_documents(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    resources = Resources(settings)
    for app in working_app(settings, Corpusless(resources)):
        client = app.test_client()
        found = read(client, ("notes.txt", NOTES.encode()))
        for recipe in RECIPES:
            body = {"claim": "The tram line to the harbour was opened in 1987.", "recipe": recipe}
            started = client.post("/api/checks", json={**body, "against": f"upload:{found['id']}"})
            assert started.status_code == 202, started.text
            check = wait(client, started.json["id"], limit=120)
            assert check["state"] == "done", check["error"]
            assert any("1987" in evidence["text"] for evidence in check["evidence"]), recipe
            assert client.get(started.json["url"]).status_code == 200


class Corpusless:
    """Real resources; the corpus of the settings is not there, and none is waited for."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources

    def __getattr__(self, name: str) -> Any:
        return getattr(self.resources, name)

    def corpus(self) -> CorpusInfo:
        return CorpusInfo(0, "0" * 16, "2026-11-21T10:00:00Z", 1)

    def warm_up(self) -> None:
        pass
