"""Prints settings: the values in force, and the tables of README.md and docs/settings.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from retrieval.settings import Settings
from retrieval.settings.declaring import EVERY, Knobs, declared, in_words
from retrieval.settings.groups import FIELDS, GROUPS
from retrieval.settings.in_force import Reading

HEAD = """# Settings

Made by `python -m retrieval settings --markdown > docs/settings.md`; do not edit.

Every setting is an environment variable. You can also put the same names, in capitals or not, into a file `esoteric.toml`,
at its top or in the table of their group. The file is read from `DATA`, unless `--config FILE` or `ESOTERIC_CONFIG` names
another one. The environment takes precedence over the file; an empty variable counts as not set.

```toml
[server]
port = 8080
trusted_hosts = ["facts.example.org"]

[language_model]
llm_url = "http://127.0.0.1:11434/v1"
llm_model = "qwen2.5:7b"

[recipes.aic]
chunks = 5
```

`python -m retrieval settings` prints the values in force of the settings that people usually need, and their origins; `--all`
adds the others, which are marked † below, and the knobs of each recipe. Values are checked when a command starts. You get a
warning for each name in the file that is not a setting, and for names in the environment that begin with `ESOTERIC_` or look
like a misspelt setting.

Whole numbers are 0 or more, shares are from 0 to 1, and switches are `true` or `false`. The last column names the recipes
whose answers depend on a setting: after you change it, the same claim is checked anew instead of answered from an earlier
check.
"""
KNOBS_HEAD = """# Knobs of the recipes

The constants of a recipe, most of them from the paper that it follows. They are not environment variables: set them in
`esoteric.toml`, in a table `[recipes.NAME]` for each recipe, or for one command with `--set NAME=VALUE`:

```
python -m retrieval check "Marie Curie won two Nobel Prizes." --recipe aic --set chunks=5
```

A recipe's answers depend on all of its knobs. Their old variables (`AIC_KEPT`, `FUSION_RANK` …) are still read, with a warning
that says where to set them now; the next release ignores them.
"""
Tuned = Mapping[str, type[Knobs]]  # recipe -> its knobs


def settings_in_force(reading: Reading, knobs: Tuned, every: bool = False) -> Iterator[str]:
    """One line for each setting, under its group: name, value, origin. every: also rare ones that are not set, and knobs."""
    settings = Settings(**reading.values)
    values = {name: settings.shown(name) or "(empty)" for name in FIELDS}
    wide, longest = max(map(len, values)), min(48, max(map(len, values.values())))
    hidden = 0
    for group, names in groups().items():
        shown = [name for name in names if every or name in reading.origins or not declared(FIELDS[name]).rare]
        hidden += len(names) - len(shown)
        yield f"{group}:"
        for name in shown:
            yield f"  {name.upper():{wide}}  {values[name]:{longest}}  {reading.origins.get(name, 'default')}"
    for recipe, kind in knobs.items():
        tuned = [knob.name for knob in fields(kind) if every or f"{recipe}.{knob.name}" in reading.origins]
        hidden += len(fields(kind)) - len(tuned)
        if tuned:
            yield f"recipes.{recipe}:"
        for name in tuned:
            value = in_words(getattr(kind.of(settings), name)) or "(empty)"
            yield f"  {name:{wide}}  {value:{longest}}  {reading.origins.get(f'{recipe}.{name}', 'default')}"
    if hidden:
        yield f"{hidden} more, knobs of single recipes among them: `python -m retrieval settings --all`."


def settings_page(knobs: Tuned) -> str:
    """All of docs/settings.md."""
    parts = [HEAD]
    for name, group in GROUPS.items():
        rows = [(*_row(setting, " †"), _deciding(setting)) for setting in fields(group)]
        parts.append(f"## `{name}`\n\n{group.__doc__}\n\n{_table('setting', rows, 'decides')}\n")
    parts.append(KNOBS_HEAD)
    for recipe, kind in knobs.items():
        if knob_rows := [(f"`{knob.name}`", _default(knob), _help(knob)) for knob in fields(kind)]:
            parts.append(f"## `[recipes.{recipe}]`\n\n{kind.__doc__}\n\n{_table('knob', knob_rows)}\n")
    return "\n".join(parts)


def common_settings() -> str:
    """The table of the README."""
    return _table("setting", [_row(setting) for setting in FIELDS.values() if declared(setting).common])


def groups() -> dict[str, list[str]]:
    """Group -> the names of its settings, in the order of their declaration."""
    return {name: [setting.name for setting in fields(group)] for name, group in GROUPS.items()}


def _table(first: str, rows: Iterable[Sequence[str]], *last: str) -> str:
    columns = (first, "default", "what it is", *last)
    head, *lines = (f"| {' | '.join(cells)} |" for cells in (columns, *rows))
    return "\n".join([head, f"|{'---|' * len(columns)}", *lines])


def _row(setting: Field[Any], rare: str = "") -> tuple[str, str, str]:
    """The cells of a setting. rare: marks those that few people need."""
    mark = rare if declared(setting).rare else ""
    return f"`{setting.name.upper()}`{mark}", _default(setting), _help(setting)


def _deciding(setting: Field[Any]) -> str:
    recipes = declared(setting).decides
    return "every recipe" if EVERY in recipes else ", ".join(f"`{recipe}`" for recipe in recipes)


def _default(setting: Field[Any]) -> str:
    text = in_words(setting.default)
    return f"`{text}`" if text else "empty"


def _help(setting: Field[Any]) -> str:
    """The setting's description, with the allowed values if the sentence does not name them."""
    known = declared(setting)
    if all(f"`{choice}`" in known.help for choice in known.choices):
        return known.help
    return (
        f"{known.help} {'Any' if known.several else 'One'} of: {', '.join(f'`{choice}`' for choice in known.choices)}."
    )
