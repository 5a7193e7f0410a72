"""A title is not evidence: one that states the claim is not read, and a name always is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.output.record import dump_check, load_check
from retrieval.resources import Resources
from retrieval.stages.sentences import SentenceScores, score_sentences
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.text.sentences import as_read
from retrieval.text.witnesses import stating_titles, titles_note
from retrieval.types import Claim, Evidence, FactCheck, Hit, Label, Page, Progress, Stance
from tests.making import make_page

CLAIM = "Tbilisi is the capital of Armenia."
NAMED = make_page("Tbilisi", "Tbilisi is the capital of Georgia.", "It lies on the Kura.")
STATING = make_page("Tbilisi is the capital of Armenia", "Rain is expected from the west in the afternoon.")


class Believer:
    """Takes every text for support that has "capital of Armenia" in it; keeps what it is asked."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(self, claim: str, sentences: Sequence[str]) -> Iterator[tuple[list[int], list[float], list[Stance]]]:
        self.read += sentences
        for index, text in enumerate(sentences):
            believed = "capital of Armenia" in text
            yield [index], [float(believed)], [Stance(1.0, 0.0, 0.0) if believed else Stance(0.0, 0.0, 1.0)]

    def judge_together(self, claim: str, sentences: Sequence[str]) -> Stance:
        self.read += sentences
        return Stance(0.0, 0.0, 1.0)


def scored(*pages: Page) -> list[Evidence]:
    sentences = [sentence for page in pages for sentence in page.sentences()]
    return [evidence for batch in score_sentences(Believer(), CLAIM, sentences, "claim") for evidence in batch]


def test_a_title_that_states_the_claim_is_not_read_and_a_name_is() -> None:
    found = scored(NAMED, STATING)
    assert [evidence.title_read for evidence in found] == [True, True, False]
    assert [as_read(evidence) for evidence in found][1:] == [
        "Tbilisi : It lies on the Kura.",
        " : Rain is expected from the west in the afternoon.",
    ]
    assert found[-1].relevance == 0.0
    assert found[-1].sentence.title == STATING.title, "people still see it"


def test_names_cost_no_reading() -> None:
    scorer = Believer()
    pages = [NAMED, make_page("Armenia", "A country."), make_page("Capital (novel)", "A novel.")]
    assert not stating_titles(scorer, CLAIM, [sentence for page in pages for sentence in page.sentences()])
    assert scorer.read == []
    assert not stating_titles(scorer, "Michael Jordan was born.", make_page("Michael Jordan", "He.").sentences())
    assert scorer.read == [], "what stands in the claim as it is is a name in it"


def test_people_are_told() -> None:
    check = FactCheck(Claim("c", CLAIM), pages=(Hit(STATING, 1.0, "text"), Hit(NAMED, 0.9, "text")))
    last: Progress = list(SentenceScores(Believer(), 10).run(check))[-1]
    assert last.check.notes == (titles_note(last.check.sentences),)
    assert "“Tbilisi is the capital of Armenia” were read without it" in last.check.notes[0]
    assert titles_note(scored(NAMED)) == ""
    assert load_check(dump_check(last.check)) == last.check


def test_a_check_of_an_earlier_version_has_read_its_titles() -> None:
    stored = dump_check(FactCheck(Claim("c", CLAIM), sentences=tuple(scored(NAMED))))
    for row in stored["sentences"]:
        del row["title_read"]
    assert all(evidence.title_read for evidence in load_check(stored).sentences)


def test_the_real_network_is_not_led_by_a_title(resources: Resources) -> None:
    """Each of these made the claim SUPPORTED or CONFLICTING before titles were judged by themselves."""
    body = ("The morning began with fog over the harbour.", "Rain is expected from the west.")
    for title in (
        "Tbilisi is the capital of Armenia",
        "TBILISI IS THE CAPITAL OF ARMENIA!",
        "Why Tbilisi is the capital of Armenia",
    ):
        store = KnowledgeStore([NAMED, make_page(title, *body, id="planted")])
        verdict = resources.over(store).pipeline("fast").run(Claim("c", CLAIM)).verdict
        assert verdict is not None
        assert verdict.label not in (Label.SUPPORTED, Label.CONFLICTING), title
    alone = resources.over(KnowledgeStore([replace(STATING, id="planted")])).pipeline("fast").run(Claim("c", CLAIM))
    assert alone.verdict is not None
    assert alone.verdict.label is Label.NOT_ENOUGH_EVIDENCE
