"""What "it" means: the name or the common noun that the sentence before is about, and nothing else could be meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrieval.text.extraction.mentions import PEOPLE, Name, Parsed, same_name, told
from retrieval.text.extraction.quoting.saying import says
from retrieval.text.extraction.reference import role_of

LONGEST_PHRASE = 8  # words of "the tunnel under the bay"
_ARTICLES = ("the", "a", "an")
_OF_PEOPLE = frozenset(
    "person child president minister mayor director author writer singer actor player doctor teacher judge lawyer officer soldier "
    "leader member candidate official spokesperson ceo founder owner manager head chief professor student senator governor driver "
    "victim suspect friend reporter expert witness pilot captain coach patient worker farmer engineer architect poet painter "
    "composer pope bishop priest saint guy prisoner employee inventor designer editor founder doctor visitor inspector inventor "
    "winner runner swimmer fighter dancer lover neighbour neighbor customer passenger ruler speaker employer investigator "
    "thinker explorer ambassador chancellor councillor baby nurse colleague boss crew staff team family couple public".split()
)
_PERSONAL_ENDINGS = ("ist", "ian", "man", "woman")
_TIMES = frozenset(
    "year month week day time century decade end beginning start part place yesterday today morning evening night spring summer autumn winter".split()
)


def thing_before(before: Parsed, names: Sequence[Name], titled: Sequence[Name], goes_on: bool) -> str:
    """What a sentence is about, in words that can take the place of "it" in the next one; empty if that is a person, or if
    more than one thing may be meant. names: of the sentence. titled: those of the text's title. goes_on: whether the next
    sentence is in the same paragraph, as it must be for what has no name.
    """
    subject = _main_subject(before.doc)
    within = set() if subject is None else {word.i for word in subject.subtree} - {subject.i}
    subjects = [name for name in names if role_of(name.head) == "subject"]
    found = [name for name in subjects if name.head.dep_ not in ("conj", "compound", "nmod")]
    if subject is not None and subject.pos_ == "NOUN" and all(name.head.i in within for name in found):
        return _described(subject) if goes_on else ""
    if len(found) != 1 or any(child.dep_ == "conj" for child in found[0].head.children):
        return ""
    name, article = found[0], found[0].head.left_edge.lower_ == "the"
    if _is_person(name.head) or (article and _is_plural(name.head.head)):
        return ""
    # What has an article is no person, whatever the parser takes it for: "the Louvre".
    known = article or (
        name.kind != PEOPLE and (name.kind or any(same_name(name.words, other.words) for other in titled))
    )
    return f"{'the ' if article else ''}{_adjectives(before, name)}{_with_number(name)}" if known else ""


def _main_subject(doc: Any) -> Any:
    verb = next((token for token in doc if token.dep_ == "ROOT"), None)
    subjects = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")] if verb is not None else []
    return subjects[0] if len(subjects) == 1 else None


def _is_plural(verb: Any) -> bool:
    return any(word.lower_ in ("are", "were", "have") for word in (verb, *verb.children))


def _adjectives(sentence: Parsed, name: Name) -> str:
    """The capitalised words in front of a name that belong to it: "Old" of "the Old Mill"."""
    edge, first = name.head.left_edge, name.start - sentence.start
    words = [token for token in sentence.doc[edge.i :] if token.idx < first and token.text[:1].isupper()]
    words = [token for token in words if token.lower_ != "the"]
    return f"{sentence.doc.text[words[0].idx : first]}" if words else ""


def _with_number(name: Name) -> str:
    """ "Apollo" as "Apollo 11" if the number belongs to it."""
    doc, following = name.head.doc, name.head.i + 1
    if following < len(doc) and doc[following].is_digit and doc[following].head == name.head:
        return f"{name.text} {doc[following].text}"
    return name.text


def _described(noun: Any) -> str:
    """A common noun that is the subject of its sentence, with what describes it: "the tunnel under the bay"."""
    verb = noun.head
    if noun.tag_ != "NN" or _is_person(noun) or _rival(verb) or any(child.dep_ == "ccomp" for child in verb.children):
        return ""
    first = noun.left_edge
    owned = first.pos_ == "PROPN" and any(child.dep_ == "poss" for child in noun.children)  # "Norway's oil fund"
    described = first.lower_ in _ARTICLES and first.head == noun
    if not (owned or described) or any(child.dep_ == "conj" for child in noun.children):
        return ""
    last = noun
    for child in noun.rights:
        cuts = child.i != last.i + 1 or any(word.pos_ in ("VERB", "AUX", "PUNCT") for word in child.subtree)
        if child.dep_ != "prep" or cuts:
            break
        last = child.right_edge
    words = noun.doc[first.i + described : last.i + 1]
    return f"{'the ' if described else ''}{words.text}" if 0 < len(words) <= LONGEST_PHRASE else ""


def _rival(verb: Any) -> bool:
    """Whether a sentence acts on another thing, which "it" may mean as well: "The firm bought the mill. It burned down"."""
    objects = [child for child in verb.children if child.dep_ in ("dobj", "oprd")]
    return any(
        word.tag_ in ("NN", "NNP")
        and word.lemma_.lower() not in _TIMES
        and not any(child.dep_ == "nummod" for child in word.children)
        for word in objects
    )


def _is_person(noun: Any) -> bool:
    word = noun.lower_
    return bool(told(word)) or word in _OF_PEOPLE or word.endswith(_PERSONAL_ENDINGS)


def opens_sentence(token: Any) -> bool:
    """Whether a pronoun begins its sentence, but for a word or for when that was: "In the same year it burned down"."""
    before = token.doc[: token.i]
    in_main_clause = token.head.dep_ == "ROOT" or token.head.head.dep_ == "ROOT"
    of_time = all(
        word.pos_ not in ("PROPN", "VERB", "AUX", "PRON") and (word.pos_ != "NOUN" or word.lemma_.lower() in _TIMES)
        for word in before
    )
    return token.i <= 1 or (in_main_clause and of_time)


def stands_for_nothing(token: Any) -> bool:
    """Whether "it" stands for a clause or for nothing: "it is known that", "it is hard to say", "it rains"."""
    verb = token.head
    near = [verb, *(child for child in verb.children if child.dep_ == "acomp")]
    clauses = {child.dep_ for word in near for child in word.children}
    if token.dep_ == "expl" or verb.lemma_ in ("rain", "snow", "seem", "appear", "take"):
        return True
    if (
        "ccomp" in clauses
        and token.dep_ == "nsubj"
        and (says(verb) or verb.lemma_ in ("show", "find", "know", "prove"))
    ):
        return False  # "it says that"
    return bool(clauses & {"ccomp", "csubj"}) or (verb.lemma_ == "be" and bool(clauses & {"xcomp", "advcl"}))
