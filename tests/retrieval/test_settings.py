"""Settings come from the environment, and one that makes no sense is named."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from retrieval.errors import SettingError
from retrieval.settings import Settings, settings_table

NUMBERS = [setting.name.upper() for setting in fields(Settings) if isinstance(setting.default, int)]


def test_defaults() -> None:
    settings = Settings.from_environment({})
    assert settings == Settings()
    assert settings.store_location() == "data/local/store"
    assert settings.recipe == "fast"


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


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["eighty", "-1", "1.5", " 1", "1 ", "1e3", "0x10", "²", "٣", "1_000", "9" * 5_000])
def test_what_is_no_number(name: str, value: str) -> None:
    with pytest.raises(
        SettingError, match=rf"^{name} is .* not a whole number\. Set it to a number of 0 or more\.$"
    ) as error:
        Settings.from_environment({name: value})
    assert len(str(error.value)) < 150


@pytest.mark.parametrize("name", ["CONFLICTING_FROM", "ABSTAIN_BELOW", "PAGE_CUTOFF"])
@pytest.mark.parametrize("value", ["half", "-0.1", "1.5", "2", " 0.5", "1e-1", "nan", "inf", "50%", "0,5", ".", "٠.٥"])
def test_what_is_no_share(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=rf"^{name} is .* no share\. Set it to a number from 0 to 1, as 0\.5\.$"):
        Settings.from_environment({name: value})


@pytest.mark.parametrize(
    ("value", "share"), [("0", 0.0), ("0.0", 0.0), ("1", 1.0), ("1.0", 1.0), ("0.55", 0.55), (".5", 0.5)]
)
def test_shares(value: str, share: float) -> None:
    assert Settings.from_environment({"ABSTAIN_BELOW": value}).abstain_below == share


def test_every_setting_is_documented() -> None:
    table = settings_table()
    for setting in fields(Settings):
        assert setting.metadata["help"].endswith((".", "`."))
        assert f"| `{setting.name.upper()}` |" in table
