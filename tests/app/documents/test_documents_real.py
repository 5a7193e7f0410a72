"""Every recipe over uploaded documents, with the real models. A module of its own, as one application runs jobs at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrieval.recipes import RECIPES
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import CorpusInfo
from tests.app.conftest import wait, working_app
from tests.app.documents.test_documents import NOTES, read, send


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


GERMAN = (
    "Die Stadt Brackwasser liegt am Meer. Die Straßenbahn zum Hafen wurde am 3. Mai 1987 eröffnet. Der Bürgermeister, Dr. "
    "Farrant, bezahlte sie aus dem Verkauf des alten Rathauses."
)
SPANISH = (
    "La ciudad de Aguamarga está junto al mar. El tranvía del puerto se inauguró el 3 de mayo de 1987. El alcalde, el Sr. "
    "Ferrán, lo pagó con la venta del antiguo ayuntamiento."
)


def test_uploads_in_another_language_are_searched_in_it_and_get_no_verdict(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    for app in working_app(settings, Corpusless(Resources(settings))):
        client = app.test_client()
        for text, code, claim, told in (
            (GERMAN, "de", "Die Straßenbahnen zu den Häfen wurden im Jahr 1987 eröffnet.", "Language: German."),
            (SPANISH, "es", "Los tranvías de los puertos se inauguraron en 1987.", "Language: Spanish."),
        ):
            found = read(client, ("notes.txt", text.encode()))
            assert [file["language"] for file in found["files"]] == [code]
            shown = " ".join(client.get("/documents").text.split())
            assert told in shown
            assert "were not measured in it, so checks against these documents" in shown
            started = client.post("/api/checks", json={"claim": claim, "against": f"upload:{found['id']}"})
            check = wait(client, started.json["id"], limit=120)
            assert (check["state"], check["verdict"]) == ("done", None)
            assert "1987" in check["evidence"][0]["text"], "an abbreviation ends no sentence in this language"
            assert any("not measured in" in note for note in check["notes"])


def test_what_a_person_says_of_the_language_counts(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    for app in working_app(settings, Corpusless(Resources(settings))):
        client = app.test_client()
        found = read(client, ("notes.txt", NOTES.encode()), language="de")
        assert [file["language"] for file in found["files"]] == ["de"]
        assert read(client, ("notes.txt", NOTES.encode()))["files"][0]["language"] == "en"
        assert "The judging models" not in client.get("/documents").text.split("<article")[1]
        assert '<option value="es">Spanish</option>' in client.get("/documents").text
        refused = send(client, ("notes.txt", b"Text."), language="xx")
        assert (refused.status_code, "not a known language" in refused.json["detail"]) == (422, True)


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
