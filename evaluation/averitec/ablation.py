"""Ablation of recipes `aic`, `rag_fusion` and `contextual`, and of the verdict alone, with each variant on the same
claims.

Every variant is a run in its own folder, so an interrupted measurement resumes. Time is not compared, because the
variants share vectors and recorded replies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.averitec.data import GoldClaim, Prediction, read_claims, read_predictions
from evaluation.averitec.gold import GOLD, tuned_recipe
from evaluation.averitec.meteor import Meteor, meteor
from evaluation.averitec.run import evaluate
from evaluation.averitec.scores import VERDICT_FIGURES, averitec_measures, claim_score
from evaluation.fever.compare import cell_of_difference, compare_measures
from evaluation.metrics import Measure
from evaluation.report.blocks import data_set, heads, row
from evaluation.report.results_folder import Json, write_json
from retrieval.errors import CorpusError, SettingError
from retrieval.resources import Resources
from retrieval.settings import Settings

SEARCH_FIGURES = ("q_meteor", "a_meteor", "qa_meteor", "url_hit_rate", "url_all_rate", "page_hit_rate", "page_all_rate")


@dataclass(frozen=True)
class Variant:
    """A recipe with some knobs changed. asks: whether the change needs a language model. judges: whether it changes the
    verdict, not the search. seeks: whether it is only measured with `--search`, without a verdict.
    """

    name: str
    recipe: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    asks: bool = False
    judges: bool = False
    seeks: bool = False

    @property
    def folder(self) -> str:
        """The name of the run's folder."""
        return "-".join([self.recipe, *(f"{name}-{value}".lower() for name, value in self.changes.items())])


VARIANTS = (
    Variant("as it is: the best piece of a chunk", "aic"),
    Variant("the mean of a chunk's pieces", "aic", {"pieces": "mean"}),
    Variant("the opening of a chunk", "aic", {"pieces": "opening"}),
    Variant("answers from ten chunks, as many as a language model reads", "aic", {"local_chunks": 10}),
    Variant("as it is", "rag_fusion"),
    Variant("documents searched with the questions", "rag_fusion", {"documents": "questions"}),
    *(  # the paper's table 1: so many for the claim, or for each of three questions
        Variant(f"documents: {pages} for {query}", "rag_fusion", changes, seeks=True)
        for pages, query, changes in (
            (75, "the claim", {"pages": 75}),
            (25, "the claim", {"pages": 25}),
            (75, "each question", {"documents": "questions", "pages": 225}),
            (50, "each question", {"documents": "questions", "pages": 150}),
            (25, "each question", {"documents": "questions", "pages": 75}),
        )
    ),
    *(  # its table 2: so many for the claim, or for each question
        Variant(
            f"sentences: {most} for {query}", "rag_fusion", {"query": name, "questions": 1, "answers": most}, seeks=True
        )
        for query, name in (("the claim's words", "bm25"), ("the claim", "claim"))
        for most in (10, 3, 1)
    ),
    Variant("sentences: 10 for each question", "rag_fusion", {"answers": 10, "pairs": 30}, seeks=True),
    Variant("searched with the claim", "rag_fusion", {"query": "claim"}),
    Variant("searched with the claim's words (BM25)", "rag_fusion", {"query": "bm25"}),
    Variant("the first sentence of each question", "rag_fusion", {"answers": 1}),
    Variant("the first question alone", "rag_fusion", {"questions": 1}),
    Variant("sentences chosen by rank fusion", "rag_fusion", {"choice": "ranks"}),
    Variant("asked first whether the evidence suffices", "rag_fusion", {"sufficiency": True}, True, True),
    Variant("prompt c", "rag_fusion", {"prompt": "c", "doubt": "slightest"}, True, True),
    Variant("prompt c without the rule of doubt", "rag_fusion", {"prompt": "c", "doubt": "none"}, True, True),
    Variant("prompt d", "rag_fusion", {"prompt": "d", "doubt": "slightest"}, True, True),
    Variant("two classifiers", "rag_fusion", {"verdict": "two"}, judges=True),
    Variant("one classifier, a model being set", "rag_fusion", {"verdict": "four"}, True, True),
    Variant("two questions to a language model", "rag_fusion", {"verdict": "llm_two"}, True, True),
    Variant("as it is: contexts after reranking", "contextual"),
    Variant("contexts before reranking", "contextual", {"context_order": "before"}),
    Variant("contexts for reranking alone", "contextual", {"context_order": "ranks"}),
    Variant("reranking alone", "contextual", {"context_order": "none"}),
    Variant("contexts alone", "contextual", {"context_order": "only"}),
    Variant("contexts apart in the prompt", "contextual", {"context_prompt": "apart"}, True, True),
    Variant("as it is: gold answers, one classifier or a language model", GOLD, judges=True),
    Variant("gold answers, two classifiers", GOLD, {"verdict": "two"}, judges=True),
    Variant("gold answers, prompt d", GOLD, {"prompt": "d", "doubt": "slightest"}, True, True),
    Variant("gold answers, prompt d without the rule of doubt", GOLD, {"prompt": "d", "doubt": "none"}, True, True),
    Variant("gold answers, two questions to a language model", GOLD, {"verdict": "llm_two"}, True, True),
)


def measure_variants(
    path: Path,
    out: Path,
    settings: Settings,
    knowledge: Path,
    limit: int | None = None,
    replies: Path | None = None,
    *,
    recipes: Sequence[str] = (),
    search: bool = False,
) -> Json:
    """Run every variant, write `ablation.json` into `out` and return it.

    replies: a language model's recorded replies, as for `evaluate`. recipes: those whose variants to measure; all if
    empty. search: whether to measure the search alone, without verdicts. Raises CorpusError if no claim is answered by
    all variants.
    """
    variants = chosen_variants(bool(settings.llm_model or replies), recipes, search)
    cards, predicted, resources = {}, {}, Resources(settings)
    for variant in variants:
        print(f"{variant.recipe}, {variant.name}", flush=True)
        folder = out / (variant.folder + "-search" * search)
        tuned = resources.with_settings(_tuned(settings, variant, search))
        cards[variant.name] = evaluate(
            path, folder, tuned, variant.recipe, knowledge, limit, replies=replies, unread=search
        )
        predicted[variant.name] = read_predictions(folder / "claims.jsonl")
    figures = _figures(read_claims(path, limit), predicted, variants, meteor(settings.data / "nltk_data"))
    first = cards[variants[0].name]
    rows = [
        {"variant": v.name, "recipe": v.recipe, **figures[v.name], "tokens": _tokens(cards[v.name])} for v in variants
    ]
    claims = next(iter(figures.values()))["claims"]
    data = {**{name: first["data"][name] for name in ("path", "sha256")}, "claims": claims}
    models = {role: name for card in cards.values() for role, name in card["pipeline"]["models"].items()}
    card = {"data": data, "models": models, "machine": first["machine"], "search": search, "variants": rows}
    write_json(out / "ablation.json", card)
    return card


def _tuned(settings: Settings, variant: Variant, search: bool) -> Settings:
    """The variant's settings. search: whether to call no model for a verdict."""
    recipe = tuned_recipe(variant.recipe)
    local = {"verdict": "four"} if search and recipe != "aic" else {}
    return settings.tuned(recipe, **{**variant.changes, **local})


def chosen_variants(has_llm: bool, recipes: Sequence[str] = (), search: bool = False) -> list[Variant]:
    """The variants that can be measured. has_llm: whether a language model is set; recipes, search: see `measure_variants`.

    Raises SettingError if none is left.
    """
    known = {variant.recipe for variant in VARIANTS}
    if strange := set(recipes) - known:
        raise SettingError(
            f"No variants of {min(strange)[:40]!r} are measured. Name one of: {', '.join(sorted(known))}."
        )
    found = [one for one in VARIANTS if (has_llm or not one.asks) and (not recipes or one.recipe in recipes)]
    found = [one for one in found if not (one.judges if search else one.seeks)]
    if not found:
        raise SettingError("These variants change the verdict alone. Leave out `--search`.")
    return found


def _figures(
    claims: Sequence[GoldClaim],
    predicted: Mapping[str, Mapping[str, Prediction]],
    variants: Sequence[Variant],
    compare: Meteor,
) -> dict[str, Json]:
    """Variant -> each figure beside the unchanged recipe's, over the claims that all variants answered."""
    shared = [claim for claim in claims if all(claim.id in found for found in predicted.values())]
    if not shared:
        raise CorpusError("No claim was answered by every variant. See the errors of each run.")
    measures: dict[str, Mapping[str, Measure]] = {}
    for name, found in predicted.items():
        pairs = [(claim, found[claim.id]) for claim in shared]
        measures[name] = averitec_measures(pairs, [claim_score(*pair, compare) for pair in pairs])
    plain = {variant.recipe: variant.name for variant in reversed(variants)}
    return {
        variant.name: {
            "claims": len(shared),
            "figures": compare_measures(measures[variant.name], measures[plain[variant.recipe]]),
        }
        for variant in variants
    }


def _tokens(card: Json) -> int | None:
    """A language model's tokens per claim; None if none was asked."""
    tokens = card.get("tokens")
    return round(tokens["prompt"]["mean"] + tokens["reply"]["mean"]) if tokens else None


def variants_table(card: Json) -> str:
    """A Markdown table of signed differences from the unchanged recipe; a star if their 95 % interval leaves out 0."""
    rows = card["variants"]
    wanted = SEARCH_FIGURES if card.get("search") else VERDICT_FIGURES
    figures = [name for name in wanted if any(name in row["figures"] for row in rows)]
    head = ["recipe", "variant", *(f"`{name}`" for name in figures), "tokens a claim"]
    lines = [*heads(*head), *(_row(one, figures) for one in rows)]
    data, models = card["data"], card["models"]
    llm = models.get("llm", "none")
    named = dict.fromkeys(name for role, name in models.items() if role != "prompt" and name not in ("none", llm))
    names = ", ".join(f"`{name}`" for name in named)
    lines += [
        "",
        f"{data_set(data)}, {data['claims']:,} claims, "
        f"{'language model ' + llm if llm != 'none' else 'no language model'}; {names}; {card['machine']}. "
        "A star: the 95 % bootstrap interval of the difference leaves out 0.",
    ]
    return "\n".join(lines)


def _row(variant: Json, figures: Sequence[str]) -> str:
    unchanged = variant["variant"].startswith("as it is")

    def cell(found: Json | None) -> str:
        if found is None:
            return ""
        return f"**{found['this']:.3f}**" if unchanged else cell_of_difference(found)

    cells = (cell(variant["figures"].get(name)) for name in figures)
    return row(f"`{variant['recipe']}`", variant["variant"], *cells, str(variant["tokens"] or "none"))


def variants_block(card: Json) -> str:
    """The name of the page's marks for the table."""
    block = "averitec-search" if card.get("search") else "averitec-ablation"
    return block if card["models"].get("llm", "none") == "none" else f"{block}-llm"
