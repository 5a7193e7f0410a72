"""Words of a sentence in spaCy's parse: its root, verbs, subjects and punctuation, and where words end."""

from __future__ import annotations

from typing import Any

INFLECTED = ("VBD", "VBZ", "VBP")  # tags of verbs in the past or present tense
FINITE = (*INFLECTED, "MD")
AUXILIARIES = ("aux", "auxpass")
# Dependencies of subjects; each list adds a kind: "there" and "it", a clause, a clause of a passive verb.
NOUN_SUBJECTS = ("nsubj", "nsubjpass")
WORD_SUBJECTS = (*NOUN_SUBJECTS, "expl")
SUBJECTS = (*WORD_SUBJECTS, "csubj")
ALL_SUBJECTS = (*SUBJECTS, "csubjpass")
PLURAL = ("NNS", "NNPS")

SAYING = frozenset(
    "say tell claim state announce add argue write declare assert insist warn note explain report maintain allege confirm "
    "deny reveal stress reply suggest contend remark estimate believe tweet retweet post comment testify boast point admit "
    "acknowledge concede recall observe repeat conclude complain emphasize emphasise reiterate proclaim blog respond "
    "continue quip swear answer retort counter underline".split()
)
# Verbs with other meanings too, which quote somebody only beside quotation marks or "that".
ONLY_BESIDE_MARKS = frozenset("continue point post comment respond answer counter retweet".split())
# The forms that follow a name, for patterns: "says", "announced"; not "denied".
SAYS = rf"(?:said|told|wrote|(?:{'|'.join(sorted(SAYING - ONLY_BESIDE_MARKS))})e?[ds])"


def capitalised(text: str) -> str:
    """The text with a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def root_of(doc: Any) -> Any:
    """The main verb of a sentence; None if the parser finds no root."""
    return next((token for token in doc if token.dep_ == "ROOT"), None)


def child_of(token: Any, *dependencies: str) -> Any:
    """The first of a token's children with one of these dependencies; None if there is none."""
    return next((child for child in token.children if child.dep_ in dependencies), None)


def has_child(token: Any, *dependencies: str) -> bool:
    """Whether a token has a child with one of these dependencies."""
    return child_of(token, *dependencies) is not None


def auxiliaries(verb: Any) -> list[Any]:
    """A verb's auxiliaries, in text order."""
    return [child for child in verb.children if child.dep_ in AUXILIARIES]


def is_finite(verb: Any) -> bool:
    """Whether a verb or one of its auxiliaries is finite."""
    return any(word.tag_ in FINITE for word in (verb, *auxiliaries(verb)))


def is_clause(token: Any) -> bool:
    """Whether a word is the finite verb of a clause."""
    return token.tag_ in FINITE and token.pos_ in ("VERB", "AUX")


def end_of(token: Any) -> int:
    """The offset after a token."""
    return int(token.idx + len(token))


def is_mark(token: Any) -> bool:
    """Whether a token is punctuation; "%" and "°" are part of their number."""
    return bool(token.is_punct) and token.text not in ("%", "‰", "°", "#", "&")
