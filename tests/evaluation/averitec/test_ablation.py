"""The table of what variants of `rag_fusion` and `contextual` are worth, on two claims and on made figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.averitec.ablation import VARIANTS, measure_variants, variants_block, variants_table
from evaluation.report.blocks import write_block
from retrieval.errors import SettingError
from retrieval.settings import Settings

TEXTS = (
    "The Anchor Bridge was opened to traffic in March 1931. It crosses the river Lowe at the old harbour of Tamsin. "
    "Its towers are forty metres high and were built of granite.",
    "Granite is quarried in the hills north of Tamsin. Most of it is sold abroad for the building of roads.",
)


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of two claims, their documents beside it."""
    folder = tmp_path_factory.mktemp("averitec")
    rows = []
    for number, (claim, label) in enumerate(
        (("The bridge opened in 1931.", "Supported"), ("It is of steel.", "Refuted"))
    ):
        asked = {
            "question": "When was it opened?",
            "answers": [{"answer": "In March 1931.", "answer_type": "Extractive"}],
        }
        rows.append({"claim": claim, "label": label, "questions": [asked]})
        lines = [{"url": f"https://example.org/{n}", "url2text": text.split(". ")} for n, text in enumerate(TEXTS)]
        (folder / f"{number}.json").write_text("\n".join(map(json.dumps, lines)))
    (folder / "claims.json").write_text(json.dumps(rows))
    return folder / "claims.json"


def test_every_variant_answers_the_same_claims(claims: Path, tmp_path: Path) -> None:
    card = measure_variants(claims, tmp_path / "out", Settings(data=tmp_path), claims.parent)
    assert [row["variant"] for row in card["variants"]] == [v.name for v in VARIANTS if not v.asks and not v.seeks]
    assert card["data"]["claims"] == 2
    for row in card["variants"]:
        assert set(row["figures"]) >= {"label_accuracy", "averitec@0.25", "q_meteor", "a_meteor", "qa_meteor"}
        if row["variant"].startswith("as it is"):
            assert all(figure["difference"] == 0 for figure in row["figures"].values())
    by_claim = next(row for row in card["variants"] if row["variant"] == "searched with the claim")
    assert by_claim["figures"]["q_meteor"]["difference"] != 0, "the claim is the question"
    assert json.loads((tmp_path / "out" / "ablation.json").read_text())["variants"] == card["variants"]
    page = tmp_path / "page.md"
    page.write_text("<!-- averitec-ablation: begin -->\nold\n<!-- averitec-ablation: end -->\nAfter.\n")
    write_block(page, variants_block(card), variants_table(card))
    assert "| `contextual` | reranking alone |" in page.read_text()
    assert "no language model" in page.read_text()
    with pytest.raises(SettingError, match="no place"):
        write_block(page, variants_block({**card, "models": {"llm": "m"}}), "")


def test_with_a_language_model_the_table_names_it_and_what_it_cost() -> None:
    figure = {"this": 0.5, "other": 0.4, "difference": 0.1, "low": 0.02, "high": 0.2, "p": 0.01}
    rows = [
        {
            "variant": name,
            "recipe": "rag_fusion",
            "figures": {"label_accuracy": figure},
            "tokens": 641,
        }
        for name in ("as it is", "asked first whether the evidence suffices")
    ]
    data = {"path": "dev.json", "sha256": "0" * 64, "claims": 5}
    table = variants_table({"data": data, "models": {"llm": "m", "encoder": "e"}, "machine": "here", "variants": rows})
    assert "| `rag_fusion` | as it is | **0.500** | 641 |" in table
    assert "| asked first whether the evidence suffices | 0.500 (+0.100*) | 641 |" in table
    assert "5 claims, language model m; `e`; here." in table
