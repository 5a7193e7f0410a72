"""Writes scorecards as Markdown tables, beside their goals, between marks of README.md and of pages in docs/.

The scorecard of FEVER's development claims is one file, `scorecard.json`; those beside it, `scorecard-NAME.json`, hold
separate measurements, such as the sample's claims and the stance model alone (`goals.py` names them).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.report.blocks import data_set, fill_pages, has_block, heads, row, with_block
from evaluation.report.goals import FEVER, GOALS, MOST_MS, MS_BESIDE, Goal
from evaluation.report.names import CLASS_FIGURES
from evaluation.report.results_folder import Json, read_card

Cards = Mapping[str, Json]
Table = Callable[[Cards], str]
CLAIM_PARTS = ("metrics", "natural", "complete")
POISON_FIGURES = ("turned_verdicts_with_truth", "turned_verdicts_without_truth", "flagged", "changed_verdicts")
NOT_MEASURED = "Not measured."
EVERYDAY_FIGURES = ("label_accuracy", "evidence_set_recall@5", "page_set_recall@10")
SET_FIGURES = ("label_accuracy", "opposite_verdicts", "no_verdict")
COUNTED_FIGURE = {"classes": "label_accuracy", "kinds": "changed_verdicts"}  # the figure whose n a table shows
FAST_FIGURES = (
    "label_accuracy balanced_label_accuracy balanced_fever_score evidence_set_recall@1 evidence_set_recall@5 "
    "passage_f1 calibration_error"
).split()
BLOCKS: dict[str, Table] = {}  # the name of a page's marks -> the table between them


def _block(name: str, card: str = "") -> Callable[[Callable[[Cards], Iterable[str]]], Table]:
    """Make a table of the lines that the function below yields; a note if the card that they need is missing."""

    def declare(lines: Callable[[Cards], Iterable[str]]) -> Table:
        BLOCKS[name] = lambda cards: "\n".join(lines(cards)) if not card or card in cards else NOT_MEASURED
        return BLOCKS[name]

    return declare


@_block("scorecard")
def results_table(cards: Cards) -> Iterator[str]:
    """The goals' figures with intervals, for all, `natural` and `complete` claims, then a description of the runs."""
    yield from heads("figure", "all", *CLAIM_PARTS[1:], "n", "goal", "met", "others")
    for goal in GOALS:
        if goal.metric in cards.get(goal.card, {}).get(goal.part, {}):
            yield _goal_row(goal, cards[goal.card])
    if speed := cards[FEVER].get("latency_ms"):
        for name in MOST_MS:
            yield f"| ms a claim, {name} | {speed[name]:,.0f} | | {_speed_goal(cards[FEVER], name)}"
    yield from ("", *_runs(cards))


@_block("headline")
def headline_table(cards: Cards) -> Iterator[str]:
    """The figures that the README shows, labelled in words, then how they were measured."""
    yield from heads("measured", "figure", "cases", "goal", "met", "others")
    for goal in GOALS:
        score = cards.get(goal.card, {}).get(goal.part, {}).get(goal.metric)
        if goal.plain and score:
            yield row(goal.plain, _cell(score, chosen=True), *_goal_cells(goal, score))
    if speed := cards[FEVER].get("latency_ms"):
        yield f"| Median time per claim, ms | **{speed['p50']:,.0f}** {_speed_goal(cards[FEVER], 'p50')}"
    cores = re.search(r"\d+ cores?", cards[FEVER]["machine"])
    run = [f"recipe `{cards[FEVER]['pipeline']['recipe']}`", *([cores[0]] if cores else []), "no language model"]
    yield ""
    yield (
        f"FEVER's development claims unless the row names others; {', '.join(run)}. Machines and data: "
        "[docs/results.md](docs/results.md). In brackets: 95 % bootstrap intervals."
    )


def _goal_row(goal: Goal, card: Json) -> str:
    columns = CLAIM_PARTS if goal.part in CLAIM_PARTS else (goal.part, *CLAIM_PARTS[1:])
    parts = {part: card.get(part, {}) if goal.card == FEVER or part == goal.part else {} for part in columns}
    cells = [_cell(scores.get(goal.metric), part == goal.part) for part, scores in parts.items()]
    name = f"{goal.what}, `{goal.metric}`" if goal.what else f"`{goal.metric}`"
    return row(name, *cells, *_goal_cells(goal, card[goal.part][goal.metric]))


def _goal_cells(goal: Goal, score: Mapping[str, Any]) -> tuple[str, ...]:
    """Number of claims, goal, whether it is met, and what other systems reached."""
    limit = f"{'≤' if goal.at_most else '≥'} {share(goal.limit)}"
    return f"{score['n']:,}", limit, _met(goal.met(score["value"])), goal.beside


def _speed_goal(card: Json, name: str) -> str:
    """The same cells for a time."""
    met = _met(card["latency_ms"][name] <= MOST_MS[name])
    return f"| {card['data']['scored']:,} | ≤ {MOST_MS[name]:,.0f} | {met} | {MS_BESIDE} |"


def _met(met: bool) -> str:
    return "yes" if met else "**no**"


def _cell(score: Mapping[str, float] | None, chosen: bool = False) -> str:
    if score is None:
        return ""
    value = f"**{share(score['value'])}**" if chosen else share(score["value"])
    return f"{value} [{share(score['low'])}, {share(score['high'])}]"


def share(value: float) -> str:
    """A share in the field's usual form, .956."""
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


def _runs(cards: Cards) -> list[str]:
    """Data, models and machine of the runs: FEVER's claims first, then each further file."""
    data, pipeline = cards[FEVER]["data"], cards[FEVER]["pipeline"]
    models = ", ".join(f"`{model}`" for model in pipeline["models"].values())
    lines = [
        f"{data_set(data)}, {data['scored']:,} claims, recipe `{pipeline['recipe']}`: {models}; "
        f"{pipeline['corpus'].get('pages', 0):,} pages; {_machines(cards)}. In brackets: 95 % bootstrap intervals."
    ]
    others = [_other_run(card) for name, card in sorted(cards.items()) if name != FEVER and not _is_of_recipe(name)]
    return [*lines, f"Further: {'; '.join(others)}."] if others else lines


def _other_run(card: Json) -> str:
    data, models = card["data"], card["pipeline"]["models"]
    unit = "pairs" if card["pipeline"]["recipe"] == "stance" else data.get("unit", "claims")
    return f"`{data['path']}` (`{data['sha256'][:12]}`), {data['scored']:,} {unit}, `{models['cross_encoder']}`"


@_block("classes", "adversarial")
def classes_table(cards: Cards) -> Iterable[str]:
    """Figures of the sample's adversarial claims by class."""
    return _by_group("class", cards["adversarial"], "classes", CLASS_FIGURES)


@_block("everyday", "everyday")
def everyday_table(cards: Cards) -> Iterator[str]:
    """Everyday claims by kind, by label and by recipe."""
    card, recipes = cards["everyday"], cards.get("recipes")
    yield from (*_by_group("kind", card, "classes", EVERYDAY_FIGURES), "", *_recalls(card))
    if recipes:
        yield from ("", *heads("recipe", "label accuracy", "behind the default, same claims"))
        for name in recipes["recipes"]:
            accuracy, behind = (recipes[name].get(figure) for figure in ("label_accuracy", "label_accuracy_behind"))
            yield row(f"`{name}`", f"{_cell(accuracy)}, {accuracy['n']:,} claims", _cell(behind))
    yield from ("", _run_of(card))


def _recalls(card: Json) -> list[str]:
    """Rows with the share of each gold label's claims that get that label."""
    names = {"supported": "recall_supports", "refuted": "recall_refutes", "not enough": "recall_not_enough_info"}
    known = {name: card["metrics"][metric] for name, metric in names.items() if metric in card["metrics"]}
    rows = [row(name, f"{score['n']:,}", _cell(score)) for name, score in known.items()]
    return [*heads("gold", "claims", "right"), *rows]


@_block("kinds", "kinds")
def kinds_table(cards: Cards) -> Iterator[str]:
    """Claims by kind of trouble."""
    card = cards["kinds"]
    yield from heads("set", *(name for figure in SET_FIGURES for name in (f"`{figure}`", "n")))
    for name, scores in {**card["sets"], "**all**": card["metrics"]}.items():
        found = [scores.get(figure) for figure in SET_FIGURES]
        yield row(name, *(cell for one in found for cell in (_cell(one), str(one["n"]) if one else "")))
    yield from ("", _run_of(card))


@_block("recipes")
def recipes_table(cards: Cards) -> Iterator[str]:
    """The recipes: their names, what they do, their cost, and their accuracy if measured."""
    from retrieval.recipes import RECIPES

    card = cards.get("recipes", {})
    yield from heads("recipe", "in the browser", "how it works", "s a claim", "everyday claims right")
    for name, recipe in RECIPES.items():
        right = _cell(card.get(name, {}).get("label_accuracy"))
        yield row(f"`{name}`", recipe.title, recipe.what, f"{recipe.seconds:.2g}", right)


def _machines(cards: Cards) -> str:
    """The machine that measured FEVER's claims, and the others, each with its cards."""
    first, others = cards[FEVER]["machine"], defaultdict[str, list[str]](list)
    for name, card in sorted(cards.items()):
        if card.get("machine", first) != first:
            others[card["machine"]].append(name)
    return "; ".join([first, *(f"{', '.join(names)}: {machine}" for machine, names in others.items())])


def _run_of(card: Json) -> str:
    """The data, recipe and machine of a card."""
    data, pipeline = card["data"], card["pipeline"]
    return (
        f"{data_set(data)}, {data['scored']:,} claims, recipe `{pipeline['recipe']}`; "
        f"{pipeline['corpus'].get('pages', 0):,} pages; {card['machine']}."
    )


@_block("poison", "poison")
def poison_table(cards: Cards) -> Iterator[str]:
    """Verdicts turned by planted pages, by kind of page and by recipe."""
    card = cards["poison"]
    pipeline, corpus = card["pipeline"], card["pipeline"]["corpus"]
    yield from _by_group("planted", card, "kinds", POISON_FIGURES)
    if "unseen" in card:
        further = {"metrics": card["unseen"], "kinds": card["unseen_kinds"]}
        yield from _by_group("", further, "kinds", POISON_FIGURES, "all of these eight, written after the rules")[2:]
    models = ", ".join(f"`{model}`" for model in pipeline["models"].values())
    corpus_name = f"corpus `{corpus['fingerprint']}`, {corpus['pages']:,} pages"
    yield from ("", f"Recipe `{pipeline['recipe']}`: {models}; {corpus_name}; {card['machine']}.")
    yield from _by_recipe([one for name, one in sorted(cards.items()) if name.startswith("poison") and "unseen" in one])


def _is_of_recipe(name: str) -> bool:
    """Whether the card only compares another recipe with the default one."""
    return name.startswith("poison-") or name in {"recipes", "fast"}


def _by_recipe(cards: Sequence[Json]) -> list[str]:
    """Each recipe's figures over the ten kinds that the rules were written for, and over the eight others."""
    sets = {"ten kinds": "metrics", "eight unseen": "unseen"}
    figures = [f"{name}, {figure}" for name in sets for figure in ("truth there", "not there", "flagged")]
    lines = ["", *heads("recipe", *figures)] if cards else []
    for card in cards:
        found = [_cell(card[part].get(metric)) for part in sets.values() for metric in POISON_FIGURES[:3]]
        lines.append(row(f"`{card['pipeline']['recipe']}`", *found))
    return lines


def _by_group(head: str, card: Json, groups: str, figures: Sequence[str], together: str = "all") -> list[str]:
    """A table with a row for each group of the card, and one for all."""
    lines = heads(head, "n", *(f"`{metric}`" for metric in figures))
    for name, scores in {**card[groups], f"**{together}**": card["metrics"]}.items():
        cells = [_cell(scores.get(metric)) for metric in figures]
        lines.append(row(name, str(scores[COUNTED_FIGURE[groups]]["n"]), *cells))
    return lines


@_block("labels")
def labels_table(cards: Cards) -> Iterator[str]:
    """The labels that natural claims of each gold label get, and the share that is right; a note if not measured."""
    counts: dict[str, dict[str, int]] | None = cards[FEVER].get("confusion_natural")
    if counts is None:
        yield NOT_MEASURED
        return
    yield from heads("gold", "claims", *(f"predicted {label.lower()}" for label in counts), "right")
    for gold, predicted in counts.items():
        claims = sum(predicted.values())
        numbers = (f"{number:,}" for number in (claims, *(predicted.get(label, 0) for label in counts)))
        yield row(gold.lower(), *numbers, share(predicted.get(gold, 0) / max(1, claims)))


@_block("fast", "fast")
def fast_table(cards: Cards) -> Iterator[str]:
    """Recipe `fast` beside the default on the same claims, all and natural ones."""
    both = (cards["fast"], cards[FEVER])
    recipes = [f"`{card['pipeline']['recipe']}`" for card in both]
    parts = {"all": "metrics", "natural": "natural"}
    yield from heads("figure", *(f"{recipe}, {name}" for name in parts for recipe in recipes))
    for figure in FAST_FIGURES:
        yield row(f"`{figure}`", *(_cell(card[part].get(figure)) for part in parts.values() for card in both))
    runs = "; ".join(f"{recipe}: {card['machine']}" for recipe, card in zip(recipes, both, strict=True))
    yield from ("", f"{both[0]['data']['scored']:,} claims. {runs}.")


@_block("speed")
def speed_table(cards: Cards) -> Iterator[str]:
    """Time and memory of a claim, for the arithmetic of docs/scaling.md; a note if they are missing."""
    card = cards[FEVER]
    if "latency_ms" not in card or "peak_rss_mb" not in card:
        yield NOT_MEASURED
        return
    speed, recipe = card["latency_ms"], card["pipeline"]["recipe"]
    times = f"{speed['mean']:,.0f} ms mean, {speed['p50']:,.0f} p50, {speed['p95']:,.0f} p95"
    run = f"{card['data']['scored']:,} claims, one after the other; {card['machine']}"
    yield from heads("figure", "value", "measured on")
    yield row(f"a claim, recipe `{recipe}`, {card['pipeline']['corpus'].get('pages', 0):,} pages", times, run)
    a_minute = f"{60_000 / speed['mean']:,.0f}"
    yield row("claims a minute, one after the other", a_minute, "60 s divided by that mean")
    yield row("peak memory of the process that checks", f"{card['peak_rss_mb']:,} MB", "the same run")


def filled(text: str, cards: Cards) -> str:
    """A page with its tables filled from the scorecards. Raises ValueError if the page has no marks."""
    found = [name for name in BLOCKS if has_block(text, name)]
    if not found:
        raise ValueError("no mark")
    for name in found:
        text = with_block(text, name, BLOCKS[name](cards))
    return text


def read_cards(scorecard: Path) -> dict[str, Json]:
    """The scorecard and those beside it, by name. Raises CorpusError if one cannot be read."""
    further = sorted(scorecard.parent.glob(f"{scorecard.stem}-*.json"))
    names = {FEVER: scorecard, **{path.stem.removeprefix(f"{scorecard.stem}-"): path for path in further}}
    return {name: read_card(path, lambda card: _runs({FEVER: card})) for name, path in names.items()}


def fill_in(scorecard: Path, pages: Sequence[Path]) -> None:
    """Write the tables between the marks of every page. Raises CorpusError or SettingError, before anything is changed."""
    cards = read_cards(scorecard)
    fill_pages(pages, "scorecard", lambda text: filled(text, cards))
