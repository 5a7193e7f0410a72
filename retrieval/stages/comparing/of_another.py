"""Takes the side from sentences about something else than the claim's subject: Silver's symbol says nothing about gold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from retrieval.stages.bridges import bridges_of
from retrieval.stages.comparing.silencing import neutral, silenced
from retrieval.text.languages import ENGLISH
from retrieval.text.names.first_sentence import lists_meanings
from retrieval.text.names.forms import number_forms
from retrieval.text.ranking import holds_title
from retrieval.text.sentences import begins_with_pronoun
from retrieval.text.titles import fold, starts_of, without_article, without_bracket
from retrieval.text.words import stem, stems
from retrieval.types import Evidence, FactCheck, Page
from retrieval.verdicts.rules.only_one.place import place_of
from retrieval.verdicts.rules.ruling import YEAR_IN_TEXT

_LONG_NAME = re.compile(r"(?:The )?(?P<name>(?!The )[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)+) [a-z]")
_NAMES = re.compile(r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
_FUNCTION_WORDS = frozenset(map(stem, ENGLISH.function_words))
# "White chocolate contains", not "The chocolate" or "All chocolate"
_FIRST_WORDS = re.compile(
    r"^(?!The |An? |All |Most |Many |Some |Every |Each |Any |No |Both |These |This |Its? |Their |Modern |Other |While |Although |Though |When |If |Unlike |Like |As |Because |Since |Where |In |On |For |But |And )[A-Z][a-z-]+ [a-z]+(?= )"
)
_PERSON = re.compile(r"\(?\b(?:born|née)\b|\([^()]*\b\d{3,4}\b ?[–-] ?[^()]*\d{3,4}\)")
_PRIVATE = re.compile(r"(?:[Mm]y|I|We|we) [a-z]")


@dataclass(frozen=True)
class _Subject:
    """What a claim is about. pages: ids of the pages with whose names it begins. names: these names, folded. words: stems by which a
    sentence names the subject. unknown: those of a long name at the beginning that no page has. perhaps: words, and those of every page
    that has a name at the beginning, as JFK may be the film or the president.
    """

    pages: Set[str]
    names: Set[str]
    words: Set[str]
    unknown: Set[str]
    perhaps: Set[str]


def unless_of_another(check: FactCheck, pages: Sequence[Page]) -> FactCheck:
    """Silences sentences about something else, if the claim begins with the name of a page or a long name that no page has."""
    claim = check.claim.reading
    long_titles = (fold(without_bracket(page.title)) for page in pages if " " in page.title)
    if _PRIVATE.match(claim) and not starts_of(fold(claim), long_titles):
        return replace(check, sentences=neutral(check.sentences, check.sentences))
    check = _unless_of_nothing(check, pages)
    subject = _subject_of(claim, pages)
    if not subject.words:
        return check
    away = [one for one in check.sentences if one.sentence.page_id not in subject.pages]
    other = _without_the_subject(check, away, subject, pages)
    if place_of(claim) is None:  # another holder refutes
        other += _without_a_name(claim, away, subject)
    other += [one for one in check.sentences if _is_on_a_kind(one, claim, subject.names)]
    people = _other_people(claim, subject, pages)
    longer, relatives = _with_longer_names(people, subject, pages), _with_its_last_name(people, subject)
    other += [one for one in away if one.sentence.page_id in longer]
    other += [one for one in away if one.sentence.page_id in relatives and one.stance.refutes > one.stance.supports]
    if years := YEAR_IN_TEXT.findall(claim):
        other += [one for one in away if _is_on_itself(one, claim, years, subject.names)]
    return silenced(check, other)


def _unless_of_nothing(check: FactCheck, pages: Sequence[Page]) -> FactCheck:
    """Silences sentences that share no word with the claim, on pages that it does not name: "The operation was unsuccessful"."""
    words, claim = stems(check.claim.reading) - _FUNCTION_WORDS, fold(check.claim.reading)
    named = {page.id for page in pages if _is_named(claim, page)}
    away = [one for one in check.sentences if one.sentence.page_id not in named]
    return silenced(check, [one for one in away if words.isdisjoint(stems(one.sentence.text))])


def _subject_of(claim: str, pages: Sequence[Page]) -> _Subject:
    folded = fold(claim)
    found = _subjects(folded, pages)
    unknown = _name_at_the_start(claim, max(map(len, found.values()), default=0))
    words = {
        stem(word.split()[-1])
        for page in pages
        if page.id in found
        for word in map(fold, (found[page.id], without_bracket(page.title), *page.all_names))
        if word
    }
    words |= unknown
    named = (page for page in pages if _at_the_start(folded, map(fold, page.all_names)))
    perhaps = words | {stem(fold(without_bracket(page.title)).split()[-1]) for page in named}
    return _Subject(set(found), set(found.values()), words, unknown, perhaps)


def _without_the_subject(
    check: FactCheck, away: Sequence[Evidence], subject: _Subject, pages: Sequence[Page]
) -> list[Evidence]:
    """Of the sentences of other pages, those that support the claim and do not name its subject, unless the claim names their page too,
    and that page names the subject elsewhere; or unless a sentence leads to their page (`bridges_of`), and the subject's page does not
    refute the claim.
    """
    claim, words = fold(check.claim.reading), subject.words
    other = [
        one
        for one in away
        if one.stance.supports > max(one.stance.refutes, one.stance.neutral) and words.isdisjoint(_stems_of(one))
    ]
    elsewhere = {one.sentence.page_id for one in other}
    texts = {page.id: page.text for page in pages if page.id in elsewhere and _is_named(claim, page)}
    beside = {id for id, text in texts.items() if not words.isdisjoint(stems(text))}
    other = [one for one in other if one.sentence.page_id not in beside]
    if any(one.sentence.page_id in subject.pages and one.stance.refutes > 1 / 2 for one in check.sentences):
        return other
    bridges = zip(other, bridges_of(check, other), strict=True)
    unknown = subject.unknown
    return [one for one, bridge in bridges if bridge is None or (unknown and unknown.isdisjoint(_stems_of(bridge)))]


def _is_named(claim: str, page: Page) -> bool:
    """Whether the folded claim names the page, with or without its article."""
    title = without_article(fold(page.title))
    return not YEAR_IN_TEXT.fullmatch(page.title) and holds_title(claim, title, page.all_names)


def _stems_of(one: Evidence) -> frozenset[str]:
    """The stems of the sentence's words, and of its title's."""
    return stems(f"{one.sentence.title} {one.sentence.text}")


def _without_a_name(claim: str, away: Iterable[Evidence], subject: _Subject) -> list[Evidence]:
    """The sentences that refute the claim, but have none of its names and at most one of its other words, on pages that it does not
    name: another church's architect says nothing of St Paul's.
    """
    called = [fold(name).split() for name in _NAMES.findall(claim)]
    names = {stem(word) for name in called for word in name if len(word) > 2} - _FUNCTION_WORDS
    small = stems(_NAMES.sub(" ", claim)) - _FUNCTION_WORDS - names
    alone = {stem(name[0]) for name in called if len(name) == 1}
    refuting = [one for one in away if one.stance.refutes > one.stance.supports] if names else []
    return [
        one
        for one in refuting
        if subject.perhaps.isdisjoint(_stems_of(one))
        and names.isdisjoint(in_text := stems(one.sentence.text))
        and len(small & in_text) <= 1
        and not _is_titled(one, claim, alone)
    ]


def _is_on_a_kind(one: Evidence, claim: str, names: Iterable[str]) -> bool:
    """Whether the sentence refutes the claim and is about one kind of its subject: what white chocolate lacks, chocolate may have."""
    if one.stance.refutes <= one.stance.supports:
        return False
    title, text = without_bracket(one.sentence.title), one.sentence.text
    about = [title, *_FIRST_WORDS.findall(text)] if title.split()[-1].islower() else _FIRST_WORDS.findall(text)
    kinds = (f"{words} " for words in map(fold, about) if any(words.endswith(f" {name}") for name in names))
    return any(kind not in f"{fold(claim)} " for kind in kinds)


def _other_people(claim: str, subject: _Subject, pages: Sequence[Page]) -> list[Page]:
    """The pages of people who are not the claim's subject, and whom the claim does not name."""
    return [
        page
        for page in pages
        if page.id not in subject.pages and not holds_title(fold(claim), page.title, page.all_names)
        if any(_PERSON.search(sentence.text) for sentence in page.sentences()[:1])
    ]


def _with_longer_names(people: Iterable[Page], subject: _Subject, pages: Sequence[Page]) -> set[str]:
    """The pages of those whose names begin with the subject's: "Adele Astaire", if there is a page "Adele"."""
    titled = {fold(page.title) for page in pages if page.id in subject.pages}
    return {
        page.id
        for page in people
        if any(fold(page.title.partition(",")[0]).startswith(f"{name} ") for name in titled & subject.names)
        if page.title[-1] != ")"
    }


def _with_its_last_name(people: Iterable[Page], subject: _Subject) -> set[str]:
    """The pages of those with the subject's last name: where Pierre Curie was born says nothing of Marie Curie."""
    last = {name.split()[-1] for name in subject.names if " " in name}
    return {page.id for page in people if fold(without_bracket(page.title)).rpartition(" ")[2] in last}


def _is_titled(one: Evidence, claim: str, alone: Set[str]) -> bool:
    """Whether the claim names the sentence's page: by a name, all words of its title, or its last and another.

    alone: the stems of names of one word, which may be last names.
    """
    title = [stem(word) for word in fold(without_bracket(one.sentence.title)).split() if len(word) > 2]
    shared = stems(claim).intersection(title)
    if title and (shared.issuperset(title) or (title[-1] in shared and (len(shared) > 1 or title[-1] in alone))):
        return True
    return holds_title(claim, one.sentence.title, one.sentence.all_names)


def _is_on_itself(one: Evidence, claim: str, years: Sequence[str], names: Iterable[str]) -> bool:
    """Whether the sentence refutes the claim by other years than the claim's and is about its own page's subject, which the claim
    does not name: when "HP Israel" was founded says nothing of Israel. names: of the claim's subject; "Chernobyl disaster" tells of it.
    """
    if any(fold(one.sentence.title).startswith(f"{name} ") for name in names):
        return False
    text = fold(one.sentence.text)
    own = begins_with_pronoun(one.sentence.text) or text.removeprefix("the ").split(" ")[0] not in fold(claim).split()
    found = YEAR_IN_TEXT.findall(text)
    other = bool(found) and set(years).isdisjoint(found) and one.stance.refutes > one.stance.supports
    return own and other and not holds_title(claim, one.sentence.title, one.sentence.all_names)


def _subjects(claim: str, pages: Sequence[Page]) -> dict[str, str]:
    """The pages whose names begin the folded claim, with the longest such name: titles, or if none has it, other names and last names.
    "van Gogh" is the end of a title, but a company in Israel is not what "Israel" means.
    """
    plain = [page for page in pages if not lists_meanings(page)]
    titled = [(name, page) for page in plain for name in _at_the_start(claim, _forms([without_bracket(page.title)]))]
    called = [
        (name, page)
        for page in plain
        for name in _at_the_start(claim, {*_forms(page.all_names), *_ends_of_title(page)})
    ]
    longest = max((len(name) for name, _ in titled + called), default=0)
    found = ({page.id: name for name, page in some if len(name) == longest} for some in (titled, called))
    return next(filter(None, found), {})


def _at_the_start(claim: str, names: Iterable[str]) -> list[str]:
    """The names with which the folded claim begins; "Tom and Jerry" does not begin with Tom."""
    return [name for name in starts_of(claim, names) if not starts_of(claim, [f"{name} and"])]


def _forms(names: Iterable[str]) -> set[str]:
    """The folded names in the singular and plural."""
    return {form for name in map(fold, names) for form in (name, *number_forms(name)) if len(name) > 2}


def _ends_of_title(page: Page) -> Iterator[str]:
    """Last names; "All Birds" is none."""
    words = fold(without_bracket(page.title)).split()
    starts = (number for number in range(1, len(words)) if words[number] not in {*ENGLISH.function_words, "all"})
    return (" ".join(words[number:]) for number in starts)


def _name_at_the_start(claim: str, longest: int) -> frozenset[str]:
    """The stems of the name of two words or more with which the claim begins; empty without one of more than `longest` characters."""
    match = _LONG_NAME.match(claim)
    if match is None or len(fold(match["name"])) <= longest or claim.istitle():
        return frozenset()
    words = (word for word in fold(match["name"]).split() if word not in ENGLISH.function_words)
    return frozenset(map(stem, words))
