"""Reads the settings in force: from the environment, else from a file, else the defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from retrieval.errors import SettingError
from retrieval.settings.declaring import read_value
from retrieval.settings.groups import FIELDS, GROUPS, Server
from retrieval.settings.moved import GROUPS as MOVED_GROUPS
from retrieval.settings.moved import MOVED

FILE = "esoteric.toml"  # in DATA, unless CONFIG or `--config` names another
CONFIG = "ESOTERIC_CONFIG"
PREFIX = "ESOTERIC_"
NAMES = tuple(FIELDS)
CAPITALS = tuple(name.upper() for name in NAMES)
EARLIER = frozenset(name.upper() for name in MOVED)
KNOBS = "recipes"  # [recipes.NAME]: the table of a recipe's knobs
# For names to count as similar: least length, largest difference in length, least similarity.
SHORTEST_NEAR, MOST_LETTERS, LEAST_SIMILARITY = 6, 2, 0.93
ENVIRONMENT = "environment"
Knob = tuple[str, str]  # recipe, name


@dataclass(frozen=True)
class Reading:
    """Setting -> value and setting -> origin (`environment` or the file's path), of those that are set. Knobs are in the
    value `knobs`; the key of a knob's origin is `recipe.name`.
    """

    values: Mapping[str, Any]
    origins: Mapping[str, str]


@dataclass(frozen=True)
class Filed:
    """A file's contents: setting -> value, knob -> value, names that are not settings, and settings that became knobs."""

    values: Mapping[str, Any]
    knobs: Mapping[Knob, Any]
    unknown: Sequence[str] = ()
    moved: Sequence[str] = ()


def read_values(environment: Mapping[str, str] = os.environ) -> Reading:
    """The settings in force. Raises SettingError if a value does not fit or the file cannot be read."""
    given = {name: environment[name.upper()] for name in NAMES if environment.get(name.upper())}
    file = find_file(environment)
    filed = read_file(file)
    if "data" in filed.values and not environment.get(CONFIG):
        raise SettingError(
            f"{file} lies in DATA and cannot set `data`. Set DATA in the environment, or use `--config`."
        )
    values = {name: read_value(FIELDS[name], value) for name, value in {**filed.values, **given}.items()}
    origins = {name: ENVIRONMENT if name in given else str(file) for name in values}
    moved = _moved_knobs(environment)
    if knobs := {**filed.knobs, **moved}:
        values["knobs"] = in_order(knobs)
        origins |= {f"{of}.{name}": ENVIRONMENT if (of, name) in moved else str(file) for of, name in knobs}
    return Reading(values, origins)


def read_knobs(environment: Mapping[str, str]) -> tuple[tuple[str, str, Any], ...]:
    """`Settings.knobs` alone. Raises SettingError if the file cannot be read."""
    return in_order({**read_file(find_file(environment)).knobs, **_moved_knobs(environment)})


def in_order(knobs: Mapping[Knob, Any]) -> tuple[tuple[str, str, Any], ...]:
    """The knobs in the form and order of `Settings.knobs`."""
    return tuple((*knob, knobs[knob]) for knob in sorted(knobs))


def _moved_knobs(environment: Mapping[str, str]) -> dict[Knob, str]:
    """The knobs that are set by their old variables."""
    given = {old: environment[old.upper()] for old in MOVED if environment.get(old.upper())}
    return {knob: value for old, value in given.items() for knob in MOVED[old]}


def check_names(environment: Mapping[str, str]) -> list[str]:
    """A sentence for each name that looks like a misspelt setting or has become a knob. Raises SettingError."""
    file = find_file(environment)
    filed = read_file(file)
    return [
        *(f"`{name[:60]}` in {file} {_no_setting(name, NAMES)}" for name in filed.unknown),
        *(f"`{old}` in {file} {_where_now(old)}" for old in filed.moved),
        *misspelt(environment),
        *(f"{old.upper()} in the environment {_where_now(old)}" for old in MOVED if environment.get(old.upper())),
    ]


def _where_now(old: str) -> str:
    tables = [f"`[{KNOBS}.{recipe}]`" for recipe, _ in MOVED[old]]
    name = MOVED[old][0][1]
    return (
        f"is `{name}` of {' and of '.join(tables)} in {FILE} now, or `--set {name}=VALUE`. "
        "The next release no longer reads the old name."
    )


def find_file(environment: Mapping[str, str]) -> Path | None:
    """The file that `--config` or ESOTERIC_CONFIG names, else DATA/esoteric.toml if there is one."""
    if named := environment.get(CONFIG):
        return Path(named)
    file = Path(environment.get("DATA") or Server.data) / FILE
    return file if os.path.isfile(file) else None  # Path.is_file raises if the folder may not be entered


def read_file(file: Path | None) -> Filed:
    """The contents of a settings file; of none, nothing. Raises SettingError."""
    if file is None:
        return Filed({}, {})
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingError(f"The settings file {file} cannot be read ({error.strerror}). Check its path.") from None
    except ValueError as error:  # wrong TOML, or wrong encoding
        raise SettingError(f"The settings file {file} is not TOML: {error}. Correct it there.") from None
    values: dict[str, Any] = {}
    unknown: list[str] = []
    for name, value in _flat(tables):
        known = name.lower()
        if known not in NAMES and known not in MOVED:
            unknown.append(name)
        elif known in values:
            raise SettingError(f"The settings file {file} sets `{known}` twice. Leave one of them out.")
        else:
            values[known] = value
    moved = {name: values.pop(name) for name in list(values) if name in MOVED}
    earlier = {knob: _plain(value) for old, value in moved.items() for knob in MOVED[old]}
    return Filed(values, {**earlier, **_knobs(tables)}, unknown, list(moved))


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Settings at the top of the file and in the groups' tables; any other table under its own name."""
    for name, value in tables.items():
        if isinstance(value, dict) and name.lower() in (*GROUPS, *MOVED_GROUPS):
            yield from value.items()
        elif not isinstance(value, dict) or name.lower() != KNOBS:
            yield f"[{name}]" if isinstance(value, dict) else name, value


def _knobs(tables: Mapping[str, Any]) -> dict[Knob, Any]:
    """The knobs in the tables [recipes.NAME]. An entry that is not a table counts as a recipe with one nameless knob."""
    recipes = next((table for name, table in tables.items() if name.lower() == KNOBS and isinstance(table, dict)), {})
    return {
        (recipe.lower(), name.lower()): _plain(value)
        for recipe, table in recipes.items()
        for name, value in (table.items() if isinstance(table, dict) else [("", table)])
    }


def _plain(value: Any) -> str | int | float:
    """A TOML value as a text or number, as settings are given."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return value if isinstance(value, str | int | float) else str(value)


def misspelt(environment: Mapping[str, str]) -> list[str]:
    """A sentence for each environment variable that is clearly meant for this program but not read."""
    return [
        f"{name[:60]} in the environment {_no_setting(name.removeprefix(PREFIX), CAPITALS)}"
        for name in sorted(environment)
        if name not in EARLIER.union(CAPITALS) and name != CONFIG and (name.startswith(PREFIX) or _slip(name))
    ]


def _slip(name: str) -> bool:
    """Whether a variable is a setting's name in lower case, or with a typing error."""
    if len(name) < SHORTEST_NEAR:
        return False
    near = [known for known in CAPITALS if len(known) >= SHORTEST_NEAR and abs(len(known) - len(name)) <= MOST_LETTERS]
    if name.upper() in near or any(_one_slip(name, known) for known in near):
        return True
    alike = [known for known in near if known[0] == name[0]]
    return bool(get_close_matches(name, alike, 1, LEAST_SIMILARITY))


def _one_slip(name: str, other: str) -> bool:
    """Whether two texts differ by one letter, or by two neighbouring letters swapped."""
    unlike = (at for at, pair in enumerate(zip(name, other, strict=False)) if len(set(pair)) == 2)
    start = next(unlike, min(len(name), len(other)))
    left, right = name[start:], other[start:]
    swapped = left[1:2] + left[:1] + left[2:]
    return right in (swapped, left[1:]) or right[1:] in (left, left[1:])


def _no_setting(name: str, known: tuple[str, ...]) -> str:
    if name.startswith("["):
        return f"is not a group of settings. The groups are {', '.join(GROUPS)}."
    near = get_close_matches(name.upper(), CAPITALS, 1)
    meant = near and known[CAPITALS.index(near[0])]
    return "is not a setting. " + (f"Did you mean {meant}?" if meant else "See `python -m retrieval settings`.")
