"""The settings of single recipes: the limits and cut-offs of their steps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from retrieval.settings.declaring import EVERY, setting

ESOTERIC = ("esoteric",)
FAST = ("fast", "careful")  # they find and rank sentences alike
AIC = ("aic",)
FUSION = ("rag_fusion", "contextual")
QUESTIONS = (*AIC, *FUSION)
ASKING = (*ESOTERIC, *QUESTIONS)
CONTEXTUAL = ("contextual",)

# Steps of recipe `esoteric` that can be left out, to see what each is worth.
STEPS = (
    *("title n-grams", "titles", "brackets", "text", "wh-questions", "polar question"),
    *("question ranking", "question passages", "relevance", "similarity", "reading"),
)


@dataclass(frozen=True)
class Fast:
    """Recipes `fast` and `careful`."""

    top_pages: int = setting(
        10,
        "Pages whose sentences are read; in every recipe where the corpus' language allows no verdict.",
        decides=(EVERY,),
    )
    top_sentences: int = setting(
        40, "Most sentences that the cross-encoder reads, or that are listed if there is no verdict.", decides=(EVERY,)
    )
    read_sentences: int = setting(
        5, "Best sentences that the larger network reads again.", decides=("careful", "esoteric")
    )
    read_from: float = setting(
        0.0,
        "Least probability of being evidence, by the first pass, for the larger network to read the third and each further "
        "sentence. 0: it reads all.",
        decides=("careful",),
    )


@dataclass(frozen=True)
class Esoteric:
    """Recipe `esoteric`: the limits and cut-offs of its steps."""

    title_matches: int = setting(
        500, "Pages found by their titles, before the brackets are compared.", decides=ESOTERIC
    )
    most_questions: int = setting(
        24, "Questions asked about a claim; each is compared with every page found.", decides=ESOTERIC
    )
    bracket_cutoff: float = setting(
        0.0, "Least similarity between the claim and the bracket of a page's title.", decides=ESOTERIC
    )
    bracket_limit: int = setting(20, "Pages kept whose title matches except for its bracket.", decides=ESOTERIC)
    text_matches: int = setting(1000, "Pages found by phrases in their text.", decides=ESOTERIC)
    encoded_pages: int = setting(
        40, "Of these, pages to encode where the corpus holds no vectors; encoding takes time.", decides=ESOTERIC
    )
    question_pages: int = setting(10, "Pages that each question may bring.", decides=ESOTERIC)
    page_cutoff: float = setting(0.65, "Least score of a page for its best question.", decides=ESOTERIC)
    encoded_sentences: int = setting(
        60, "Sentences of the pages kept that are compared with the questions.", decides=ESOTERIC
    )
    question_passages: int = setting(
        30, "Sentences that the questions pass on to the relevance model.", decides=ESOTERIC
    )
    passage_cutoff: float = setting(0.7, "Least score of a sentence for its best question.", decides=ESOTERIC)
    relevance_cutoff: float = setting(0.5, "Least probability of a relevant sentence.", decides=ESOTERIC)
    similarity_cutoff: float = setting(
        0.0,
        "Least cosine between a relevant sentence and the claim. 0: none. The thesis, with mpnet: 0.7.",
        decides=ESOTERIC,
    )
    without: str = setting(
        "", "Steps to leave out, separated by commas; for measurements.", decides=ESOTERIC, choices=STEPS, several=True
    )


@dataclass(frozen=True)
class Aic:
    """Recipe `aic`: chunks, and one call to a language model."""

    chunk_length: int = setting(2048, "Characters of a chunk.", decides=AIC)
    aic_pruned: int = setting(6000, "Chunks that BM25 leaves for embedding.", decides=AIC)
    aic_fetched: int = setting(40, "Chunks nearest to the claim, from which MMR chooses.", decides=AIC)
    aic_kept: int = setting(10, "Chunks that are read for the verdict.", decides=AIC)
    aic_relevance: float = setting(
        0.75, "Weight of a chunk's relevance against its novelty (lambda of MMR).", decides=AIC
    )
    aic_pieces: str = setting(
        "best",
        "What of a chunk longer than DOCUMENT_CHARACTERS counts: its `best` piece, the `mean` of its pieces, or only its "
        "`opening`, which is quicker.",
        decides=AIC,
        choices=("best", "mean", "opening"),
    )
    aic_neighbours: int = setting(
        256, "Characters of the chunks before and after that a language model is shown.", decides=AIC
    )
    aic_questions: int = setting(10, "Questions that a language model may ask and answer.", decides=AIC)
    aic_examples: int = setting(10, "Checked claims that a language model is shown.", decides=AIC)


@dataclass(frozen=True)
class RagFusion:
    """Recipes `rag_fusion` and `contextual`; without a language model, `aic` asks and answers by them too."""

    examples: Path = setting(
        Path("data/local/averitec-train.json"),
        "Checked claims (AVeriTeC's train.json) that a language model is shown as examples, if the file is there.",
        decides=QUESTIONS,
    )
    document_matches: int = setting(
        200,
        "Pages of a corpus that BM25 leaves for embedding, at least FUSION_PAGES where these are searched. Of a claim's own "
        "documents, all are embedded.",
        decides=QUESTIONS,
    )
    fusion_pages: int = setting(50, "Pages whose sentences are searched.", decides=FUSION)
    fusion_questions: int = setting(3, "Questions asked about a claim.", decides=QUESTIONS)
    fusion_answers: int = setting(3, "Sentences kept for each question.", decides=QUESTIONS)
    fusion_pairs: int = setting(10, "Most question-answer pairs that a verdict rests on.", decides=QUESTIONS)
    fusion_choice: str = setting(
        "questions",
        "Which sentences are kept: the best of each of the `questions`, as in the paper, or the best in all their "
        "`ranks` together, by reciprocal rank fusion.",
        decides=FUSION,
        choices=("questions", "ranks"),
    )
    fusion_rank: int = setting(60, "Constant k of reciprocal rank fusion.", decides=QUESTIONS)
    fusion_documents: str = setting(
        "claim",
        "What documents are searched with: the `claim`, as in the paper, or the `questions`, an equal share for each.",
        decides=FUSION,
        choices=("claim", "questions"),
    )
    fusion_query: str = setting(
        "questions",
        "What sentences are searched with: `questions`, or the `claim`, in which case a question is asked for each "
        "sentence found; `bm25`: the claim's words.",
        decides=FUSION,
        choices=("questions", "claim", "bm25"),
    )
    fusion_prompt: str = setting(
        "own",
        "What a language model is asked for the verdict: our `own` prompt, or in our words the paper's prompt `c` (questions, "
        "each with its sentences) or `d` (evidence alone).",
        decides=FUSION,
        choices=("own", "c", "d"),
    )
    fusion_doubt: str = setting(
        "reason",
        "When doubt means Refuted: `slightest`, at the slightest possibility that the claim is wrong, as in the paper; "
        "`reason`, where the evidence gives even a slight reason; `none`, without such a rule.",
        decides=FUSION,
        choices=("slightest", "reason", "none"),
    )
    fusion_example: str = setting(
        "embedding",
        "How the checked claim nearest to a claim is found: by `embedding`, as in the paper, or by `bm25`.",
        decides=FUSION,
        choices=("embedding", "bm25"),
    )
    fusion_sufficiency: bool = setting(
        False, "Ask the language model first whether the evidence is enough.", decides=FUSION
    )
    fusion_verdict: str = setting(
        "llm",
        "Who gives the verdict: `llm` where one is set, else the answers' stances, over a claim's own documents `four`; or "
        "always `four` (one classifier of AVeriTeC's four labels) or `two` (supported or not, refuted or not); `llm_two`: a "
        "language model that is asked these two, where none is set `two`.",
        decides=FUSION,
        choices=("llm", "four", "two", "llm_two"),
    )


@dataclass(frozen=True)
class Contextual:
    """Recipe `contextual`: a reranker, and a context for each sentence."""

    context_sentences: int = setting(10, "Sentences per question that the reranker reads.", decides=CONTEXTUAL)
    context_tokens: int = setting(
        768, "Tokens of page text from which a sentence's context is written.", decides=CONTEXTUAL
    )
    context_order: str = setting(
        "after",
        "When contexts are written: `after` or `before` reranking. `none`: reranking alone. `only`: contexts alone.",
        decides=CONTEXTUAL,
        choices=("after", "before", "none", "only"),
    )
    context_prompt: str = setting(
        "joined",
        "How the verdict's prompt shows a context: `joined` to its sentence, or `apart` from it, on a line of its own.",
        decides=CONTEXTUAL,
        choices=("joined", "apart"),
    )
