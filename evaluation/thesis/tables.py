"""Tables 2, 3, 6 and 8 of the thesis for recipe `esoteric`, on claims drawn as the thesis draws them.

Time is measured for the first variant only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from evaluation.fever.ablation import ESOTERIC, answer_in_variants
from evaluation.fever.answers import Answer
from evaluation.fever.compare import compare_runs, star
from evaluation.fever.data import GoldClaim, file_digest
from evaluation.fever.scores import THESIS_PAGES, Pairs, thesis_measures
from evaluation.machine import machine
from evaluation.metrics import Measure, ratio, scores_as_json
from evaluation.report.blocks import heads, row
from evaluation.report.results_folder import Json, write_json
from retrieval.resources import Resources

SHIPPED = "as shipped"
# The knobs that each variant changes.
THESIS_VARIANTS: Mapping[str, Mapping[str, Any]] = {
    SHIPPED: {},
    "pages ranked by the claim": {"without": "wh-questions, polar question"},
    "dual pipeline": {"passages": "dual"},
    "spaCy's sentences, no titles": {"sentences_by": "spacy", "sentence_titles": False},
}
# Variants with another model of similarity: the second drops sentences like the thesis, the third also splits and reads
# them like the thesis.
SIMILAR: Mapping[str, Mapping[str, Any]] = {
    "similarity by {}": {},
    "similarity by {}, cutoff .7": {"similarity_cutoff": 0.7},
    "similarity by {}, cutoff .7, spaCy's sentences, no titles": {
        **THESIS_VARIANTS["spaCy's sentences, no titles"],
        "similarity_cutoff": 0.7,
    },
}
# The thesis's name of a figure, ours, and the thesis's value (its table 8).
TABLE_8 = (
    ("document recall", "page_recall", 77.37),
    ("document precision", "page_precision", 6.24),
    ("document F1", "page_f1", 11.55),
    ("passage recall", "passage_recall", 60.84),
    ("passage precision", "passage_precision", 60.29),
    ("passage F1", "passage_f1", 60.56),
    ("combined recall", "combined_recall", 69.27),
    ("combined precision", "combined_precision", 11.13),
    ("combined F1", "combined_f1", 19.18),
    ("OFEVER, documents", "ofever_page", 79.66),
    ("OFEVER, passages", "ofever_passage", 59.86),
    ("OFEVER, combined", "ofever_combined", 35.59),
)
PASSAGES = ("passage_recall", "passage_precision", "passage_f1", "ofever_passage")
HITS = (("title", "title", 85.64), ("title with a bracket", "bracket", 9.57), ("text", "text", 4.79))
PLACE_FIGURES = (("place of a right page", "place"), ("among those found by text", "place_by_text"))


def measure_tables(
    claims: Sequence[GoldClaim], paths: Sequence[Path], out: Path, resources: Resources, similarity: str = ""
) -> Json:
    """Answer the claims in each variant, write `tables.json` into `out` and return it. Resumes an interrupted run.

    similarity: a model that orders sentences in three more variants; empty for none. Raises SettingError if `out`
    cannot be written.
    """
    variants = {name: resources.settings.tuned(ESOTERIC, **knobs) for name, knobs in THESIS_VARIANTS.items()}
    for name, knobs in SIMILAR.items() if similarity else ():
        ordered = replace(resources.settings, similarity_model=similarity)
        variants[name.format(Path(similarity).name)] = ordered.tuned(ESOTERIC, **knobs)
    digest = " ".join(map(file_digest, paths))  # the same for every draw, because answers are stored by claim
    pipeline, answers = answer_in_variants(claims, digest, out, resources, variants)
    card = {"data": {"paths": [path.name for path in paths], "claims": len(claims)}, "machine": machine()}
    card |= {"pipeline": pipeline, **table_figures(claims, answers)}
    write_json(out / "tables.json", card)
    return card


def table_figures(claims: Sequence[GoldClaim], answers: Mapping[str, Mapping[str, Answer]]) -> Json:
    """seconds a claim; variants: {name: {"metrics": with intervals, "differences": from the first}}."""
    times = [ms for claim in claims if (ms := answers[SHIPPED][claim.id].milliseconds) is not None]
    variants: Json = {}
    for name, found in answers.items():
        pairs = [(claim, found[claim.id]) for claim in claims]
        metrics = scores_as_json({**thesis_measures(pairs), **place_measures(pairs)})
        variants[name] = {"metrics": metrics, "differences": compare_runs(pairs, SHIPPED, answers[SHIPPED])["metrics"]}
    return {"seconds": round(fmean(times) / 1000, 2) if times else None, "variants": variants}


def place_measures(pairs: Pairs) -> dict[str, Measure]:
    """share_METHOD: share of the gold pages among the first 17 that were found by this method. place: mean rank of
    these pages; place_by_text: mean rank of gold pages among pages found by a phrase, as far as pages are stored.
    """
    gold = [{page for page, _ in claim.pointers} for claim, _ in pairs]
    first = [_places(answer.pages[:THESIS_PAGES], pages) for (_, answer), pages in zip(pairs, gold, strict=True)]
    methods = [
        [answer.methods[n - 1] for n in found if n <= len(answer.methods)]
        for (_, answer), found in zip(pairs, first, strict=True)
    ]
    by_text = [
        _places([page for page, how in zip(answer.pages, answer.methods, strict=False) if how == "text"], pages)
        for (_, answer), pages in zip(pairs, gold, strict=True)
    ]
    measures = {
        f"share_{name}": ratio([how.count(name) for how in methods], [*map(len, methods)]) for _, name, _ in HITS
    }
    places = {"place": first, "place_by_text": by_text}
    return measures | {name: ratio([*map(sum, found)], [*map(len, found)]) for name, found in places.items()}


def _places(found: Sequence[str], pages: set[str]) -> list[int]:
    return [place for place, page in enumerate(found, 1) if page in pages]


def tables_text(card: Json) -> str:
    """The tables in Markdown, in percent, with the thesis's values beside ours."""
    variants = card["variants"]
    metrics = variants[SHIPPED]["metrics"]
    lines = heads("table 8", "`esoteric`", "the thesis")
    lines += [row(title, _figure(metrics, name), f"{theirs:.2f}") for title, name, theirs in TABLE_8]
    lines.append(row("seconds a claim", str(card["seconds"]), "31.75"))
    lines += ["", *heads("table 2: right pages, by how each was found", "`esoteric`", "the thesis")]
    lines += [row(title, _figure(metrics, f"share_{name}"), f"{theirs:.2f}") for title, name, theirs in HITS]
    lines += ["", *_variant_lines(variants)]
    data = card["data"]
    lines += [
        "",
        f"{data['claims']} claims with evidence, drawn by a seed from {', '.join(f'`{name}`' for name in data['paths'])}; "
        f"{card['pipeline']['corpus']['pages']:,} pages; {card['machine']}. In brackets: 95 % bootstrap "
        "intervals. A star: the interval of the paired difference leaves out 0.",
    ]
    return "\n".join(lines)


def _variant_lines(variants: Json) -> list[str]:
    titles = {name: title for title, name, _ in TABLE_8}
    shown = ("ofever_page", *PASSAGES, "combined_precision", "ofever_combined")
    lines = heads("tables 3 and 6", *(titles[name] for name in shown), *(title for title, _ in PLACE_FIGURES))
    for variant, found in variants.items():
        metrics, differences = found["metrics"], found["differences"]
        cells = [_figure(metrics, name, star(differences[name]) if name in differences else "") for name in shown]
        lines.append(row(variant, *cells, *(_figure(metrics, name, scale=1) for _, name in PLACE_FIGURES)))
    return lines


def _figure(metrics: Json, name: str, mark: str = "", scale: float = 100) -> str:
    """The figure, a mark, and its interval; empty if it cannot be computed."""
    if (one := metrics.get(name)) is None:
        return ""
    value, low, high = (f"{scale * one[part]:.2f}" for part in ("value", "low", "high"))
    return f"{value}{mark} [{low}, {high}]"
