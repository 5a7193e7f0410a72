"""The sample's articles through the real application over the sample's corpus: as a file and as JSON, to a finished report."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.process import ROOT, Server, free_port

TEXTS = ROOT / "data" / "sample" / "texts"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, sample_folder: Path) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("articles")
    shutil.copytree(sample_folder, data / "store")
    port = free_port()
    server = Server("-m", "app", port=port, PORT=str(port), DATA=str(data), STORE="", THREADS="1")
    try:
        server.start("/readyz")
        yield server
    finally:
        server.close()


def test_an_article_sent_as_a_file_comes_back_as_a_report(real: Server) -> None:
    article = TEXTS / "first-steps.md"
    sent = {"file": (article.name, article.read_bytes(), "text/markdown")}
    found = real.client.post("/api/texts", files=sent).json()
    report = finished(real, found)
    said = {claim["speaker"]: claim["text"] for claim in report["claims"]}
    assert said["the museum's guide"] == "Yuri Gagarin became the first human in space on 12 April 1961."
    labels = {claim["text"]: claim["verdict"]["label"] for claim in report["claims"]}
    assert labels["Neil Armstrong was born near Wapakoneta, Ohio."] == "SUPPORTED", labels


def test_an_article_with_errors_sent_as_json_comes_back_as_a_report(real: Server) -> None:
    article = (TEXTS / "four-records.txt").read_text("utf-8")
    found = real.client.post("/api/texts", json={"text": article}).json()
    report = finished(real, found)
    assert all(article[claim["start"] : claim["end"]] == claim["original"] for claim in report["claims"])
    labels = {claim["text"]: claim["verdict"]["label"] for claim in report["claims"]}
    assert labels["Sir Edmund Hillary was a mountaineer from Australia."] == "REFUTED"
    rows = csv.DictReader(io.StringIO(real.client.get(f"/reports/{report['id']}.csv").text.removeprefix("\ufeff")))
    assert [row["claim"] for row in rows] == [claim["text"] for claim in report["claims"]]


def finished(real: Server, found: dict) -> dict:  # type: ignore[type-arg]
    """The report of the claims that are worth checking, at its end."""
    assert found["state"] == "ready"
    made = real.client.post("/api/reports", json={"text_id": found["id"], "recipe": "fast"}).json()
    real.wait_report(made["id"])
    report: dict[str, object] = real.client.get(f"/api/reports/{made['id']}").json()
    assert (report["state"], report["failed"], report["recipe"]) == ("done", 0, "fast")
    assert report["done"] == report["total"] == sum(claim["chosen"] for claim in found["claims"])
    return report
