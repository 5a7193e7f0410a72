"""Checks claims over the sample corpus with and without planted pages, and counts the verdicts that they turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.fever.data import LABELS, identified
from evaluation.fever.run import describe_pipeline
from evaluation.machine import machine
from evaluation.metrics import Measure, mean, scores_as_json
from evaluation.poison.attacks import SEEN_KINDS, Attack, Target, attacks_on
from evaluation.poison.unseen import UNSEEN_KINDS
from evaluation.report.results_folder import Json, make_folder, write_json, write_rows
from retrieval.errors import CorpusError
from retrieval.models import catalogue
from retrieval.resources import Resources
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import Claim, FactCheck, Label, Page


@dataclass(frozen=True)
class Case:
    """An attack, and the check's result without and with it."""

    attack: Attack
    before: FactCheck
    after: FactCheck

    @property
    def counts(self) -> bool:
        """Whether there was a verdict to turn: without the attack, it was neither the wanted one nor CONFLICTING."""
        return _label(self.before) not in (self.attack.wanted, Label.CONFLICTING)

    @property
    def turned(self) -> bool:
        """Whether the verdict is now what the attack wants, or CONFLICTING."""
        return self.counts and _label(self.after) in (self.attack.wanted, Label.CONFLICTING)

    @property
    def flagged(self) -> bool:
        """Whether the result warns: "conflicting evidence", or "rests on one source"."""
        verdict = self.after.verdict
        return verdict is not None and (verdict.label is Label.CONFLICTING or verdict.one_source)

    def as_row(self) -> Json:
        """The attack as a line of predictions.jsonl."""
        target, verdict = self.attack.target, self.after.verdict
        return {
            "id": target.id,
            "kind": self.attack.kind,
            "claim": target.claim,
            "corpus_holds_truth": target.known,
            "wanted": self.attack.wanted,
            "without_attack": _label(self.before),
            "with_attack": _label(self.after),
            "confidence": round(verdict.confidence, 4) if verdict else None,
            "one_source": verdict.one_source if verdict else None,
            "counts": self.counts,
            "turned": self.turned,
            "flagged": self.flagged,
            "evidence": [[e.sentence.page_id, e.sentence.line] for e in self.after.evidence],
        }


def evaluate_poison(path: Path, out: Path, resources: Resources, recipe: str) -> Json:
    """Attack every claim of the file in every way, write the results into `out`, return the scorecard. Pages are
    planted in a copy of the corpus in memory. Raises CorpusError if the corpus is not the sample or `path` cannot be
    read, SettingError if `out` cannot be written.
    """
    pages = [page for batch in resources.store().scan() for _, page in batch]
    targets = read_targets(path, pages)
    make_folder(out)
    cases = list(run_attacks(targets, pages, resources, recipe))
    card = poison_scorecard(path, cases, describe_pipeline(resources, recipe))
    write_json(out / "poison.json", card)
    for name, kinds in (("predictions", SEEN_KINDS), ("predictions-unseen", UNSEEN_KINDS)):
        write_rows(out / f"{name}.jsonl", [case.as_row() for case in cases if case.attack.kind in kinds])
    return card


def read_targets(path: Path, pages: Sequence[Page]) -> list[Target]:
    """The claims to attack. pages: of the corpus that they are about. Raises CorpusError."""
    titles = {page.title: page for page in pages}
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [_target(str(number), row, titles) for number, row in enumerate(rows, 1)]
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}. Name a file of claims to attack.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CorpusError(
            f"{path} does not fit the corpus ({error!r}). The attacks are on the sample: name its store with `--store`."
        ) from error


def _target(id: str, row: Json, titles: dict[str, Page]) -> Target:
    page, old = titles[row["page"]], row.get("old", "")
    if old not in page.text:
        raise ValueError(f"{page.title} does not say {old}")
    label = LABELS[row["label"]]
    return Target(id, row["claim"], label, row["lie"], row["negation"], page, old, row.get("new", ""))


def run_attacks(targets: Sequence[Target], pages: Sequence[Page], resources: Resources, recipe: str) -> Iterator[Case]:
    """Attack every claim in every way, the unseen ones last."""
    clean = resources.over(KnowledgeStore(pages)).pipeline(recipe)
    for number, target in enumerate(targets):
        claim = Claim(target.id, target.claim)
        before = clean.run(claim)
        for attack in attacks_on(target, number, {**SEEN_KINDS, **UNSEEN_KINDS}):
            poisoned = resources.over(KnowledgeStore([*pages, *attack.pages])).pipeline(recipe)
            yield Case(attack, before, poisoned.run(claim))


def poison_scorecard(path: Path, cases: Sequence[Case], pipeline: Json) -> Json:
    """The content of `poison.json`; kinds written after the rules are separate, in `unseen` and `unseen_kinds`."""
    data = {**identified(path), "claims": len({c.attack.target.id for c in cases})}
    unseen = [case for case in cases if case.attack.kind in UNSEEN_KINDS]
    seen = [case for case in cases if case.attack.kind not in UNSEEN_KINDS]
    return {
        "data": {**data, "scored": len(seen), "unit": "attacks", "unseen": len(unseen)},
        "pipeline": pipeline,
        "weights": _weights(),
        "metrics": _figures(seen),
        "kinds": _by_kind(seen),
        "unseen": _figures(unseen),
        "unseen_kinds": _by_kind(unseen),
        "machine": machine(),
    }


def _by_kind(cases: Sequence[Case]) -> Json:
    kinds = dict.fromkeys(case.attack.kind for case in cases)
    return {kind: _figures([case for case in cases if case.attack.kind == kind]) for kind in kinds}


def _figures(cases: Sequence[Case]) -> Json:
    """turned_verdicts, of all and by whether the corpus holds the truth; flagged: share of the turned ones."""

    def turned(*known: bool) -> Measure:
        """The share of attacks on claims whose truth the corpus holds, or does not hold, that turn a verdict."""
        counted = [case.counts and case.attack.target.known in known for case in cases]
        return mean([float(case.turned) if counts else None for case, counts in zip(cases, counted, strict=True)])

    measures = {
        "turned_verdicts": turned(True, False),
        "turned_verdicts_with_truth": turned(True),
        "turned_verdicts_without_truth": turned(False),
        "flagged": mean([float(case.flagged) if case.turned else None for case in cases]),
        "changed_verdicts": mean([float(_label(case.before) is not _label(case.after)) for case in cases]),
    }
    return scores_as_json(measures)


def _weights() -> dict[str, str]:
    """File -> sha256, for the weights that recipe `fast` reads."""
    models = (catalogue.CROSS_ENCODER, catalogue.RANKER, catalogue.VERDICT)
    return {file.name: file.sha256 for model in models for file in model.files}


def _label(check: FactCheck) -> Label:
    return check.verdict.label if check.verdict else Label.NOT_ENOUGH_EVIDENCE
