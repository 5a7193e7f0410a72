"""Recipe `esoteric` finds the same in both stores, with and without vectors in them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from indexing.vectors import make_vectors
from retrieval.models import catalogue
from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.stages.esoteric.pages import TextMatch
from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.stores.embedded.writer import open_writer
from retrieval.types import Claim, FactCheck, Hit, Page
from tests.elastic.corpora import Cluster
from tests.making import changed

CLAIM = "The director of Casablanca was born in Budapest."
CLAIMS = (CLAIM, "Budapest is a city on the river Danube.", "Casablanca is a film by an American director.")
OTHERS = 20


@pytest.fixture(scope="module")
def pages(sample_store: EmbeddedStore) -> list[Page]:
    """Those that speak of the claim, and a few that do not."""
    everything = [page for batch in sample_store.scan() for _, page in batch]
    close = [page for page in everything if re.search("Casablanca|Budapest|Curtiz", f"{page.title} {page.text}")]
    return close + [page for page in everything if page not in close][:OTHERS]


@pytest.fixture(params=["embedded", "elastic"])
def settings(
    request: pytest.FixtureRequest, pages: list[Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """Over a store of its own that holds the pages."""
    if request.param == "embedded":
        with open_writer(tmp_path / "store", "test") as writer:
            writer.add(pages)
            writer.finish("test")
        return Settings(store=str(tmp_path / "store"), threads=1)
    cluster: Cluster = request.getfixturevalue("cluster")
    place = cluster.place()
    for name, value in cluster.environment(place).items():
        monkeypatch.setenv(name, value)
    cluster.load(place, pages)
    return replace(cluster.settings(), store=place, threads=1)


def checked(resources: Resources) -> FactCheck:
    return resources.pipeline("esoteric").run(Claim("c", CLAIM))


def ranked(resources: Resources, read_all: bool = False) -> list[list[Hit]]:
    """Pages after the question ranking. read_all: where every page that holds a phrase is read first."""
    found = []
    for claim in CLAIMS:
        check = FactCheck(Claim("c", claim))
        for stage in resources.pipeline("esoteric").stages[:5]:
            reading = replace(stage, encoded=None) if read_all and isinstance(stage, TextMatch) else stage
            check = list(reading.run(check))[-1].check
        assert check.found == ()
        found.append(list(check.pages))
    return found


def test_the_recipe_over_each_store(settings: Settings, pages: list[Page]) -> None:
    resources = Resources(settings)
    before = checked(resources)
    texts = {page.id: page.text for page in pages}
    assert {"Casablanca (film)", "Budapest"} <= {hit.page.title for hit in before.pages}
    # Both stores lead to it; whether it is shown first is the networks' choice: `test_the_birthplace_of_a_films_director`.
    assert "Michael Curtiz" in {evidence.sentence.title for evidence in before.sentences[:5]}
    for evidence in before.evidence:
        sentence = evidence.sentence
        assert texts[sentence.page_id][sentence.start : sentence.end] == sentence.text
    assert "0 pages compared in the store" in before.details["question ranking"]

    assert ranked(resources) == ranked(resources, read_all=True)

    make_vectors(settings.store, resources.encoder(), catalogue.find("encoder").id, report=lambda _: None)
    after = checked(resources)
    assert "0 of 0 others encoded" in after.details["question ranking"]
    assert {hit.page.id for hit in after.pages} >= {hit.page.id for hit in before.pages if hit.score > 0.66}
    assert after.verdict is not None
    assert before.verdict is not None
    assert after.verdict.label == before.verdict.label
    few = resources.with_settings(changed(resources.settings, question_pages=2))
    for each in (resources, few):
        assert ranked(each) == ranked(each, read_all=True)
    assert 0 < sum(hit.method == "text" for hit in after.pages) < 20
