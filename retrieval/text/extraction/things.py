"""Finds what "it" and "they" mean: the name or noun that the previous sentence is about, if nothing else can be meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrieval.text.extraction.mentions import PEOPLE, Name, Parsed, gender_in_title
from retrieval.text.extraction.quoting.saying import says
from retrieval.text.extraction.reference import role_of
from retrieval.text.extraction.splitting import MEASURES, TIMES, acts_on_another
from retrieval.text.grammar import INFLECTED, NOUN_SUBJECTS, PLURAL, has_child, root_of

LONGEST_THING = 8  # words of "the tunnel under the bay"
_ARTICLES = ("the", "a", "an")
_OF_PEOPLE = frozenset(
    "person child president minister mayor director author writer singer actor player doctor teacher judge lawyer officer soldier "
    "leader member candidate official spokesperson ceo founder owner manager head chief professor student senator governor driver "
    "victim suspect friend reporter expert witness pilot captain coach patient worker farmer engineer architect poet painter "
    "composer pope bishop priest saint guy prisoner employee inventor designer editor founder doctor visitor inspector inventor "
    "winner runner swimmer fighter dancer lover neighbour neighbor customer passenger ruler speaker employer investigator "
    "thinker explorer ambassador chancellor councillor baby nurse colleague boss crew staff team family couple public".split()
)
# "It is a myth that …"
_PROPOSITIONS = frozenset(
    "myth fact claim pity shame wonder mystery belief misconception legend rumour rumor truth coincidence lie mistake surprise secret "
    "idea theory tradition error fallacy joke miracle thing case point reason".split()
)
# "It was a surprise", "It shocked his fans": "it" is an event.
_EVENTS = frozenset("surprise shock scandal sensation happen occur mean delight anger dismay".split())
_OF_PERSONS = frozenset(
    "agree disagree resign retire die bear marry study teach graduate smile laugh nod argue vote".split()
)
_QUANTIFIERS = "many few several most more other such".split()
_PERSONAL_ENDINGS = ("ist", "ian", "man", "woman")


def thing_before(before: Parsed, names: Sequence[Name], goes_on: bool) -> str:
    """The subject of a sentence, to replace "it" in the next; empty for people and groups. goes_on: in the same paragraph."""
    subject = _main_subject(before.doc)
    within = set() if subject is None else {word.i for word in subject.subtree} - {subject.i}
    subjects = [name for name in names if role_of(name.head) == "subject"]
    found = [name for name in subjects if name.head.dep_ not in ("conj", "compound", "nmod")]
    if subject is None and _is_bare_name(before.doc[0]):
        return str(before.doc[0].text)
    if not found and subject is not None and subject.pos_ == "PROPN":
        return _named_of(before, names, subject)
    if subject is not None and subject.pos_ == "NOUN" and all(name.head.i in within for name in found):
        return _described(subject) if goes_on else ""
    if len(found) != 1 or has_child(found[0].head, "conj") or acts_on_another(found[0].head.head):
        return ""
    name, verb, article = found[0], found[0].head.head, found[0].head.left_edge.lower_ == "the"
    if is_person_noun(name.head) or (article and _is_plural(verb)):
        return ""
    # A name with an article is not a person's, even if the parser says so: "the Louvre".
    if not article and (name.kind == PEOPLE or (not name.kind and _of_person(verb))):
        return ""
    return f"{'the ' if article else ''}{_adjectives(before, name)}{_with_number(name)}"


def _named_of(before: Parsed, names: Sequence[Name], subject: Any) -> str:
    """The name with "of" in it that a sentence is about: "the Treaty of Versailles"."""
    place = before.start + subject.idx
    whole = next((name for name in names if name.start <= place < name.end and name.kind not in ("", PEOPLE)), None)
    if whole is None or has_child(subject, "conj"):
        return ""
    bare = whole.text.removeprefix("The ").removeprefix("the ")
    return f"the {bare}" if subject.left_edge.lower_ == "the" else bare


def _is_bare_name(first: Any) -> bool:
    """Whether the first word of a sentence is a name that the parser takes for something else: "Titanic sank in 1912"."""
    unlike = first.is_stop or first.lower_ in TIMES or first.lower_.endswith("ly")
    verb = first.nbor(1) if first.i + 1 < len(first.doc) else first
    return first.text.istitle() and not unlike and verb.tag_ in INFLECTED and not _of_person(verb)


def _of_person(verb: Any) -> bool:
    return says(verb) or verb.lemma_ in _OF_PERSONS


def measure_in(doc: Any) -> Any:
    """The measure or other attribute that a sentence is about; None if it is about something else."""
    subject = _main_subject(doc)
    return subject if subject is not None and subject.lemma_.lower() in MEASURES else None


def owner_of(measure: Any) -> str:
    """The thing measured, if it is named: "the population of Berlin", "Berlin's population"."""
    owners = [child for child in measure.children if child.dep_ == "poss"]
    of = [child for child in measure.children if child.lower_ == "of"]
    owners += [word for preposition in of for word in preposition.children if word.dep_ == "pobj"]
    if len(owners) != 1 or owners[0].pos_ != "PROPN" or has_child(owners[0], "conj"):
        return ""
    words: str = owners[0].doc[owners[0].left_edge.i : owners[0].i + 1].text
    return f"the {words[4:]}" if words.startswith("The ") else words


def things_before(before: Parsed) -> str:
    """The plural subject of a sentence, to replace "they" in the next; empty if "they" may mean others."""
    subject = _main_subject(before.doc)
    if subject is None or subject.pos_ not in ("NOUN", "PROPN") or _other_things(before.doc, subject):
        return ""
    joined = list(subject.conjuncts)
    several = subject.tag_ in PLURAL or (subject.pos_ == "PROPN" and _is_plural(subject.head))
    if not (several or joined) or has_child(subject, "relcl", "acl", "prep"):
        return ""
    first, last = subject.left_edge, max([subject, *joined], key=lambda word: word.i)
    words = before.doc[first.i : last.i + 1]
    counted = first.pos_ == "NUM" and not joined
    # "Pandas", "Marie and Pierre Curie" and "wild pandas" need no article.
    whole = first.lower_ == "the" or (first.pos_ in ("PROPN", "ADJ", "NOUN") and first.lower_ not in _QUANTIFIERS)
    if len(words) > LONGEST_THING or not (whole or counted):
        return ""
    if counted:
        return f"the {words.text[:1].lower()}{words.text[1:]}"
    text: str = words.text
    return text[:1].lower() + text[1:] if first.pos_ == "DET" or (first.tag_ == "NNS" and first.i == 0) else text


def _other_things(doc: Any, subject: Any) -> bool:
    """Whether a sentence names other things in the plural, which "they" may mean as well."""
    phrase = {word.i for word in subject.subtree}
    others = [word for word in doc if word.tag_ in PLURAL and word.i not in phrase and word.dep_ != "attr"]
    return any(word.lemma_.lower() not in TIMES and not has_child(word, "nummod") for word in others)


def _main_subject(doc: Any) -> Any:
    verb = root_of(doc)
    subjects = [child for child in verb.children if child.dep_ in NOUN_SUBJECTS] if verb is not None else []
    return subjects[0] if len(subjects) == 1 else None


def _is_plural(verb: Any) -> bool:
    return any(word.lower_ in ("are", "were", "have") for word in (verb, *verb.children))


def _adjectives(sentence: Parsed, name: Name) -> str:
    """The capitalised words before a name that are part of it: "Old" of "the Old Mill"."""
    edge, first = name.head.left_edge, name.start - sentence.start
    before = (token for token in sentence.doc[edge.i :] if token.idx < first)
    start = next((token.idx for token in before if token.text[:1].isupper() and token.lower_ != "the"), first)
    return str(sentence.doc.text[start:first])


def _with_number(name: Name) -> str:
    """ "Apollo" as "Apollo 11", if the number is part of the name."""
    doc, following = name.head.doc, name.head.i + 1
    if following < len(doc) and doc[following].is_digit and doc[following].head == name.head:
        return f"{name.text} {doc[following].text}"
    return name.text


def _described(noun: Any) -> str:
    """A common noun that is the subject of its sentence, with its modifiers: "the tunnel under the bay"."""
    if noun.tag_ != "NN" or is_person_noun(noun) or acts_on_another(noun.head) or has_child(noun.head, "ccomp"):
        return ""
    first = noun.left_edge
    owned = first.pos_ == "PROPN" and has_child(noun, "poss")  # "Norway's oil fund"
    described = first.lower_ in _ARTICLES and first.head == noun
    if not (owned or described) or has_child(noun, "conj"):
        return ""
    last = noun
    for child in noun.rights:
        cuts = child.i != last.i + 1 or any(word.pos_ in ("VERB", "AUX", "PUNCT") for word in child.subtree)
        if child.dep_ != "prep" or cuts:
            break
        last = child.right_edge
    words = noun.doc[first.i + described : last.i + 1]
    return f"{'the ' if described else ''}{words.text}" if 0 < len(words) <= LONGEST_THING else ""


def is_person_noun(noun: Any) -> bool:
    """Whether a noun means a person: a role, a title, or a word such as "boatman"."""
    word = noun.lower_
    return bool(gender_in_title(word)) or word in _OF_PEOPLE or word.endswith(_PERSONAL_ENDINGS)


def opens_sentence(token: Any) -> bool:
    """Whether a pronoun begins its sentence, perhaps after one word or a time: "In the same year it burned down"."""
    if token.i <= 1:
        return True
    in_main_clause = token.head.dep_ == "ROOT" or token.head.head.dep_ == "ROOT"
    others = [word for word in token.doc[: token.i] if word.pos_ != "NOUN" or word.lemma_.lower() not in TIMES]
    return in_main_clause and not any(word.pos_ in ("PROPN", "NOUN", "PRON", "VERB", "AUX") for word in others)


def stands_for_nothing(token: Any) -> bool:
    """Whether "it" stands for a clause or for nothing: "it is known that", "it is hard to say", "it rains"."""
    verb = token.head
    near = [verb, *(child for child in verb.children if child.dep_ == "acomp")]
    clauses = {child.dep_ for word in near for child in word.children}
    if {verb.lemma_, *(child.lemma_.lower() for child in verb.children if child.dep_ == "attr")} & _EVENTS:
        return True
    if any(child.dep_ == "attr" and child.lemma_.lower() in _PROPOSITIONS for child in verb.children):
        return any(word.lower_ == "that" and word.i > verb.i for word in token.doc)
    if token.dep_ == "expl" or verb.lemma_ in ("rain", "snow", "seem", "appear", "take"):
        return True
    states = says(verb) or verb.lemma_ in ("show", "find", "know", "prove")
    if "ccomp" in clauses and token.dep_ == "nsubj" and states:
        return False  # "it says that"
    return bool(clauses & {"ccomp", "csubj"}) or (verb.lemma_ == "be" and bool(clauses & {"xcomp", "advcl"}))
