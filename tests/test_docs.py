"""What the documentation says is what the code does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.fever.data import file_digest
from evaluation.report.blocks import marks
from evaluation.report.goals import GOALS
from evaluation.report.results import NOT_MEASURED, filled, read_cards
from retrieval.models.catalogue import BASE, READER_BASE
from retrieval.recipes import KNOBS
from retrieval.settings import Settings
from retrieval.settings.groups import FIELDS
from retrieval.settings.listing import common_settings, settings_page
from retrieval.version import VERSION

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_readme_holds_the_settings_table() -> None:
    match = re.search(r"<!-- settings: begin -->\n(.*?)\n<!-- settings: end -->", README, re.S)
    assert match, "README.md has lost its settings block"
    assert match[1] == common_settings(), "paste what `python -m retrieval settings --common` prints into README.md"
    assert len(match[1].splitlines()) - 2 <= 12, "a dozen settings, not all of them"


def test_true_is_spelt_the_same_everywhere() -> None:
    """As docs/settings.md has it; whatever else is accepted (1, yes, on)."""
    switches = "|".join(name.upper() for name, setting in FIELDS.items() if isinstance(setting.default, bool))
    given = re.compile(rf"\b({switches})(?:=| to )`?(\w+)")
    pages = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "templates").rglob("*.html"),
    ]
    for page in [*pages, *(ROOT / "app").rglob("*.py"), *(ROOT / "retrieval").rglob("*.py")]:
        spelt = {value for _, value in given.findall(page.read_text("utf-8"))}
        assert spelt <= {"true", "false"}, page


def test_the_readme_names_the_default_recipe() -> None:
    assert f"`{Settings().recipe}` is the default" in README
    assert README.count(" is the default") == 1


def test_the_page_of_settings_is_current() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert page == settings_page(KNOBS), "run `python -m retrieval settings --markdown > docs/settings.md`"


@pytest.mark.parametrize(
    ("page", "block"),
    [
        ("README.md", "headline"),
        ("docs/results.md", "scorecard"),
        ("docs/results.md", "recipes"),
        ("docs/results.md", "fast"),
        ("docs/scaling.md", "speed"),
    ],
)
def test_figures_are_those_of_the_stored_scorecards(page: str, block: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert marks(block)[0] in text
    assert filled(text, read_cards(ROOT / "docs" / "scorecard.json")) == text, "run `make scorecard`"


def benchmark_rows() -> dict[str, list[float]]:
    """The tables of docs/benchmarks.md: a row's name and the first number of each further cell, 0 where there is none."""
    rows = re.findall(r"^\| ([^|]+) \|(.+)\|$", (ROOT / "docs" / "benchmarks.md").read_text("utf-8"), re.M)
    first = {name: [re.search(r"\d[\d,.]*", cell) for cell in cells.split("|")] for name, cells in rows}
    return {
        name: [float(found[0].replace(",", "")) if found else 0.0 for found in cells] for name, cells in first.items()
    }


def large_pages() -> int:
    found = re.search(
        r"`make benchmark-large` on [\d-]+: ([\d,]+)", (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    )
    assert found, "docs/benchmarks.md has lost its large table"
    return int(found[1].replace(",", ""))


def scaling_sentences() -> Iterator[str]:
    """What docs/scaling.md says of the benchmarks' figures; of each row the embedded store's, then Elasticsearch's."""
    rows, pages = benchmark_rows(), large_pages()
    minutes, bare, vectors = (
        (rows[name][0], rows[name][2]) for name in ("load", "size on disk, no vectors", "– with 384 int8")
    )
    for store, spent in zip(("embedded store", "Elasticsearch"), minutes, strict=True):
        rate = float(f"{pages / spent / 60:.2g}")
        yield f"| load, {store} | {rate:,.0f} pages/s | measured: {pages:,} synthetic pages in {spent:g} min"
    for position, ending in enumerate((" synthetic;", " |")):
        sizes = [bytes_[position] for bytes_ in (bare, vectors)]
        each = " / ".join(f"{size * 1e9 / pages / 1e3:.1f}" for size in sizes)
        yield f"| {each} GB a million pages | measured: {sizes[0]:g} and {sizes[1]:g} GB{ending}"
    yield f"; {rows['118,863 pages on disk'][0] / 0.118863:.0f} MB a million for real ones"
    names = ("BM25 top 20, p50 / p95", "title n-grams of a claim, p50 / p95", "1000 page vectors scored, p50 / p95")
    yield f"| {' / '.join(f'{rows[name][2]:g}' for name in names)} ms | measured, p50 |"
    yield f"| {rows['web process after a check, resident'][0]:.0f} MB | measured, 118,863 pages |"
    for threads, name in ((1, "1 thread"), (2, "2 threads"), (4, "4 threads")):
        rate = rows[f"claims a second at which p95 passes 2 s, {name}"][0]
        yield f"| {threads} | {pages:,} | {rate:.1f} claims/s |"


def test_the_plan_for_growth_reckons_with_the_stored_benchmarks() -> None:
    text = (ROOT / "docs" / "scaling.md").read_text("utf-8")
    for sentence in scaling_sentences():
        assert sentence in text, "docs/benchmarks.md was measured again: write its figures into docs/scaling.md"


STAGE_TIMES = {".13", ".08", ".02"}  # seconds of the run of recipe esoteric, which has no table of stages
FIGURE = re.compile(r"(?<![\w.,/-])\d*\.\d{2,}(?![\w-])")


def test_figures_in_the_prose_about_recipe_esoteric_stand_in_its_tables() -> None:
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    lines = page[page.index("## Recipe esoteric") : page.index("## AVeriTeC")].splitlines()
    rows = " ".join(line for line in lines if line.startswith("|"))
    known = {figure.lstrip("0") for figure in re.findall(r"\d*\.\d+", rows)} | STAGE_TIMES
    prose = [
        line for line in lines if not line.startswith("|") and not line.startswith("`") and "Python 3." not in line
    ]
    told = {figure.lstrip("0") for line in prose for figure in FIGURE.findall(line)}
    assert told, "the page has prose with figures"
    assert told <= known, "a table was made again: write its figures into the prose around it"


def test_what_is_said_of_averitec_stands_in_its_scorecard() -> None:
    card = json.loads((ROOT / "docs" / "averitec-rag_fusion.json").read_text("utf-8"))
    refuted, open_ones = (card["per_label"][label] for label in ("Refuted", "Not Enough Evidence"))
    page = " ".join((ROOT / "docs" / "averitec.md").read_text("utf-8").split())
    assert f"`rag_fusion` refutes {refuted['predicted']} claims, where {refuted['gold']} are refuted," in page
    assert card["confusion"]["Not Enough Evidence"]["Not Enough Evidence"] == 0
    assert f"answers Not Enough Evidence {open_ones['predicted']} times, never rightly" in page


def growth_sentences() -> Iterator[str]:
    """The arithmetic of docs/scaling.md for 60 million pages, on the figures of docs/benchmarks.md."""
    rows, pages = benchmark_rows(), large_pages() / 1e6
    each = round(rows["– with 384 int8"][2] / pages, 2)
    yield f"60 M x {each:.2f} GB a million = {60 * each:.0f} GB with vectors; one replica: {2 * round(60 * each)} GB on disk"
    text, titles, vectors = (
        rows[name][2]
        for name in (
            "BM25 top 20, p50 / p95",
            "title n-grams of a claim, p50 / p95",
            "1000 page vectors scored, p50 / p95",
        )
    )
    yield f"{text:.0f} ms at {pages:.1f} M (measured)"
    yield f"12 x {text:.0f} ms = {12 * round(text) / 1000:.2f} s of one core a claim"
    rate = float(f"{large_pages() / rows['load'][2] / 60:.2g}")
    yield f"60 M / {rate:,.0f} a second = {60e6 / rate / 3600:.1f} hours"
    beside = rows["beside the pipeline, as the client sees it, p50 / p95"][
        2
    ]  # of PostgreSQL, the last row of this name
    mean = json.loads((ROOT / "docs" / "scorecard.json").read_text("utf-8"))["latency_ms"]["mean"]
    whole = (mean + text + titles + vectors + 3 + beside) / 1000
    yield f"+ {text:.0f} ms BM25 + {titles + vectors:.0f} ms titles and vectors + 3 round trips x 1 ms"
    yield f"beside its pipeline, {beside:.0f} ms"
    yield f"= **{whole:.2f} s on average** without waiting"
    yield f"checks some {round(60_000 / mean, -1):.0f} claims a minute on one core"


def test_the_arithmetic_of_growth_follows_from_the_benchmarks() -> None:
    text = " ".join((ROOT / "docs" / "scaling.md").read_text("utf-8").split())
    for sentence in growth_sentences():
        assert sentence in text, "docs/benchmarks.md was measured again: write its figures into docs/scaling.md"


def test_the_readme_names_the_stored_figures() -> None:
    rows = benchmark_rows()
    medians = {f"{rows['whole claim, `fast`, p50 / p95'][store] / 1000:.2f}".removeprefix("0") for store in (0, 2)}
    assert len(medians) == 1, "the stores differ: say so in README.md"
    rate = round(min(rows["claims a minute, 8 at once"][store] for store in (0, 2)), -1)
    for sentence in (
        f"Over {large_pages():,} synthetic pages",
        f"the median claim takes {medians.pop()} s, and about {rate:.0f} are checked a minute",
    ):
        assert sentence in " ".join(README.split()), "write the figures of docs/ into README.md"


def test_the_readme_is_short_and_has_one_table_of_figures() -> None:
    assert len(README.splitlines()) <= 150
    assert len(re.findall(r"^\|---", README, re.M)) == 2, "the figures and the settings"


WEIGHTS = ROOT / "retrieval" / "models" / "weights"


def test_the_card_of_the_verdict_holds_the_figures_of_its_fit() -> None:
    card = (ROOT / "docs" / "models" / "verdict.md").read_text("utf-8")
    fits = json.loads((WEIGHTS / "verdict.json").read_text("utf-8"))["cross_validation"].values()
    for fit in fits:
        figures = (f"{fit[name]:.3f}".removeprefix("0") for name in ("accuracy", "log_loss", "calibration_error"))
        assert f" | {' | '.join(figures)} |" in card, "the verdict was fitted again: write its figures into its card"


def test_the_card_of_the_ranker_holds_the_figures_of_its_fit() -> None:
    card = (ROOT / "docs" / "models" / "ranker.md").read_text("utf-8")
    fits = json.loads((WEIGHTS / "ranker.json").read_text("utf-8"))["cross_validation"].values()
    for fit in fits:
        counts = (round(fit[name] * fit["claims"]) for name in ("@1", "@2", "@5"))
        figures = (f"{count / fit['claims']:.3f}".removeprefix("0") for count in counts)
        assert f" | {' | '.join(figures)} |" in card, "the ranker was fitted again: write its figures into its card"


def test_every_goal_has_a_stored_figure() -> None:
    """Those of `make everyday` only once it has run over the 118,863 pages: until then the page says "Not measured"."""
    cards = read_cards(ROOT / "docs" / "scorecard.json")
    results = (ROOT / "docs" / "results.md").read_text("utf-8")
    for goal in GOALS:
        if goal.card in ("everyday", "kinds", "recipes") and goal.card not in cards:
            assert NOT_MEASURED in results
        else:
            assert goal.metric in cards[goal.card][goal.part], goal


def test_stored_scorecards_are_of_the_data_in_the_repository() -> None:
    """And of one set of weights: a scorecard that was forgotten when the others were made again would lie."""
    cards = read_cards(ROOT / "docs" / "scorecard.json")
    claims = ROOT / "data" / "sample" / "adversarial.jsonl"
    assert cards["adversarial"]["data"]["sha256"] == file_digest(claims), "run `make scorecard`"
    assert marks("classes")[0] in (ROOT / "docs" / "results.md").read_text("utf-8")
    models = {card["pipeline"]["models"]["cross_encoder"] for card in cards.values()}
    assert len(models) == 1, "run `make scorecard`"


def test_the_changelog_is_cut_into_releases_and_the_program_is_the_newest() -> None:
    heads = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    releases = [
        re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)", head) for head in heads if head != "Unreleased"
    ]
    assert all(releases), heads
    assert heads.index("Unreleased") == 0 if "Unreleased" in heads else True
    numbers = [tuple(map(int, found.groups()[:3])) for found in releases if found]
    assert numbers == sorted(set(numbers), reverse=True)
    assert ".".join(map(str, numbers[0])) == VERSION


def test_a_release_says_in_sixty_lines_what_it_brings() -> None:
    for release in (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1:]:
        assert len(release.rstrip().splitlines()) <= 60, f"{release.splitlines()[0]}: the commits have the rest"


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def anchors(page: Path) -> set[str]:
    """What a link may name behind `#`: the page's headings, in GitHub's form."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_the_documentation_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text("utf-8")):
        place = page.parent / target if target else page
        assert place.exists(), f"{target} is not there"
        assert not anchor or anchor in anchors(place), f"{target or page.name} has no heading {anchor}"


def test_the_readme_credits_the_networks_that_ours_start_from() -> None:
    licences = README[README.index("\n## Licence") :]
    for base in (BASE, READER_BASE):
        assert base.source.split(",")[0] in licences, f"{base.name} is not named under README's Licence"


def test_the_modules_that_the_architecture_lists_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    block = page[page.index("retrieval/   types") : page.index("```", page.index("retrieval/   types"))]
    for name, path in listed_modules(block):
        assert path.is_dir() if name.endswith("/") else path.with_suffix(".py").exists(), f"{path} is not there"


def listed_modules(block: str) -> Iterator[tuple[str, Path]]:
    """Names of the block, each with its place: a folder stands in front, what it is in brackets behind."""
    top = folder = ROOT
    for line in re.sub(r"\([^)]*\)", "", block.replace("\n" + " " * 8, " ")).splitlines():
        head, listed = line.strip().split(maxsplit=1)
        folder = (top if line.startswith(" ") else ROOT) / head
        top = top if line.startswith(" ") else folder
        for name in map(str.strip, re.split("[,;]", listed)):
            if " " not in name:
                yield name, folder / name
