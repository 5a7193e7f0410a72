"""Tables 2, 3, 6 and 8 of the thesis for recipe `esoteric`, on claims drawn as the thesis draws them.

Time is that of the first variant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from evaluation.fever.ablation import RECIPE, answer_in_variants
from evaluation.fever.answers import Answer
from evaluation.fever.compare import compare_runs, star
from evaluation.fever.data import GoldClaim, file_digest
from evaluation.fever.evidence_sets import evidence_set_figures
from evaluation.fever.scores import thesis_measures
from evaluation.machine import machine
from evaluation.metrics import scores_as_json
from evaluation.report.blocks import heads, row
from evaluation.report.results_folder import write_json
from retrieval.resources import Resources

Json = dict[str, Any]
WHOLE = "as shipped"
# The knobs that each variant changes.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    WHOLE: {},
    "pages ranked by the claim": {"without": "wh-questions, polar question"},
    "dual pipeline": {"passages": "dual"},
    "spaCy's sentences, no titles": {"sentences_by": "spacy", "sentence_titles": False},
}
# Variants with another model of similarity: the second drops sentences as the thesis does, the third also splits and reads sentences as it does.
SIMILAR: Mapping[str, Mapping[str, Any]] = {
    "similarity by {}": {},
    "similarity by {}, cutoff .7": {"similarity_cutoff": 0.7},
    "similarity by {}, cutoff .7, spaCy's sentences, no titles": {
        **VARIANTS["spaCy's sentences, no titles"],
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


def measure_tables(
    claims: Sequence[GoldClaim], paths: Sequence[Path], out: Path, resources: Resources, similarity: str = ""
) -> Json:
    """Answer the claims in each variant, write `tables.json` into `out` and return it. Resumes an interrupted run.

    similarity: a model to order sentences by in three more variants; empty for none. Raises SettingError if `out` cannot be
    written.
    """
    variants = {name: resources.settings.tuned(RECIPE, **knobs) for name, knobs in VARIANTS.items()}
    for name, knobs in SIMILAR.items() if similarity else ():
        ordered = replace(resources.settings, similarity_model=similarity)
        variants[name.format(Path(similarity).name)] = ordered.tuned(RECIPE, **knobs)
    digest = " ".join(map(file_digest, paths))  # the same for every draw from them, because answers are stored by claim
    pipeline, answers = answer_in_variants(claims, digest, out, resources, variants)
    card = {"data": {"paths": [path.name for path in paths], "claims": len(claims)}, "machine": machine()}
    card |= {"pipeline": pipeline, **table_figures(claims, answers)}
    write_json(out / "tables.json", card)
    return card


def table_figures(claims: Sequence[GoldClaim], answers: Mapping[str, Mapping[str, Answer]]) -> Json:
    """metrics: table 8 with intervals; seconds a claim; variants: {name: metrics, differences from the first, places}."""
    whole = [(claim, answers[WHOLE][claim.id]) for claim in claims]
    spent = [answer.milliseconds for _, answer in whole if answer.milliseconds is not None]
    variants: Json = {}
    for name, found in answers.items():
        pairs = [(claim, found[claim.id]) for claim in claims]
        variants[name] = {"figures": evidence_set_figures(pairs), "text_position": text_position(pairs)}
        variants[name]["metrics"] = compare_runs(pairs, WHOLE, answers[WHOLE])["metrics"]
    metrics = scores_as_json(thesis_measures(whole))
    return {"metrics": metrics, "seconds": round(fmean(spent) / 1000, 2) if spent else None, "variants": variants}


def text_position(pairs: Sequence[tuple[GoldClaim, Answer]]) -> float | None:
    """Mean place, from 1, of gold pages among the pages that a phrase found, as far as pages are kept; None for none."""
    places: list[int] = []
    for claim, answer in pairs:
        gold = {page for group in claim.evidence for page, _ in group}
        found = [page for page, method in zip(answer.pages, answer.methods, strict=False) if method == "text"]
        places += [place for place, page in enumerate(found, 1) if page in gold]
    return round(fmean(places), 2) if places else None


def tables_text(card: Json) -> str:
    """The tables in Markdown, in percent, the thesis's values beside ours."""
    metrics, variants = card["metrics"], card["variants"]
    lines = heads("table 8", "`esoteric`", "the thesis")
    for title, name, theirs in TABLE_8:
        one = metrics[name]
        interval = f"[{_percent(one['low'])}, {_percent(one['high'])}]"
        lines.append(row(title, f"{_percent(one['value'])} {interval}", f"{theirs:.2f}"))
    lines.append(row("seconds a claim", str(card["seconds"]), "31.75"))
    hits = variants[WHOLE]["figures"].get("hits_by_method", {})
    lines += ["", *heads("table 2: right pages, by how each was found", "`esoteric`", "the thesis")]
    lines += [row(title, _percent(hits.get(name, 0.0)), f"{theirs:.2f}") for title, name, theirs in HITS]
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
    places = ("place of a right page", "among those found by text")
    lines = heads("tables 3 and 6", *(titles[name] for name in shown), *places)
    for variant, found in variants.items():
        rows = found["metrics"]
        cells = [f"{_percent(rows[name]['this'])}{star(rows[name])}" for name in shown]
        places = (str(found["figures"].get("page_position", "")), str(found["text_position"] or ""))
        lines.append(row(variant, *cells, *places))
    return lines


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
