# mypy: disable-error-code="untyped-decorator,no-any-return"
"""Our recipes in Haystack pipelines (haystack-ai 3): each recipe as one component here, or step by step (`steps`).

    from haystack import Pipeline
    from retrieval.haystack import EsotericRetriever

    pipeline = Pipeline()
    pipeline.add_component("evidence", EsotericRetriever(store="data/local/store", top_k=3))
    documents = pipeline.run({"evidence": {"claim": "Marie Curie won two Nobel Prizes."}})["evidence"]["documents"]

`Pipeline.loads(text, allowed_modules=["retrieval.haystack"])` restores a pipeline that `pipeline.dumps()` wrote. Importing this
package before Haystack turns telemetry off (`TELEMETRY_OFF`). docs/haystack.md has more examples.
"""

from __future__ import annotations

from typing import Any

from haystack import Document, component

from retrieval.haystack.opening import OUTPUTS, Opening, result_of, sentence_document
from retrieval.haystack.steps import recipe_pipeline

__all__ = ["EsotericFactChecker", "EsotericRetriever", "recipe_pipeline"]


@component
class EsotericRetriever(Opening):
    """Sentences that bear on a claim, as documents, best first."""

    def __init__(self, store: str = "", recipe: str = "esoteric", top_k: int = 5) -> None:
        """store: the corpus, as for `--store`; if empty, STORE, else DATA/store. Nothing is opened before `warm_up`."""
        Opening.__init__(self, recipe, store)
        self.top_k = top_k

    @component.output_types(documents=list[Document])
    def run(self, claim: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """{"documents": at most `top_k`}, see `sentence_document`. Raises EsotericError if the claim cannot be checked."""
        sentences = self.start(claim, judged=False).finished().sentences
        return {"documents": [sentence_document(e) for e in sentences[: self.top_k if top_k is None else top_k]]}


@component
class EsotericFactChecker(Opening):
    """A verdict on a claim, with its evidence; if there can be no verdict, the evidence alone."""

    def __init__(self, store: str = "", recipe: str = "esoteric", chat_generator: Any = None) -> None:
        """store: the corpus, as for `--store`; if empty, STORE, else DATA/store. Nothing is opened before `warm_up`.

        chat_generator: your own ChatGenerator, to give the verdict in place of LLM_MODEL.
        """
        Opening.__init__(self, recipe, store, chat_generator=chat_generator)

    @component.output_types(**OUTPUTS)
    def run(self, claim: str) -> dict[str, Any]:
        """label: SUPPORTED, REFUTED, NOT_ENOUGH_EVIDENCE or CONFLICTING. confidence: the label's share, 0 to 1, which
        is a probability only if the verdict in `check` is `calibrated`; with recipe `esoteric` it is an estimate, with
        a language model its rating. reason: why, in one sentence. documents: the evidence. questions: those asked.
        check: the whole check as JSON.

        There is no verdict if the text is not a statement, or if the models were not measured in its language. Then
        `label` and `confidence` are left out, so components connected to them do not run; `reason` says why, and the
        documents are the nearest sentences.

        Raises EsotericError if the claim cannot be checked.
        """
        return result_of(self.start(claim).finished())
