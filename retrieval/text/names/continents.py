"""The continents in which countries and well-known regions lie: "Kenya" and "the Congo Basin" are in Africa."""

from __future__ import annotations

import re

from retrieval.text.names.nations import NATIONS, nations_in

# Of countries that lie on two, both. Central America and the Caribbean belong to North America.
_TABLE = {
    "Africa": "Algeria, Angola, Benin, Botswana, Burkina Faso, Burundi, Cameroon, Cape Verde, Central African Republic, Chad, Comoros, "
    "Democratic Republic of the Congo, Djibouti, Egypt, Equatorial Guinea, Eritrea, Eswatini, Ethiopia, Gabon, Gambia, Ghana, Guinea, "
    "Guinea-Bissau, Ivory Coast, Kenya, Lesotho, Liberia, Libya, Madagascar, Malawi, Mali, Mauritania, Mauritius, Morocco, Mozambique, "
    "Namibia, Niger, Nigeria, Rwanda, Senegal, Seychelles, Sierra Leone, Somalia, South Africa, South Sudan, Sudan, Tanzania, Togo, "
    "Tunisia, Uganda, Zambia, Zimbabwe, Congo Basin, Congo, Sahel, Sahara, Kalahari, Serengeti, Maghreb, Zanzibar, Horn of Africa",
    "Asia": "Afghanistan, Armenia, Azerbaijan, Bahrain, Bangladesh, Bhutan, Brunei, Cambodia, China, Cyprus, East Timor, Egypt, Georgia, "
    "Hong Kong, India, Indonesia, Iran, Iraq, Israel, Japan, Jordan, Kazakhstan, Kuwait, Kyrgyzstan, Laos, Lebanon, Malaysia, Maldives, "
    "Mongolia, Myanmar, Nepal, North Korea, Oman, Pakistan, Palestine, Philippines, Qatar, Russia, Saudi Arabia, Singapore, South Korea, "
    "Sri Lanka, Syria, Taiwan, Tajikistan, Thailand, Turkey, Turkmenistan, United Arab Emirates, Uzbekistan, Vietnam, Yemen, Borneo, "
    "Sumatra, Java, Sulawesi, Bali, Himalayas, Himalayan, Tibet, Tibetan, Siberia, Siberian, Korea, Middle East, Near East, Indochina, "
    "Indian subcontinent, Arabian Peninsula, Arabia, Manchuria, Gobi, Levant, Eurasia, Eurasian, Anatolia, Caucasus, Malay",
    "Europe": "Albania, Andorra, Austria, Belarus, Belgium, Bosnia and Herzegovina, Bulgaria, Croatia, Cyprus, Czech Republic, Denmark, "
    "England, Estonia, Finland, France, Germany, Greece, Hungary, Iceland, Ireland, Italy, Kosovo, Latvia, Liechtenstein, Lithuania, "
    "Luxembourg, Malta, Moldova, Monaco, Montenegro, Netherlands, North Macedonia, Northern Ireland, Norway, Poland, Portugal, Romania, "
    "Russia, San Marino, Scotland, Serbia, Slovakia, Slovenia, Spain, Sweden, Switzerland, Turkey, Ukraine, United Kingdom, Vatican City, "
    "Wales, Scandinavia, Iberian Peninsula, Balkans, Alps, Pyrenees, Mediterranean, Eurasia, Eurasian, Caucasus, Georgia, Armenia",
    "North America": "Antigua and Barbuda, Bahamas, Barbados, Belize, Canada, Costa Rica, Cuba, Dominican Republic, El Salvador, Grenada, "
    "Guatemala, Haiti, Honduras, Jamaica, Mexico, Nicaragua, Panama, Puerto Rico, Saint Lucia, Trinidad and Tobago, United States, "
    "Central America, Mesoamerica, Caribbean, Greenland, the Americas, New World, West Indies, Alaska, Florida, Great Plains",
    "South America": "Argentina, Bolivia, Brazil, Chile, Colombia, Ecuador, Guyana, Paraguay, Peru, Suriname, Uruguay, Venezuela, Andes, "
    "Andean, Amazon, Patagonia, Galápagos, Galapagos, Gran Chaco, the Americas, New World",
    "Oceania": "Australia, Fiji, Kiribati, Marshall Islands, Micronesia, Nauru, New Zealand, Palau, Papua New Guinea, Samoa, Solomon "
    "Islands, Tonga, Tuvalu, Vanuatu, Tasmania, New Guinea, Polynesia, Melanesia, Oceania, Queensland, New South Wales, Hawaii",
    "Antarctica": "Antarctica, Antarctic, South Pole",
    "Arctic": "Arctic, North Pole",
}  # fmt: skip
CONTINENTS = frozenset(_TABLE)
_OF: dict[str, set[str]] = {}
for _continent, _places in _TABLE.items():
    for _place in _places.split(", "):
        _OF.setdefault(_place, set()).add(_continent)
_ADJECTIVES = {"African": "Africa", "Asian": "Asia", "European": "Europe", "Oceanian": "Oceania", "South American": "South America", "North American": "North America"}  # fmt: skip
_BY_NAME = {
    **{name: frozenset(found) for name, found in _OF.items() if name not in NATIONS},
    **{name: frozenset({name}) for name in CONTINENTS - {"Arctic", "Antarctica"}},
    **{name: frozenset({continent}) for name, continent in _ADJECTIVES.items()},
    "Afro-Eurasia": frozenset({"Africa", "Asia", "Europe"}),
    "Central and South America": frozenset({"North America", "South America"}),
    "North and South America": frozenset({"North America", "South America"}),
}
_ANY = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(_BY_NAME, key=len, reverse=True)))})(?!\w)")
_UNITED_STATES = re.compile(r"\b(?:United States|USA|US)\b|U\.S\.")  # "American" alone may be of either


def continents_in(text: str) -> set[str]:
    """The continents of the countries, regions and continents that a text names in capitals. "America" alone may be either."""
    regions = [_BY_NAME[match.group()] for match in _ANY.finditer(text)]
    plain = _ANY.sub(" ", text)  # "South American" names no American
    nations = [
        _OF.get(nation, set()) for nation in (*nations_in(plain), *nations_in(text)) if nation != "United States"
    ]
    here = {"North America"} if _UNITED_STATES.search(text) else set()
    return here.union(*regions, *nations)
