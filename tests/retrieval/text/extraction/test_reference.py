"""What the models read of a pronoun and a name."""

from __future__ import annotations

import pytest

from retrieval.models.english.parser import english
from retrieval.text.extraction.mentions import Name, Parsed, names_in, pronouns_in
from retrieval.text.extraction.reference import FEATURES, READ_AFTER, READ_BEFORE, Passage, features, marked


def passage(*sentences: str, title: str = "") -> Passage:
    parsed, position = [], 0
    if title:
        parsed.append(Parsed(-1, -len(title) - 1, english()(title)))
    for number, sentence in enumerate(sentences):
        parsed.append(Parsed(number, position, english()(sentence)))
        position += len(sentence) + 1
    return Passage(parsed, [name for sentence in parsed for name in names_in(sentence)], {}, title)


def test_both_are_marked_where_they_stand() -> None:
    read = passage("Marie Curie met Lise Meitner.", "She taught in Berlin.")
    first, second = (name for name in read.names if name.kind == "PERSON")
    (pronoun,) = read.pronouns
    assert marked(read, pronoun, second) == (
        "She : Lise Meitner : Marie Curie met # Lise Meitner #. * She * taught in Berlin. "
    )
    assert marked(read, pronoun, first).startswith("She : Marie Curie : # Marie Curie # met")
    assert len(features(read, pronoun, first)) == len(FEATURES)


def test_a_name_may_follow_or_stand_in_the_title() -> None:
    read = passage("After she left, Marie Curie wrote home.", title="Marie Curie")
    (pronoun,) = read.pronouns
    titled, named = read.names
    assert marked(read, pronoun, named).endswith("After * she * left, # Marie Curie # wrote home. ")
    assert marked(read, pronoun, titled) == (
        "she : Marie Curie : # Marie Curie # After * she * left, Marie Curie wrote home. "
    )


@pytest.mark.parametrize("sentences", [3, 12])
def test_only_what_is_near_is_read(sentences: int) -> None:
    long = "A sentence of some length that names nobody at all stands here."
    read = passage(*[long] * sentences, "Marie Curie left.", "She came back.", *[long] * sentences)
    (name,) = (name for name in read.names if "Curie" in name.text)
    text = marked(read, read.pronouns[0], name)
    assert "# Marie Curie # left. * She * came back." in text
    assert len(text) < READ_BEFORE + READ_AFTER + 80


def test_a_pronoun_whose_name_is_known_is_marked_as_the_name() -> None:
    """The text of such a name is longer than its place in the sentence."""
    read = passage("She came home.", "Then she slept.")
    before, pronoun = (found for sentence in read.sentences.values() for found in pronouns_in(sentence))
    known = Name(0, before.start, before.end, "Marie Curie", "PERSON", before.token)
    assert marked(read, pronoun, known) == "she : Marie Curie : # She # came home. Then * she * slept. "
