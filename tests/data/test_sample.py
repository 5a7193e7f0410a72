"""The sample corpus: its format is the dump's, its claims point at sentences that exist, its files are up to date."""

from __future__ import annotations

import importlib.util
import itertools
import json
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
Row = dict[str, Any]


def read_jsonl(name: str) -> list[Row]:
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines()]


def sentences(page: Row) -> list[str]:
    return [line.split("\t")[1] for line in page["lines"].split("\n")]


def link_targets(page: Row) -> list[str]:
    return [target for line in page["lines"].split("\n") for target in line.split("\t")[3::2]]


def cited(claim: Row) -> list[list[tuple[str, int]]]:
    return [[(page, line) for _, _, page, line in group if page is not None] for group in claim["evidence"]]


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """`data/sample/build.py` as a module; it is a script, not a package."""
    spec = importlib.util.spec_from_file_location("sample_build", SAMPLE / "build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages() -> dict[str, Row]:
    return {row["id"]: row for row in read_jsonl("wiki-001.jsonl")[1:]}


@pytest.fixture(scope="module")
def claims() -> list[Row]:
    return read_jsonl("claims.jsonl")


@pytest.fixture(scope="module")
def adversarial() -> list[Row]:
    return read_jsonl("adversarial.jsonl")


def test_files_are_up_to_date_with_their_sources(build: ModuleType) -> None:
    assert build.out_of_date(build.build()) == []


def test_first_row_is_empty_and_every_row_has_the_fields_of_the_dump() -> None:
    rows = read_jsonl("wiki-001.jsonl")
    assert rows[0] == {"id": "", "text": "", "lines": ""}
    assert all(list(row) == ["id", "text", "lines"] for row in rows)
    assert len(rows) > 200


def test_ids_are_unique_decomposed_and_escaped() -> None:
    ids = [row["id"] for row in read_jsonl("wiki-001.jsonl")]
    assert len(ids) == len(set(ids))
    assert all(unicodedata.is_normalized("NFD", page_id) for page_id in ids)
    assert not [page_id for page_id in ids if set(page_id) & set(" ()[]:")]


def test_variety_of_titles(pages: dict[str, Row]) -> None:
    assert sum("-LRB-" in page_id for page_id in pages) >= 25
    assert sum(not page_id.isascii() for page_id in pages) >= 12
    assert any("-COLON-" in page_id for page_id in pages)


def test_lines_are_numbered_and_add_up_to_the_text(pages: dict[str, Row]) -> None:
    for page in pages.values():
        lines = page["lines"].split("\n")
        assert [line.split("\t")[0] for line in lines] == [str(number) for number in range(len(lines))]
        assert lines[-1] == f"{len(lines) - 1}\t"
        assert 2 <= len(lines) - 1 <= 7
        assert page["text"] == "".join(f"{sentence} " for sentence in sentences(page)[:-1])
        assert page["text"].endswith(" . ") or page["text"].endswith(" ! ")


def test_links_are_pairs_and_most_of_their_targets_exist(pages: dict[str, Row]) -> None:
    for page in pages.values():
        for line in page["lines"].split("\n"):
            number, sentence, *links = line.split("\t")
            assert len(links) % 2 == 0
            assert all(words in sentence for words in links[::2]), (page["id"], number)
    targets = [target for page in pages.values() for target in link_targets(page)]
    assert sum(target in pages for target in targets) / len(targets) > 0.6


def test_every_evidence_pointer_names_a_sentence(
    pages: dict[str, Row], claims: list[Row], adversarial: list[Row]
) -> None:
    for claim in claims + adversarial:
        for page_id, line in (pointer for group in cited(claim) for pointer in group):
            assert sentences(pages[page_id])[line], claim["claim"]


def test_claims_are_balanced_unique_and_numbered(claims: list[Row]) -> None:
    labels = Counter(claim["label"] for claim in claims)
    assert set(labels) == {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}
    assert max(labels.values()) - min(labels.values()) <= 2
    assert len(claims) >= 75
    assert len({claim["claim"].casefold() for claim in claims}) == len(claims)
    assert [claim["id"] for claim in claims] == list(range(1, len(claims) + 1))


def test_only_verifiable_claims_have_evidence(claims: list[Row], adversarial: list[Row]) -> None:
    for claim in claims + adversarial:
        verifiable = claim["label"] != "NOT ENOUGH INFO"
        assert claim["verifiable"] == ("VERIFIABLE" if verifiable else "NOT VERIFIABLE")
        assert all(cited(claim)) == verifiable
        assert ("gold_pages" in claim) == verifiable


def test_some_claims_need_two_pages(claims: list[Row]) -> None:
    assert sum(any(len({page for page, _ in group}) == 2 for group in cited(claim)) for claim in claims) >= 12


def test_the_home_page_has_three_examples_a_label(claims: list[Row]) -> None:
    examples = Counter(claim["label"] for claim in claims if claim.get("example"))
    assert examples == {"SUPPORTS": 3, "REFUTES": 3, "NOT ENOUGH INFO": 3}


CLASSES = "negation number date swapped superlative only temporal paraphrase misspelling two-hop look-alike".split()


def test_adversarial_claims_are_many_new_and_numbered(claims: list[Row], adversarial: list[Row]) -> None:
    assert len(adversarial) >= 150
    assert [claim["id"] for claim in adversarial] == list(range(1, len(adversarial) + 1))
    texts = [claim["claim"].casefold() for claim in claims + adversarial]
    assert len(set(texts)) == len(texts), "each is new"
    assert not any("example" in claim for claim in adversarial)


def test_every_class_is_balanced(adversarial: list[Row]) -> None:
    assert list(dict.fromkeys(claim["class"] for claim in adversarial)) == CLASSES
    for kind in CLASSES:
        labels = Counter(claim["label"] for claim in adversarial if claim["class"] == kind)
        assert labels["SUPPORTS"] == labels["REFUTES"] >= 7, kind
        assert labels["NOT ENOUGH INFO"] >= 4, kind


def test_a_supported_claim_is_followed_by_its_refuted_twin(adversarial: list[Row]) -> None:
    """In nearly the same words: what a claim says of itself decides nothing."""
    for claim, twin in itertools.pairwise(adversarial):
        if claim["label"] == "SUPPORTS":
            assert (twin["label"], twin["class"]) == ("REFUTES", claim["class"])
            ours, theirs = ({*row["claim"].casefold().rstrip(".").split()} for row in (claim, twin))
            assert len(ours & theirs) / len(ours | theirs) > 0.4, (claim["claim"], twin["claim"])


def test_claims_that_need_two_sentences_cite_two(adversarial: list[Row]) -> None:
    for claim in adversarial:
        if claim["class"] == "two-hop" and claim["label"] != "NOT ENOUGH INFO":
            assert all(len(group) == 2 for group in cited(claim)), claim["claim"]


@pytest.mark.parametrize(
    ("plain", "tokens"),
    [
        ("Edith (born 1915) sang.", "Edith -LRB- born 1915 -RRB- sang ."),
        ("Fermat's proof, 5,000 metres long.", "Fermat 's proof , 5,000 metres long ."),
        ('She said "no" and didn\'t go.', "She said `` no '' and did n't go ."),
        ("The players' room at 12:30: empty!", "The players ' room at 12:30 : empty !"),
        ("L'Auto in Washington, D.C. was sold.", "L'Auto in Washington , D.C. was sold ."),
        ("Do they cannot?", "Do they can not ?"),
    ],
)
def test_tokens_are_those_of_the_dump(build: ModuleType, plain: str, tokens: str) -> None:
    assert build.tokenise_sentence(plain) == tokens


@pytest.mark.parametrize(
    "block",
    [
        "MAYBE: Gold is soft.\n= Gold | very soft",
        "SUPPORTS: Gold is soft.",
        "NOT ENOUGH INFO: Gold is soft.\n= Gold | very soft",
        "SUPPORTS: Gold is soft.\n= Silver | very soft",
        "SUPPORTS: Gold is soft.\n= Gold | words that no sentence has",
        "SUPPORTS: Gold is soft.\n= Gold | i",
        "SUPPORTS: Gold is soft.\n= Gold",
    ],
)
def test_a_claim_that_cannot_be_built_is_refused(build: ModuleType, block: str) -> None:
    pages = {"Gold": build.Page("Gold", ("Gold is an element.", "It is very soft."))}
    with pytest.raises(build.SampleError):
        build.claim_row(1, block, pages)
