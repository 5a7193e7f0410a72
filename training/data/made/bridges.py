"""Claims that need two pages, made by rule: a sentence names another page's subject, and that page has the fact.

"The director of Seven Samurai was born in Tokyo." needs "Seven Samurai is a film directed by Akira Kurosawa" and
"He was born in Tokyo". The second sentence alone, or with another film, decides nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.fever.data import GoldClaim, pointer_to
from retrieval.protocols import PageStore, SpanExtractor
from retrieval.stages.bridges import bridge_to
from retrieval.text.sentences import read_together, with_title
from retrieval.types import Page, Sentence
from training.data.made.twins import AUXILIARY, PAST, PRONOUN, Named, change_fact
from training.data.pairs import LABEL_STANCES, NEUTRAL, REFUTES, SUPPORTS, UNKNOWN, Pair

# Participle of an action -> the role of the person who did it.
ROLES = {
    "directed": "director",
    "written": "author",
    "composed": "composer",
    "produced": "producer",
    "created": "creator",
    "founded": "founder",
    "designed": "designer",
    "painted": "painter",
    "discovered": "discoverer",
    "invented": "inventor",
    "recorded": "performer",
    "developed": "developer",
    "portrayed": "actor",
    "played": "actor",
    "published": "publisher",
    "built": "builder",
}
_NAME = r"[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|de|van|von|del|da|of))*"
_BY = re.compile(rf"\b({'|'.join(ROLES)})(?:,? and \w+)? by (?:(?:the |an? )?(?:[a-z][\w-]* ){{0,3}})({_NAME})")
_VERB = re.compile(rf" (?:{AUXILIARY}|{PAST})\b")
SHORTEST_REST, LONGEST_REST = 3, 22  # words


@dataclass(frozen=True)
class Bridge:
    """A sentence that names another page's subject, that subject's role for the sentence's page, and the other page."""

    sentence: Sentence
    role: str
    page: Page


def find_bridges(pages: Iterable[Page], store: PageStore) -> Iterator[Bridge]:
    """From the first sentences of each page to pages whose title they name in a known role."""
    for page in pages:
        for sentence in page.sentences()[:2]:
            match = _BY.search(sentence.text)
            if match is None:
                continue
            name = match[2].rstrip(".,")
            found = [other for other, whole in store.find_titles([name], 3) if whole and other.title == name]
            if found and found[0].id != page.id:
                yield Bridge(sentence, ROLES[match[1]], found[0])


def statement_about(bridge: Bridge, rng: random.Random) -> tuple[Sentence, str] | None:
    """(a sentence about the other page's subject, its words from the verb on); None if there is no such sentence."""
    title = bridge.page.title
    found: list[tuple[Sentence, str]] = []
    for sentence in bridge.page.sentences()[:6]:
        text = re.sub(r"\s*\([^)]*\)", "", sentence.text)
        subject = PRONOUN.match(text)
        rest = text[subject.end() :] if subject else text.removeprefix(title) if text.startswith(title) else ""
        rest = re.split(r"[,;]", rest)[0].rstrip(" .")
        if _VERB.match(rest) and SHORTEST_REST <= len(rest.split()) <= LONGEST_REST:
            found.append((sentence, rest))
    return rng.choice(found) if found else None


def bridge_pairs(
    bridges: Sequence[Bridge], extractor: SpanExtractor, names: Mapping[str, list[str]], rng: random.Random
) -> Iterator[Pair]:
    """Up to five pairs for every bridge: both sentences, both with a fact changed, the second alone, another bridge.

    names: names from other sentences, by type, to change facts with.
    """
    for bridge in bridges:
        statement = statement_about(bridge, rng)
        if statement is None:
            continue
        sentence, rest = statement
        subject = f"The {bridge.role} of {bridge.sentence.title.split(' (')[0]}"
        claim, both = f"{subject}{rest}.", _together(sentence, bridge.sentence)
        yield Pair(claim, both, 1, SUPPORTS)
        yield Pair(claim, with_title(sentence), UNKNOWN, NEUTRAL)
        alone = replace(sentence, start=0, end=len(rest), text=rest)
        changed = change_fact(Named(alone, tuple(extractor.extract(rest))), dict(names), rng)
        if changed:
            yield Pair(f"{subject}{changed}.", both, 1, REFUTES)
        other = rng.choice(bridges)
        if len({bridge.page.id, other.page.id, bridge.sentence.page_id, other.sentence.page_id}) == 4:
            yield Pair(
                rng.choice([claim, f"{subject}{changed or rest}."]),
                _together(sentence, other.sentence),
                UNKNOWN,
                NEUTRAL,
            )


def gold_bridges(claims: Iterable[GoldClaim], store: PageStore, rng: random.Random) -> Iterator[list[Pair]]:
    """For FEVER's claims that two pages prove: a sentence with its bridge has the claim's stance; its neighbour with the
    same bridge is neutral."""
    for claim in claims:
        group = next((one for one in claim.evidence if len(one) == 2 == len({page for page, _ in one})), None)
        if group is None:
            continue
        pages = store.get(sorted(page for page, _ in group))
        gold = [s for page in pages.values() for s in page.sentences() if pointer_to(s) in group]
        for sentence in gold:
            bridge = bridge_to(claim.text, sentence, gold)
            if bridge is None:
                continue
            beside = [s for s in pages[sentence.page_id].sentences() if pointer_to(s) not in claim.pointers]
            pairs = [Pair(claim.text, _together(sentence, bridge), 1, LABEL_STANCES[claim.label])]
            if beside:
                pairs.append(Pair(claim.text, _together(rng.choice(beside), bridge), 0, NEUTRAL))
            yield pairs


def _together(sentence: Sentence, bridge: Sentence) -> str:
    """A sentence and the one that led to its page, as the text that the reader reads."""
    return read_together(map(with_title, (sentence, bridge)))
