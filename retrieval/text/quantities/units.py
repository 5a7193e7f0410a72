"""Units of length, area, weight, speed, temperature and time: their one name, and their size in base units."""

from __future__ import annotations

import re
from dataclasses import dataclass

DAYS_IN_A_YEAR = 365.25


@dataclass(frozen=True, slots=True)
class Unit:
    """name: the one form, in the plural. A value of it is `value * factor + offset` of the dimension's base unit."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


# Ways to write them, and the unit. Where a way has capitals, they count. Exact by definition, apart from months and years.
_UNITS = (
    ("km|kms|kilometre|kilometer", Unit("kilometres", "length", 1000)),
    ("m|metre|meter", Unit("metres", "length", 1)),
    ("cm|centimetre|centimeter", Unit("centimetres", "length", 0.01)),
    ("mm|millimetre|millimeter", Unit("millimetres", "length", 0.001)),
    ("ft|foot|feet", Unit("feet", "length", 0.3048)),
    ("inch|inches", Unit("inches", "length", 0.0254)),
    ("yd|yds|yard", Unit("yards", "length", 0.9144)),
    ("mi|mile", Unit("miles", "length", 1609.344)),
    ("km2|km²|km^2|sqkm|sq km|sq. km|square km|square kilometre|square kilometer", Unit("square kilometres", "area", 1e6)),
    ("m2|m²|sq m|square metre|square meter", Unit("square metres", "area", 1)),
    ("sqmi|sq mi|sq. mi|mi2|mi²|square mile", Unit("square miles", "area", 1609.344**2)),
    ("sqft|sq ft|sq. ft|ft2|square foot|square feet", Unit("square feet", "area", 0.3048**2)),
    ("ha|hectare", Unit("hectares", "area", 1e4)),
    ("acre", Unit("acres", "area", 4046.8564224)),
    ("kg|kgs|kilogram|kilogramme", Unit("kilograms", "weight", 1)),
    ("gram|gramme", Unit("grams", "weight", 0.001)),
    ("lb|lbs", Unit("pounds", "weight", 0.45359237)),
    ("tonne|metric ton", Unit("tonnes", "weight", 1000)),
    ("km/h|kmh|kph|kilometres per hour|kilometers per hour", Unit("kilometres per hour", "speed", 1 / 3.6)),
    ("mph|miles per hour", Unit("miles per hour", "speed", 0.44704)),
    ("m/s|metres per second|meters per second", Unit("metres per second", "speed", 1)),
    ("km/s|kilometres per second|kilometers per second", Unit("kilometres per second", "speed", 1000)),
    ("°C|° C|degrees Celsius|degree Celsius|degrees celsius|degrees C|° on the Celsius scale", Unit("°C", "temperature", 1, 273.15)),
    ("°F|° F|degrees Fahrenheit|degree Fahrenheit|degrees fahrenheit|degrees F|° on the Fahrenheit scale", Unit("°F", "temperature", 5 / 9, 459.67 * 5 / 9)),
    ("year|yr|yrs", Unit("years", "time", DAYS_IN_A_YEAR)),
    ("month", Unit("months", "time", DAYS_IN_A_YEAR / 12)),
    ("week", Unit("weeks", "time", 7)),
    ("day|days", Unit("days", "time", 1)),
    ("hour|hr|hrs", Unit("hours", "time", 1 / 24)),
    ("minute|min|mins", Unit("minutes", "time", 1 / 1440)),
)  # fmt: skip
_NO_PLURAL = ("s", "feet", "C", "F", "Fahrenheit", "fahrenheit", "mi", "scale")
_WRITTEN: dict[str, Unit] = {}
for _ways, _unit in _UNITS:
    for _way in _ways.split("|"):
        _WRITTEN[_way] = _unit
        if len(_way) > 3 and _way[-1].isalpha() and not _way.endswith(_NO_PLURAL):
            _WRITTEN[_way + "s"] = _unit
_LONGEST_FIRST = sorted(_WRITTEN, key=len, reverse=True)
# After a number: "324m", "324 metres", "a 27-year-old". A full stop after an abbreviation is left alone.
UNIT = re.compile(rf"(?P<gap>[ \u00a0-]?)(?P<unit>{'|'.join(map(re.escape, _LONGEST_FIRST))})(?![\w²]|/[a-z])")
NAMED = re.compile(rf"(?P<unit>{'|'.join(way for way in _LONGEST_FIRST if len(way) > 3)})\b")


def unit_of(written: str) -> Unit:
    """The unit of a match of `UNIT`."""
    return _WRITTEN[written]


def in_base(value: float, unit: Unit) -> float:
    """A value in the base unit of the unit's dimension: metres, square metres, kilograms, m/s, kelvin, days."""
    return value * unit.factor + unit.offset
