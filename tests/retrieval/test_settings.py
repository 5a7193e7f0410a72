"""Settings: what the environment and a file may say, what is refused, what is never shown, which answers they decide."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import SettingError
from retrieval.recipes import KNOBS, RECIPES
from retrieval.recipes.tuning import knob_names
from retrieval.resources import Resources
from retrieval.settings import Settings, deciding
from retrieval.settings.declaring import EVERY, declared, without_password
from retrieval.settings.groups import FIELDS, GROUPS
from retrieval.settings.in_force import CONFIG, FILE, NAMES, check_names, misspelt, read_values
from retrieval.settings.listing import groups, settings_in_force, settings_page
from retrieval.stores.knowledge import KnowledgeStore
from tests.making import make_page

OF_KIND = {
    kind: [name.upper() for name, setting in FIELDS.items() if type(setting.default) is kind]
    for kind in (int, float, bool)
}


def test_defaults() -> None:
    settings = Settings.from_environment({})
    assert settings == Settings()
    assert settings.store_location() == "data/local/store"
    assert settings.recipe == "careful"


def test_values_from_the_environment() -> None:
    settings = Settings.from_environment(
        {"DATA": "/srv/esoteric", "PORT": "80", "RECIPE": "aic", "THREADS": "0", "HOST": ""}
    )
    assert (settings.data, settings.port, settings.recipe, settings.threads) == (Path("/srv/esoteric"), 80, "aic", 0)
    assert settings.host == "127.0.0.1", "an empty variable is one that is not set"
    assert settings.store_location() == "/srv/esoteric/store"
    assert (
        Settings.from_environment({"STORE": "http://h:9200/pages", "DATA": "/x"}).store_location()
        == "http://h:9200/pages"
    )


def test_unknown_variables_are_others_business() -> None:
    assert Settings.from_environment({"NOBODY_KNOWS": "this", "port": "1", "PATH": "/bin"}) == Settings()


# What a value may be


@pytest.mark.parametrize("name", OF_KIND[int])
@pytest.mark.parametrize("value", ["eighty", "-1", "1.5", " 1", "1 ", "1e3", "0x10", "²", "٣", "1_000", "9" * 5_000])
def test_what_is_no_number(name: str, value: str) -> None:
    with pytest.raises(
        SettingError, match=rf"^{name} is .* not a whole number\. Set it to a number of 0 or more\.$"
    ) as error:
        Settings.from_environment({name: value})
    assert len(str(error.value)) < 150


@pytest.mark.parametrize("name", OF_KIND[float])
@pytest.mark.parametrize("value", ["half", "-0.1", "1.5", "2", " 0.5", "1e-1", "nan", "inf", "50%", "0,5", ".", "٠.٥"])
def test_what_is_no_share(name: str, value: str) -> None:
    with pytest.raises(
        SettingError, match=rf"^{name} is .* not a share\. Set it to a number from 0 to 1, such as 0\.5\.$"
    ):
        Settings.from_environment({name: value})


@pytest.mark.parametrize(
    ("value", "share"), [("0", 0.0), ("0.0", 0.0), ("1", 1.0), ("1.0", 1.0), ("0.55", 0.55), (".5", 0.5)]
)
def test_shares(value: str, share: float) -> None:
    assert Settings.from_environment({"ABSTAIN_BELOW": value}).abstain_below == share


@pytest.mark.parametrize("name", OF_KIND[bool])
def test_yes_and_no(name: str) -> None:
    for value, meant in {
        "1": True,
        "true": True,
        "Yes": True,
        "ON": True,
        "0": False,
        "False": False,
        "no": False,
    }.items():
        assert getattr(Settings.from_environment({name: value}), name.lower()) is meant
    for value in ("2", "tru", "-1", "y es", "є"):
        with pytest.raises(SettingError, match=rf"^{name} is .* neither yes nor no\. Set it to `true` or `false`\.$"):
            Settings.from_environment({name: value})


@pytest.mark.parametrize("setting", [s for s in FIELDS.values() if declared(s).choices], ids=lambda s: s.name)
def test_choices_are_checked_at_the_start(setting: Any) -> None:
    known = declared(setting)
    for choice in known.choices:
        assert getattr(Settings.from_environment({setting.name.upper(): choice}), setting.name) == choice
    with pytest.raises(SettingError, match=rf"^{setting.name.upper()} .* not a choice\. Set it to one of: `") as error:
        Settings.from_environment({setting.name.upper(): "nonsense" * 100})
    assert known.choices[0] in str(error.value)


@pytest.mark.parametrize(
    "wrong", [{"port": -1}, {"port": True}, {"abstain_below": 1.5}, {"hub_code": 1}, {"llm_kind": "gemini"}]
)
def test_no_settings_are_made_of_what_makes_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=next(iter(wrong)).upper()):
        Settings(**wrong)


# The file


def write(folder: Path, text: str) -> dict[str, str]:
    """The file in DATA, and the environment that leads there."""
    (folder / FILE).write_text(text, "utf-8")
    return {"DATA": str(folder)}


def test_a_file_in_data_and_the_environment_that_wins(tmp_path: Path) -> None:
    environment = write(
        tmp_path,
        'threads = 3\n[server]\nport = 8080\nTRUSTED_HOSTS = ["a.example", "b.example"]\n[judging]\nabstain_below = 0.6\n'
        '[hub]\nhub_code = true\n[language_model]\nllm_model = "m"\n',
    )
    reading = read_values({**environment, "PORT": "9"})
    found = Settings(**reading.values)
    assert (found.port, found.threads, found.abstain_below, found.hub_code) == (9, 3, 0.6, True)
    assert (found.trusted_hosts, found.llm_model) == ("a.example,b.example", "m")
    file = str(tmp_path / FILE)
    assert reading.origins["threads"] == reading.origins["llm_model"] == file
    assert reading.origins["port"] == reading.origins["data"] == "environment"
    assert "host" not in reading.origins
    assert check_names(environment) == []


def test_a_file_of_another_place(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text('data = "/srv/facts"\nport = 7\n')
    write(tmp_path, "port = 8\nthreads = 8\n")
    found = Settings.from_environment({CONFIG: str(other), "THREADS": "2"})
    assert (found.port, found.threads, found.data) == (7, 2, Path("/srv/facts"))
    with pytest.raises(
        SettingError, match=r"nowhere\.toml cannot be read \(No such file or directory\)\. Check its path"
    ):
        Settings.from_environment({CONFIG: str(tmp_path / "nowhere.toml")})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = ", "is not TOML"),
        ("port = 80\n[server]\nPORT = 81", "sets `port` twice"),
        ("port = -1", "PORT is '-1', which is not a whole number"),
        ('port = "eighty"', "PORT is 'eighty', which is not a whole number"),
        ("port = 80.5", "not a whole number"),
        ("port = true", "not a whole number"),
        ("hub_code = 2", "HUB_CODE is '2', which is neither yes nor no"),
        ("abstain_below = nan", "ABSTAIN_BELOW is 'nan', which is not a share"),
        ("abstain_below = 1.5", "not a share"),
        ("llm_model = 7", "LLM_MODEL is 7, which is not text. Put it in quotation marks"),
        ("llm_model = 1979-05-27", "not text"),
        ("span_models = [1, 2]", "not text"),
        ("[language_model]\nllm_kind = 'gemini'", "LLM_KIND is 'gemini', which is not a choice"),
        ("data = 'elsewhere'", "lies in DATA and cannot set `data`"),
    ],
)
def test_a_file_that_makes_no_sense_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingError) as error:
        Settings.from_environment(write(tmp_path, text))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingError, match="is not TOML"):
        read_values({"DATA": str(tmp_path)})


def test_names_in_the_file_that_are_no_settings(tmp_path: Path) -> None:
    environment = write(tmp_path, "prot = 80\n[server]\nhots = 'h'\n[fusion]\nspeed = 3\n[limits]\nxyzzy = 1\n")
    assert Settings.from_environment(environment) == Settings(data=tmp_path), "they change nothing"
    file = tmp_path / FILE
    assert check_names(environment) == [
        f"`prot` in {file} is not a setting. Did you mean port?",
        f"`hots` in {file} is not a setting. Did you mean host?",
        f"`[fusion]` in {file} is not a group of settings. The groups are {', '.join(GROUPS)}.",
        f"`xyzzy` in {file} is not a setting. See `python -m retrieval settings`.",
    ]


# Misspelt variables


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("LLM_MODLE", "LLM_MODEL"),
        ("LLM_MODELL", "LLM_MODEL"),
        ("TOP_PAGE", "TOP_PAGES"),
        ("llm_url", "LLM_URL"),
        ("ELASTICSEARCH_PASSWD", "ELASTICSEARCH_PASSWORD"),
        ("ESOTERIC_PORT", "PORT"),
        ("ESOTERIC_LLMURL", "LLM_URL"),
    ],
)
def test_a_slip_is_told_with_what_was_meant(name: str, meant: str) -> None:
    assert misspelt({name: "x"}) == [f"{name} in the environment is not a setting. Did you mean {meant}?"]


OTHERS = """PATH HOME USER SHELL LANG TERM PWD HOSTNAME DISPLAY EDITOR PORTS DATE STORES HOSTS DATABASE_URL PGHOST PGPORT PGDATABASE
 PYTHONPATH OMP_NUM_THREADS ELASTICSEARCH_URL ELASTICSEARCH_HOSTS LLM_API_KEY HUB_TOKEN HF_HUB_OFFLINE HF_HOME OPENAI_API_KEY
 WEB_CONCURRENCY NODE_ENV AWS_REGION XDG_DATA_HOME SSH_AUTH_SOCK LS_COLORS NO_PROXY http_proxy MISTRAL_API_KEY""".split()


def test_other_programs_variables_are_not_told_of() -> None:
    assert misspelt(dict.fromkeys([*OTHERS, *(name.upper() for name in NAMES), CONFIG], "x")) == []
    assert misspelt({"ESOTERIC_XYZZY": ""}) == [
        "ESOTERIC_XYZZY in the environment is not a setting. See `python -m retrieval settings`."
    ]


@given(st.dictionaries(st.text(max_size=80), st.text(max_size=5), max_size=3))
def test_any_names_at_all(environment: dict[str, str]) -> None:
    assert len(misspelt(environment)) <= len(environment)


# What is shown


SECRET = "Geheimnis"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("llm_key", SECRET, "***"),
        ("elasticsearch_password", SECRET, "***"),
        ("elasticsearch_api_key", SECRET, "***"),
        ("database", f"postgresql://me:{SECRET}@host/name", "postgresql://***@host/name"),
        ("database", f"postgresql://me:p@ss/{SECRET}@host/name", "postgresql://***@host/name"),
        ("database", f"postgresql://host/name?password={SECRET}&a=b", "postgresql://host/name?password=***&a=b"),
        ("database", f"me:{SECRET}@host/name", "***@host/name"),
        ("store", f"https://me:{SECRET}@host:9200/pages", "https://***@host:9200/pages"),
        ("store", f"https://me:{SECRET}@host/p?u=http://x", "https://***@host/p?u=http://x"),
        ("store", "data/mine@home", "data/mine@home"),
        ("llm_url", f"http://{SECRET}@host/v1", "http://***@host/v1"),
    ],
)
def test_nobody_is_shown_a_password(name: str, value: str, shown: str) -> None:
    settings = Settings(**{name: value})
    assert settings.shown(name) == shown
    assert SECRET not in repr(settings)
    assert SECRET not in "\n".join(settings_in_force(read_values({name.upper(): value}), KNOBS, True))


def test_every_setting_that_may_hold_a_password_is_declared_so() -> None:
    telling = ("password", "key", "secret", "token", "url", "database", "store")
    for setting in FIELDS.values():
        if set(setting.name.split("_")) & set(telling):
            assert declared(setting).secret or declared(setting).address, setting.name


@given(st.text(alphabet=":/@?&=;x", max_size=20))
def test_addresses_of_any_shape(text: str) -> None:
    assert f"{SECRET}{SECRET}" not in without_password(
        f"postgresql://u:{text}{SECRET}{SECRET}@h/{text.replace('@', '')}"
    )


def test_the_values_in_force_and_where_they_come_from(tmp_path: Path) -> None:
    reading = read_values({**write(tmp_path, "[server]\nport = 81\n[recipes.aic]\nchunks = 7\n"), "LLM_KEY": "k"})
    lines = list(settings_in_force(reading, KNOBS, True))
    told = {line.split()[0]: line.split(maxsplit=2)[1:] for line in lines if line.startswith("  ")}
    assert set(told) == {name.upper() for name in NAMES} | {knob for recipe in RECIPES for knob in knob_names(recipe)}
    assert told["chunks"] == ["7", str(tmp_path / FILE)]
    assert told["PORT"][0] == "81"
    assert told["PORT"][1].endswith(FILE)
    assert told["LLM_KEY"] == ["***", "environment"]
    assert told["RECIPE"][1] == "default"
    assert told["HUB_CODE"][0] == "false"
    having = [f"recipes.{recipe}" for recipe in RECIPES if knob_names(recipe)]
    assert [line.rstrip(":") for line in lines if not line.startswith(" ")] == [*GROUPS, *having]


def test_people_are_shown_what_they_need_and_what_is_set(tmp_path: Path) -> None:
    file = write(tmp_path, "login_limit = 3\n[recipes.esoteric]\nwithout = ['titles']\n")
    *lines, last = settings_in_force(read_values(file), KNOBS)
    told = [line.split()[0] for line in lines if line.startswith("  ")]
    rare = {name for name, setting in FIELDS.items() if declared(setting).rare}
    assert 55 <= len(told) - 2 <= 65, "about sixty"
    assert {name.upper() for name in NAMES if name not in rare} | {"LOGIN_LIMIT", "without"} == set(told)
    assert last.startswith(str(len(rare) + sum(len(knob_names(recipe)) for recipe in RECIPES) - 2))


def test_every_setting_has_its_place_in_one_group_and_its_sentence() -> None:
    listed = [name for names in groups().values() for name in names]
    assert sorted(listed) == sorted(NAMES)
    page = settings_page(KNOBS)
    for setting in FIELDS.values():
        known = declared(setting)
        assert known.help.endswith((".", "`.", "”."))
        assert f"| `{setting.name.upper()}`{' †' * known.rare} | " in page
        assert all(f"`{choice}`" in page for choice in known.choices)


# What decides an answer


class Watched(Settings):
    """Settings that note which of them are read."""

    def __getattribute__(self, name: str) -> Any:
        if name in NAMES:
            READ.add(name)
        return super().__getattribute__(name)


READ: set[str] = set()
# Read where models and stores are opened or calls are bounded; they do not change what a check finds, but for a model or a
# corpus, which the key of an answer names by itself.
NOT_DECIDING = {
    *groups()["server"],
    *groups()["corpus"],
    *groups()["hub"],
    *("vector_cache", "llm_key", "llm_timeout", "llm_seconds", "llm_tokens"),
    *("llm_tokens_a_day", "llm_tokens_a_person"),
}


def read_by(resources: Resources, recipe: str, **changed: Any) -> set[str]:
    """Names of the settings that are read while the recipe is built."""
    watched = Watched(**{name: getattr(resources.settings, name) for name in NAMES} | changed)
    other = resources.with_settings(watched)
    READ.clear()
    other.pipeline(recipe)
    read = set(READ)
    other.close()  # reads the settings of what it closes
    return read


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_a_recipe_reads_is_declared_to_decide_its_answers(resources: Resources, recipe: str) -> None:
    local = read_by(resources, recipe)
    model = read_by(resources, recipe, llm_model="m", llm_url="http://127.0.0.1:9/v1")
    three_labels = read_by(resources, recipe, noncommercial_weights=False)
    german = KnowledgeStore([make_page("Warschau", "Warschau ist eine Stadt.")], language="de")
    no_verdict = read_by(resources.over(german), recipe)
    assert (local | model | three_labels | no_verdict) - NOT_DECIDING <= set(deciding(recipe))
    own = {s.name for s in FIELDS.values() if recipe in declared(s).decides}
    assert own <= local | model, "declared, and never read"


def test_settings_name_recipes_that_are_there() -> None:
    for setting in FIELDS.values():
        assert set(declared(setting).decides) <= {EVERY, *RECIPES}, setting.name


def test_with_the_settings_given_nothing_reads_the_environment(
    resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nonsense in every variable: whoever reads one of them raises."""
    for setting in FIELDS.values():
        if not isinstance(setting.default, str | Path) or declared(setting).choices:
            monkeypatch.setenv(setting.name.upper(), "nonsense")
    with pytest.raises(SettingError):
        Settings.from_environment()
    fresh = Resources(replace(resources.settings, store=resources.settings.store_location()))
    for recipe in RECIPES:
        fresh.pipeline(recipe)
        fresh.models(recipe)


@pytest.mark.parametrize(("given", "searches", "fetches"), [("1", False, True), ("pages", False, True), ("brave", True, True), ("off", False, False)])  # fmt: skip
def test_the_open_web_may_be_fetched_without_being_searched(
    monkeypatch: pytest.MonkeyPatch, given: str, searches: bool, fetches: bool
) -> None:
    monkeypatch.setenv("WEB", given)
    settings = Settings.from_environment()
    assert (settings.searches_web, settings.fetches_pages) == (searches, fetches)
    assert settings.web == ("pages" if given == "1" else given)
