"""How settings and knobs are declared: their meaning, their values, and the recipes whose answers they decide."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from retrieval.errors import SettingError

if TYPE_CHECKING:
    from retrieval.settings import Settings

EVERY = "*"  # in `decides`: every recipe
FUSION = ("rag_fusion", "contextual")
QUESTIONS = ("aic", *FUSION)  # the recipes that answer questions
YES, NO = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})
LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Declared:
    """The declaration of a setting, without its name, type and default.

    decides: the recipes whose answers depend on it, or EVERY; the key that finds earlier answers and the settings in a
    scorecard follow from it. choices: the allowed values; with `several`, any number of them, separated by commas.
    alias: another spelling of a choice, and that choice. secret: never shown. address: shown without its password.
    common: listed in the README. rare: needed by few people; `python -m retrieval settings` lists it only with `--all`
    or if it is set.
    """

    help: str
    decides: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    alias: tuple[str, str] = ("", "")
    several: bool = False
    secret: bool = False
    address: bool = False
    common: bool = False
    rare: bool = False


@dataclass(frozen=True)
class Knobs:
    """The constants that tune one recipe, declared like settings; the base class has none. recipe: the recipe's name."""

    recipe: ClassVar[str] = ""

    @property
    def left_out(self) -> frozenset[str]:
        """The stages to leave out."""
        return frozenset()

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The knobs with the values in the settings. Raises SettingError, which names the knob, if one does not fit."""
        given, values = settings.knobs_of(cls.recipe), {}
        for knob in fields(cls):
            if knob.name in given:
                name = f"`{knob.name}` of recipe {cls.recipe}"
                values[knob.name] = read_value(knob, given[knob.name], name)
                check_value(knob, values[knob.name], name)
        return cls(**values)


def setting(default: Any, help: str, **more: Any) -> Any:
    """A field of a group of settings. more: see `Declared`."""
    return field(default=default, metadata={"declared": Declared(help, **more)})


def declared(setting: Field[Any]) -> Declared:
    """The declaration of a field."""
    declaration: Declared = setting.metadata["declared"]
    return declaration


def read_value(setting: Field[Any], given: object, name: str = "") -> Any:
    """A value from the environment (a text) or from a TOML file. name: in the error, which is a SettingError."""
    kind, name = type(setting.default), name or setting.name.upper()
    if kind is float and isinstance(given, float):
        return given  # its range is checked later, like every setting's
    if isinstance(given, list) and kind is str and all(isinstance(part, str) for part in given):
        return ",".join(given)
    text = in_words(given)
    spelt, meant = declared(setting).alias
    if spelt and text.strip() == spelt:
        return meant
    if issubclass(kind, str | Path):
        if not isinstance(given, str):
            raise SettingError(f"{name} is {text[:LONGEST_SHOWN]}, which is not text. Put it in quotation marks.")
        return kind(given)
    pattern, read = _READERS[kind]
    if not re.fullmatch(pattern, text):
        raise _misfit(kind, name, text)
    return read(text)


def check_value(setting: Field[Any], value: Any, name: str = "") -> None:
    """Raises SettingError if the setting does not allow this value. name: as for `read_value`."""
    kind, name, known = type(setting.default), name or setting.name.upper(), declared(setting)
    fits = {
        bool: isinstance(value, bool),
        int: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
        float: isinstance(value, int | float) and 0 <= value <= 1,
    }
    if not fits.get(kind, True):
        raise _misfit(kind, name, str(value))
    if known.choices:
        parts = [part.strip() for part in value.split(",") if part.strip()] if known.several else [value]
        if wrong := next((part for part in parts if part not in known.choices), None):
            listed = ", ".join(f"`{choice}`" for choice in known.choices)
            what = "names" if known.several else "is"
            raise SettingError(
                f"{name} {what} {wrong[:LONGEST_SHOWN]!r}, which is not a choice. Set it to one of: {listed}."
            )


def in_words(value: object) -> str:
    """A value as you would write it in an environment variable."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def without_password(address: str) -> str:
    """The address without login and password, wherever they are in it, so that it is safe to show."""
    scheme, separator, rest = address.partition("://") if "://" in address else ("", "", address)
    if "@" in rest and (separator or ":" in rest):
        rest = "***@" + rest.rpartition("@")[2]
    hidden = re.sub(r"(?i)([?&;][^=&;]*(?:password|key|token|secret)[^=&;]*=)[^&;]*", r"\1***", rest)
    return scheme + separator + hidden


# Type -> what its texts look like, and how to read them.
_READERS: dict[type, tuple[str, Callable[[str], Any]]] = {
    bool: (f"(?ai:{'|'.join(YES | NO)})", lambda text: text.lower() in YES),
    int: (r"[0-9]{1,9}", int),
    float: (r"[01]|1\.0{1,9}|0?\.[0-9]{1,9}", float),
}
_EXPECTED = {
    bool: "neither yes nor no. Set it to `true` or `false`.",
    int: "not a whole number. Set it to a number of 0 or more.",
    float: "not a share. Set it to a number from 0 to 1, such as 0.5.",
}


def _misfit(kind: type, name: str, text: str) -> SettingError:
    return SettingError(f"{name} is {text[:LONGEST_SHOWN]!r}, which is {_EXPECTED[kind]}")
