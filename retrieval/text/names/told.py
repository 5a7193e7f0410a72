"""The other name by which a claim calls a page; the networks read it so: "Lindenburg Bridge, also Amber Bridge"."""

from __future__ import annotations

from retrieval.text.names.first_sentence import LONGEST_NAME
from retrieval.text.ranking import held_name, holds_title
from retrieval.text.words import content_words
from retrieval.types import Sentence

MOST_OF_CLAIM = 0.75  # share of the claim's words that a name may contain; a longer one may state the claim itself


def name_in_claim(claim: str, sentence: Sentence) -> str:
    """The other name of the sentence's page that is in the claim; empty if the claim has the title, or none of the names.

    A page may give itself any name, so a name counts only if it is short and leaves the claim something to say.
    """
    if not sentence.all_names or holds_title(claim, sentence.title):
        return ""
    name = held_name(claim, sentence.all_names)
    if len(name) > LONGEST_NAME:
        return ""
    words = content_words(claim)
    return name if len(content_words(name) & words) <= MOST_OF_CLAIM * len(words) else ""
