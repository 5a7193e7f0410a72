"""The names of all recipes' stages, with the words that people read while a stage runs."""

from __future__ import annotations

WORDS: dict[str, str] = {}  # name -> words


def _stage(name: str, words: str) -> str:
    WORDS[name] = words
    return name


SPANS = _stage("spans", "Reading the claim")
PAGES = _stage("pages", "Finding pages")
WEB = _stage("web", "Searching the open web")
TITLES = _stage("titles", "Matching titles")
TEXT = _stage("text", "Finding phrases in pages")
QUESTIONS = _stage("questions", "Asking questions")
QUESTION_RANKING = _stage("question ranking", "Ranking pages by question")
SENTENCES = _stage("sentences", "Weighing sentences")
SECOND_HOP = _stage("second hop", "Following links")
RANKING = _stage("ranking", "Ranking sentences")
READING = _stage("reading", "Reading the best sentences again")
COMPARING = _stage("comparing", "Comparing two things")
RELEVANCE = _stage("relevance", "Judging relevance")
SIMILARITY = _stage("similarity", "Sorting by similarity")
EVIDENCE = _stage("evidence", "Choosing evidence")
SUFFICIENCY = _stage("sufficiency", "Asking whether it is enough")
LANGUAGE_MODEL = _stage("language model", "Asking the language model")
VERDICT = _stage("verdict", "Reaching a verdict")
STANCES = _stage("stances", "Relating sentences to the claim")  # only for denials and questions
DIFFERENCES = _stage("differences", "Comparing claim and evidence")
LANGUAGE = _stage("language", "Comparing languages")
OTHER_LANGUAGES = _stage("other languages", "Leaving out other languages")
CHUNKS = _stage("chunks", "Finding passages")
DOCUMENTS = _stage("documents", "Finding documents")
ANSWERS = _stage("answers", "Finding answers")
CONTEXTS = _stage("contexts", "Reading the context")
