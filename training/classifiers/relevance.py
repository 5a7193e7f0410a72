# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""A relevance classifier trained like the thesis's (section 3.3.10, table 5, figures 34 and 35).

10,000 claims; for each relevant sentence, two irrelevant ones of the same page and two of random pages; 8:1:1 for
training, validation and test; three epochs in batches of 24, learning rate 1e-5 after 500 steps of warm-up, falling
linearly, weight decay 0.01. The base is any model on disk to which transformers can add a head of two labels.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluation.fever.data import GoldClaim, file_digest, pointer_to, read_claims
from retrieval.errors import CorpusError
from retrieval.stores.embedded.store import EmbeddedStore

CLAIMS, EPOCHS, BATCH_SIZE, WARM_UP_STEPS, DECAY, RATE = 10_000, 3, 24, 500, 0.01, 1e-5
SAME_PAGE, OTHER_PAGE = 2, 2  # irrelevant sentences for each relevant one
RANDOM_PAGES = 50_000  # drawn once; each claim's random pages come from these
PARTS = (8, 1, 1)
MAX_TOKENS = 128  # a claim with a sentence of the dump has about 60


@dataclass(frozen=True, slots=True)
class Sample:
    """A claim and a sentence; label 1 if the sentence is evidence."""

    claim: str
    sentence: str
    label: int


@dataclass(frozen=True)
class Plan:
    """Table 5, and how often the validation loss is computed. claims: fewer for a trial."""

    claims: int = CLAIMS
    epochs: int = EPOCHS
    batch_size: int = BATCH_SIZE
    warm_up: int = WARM_UP_STEPS
    weight_decay: float = DECAY
    learning_rate: float = RATE
    evaluate_every: int = 200
    seed: int = 0


def relevance_samples(store: EmbeddedStore, claims: Sequence[GoldClaim], rng: random.Random) -> Iterator[Sample]:
    """Samples of each claim with evidence in the store: each relevant sentence, followed by its irrelevant ones."""
    pool = [page for page in store.sample(RANDOM_PAGES, rng.randrange(2**31)) if page.lines]
    for claim in claims:
        pages = store.get(sorted({page for page, _ in claim.pointers}))
        places = {pointer_to(s): s for page in pages.values() for s in page.sentences()}
        relevant = [places[pointer] for pointer in sorted(claim.pointers) if pointer in places]
        if not relevant:
            continue
        beside = [sentence for pointer, sentence in places.items() if pointer not in claim.pointers]
        yield from (Sample(claim.text, sentence.text, 1) for sentence in relevant)
        for sentence in rng.sample(beside, min(len(beside), SAME_PAGE * len(relevant))):
            yield Sample(claim.text, sentence.text, 0)
        wanted = OTHER_PAGE * len(relevant)
        others = [page for page in rng.sample(pool, min(len(pool), wanted + len(pages))) if page.id not in pages]
        yield from (Sample(claim.text, rng.choice(page.sentences()).text, 0) for page in others[:wanted])


def split(samples: Sequence[Sample], rng: random.Random) -> tuple[list[Sample], list[Sample], list[Sample]]:
    """Training, validation and test, 8:1:1 by claim, so that no claim is in two of them."""
    claims = list(dict.fromkeys(sample.claim for sample in samples))
    rng.shuffle(claims)
    whole = sum(PARTS)
    ends = [len(claims) * PARTS[0] // whole, len(claims) * (PARTS[0] + PARTS[1]) // whole]
    place = {claim: sum(number >= end for end in ends) for number, claim in enumerate(claims)}
    parts: tuple[list[Sample], list[Sample], list[Sample]] = ([], [], [])
    for sample in samples:
        parts[place[sample.claim]].append(sample)
    return parts


def train_relevance(base: Path, store: EmbeddedStore, data: Path, out: Path, plan: Plan) -> dict[str, Any]:
    """Train, save the model in the hub's layout into `out` with `training.json` and `loss.svg`, return the figures.

    Raises CorpusError if the store holds none of the claims' evidence.
    """
    path = data / "fever" / "claims-train.jsonl"
    rng = random.Random(plan.seed)
    claims = [claim for claim in read_claims(path) if claim.verifiable]
    rng.shuffle(claims)
    samples = list(relevance_samples(store, claims[: plan.claims], rng))
    if len({sample.claim for sample in samples}) < 10:
        raise CorpusError("The corpus holds evidence of fewer than ten claims. Name the one the claims are about.")
    training, validation, test = split(samples, rng)
    out.mkdir(parents=True, exist_ok=True)
    found = _fit(base, out, training, validation, test, plan)
    card = {
        "base": base.name,
        "data": {"path": path.name, "sha256": file_digest(path)},
        "plan": asdict(plan),
        "samples": {"training": len(training), "validation": len(validation), "test": len(test)},
        **found,
    }
    (out / "training.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    (out / "loss.svg").write_text(loss_chart(found["losses"]), "utf-8")
    return card


def _fit(
    base: Path, out: Path, training: list[Sample], validation: list[Sample], test: list[Sample], plan: Plan
) -> dict[str, Any]:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

    torch.manual_seed(plan.seed)
    tokenizer = AutoTokenizer.from_pretrained(str(base))
    labels = {0: "irrelevant", 1: "relevant"}
    model = AutoModelForSequenceClassification.from_pretrained(str(base), num_labels=2, id2label=labels)
    read = _reader(tokenizer)
    steps = plan.epochs * -(-len(training) // plan.batch_size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.learning_rate, weight_decay=plan.weight_decay)
    schedule = get_linear_schedule_with_warmup(optimizer, min(plan.warm_up, steps // 2), steps)
    losses, begun, step = list[dict[str, float]](), time.monotonic(), 0
    for epoch in range(plan.epochs):
        order = random.Random(plan.seed + epoch).sample(training, len(training))
        for first in range(0, len(order), plan.batch_size):
            model.train()
            loss = model(**read(order[first : first + plan.batch_size])).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            step += 1
            if step % plan.evaluate_every == 0 or step == steps:
                held_out, accuracy = _measure(model, read, validation)
                losses.append({"step": step, "training": float(loss.detach()), "validation": held_out})
                print(
                    f"step {step}/{steps} loss {float(loss.detach()):.4f} validation {held_out:.4f} {accuracy:.4f}",
                    flush=True,
                )
    test_loss, test_accuracy = _measure(model, read, test)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    seconds = round(time.monotonic() - begun, 1)
    return {"losses": losses, "test_loss": test_loss, "test_accuracy": test_accuracy, "seconds": seconds}


def _reader(tokenizer: Any) -> Callable[[Sequence[Sample]], Mapping[str, Any]]:
    """The function that makes samples a batch: `claim [SEP] sentence`, as the tokenizer joins two texts."""
    import torch

    def read(samples: Sequence[Sample]) -> Mapping[str, Any]:
        claims, sentences = [s.claim for s in samples], [s.sentence for s in samples]
        batch = tokenizer(claims, sentences, truncation=True, max_length=MAX_TOKENS, padding=True, return_tensors="pt")
        return {**batch, "labels": torch.tensor([s.label for s in samples])}

    return read


def _measure(
    model: Any, read: Callable[[Sequence[Sample]], Mapping[str, Any]], samples: Sequence[Sample]
) -> tuple[float, float]:
    """(mean loss, accuracy)."""
    import torch

    model.eval()
    loss, right = 0.0, 0
    with torch.no_grad():
        for first in range(0, len(samples), BATCH_SIZE):
            some = samples[first : first + BATCH_SIZE]
            given = model(**read(some))
            loss += float(given.loss) * len(some)
            right += sum(
                int(predicted) == s.label for predicted, s in zip(given.logits.argmax(dim=1), some, strict=True)
            )
    return round(loss / max(1, len(samples)), 6), round(right / max(1, len(samples)), 4)


def loss_chart(losses: Sequence[Mapping[str, float]]) -> str:
    """Validation loss by step, as an SVG."""
    from evaluation.report.charts import Axes, line_chart

    top = max((row["validation"] for row in losses), default=1.0)
    last = max((row["step"] for row in losses), default=1)
    ticks = [(top * part / 4, f"{top * part / 4:.2f}") for part in range(5)]
    axes = Axes((0, last), (0, top), [(0, "0"), (last, f"{last:,.0f}")], ticks, "steps; validation loss upwards")
    drawn = str(
        line_chart("Validation loss by step", axes, {"one": [(row["step"], row["validation"]) for row in losses]})
    )
    style = (
        "<style>.axis,.grid{stroke:#999}.grid{stroke-opacity:.4}text{font:12px sans-serif}.middle{text-anchor:middle}"
    )
    style += ".end{text-anchor:end}.one{fill:none;stroke:#1a5fb4;stroke-width:2}</style>"
    opened = drawn.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return opened.replace("</title>", f"</title>{style}", 1) + "\n"
