"""Reads the settings in force: from the environment, then from a file, else the defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from retrieval.errors import SettingError
from retrieval.settings.declaring import read_value
from retrieval.settings.groups import FIELDS, GROUPS, Server

FILE = "esoteric.toml"  # in DATA, unless CONFIG or `--config` names another
CONFIG = "ESOTERIC_CONFIG"
PREFIX = "ESOTERIC_"
NAMES = tuple(FIELDS)
CAPITALS = tuple(name.upper() for name in NAMES)
# When two names are compared: least length, largest difference in length, least similarity.
SHORTEST_NEAR, MOST_LETTERS, NEAR = 6, 2, 0.93
ENVIRONMENT = "environment"


@dataclass(frozen=True)
class Reading:
    """Setting to value, and to where it was read: `environment` or the path of the file. The others have their defaults."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]


def read_values(environment: Mapping[str, str] = os.environ) -> Reading:
    """Raises SettingError if a value does not fit or the file cannot be read."""
    given = {name: environment[name.upper()] for name in NAMES if environment.get(name.upper())}
    file = find_file(environment)
    filed = read_file(file)[0] if file else {}
    if "data" in filed and not environment.get(CONFIG):
        raise SettingError(
            f"{file} lies in DATA and cannot set `data`. Set DATA in the environment, or use `--config`."
        )
    values = {name: read_value(FIELDS[name], value) for name, value in {**filed, **given}.items()}
    origins = {name: ENVIRONMENT if name in given else str(file) for name in values}
    return Reading(values, origins)


def check_names(environment: Mapping[str, str]) -> list[str]:
    """A sentence for each name, in the file or in the environment, that looks like a misspelt setting.

    Raises SettingError if the file cannot be read.
    """
    file = find_file(environment)
    unknown = read_file(file)[1] if file else []
    return [*(f"`{name[:60]}` in {file} {_no_setting(name, NAMES)}" for name in unknown), *misspelt(environment)]


def find_file(environment: Mapping[str, str]) -> Path | None:
    """The file that `--config` or ESOTERIC_CONFIG names, else DATA/esoteric.toml if there is one."""
    if named := environment.get(CONFIG):
        return Path(named)
    file = Path(environment.get("DATA") or Server.data) / FILE
    return file if os.path.isfile(file) else None  # unlike Path.is_file, also if the folder may not be entered


def read_file(file: Path) -> tuple[dict[str, Any], list[str]]:
    """Setting to value, and the names that are no settings. Raises SettingError."""
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingError(f"The settings file {file} cannot be read ({error.strerror}). Check its path.") from None
    except ValueError as error:  # of TOML, or of its encoding
        raise SettingError(f"The settings file {file} is not TOML: {error}. Correct it there.") from None
    values: dict[str, Any] = {}
    unknown: list[str] = []
    for name, value in _flat(tables):
        known = name.lower()
        if known not in NAMES:
            unknown.append(name)
        elif known in values:
            raise SettingError(f"The settings file {file} sets `{known}` twice. Leave one of them out.")
        else:
            values[known] = value
    return values, unknown


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Settings at the top of the file and in the tables of the groups; any other table by its name."""
    for name, value in tables.items():
        if isinstance(value, dict) and name.lower() in GROUPS:
            yield from value.items()
        else:
            yield f"[{name}]" if isinstance(value, dict) else name, value


def misspelt(environment: Mapping[str, str]) -> list[str]:
    """A sentence for each variable that was surely meant for this program and is not read. Others are ignored."""
    return [
        f"{name[:60]} in the environment {_no_setting(name.removeprefix(PREFIX), CAPITALS)}"
        for name in sorted(environment)
        if name not in CAPITALS and name != CONFIG and (name.startswith(PREFIX) or _slip(name))
    ]


def _slip(name: str) -> bool:
    """Whether a variable is a setting's name in lower case, or with a slip of the keyboard."""
    if len(name) < SHORTEST_NEAR:
        return False
    near = [known for known in CAPITALS if len(known) >= SHORTEST_NEAR and abs(len(known) - len(name)) <= MOST_LETTERS]
    alike = [known for known in near if known[0] == name[0]]
    return (
        name.upper() in near
        or any(_one_slip(name, known) for known in near)
        or bool(get_close_matches(name, alike, 1, NEAR))
    )


def _one_slip(one: str, other: str) -> bool:
    """Whether two texts differ by one letter, or by two swapped neighbours."""
    start = next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) == 2),
        len(min(one, other, key=len)),
    )
    left, right = one[start:], other[start:]
    swapped = left[1:2] + left[:1] + left[2:]
    return right in (swapped, left[1:]) or right[1:] in (left, left[1:])


def _no_setting(name: str, known: tuple[str, ...]) -> str:
    if name.startswith("["):
        return f"is not a group of settings. The groups are {', '.join(GROUPS)}."
    near = get_close_matches(name.upper(), CAPITALS, 1)
    meant = near and known[CAPITALS.index(near[0])]
    return "is not a setting. " + (f"Did you mean {meant}?" if meant else "See `python -m retrieval settings`.")
