"""What stays in memory is bounded by its bytes, whatever people upload."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.jobs import sources as opening
from app.jobs.sources import Sources, cost, upload_name
from app.tables.database import open_engine
from app.tables.documents import Documents
from app.tables.migrations import prepare_tables
from app.tables.stored_record import LONGEST_PAGE_REMEMBERED, _remembered_digest, digest
from retrieval.settings import Settings
from retrieval.text.words import _remembered_stem, stem
from tests.app.fake import FakeResources
from tests.making import make_page


class Over(FakeResources):
    """Says over what it is put."""

    def over(self, store: object) -> object:  # type: ignore[override]
        return store


def test_uploads_are_kept_open_up_to_their_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data=tmp_path)
    engine = open_engine(settings)
    documents = Documents(engine)
    prepare_tables(engine)
    sources = Sources(settings, Over(), documents)
    small, large = ('{"url": "u", "url2text": ["' + "A line. " * n + '"]}' for n in (50, 2_000))
    names = []
    for content in (large, *[small] * 12, large):
        documents_id = documents.add("a", 1)
        documents.finish(documents_id, 1, content.encode())
        names.append(upload_name(documents_id))
    monkeypatch.setattr(opening, "MOST_OPEN_BYTES", 16_000 * opening.BYTES_A_CHARACTER + 500_000)
    seen = []
    for name in names:
        sources.resources(name)
        seen.append(sum(map(cost, sources._open.values())))
    assert max(seen) <= opening.MOST_OPEN_BYTES
    assert list(sources._open)[-1] == names[-1]
    assert names[0] not in sources._open, "the first was large"
    assert len(sources._open) > 2, "it is bytes that count"
    engine.dispose()


def test_a_large_page_is_not_kept_for_its_digest() -> None:
    page = make_page("Large", "A line of a large page. " * (LONGEST_PAGE_REMEMBERED // 20))
    small = make_page("Small", "A line.")
    before = _remembered_digest.cache_info().currsize
    assert digest(page) == digest(make_page("Large", "A line of a large page. " * (LONGEST_PAGE_REMEMBERED // 20)))
    assert _remembered_digest.cache_info().currsize == before
    assert digest(small) != digest(page)
    assert _remembered_digest.cache_info().currsize == before + 1


def test_words_that_are_none_are_not_kept() -> None:
    before = _remembered_stem.cache_info().currsize
    for number in range(50):
        assert stem(f"{'a' * 10_000}{number}ing") == f"{'a' * 10_000}{number}"
    assert _remembered_stem.cache_info().currsize == before
    assert stem("running") == "run"
