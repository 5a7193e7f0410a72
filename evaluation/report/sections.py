"""The report's sections, each from the part of the scorecard it shows; nothing if the scorecard lacks it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.fever.failures import Example, Failures, Quotation
from evaluation.report import charts
from evaluation.report.markup import Html, element, join, row, table
from evaluation.report.names import LABELS, name_of

Json = dict[str, Any]
NOTHING = Html("")


def contents(parts: Sequence[Html]) -> Html:
    """Links to the sections."""
    found = [re.match(r'<section id="([a-z]+)"><h2>(.*?)</h2>', part) for part in parts]
    links = [element("li", element("a", Html(match[2]), href=f"#{match[1]}")) for match in found if match]
    return element("nav", element("ul", *links), aria_label="Sections")


def section(id: str, title: str, *content: object) -> Html:
    """A section that starts with its heading, so that `contents` finds it."""
    return Html(f'<section id="{id}">{element("h2", title)}{join(content)}</section>')


def figure(chart: Html, *caption: object) -> Html:
    """A chart with its caption."""
    return element("figure", chart, element("figcaption", *caption))


def comparison(found: Json | None) -> Html:
    """This run beside another."""
    if not found:
        return NOTHING
    widest = max((abs(one[end]) for one in found["metrics"].values() for end in ("low", "high")), default=0.01) or 0.01
    heads = ("", "this run", "the other", "difference, points", element("th", " ", scope="col", class_="strip"), "p")
    rows = [_difference(metric, one, widest) for metric, one in found["metrics"].items()]
    said = f"Beside {found['other']}, on the {found['claims']:,} claims that both answered. Coloured: the interval of the difference, from claims drawn again a thousand times, leaves out zero."
    return section("comparison", "This run and another", element("p", said, class_="soft"), table(heads, rows))


def _difference(metric: str, found: Mapping[str, float], widest: float) -> Html:
    name = name_of(metric)
    sure = found["low"] > 0 or found["high"] < 0
    better = (found["difference"] > 0) != name.lower_is_better
    change = f"{100 * found['difference']:+.1f}".replace("-", "−")
    bounds = f"{100 * found['low']:+.1f} to {100 * found['high']:+.1f}".replace("-", "−")
    strip = charts.interval_strip(
        f"{change} points, {bounds}", found["difference"], found["low"], found["high"], -widest, widest
    )
    return row(
        name.title,
        element("td", f"{100 * found['this']:.1f}"),
        element("td", f"{100 * found['other']:.1f}"),
        element(
            "td",
            change,
            element("span", bounds, class_="range"),
            class_=("better" if better else "worse") if sure else None,
        ),
        element("td", strip, class_="strip"),
        element("td", f"{found['p']:.3f}"),
    )


def labels(card: Json) -> Html:
    """Per-label table and confusion matrix."""
    rows = [
        row(
            LABELS.get(label, label),
            *(
                element("td", "–" if of[key] is None else f"{100 * of[key]:.1f}")
                for key in ("precision", "recall", "f1")
            ),
            *(element("td", f"{of[key]:,}") for key in ("gold", "predicted")),
        )
        for label, of in card["per_label"].items()
    ]
    by_label = table(("label", "precision", "recall", "F1", "gold", "said"), rows)
    caption = "Each row adds up to 100\u202f%: what was said of the claims that have this label."
    drawn = [figure(charts.confusion_chart("Confusion matrix of the labels", card["confusion"], LABELS), caption)]
    if "confusion_natural" in card:
        title = "Confusion matrix of the labels, natural claims"
        chart = charts.confusion_chart(title, card["confusion_natural"], LABELS)
        drawn.append(figure(chart, "The same of the natural claims alone."))
    return section("labels", "Labels", element("div", by_label, *drawn, class_="charts"))


SETS = {
    "evidence_set_size": "sentences shown, mean",
    "page_position": "place of a right page among the first 17, mean",
    "passage_position": "place of a right sentence among those shown, mean",
}


def evidence_sets(card: Json) -> Html:
    """How the right pages were found, and size and order of what is shown (the thesis, table 6)."""
    found = card.get("evidence_sets")
    if not found:
        return NOTHING
    shares = found.get("hits_by_method", {}).items()
    rows = [(f"right pages found by {method}", f"{100 * share:.1f}\u202f%") for method, share in shares]
    rows += [(words, f"{found[name]:.2f}") for name, words in SETS.items() if name in found]
    lines = [row(words, element("td", figure)) for words, figure in rows]
    hint = element("p", "Of the claims that can be verified.", class_="soft")
    return section("sets", "Evidence sets", hint, table((), lines))


def errors(failures: Sequence[Failures]) -> Html:
    """Failures, with the claim, the gold evidence, and what was found."""
    if not any(kind.total for kind in failures):
        return NOTHING
    parts = []
    for kind in failures:
        if kind.total:
            shown = f" {len(kind.examples)} are shown, the surest first." if kind.total > len(kind.examples) else ""
            parts.append(element("h3", f"{kind.name}: {kind.total:,}"))
            parts.append(element("p", f"{kind.meaning[0].upper()}{kind.meaning[1:]}.{shown}", class_="soft"))
            parts += [_example(example) for example in kind.examples]
    return section("errors", "Where it went wrong", *parts)


def _example(example: Example) -> Html:
    sure = "" if example.confidence is None else f" {example.confidence:.0%}"
    chips = [chip(example.gold_label, "gold: "), " "] if example.gold_label == example.said_label else [
        chip(example.gold_label, "gold: "), " ", chip(example.said_label, "said: ", sure)]  # fmt: skip
    pages = [
        join([", " if number else "", element("span", title, class_="gold" if gold else None)])
        for number, (title, gold) in enumerate(example.pages)
    ]
    return element(
        "details",
        element("summary", element("span", example.claim, class_="claim"), *chips),
        element(
            "div",
            join([element("h4", "Gold evidence"), _quotations("ul", example.gold)]) if example.gold else None,
            join([element("h4", "Sentences found, best first"), _quotations("ol", example.found)])
            if example.found
            else None,
            join([element("h4", "Pages found, best first"), element("p", *pages)]) if pages else None,
            element("p", f"Claim {example.id}", class_="hint"),
        ),
    )


def chip(label: str, before: str, after: str = "") -> Html:
    """A label in its colour."""
    return element("span", f"{before}{LABELS.get(label, label)}{after}", class_=f"chip {label}")


def _quotations(kind: str, quotations: Sequence[Quotation]) -> Html:
    items = [
        element(
            "li",
            element("span", f"{q.title}, sentence {q.line}", class_="gold" if q.gold else "soft"),
            f": {q.text}" if q.text else None,
        )
        for q in quotations
    ]
    return element(kind, *items)


def run(card: Json) -> Html:
    """The run and its data."""
    data, pipeline = card["data"], card["pipeline"]
    facts: dict[str, object] = {
        "Data": f"{data['path']}, {data['scored']:,} of {data['claims']:,} scored"
        + (", natural only" if data.get("natural") else ""),
        "sha256": element("code", data["sha256"]),
        "Pipeline": pipeline["recipe"],
        "Models": ", ".join(f"{role}: {name}" for role, name in pipeline["models"].items()),
        "Settings": ", ".join(f"{name} = {value}" for name, value in pipeline["settings"].items()),
    }
    if corpus := pipeline["corpus"]:
        facts["Corpus"] = join([f"{corpus['pages']:,} pages, ", element("code", corpus["fingerprint"])])
    if predictions := pipeline.get("predictions"):
        facts["Predictions"] = join([f"{predictions['path']}, ", element("code", predictions["sha256"])])
    facts["Machine"] = card["machine"]
    if "peak_rss_mb" in card:
        facts["Memory at most"] = f"{card['peak_rss_mb']:,} MB a process"
    pairs = [join([element("dt", name), element("dd", value)]) for name, value in facts.items() if value]
    return section("run", "What was run", element("dl", *pairs))
