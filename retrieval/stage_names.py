"""The names of all recipes' stages, with the words that people read while a stage runs."""

from __future__ import annotations

from collections.abc import Mapping

SPANS = "spans"
PAGES = "pages"
WEB = "web"
TITLES = "titles"
TEXT = "text"
QUESTIONS = "questions"
QUESTION_RANKING = "question ranking"
SENTENCES = "sentences"
SECOND_HOP = "second hop"
RANKING = "ranking"
READING = "reading"
COMPARING = "comparing"
RELEVANCE = "relevance"
SIMILARITY = "similarity"
EVIDENCE = "evidence"
SUFFICIENCY = "sufficiency"
LANGUAGE_MODEL = "language model"
VERDICT = "verdict"
STANCES = "stances"  # only for denials and questions
DIFFERENCES = "differences"
LANGUAGE = "language"
OTHER_LANGUAGES = "other languages"
CHUNKS = "chunks"
DOCUMENTS = "documents"
ANSWERS = "answers"
CONTEXTS = "contexts"

WORDS: Mapping[str, str] = {
    SPANS: "Reading the claim",
    PAGES: "Finding pages",
    WEB: "Searching the open web",
    TITLES: "Matching titles",
    TEXT: "Finding phrases in pages",
    QUESTIONS: "Asking questions",
    QUESTION_RANKING: "Ranking pages by question",
    SENTENCES: "Weighing sentences",
    SECOND_HOP: "Following links",
    RANKING: "Ranking sentences",
    READING: "Reading the best sentences again",
    COMPARING: "Comparing two things",
    RELEVANCE: "Judging relevance",
    SIMILARITY: "Sorting by similarity",
    EVIDENCE: "Choosing evidence",
    SUFFICIENCY: "Asking whether it is enough",
    LANGUAGE_MODEL: "Asking the language model",
    VERDICT: "Reaching a verdict",
    STANCES: "Relating sentences to the claim",
    DIFFERENCES: "Comparing claim and evidence",
    LANGUAGE: "Comparing languages",
    OTHER_LANGUAGES: "Leaving out other languages",
    CHUNKS: "Finding passages",
    DOCUMENTS: "Finding documents",
    ANSWERS: "Finding answers",
    CONTEXTS: "Reading the context",
}
