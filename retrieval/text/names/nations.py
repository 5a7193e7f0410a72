"""Countries by their names, adjectives and cities ("Argentina", "Argentine", "Buenos Aires"), and the continents of places."""

from __future__ import annotations

import re
from collections.abc import Iterator


def _entries(table: str) -> Iterator[list[str]]:
    """The part before the colon, and the part after it, of every entry."""
    return (entry.split(": ") for entry in " ".join(table.split()).split("; "))


# A country, its other names after "/", and its adjectives.
_NATIONS = """
Afghanistan: Afghan; Albania: Albanian; Algeria: Algerian; Andorra: Andorran; Angola: Angolan; Antigua and Barbuda: Antiguan;
Argentina: Argentine Argentinian Argentinean; Armenia: Armenian; Australia: Australian; Austria: Austrian; Azerbaijan:
Azerbaijani; Bahamas: Bahamian; Bahrain: Bahraini; Bangladesh: Bangladeshi; Barbados: Barbadian Bajan; Belarus: Belarusian;
Belgium: Belgian; Belize: Belizean; Benin: Beninese; Bhutan: Bhutanese; Bolivia: Bolivian; Bosnia and Herzegovina/Bosnia:
Bosnian; Botswana: Botswanan; Brazil: Brazilian; Brunei: Bruneian; Bulgaria: Bulgarian; Burkina Faso: Burkinabe Burkinabé;
Burundi: Burundian; Cambodia: Cambodian; Cameroon: Cameroonian; Canada: Canadian; Cape Verde: Cape-Verdean; Central African
Republic: Central-African; Chad: Chadian; Chile: Chilean; China: Chinese; Colombia: Colombian; Comoros: Comorian; Costa Rica:
Costa-Rican; Croatia: Croatian Croat; Cuba: Cuban; Cyprus: Cypriot; Czech Republic/Czechia: Czech; Democratic Republic of the
Congo/DR Congo/Congo: Congolese; Denmark: Danish; Djibouti: Djiboutian; Dominican Republic: Dominican; East Timor/Timor-Leste:
East-Timorese Timorese; Ecuador: Ecuadorian Ecuadorean; Egypt: Egyptian; El Salvador: Salvadoran; England: English; Equatorial
Guinea: Equatoguinean; Eritrea: Eritrean; Estonia: Estonian; Eswatini/Swaziland: Swazi; Ethiopia: Ethiopian; Fiji: Fijian;
Finland: Finnish; France: French; Gabon: Gabonese; Gambia: Gambian; Georgia: Georgian; Germany: German; Ghana: Ghanaian; Greece:
Greek; Grenada: Grenadian; Guatemala: Guatemalan; Guinea-Bissau: Bissau-Guinean; Guinea: Guinean; Guyana: Guyanese; Haiti:
Haitian; Honduras: Honduran; Hong Kong: Hong-Konger; Hungary: Hungarian; Iceland: Icelandic; India: Indian; Indonesia:
Indonesian; Iran/Persia: Iranian Persian; Iraq: Iraqi; Ireland: Irish; Israel: Israeli; Italy: Italian; Ivory Coast: Ivorian;
Jamaica: Jamaican; Japan: Japanese; Jordan: Jordanian; Kazakhstan: Kazakh Kazakhstani; Kenya: Kenyan; Kiribati: I-Kiribati;
Kosovo: Kosovar Kosovan; Kuwait: Kuwaiti; Kyrgyzstan: Kyrgyz Kyrgyzstani; Laos: Laotian; Latvia: Latvian; Lebanon: Lebanese;
Lesotho: Basotho; Liberia: Liberian; Libya: Libyan; Liechtenstein: Liechtensteiner; Lithuania: Lithuanian; Luxembourg:
Luxembourgish; Madagascar: Malagasy; Malawi: Malawian; Malaysia: Malaysian; Maldives: Maldivian; Mali: Malian; Malta: Maltese;
Marshall Islands: Marshallese; Mauritania: Mauritanian; Mauritius: Mauritian; Mexico: Mexican; Micronesia: Micronesian; Moldova:
Moldovan; Monaco: Monégasque Monegasque; Mongolia: Mongolian; Montenegro: Montenegrin; Morocco: Moroccan; Mozambique:
Mozambican; Myanmar/Burma: Burmese; Namibia: Namibian; Nauru: Nauruan; Nepal: Nepalese Nepali; Netherlands/Holland: Dutch; New
Zealand: New-Zealand; Nicaragua: Nicaraguan; Niger: Nigerien; Nigeria: Nigerian; North Korea: North-Korean; North Macedonia:
Macedonian; Northern Ireland: Northern-Irish; Norway: Norwegian; Oman: Omani; Pakistan: Pakistani; Palau: Palauan; Palestine:
Palestinian; Panama: Panamanian; Papua New Guinea/New Guinea: Papua-New-Guinean; Paraguay: Paraguayan; Peru: Peruvian;
Philippines: Filipino Philippine; Poland: Polish; Portugal: Portuguese; Puerto Rico: Puerto-Rican; Qatar: Qatari; Romania:
Romanian; Russia: Russian; Rwanda: Rwandan; Saint Lucia: Saint-Lucian; Samoa: Samoan; San Marino: Sammarinese; Saudi Arabia:
Saudi Saudi-Arabian; Scotland: Scottish; Senegal: Senegalese; Serbia: Serbian; Seychelles: Seychellois; Sierra Leone:
Sierra-Leonean; Singapore: Singaporean; Slovakia: Slovak Slovakian; Slovenia: Slovenian Slovene; Solomon Islands:
Solomon-Islander; Somalia: Somali; South Africa: South-African; South Korea: South-Korean; South Sudan: South-Sudanese; Soviet
Union: Soviet; Spain: Spanish; Sri Lanka: Sri-Lankan; Sudan: Sudanese; Suriname: Surinamese; Sweden: Swedish; Switzerland:
Swiss; Syria: Syrian; Taiwan: Taiwanese; Tajikistan: Tajik Tajikistani; Tanzania: Tanzanian; Thailand: Thai; Togo: Togolese;
Tonga: Tongan; Trinidad and Tobago: Trinidadian; Tunisia: Tunisian; Turkey: Turkish; Turkmenistan: Turkmen; Tuvalu: Tuvaluan;
Uganda: Ugandan; Ukraine: Ukrainian; United Arab Emirates/UAE: Emirati; United Kingdom/UK/Great Britain/Britain: British; United
States/United States of America/USA/US/America: American; Uruguay: Uruguayan; Uzbekistan: Uzbek Uzbekistani; Vanuatu:
Ni-Vanuatu; Vatican City/Vatican: Vatican-City; Venezuela: Venezuelan; Vietnam: Vietnamese; Wales: Welsh; Yemen: Yemeni;
Yugoslavia: Yugoslav; Zambia: Zambian; Zimbabwe: Zimbabwean
"""
# Only cities that hardly share their name with another birthplace, unless a state or country stands beside it ("Paris, Texas").
_CITIES = """
Argentina: Buenos-Aires; Australia: Sydney Melbourne Brisbane Adelaide Canberra; Austria: Vienna Salzburg Graz Innsbruck;
Bangladesh: Dhaka; Belgium: Brussels Antwerp Ghent Bruges; Brazil: Rio-de-Janeiro São-Paulo Brasília; Bulgaria: Sofia; Canada:
Toronto Montreal Vancouver Ottawa Calgary Winnipeg Edmonton; Chile: Santiago; China: Beijing Shanghai Guangzhou Wuhan Nanjing;
Colombia: Bogotá Medellín; Croatia: Zagreb; Cuba: Havana; Czech Republic: Prague Brno Ostrava; Denmark: Copenhagen Aarhus; Egypt:
Cairo; Finland: Helsinki; France: Paris Lyon Marseille Bordeaux Toulouse Strasbourg Nantes Lille; Germany: Berlin Munich Hamburg
Cologne Frankfurt Stuttgart Leipzig Dresden Bonn Düsseldorf Nuremberg Hanover Bremen; Greece: Athens Thessaloniki; Hungary:
Budapest; Iceland: Reykjavík Reykjavik; India: Mumbai Bombay Delhi Kolkata Calcutta Chennai Madras Bangalore; Indonesia: Jakarta;
Iran: Tehran; Iraq: Baghdad; Ireland: Dublin Galway; Israel: Tel-Aviv; Italy: Rome Milan Naples Florence Venice Turin Genoa Bologna
Palermo Verona; Jamaica: Kingston; Japan: Tokyo Osaka Kyoto Nagoya Hiroshima Yokohama; Kenya: Nairobi; Lebanon: Beirut; Mexico:
Mexico-City Guadalajara; Netherlands: Amsterdam Rotterdam Utrecht; New Zealand: Auckland Wellington Christchurch; Nigeria: Lagos;
Norway: Oslo Bergen Trondheim; Pakistan: Karachi Islamabad; Peru: Lima; Philippines: Manila; Poland: Warsaw Kraków Łódź Poznań;
Portugal: Lisbon Porto; Romania: Bucharest; Russia: Moscow Saint-Petersburg Leningrad; Serbia: Belgrade; Slovakia: Bratislava; South
Africa: Johannesburg Cape-Town Pretoria Durban; South Korea: Seoul Busan; Spain: Madrid Barcelona Seville Málaga Bilbao Zaragoza;
Sweden: Stockholm Gothenburg Malmö Uppsala; Switzerland: Zurich Zürich Geneva Basel Bern Lausanne; Thailand: Bangkok; Trinidad and
Tobago: Port-of-Spain; Turkey: Istanbul Ankara; Ukraine: Kiev Kyiv Kharkiv; United Kingdom: London Manchester Liverpool Birmingham
Leeds Sheffield Bristol Glasgow Edinburgh Cardiff Belfast Oxford Stratford-upon-Avon; United States: New-York-City Chicago
Los-Angeles Boston Philadelphia Houston Dallas Detroit Seattle Miami Atlanta Baltimore Brooklyn Hollywood San-Francisco San-Diego
Denver Pittsburgh Cleveland Las-Vegas New-Orleans Honolulu Manhattan Milwaukee Minneapolis; Uruguay: Montevideo; Venezuela: Caracas;
Vietnam: Hanoi Saigon
"""
# Parts of a country that name it; "Georgia" and "Washington" are more.
_STATES = (
    "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine "
    "Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada New-Hampshire New-Jersey New-Mexico New-York North-Carolina "
    "North-Dakota Ohio Oklahoma Oregon Pennsylvania Rhode-Island South-Carolina South-Dakota Tennessee Texas Utah Vermont Virginia West-Virginia "
    "Wisconsin Wyoming"
)
# States that were once one, or whose people count as both: neither name excludes the other.
_KIN = (
    {"United Kingdom", "England", "Scotland", "Wales", "Northern Ireland", "Ireland"},
    {"Soviet Union", "Russia", "Ukraine", "Belarus", "Georgia", "Armenia", "Azerbaijan", "Kazakhstan", "Moldova", "Latvia"}
    | {"Lithuania", "Estonia", "Kyrgyzstan", "Tajikistan", "Turkmenistan", "Uzbekistan"},
    {"Yugoslavia", "Serbia", "Croatia", "Bosnia and Herzegovina", "Slovenia", "North Macedonia", "Montenegro", "Kosovo"},
    {"Albania", "Kosovo"},
    {"Israel", "Palestine", "Jordan", "Egypt"},
    {"Ethiopia", "Eritrea"},
    {"Sudan", "South Sudan"},
    {"France", "Monaco"},
    {"Italy", "San Marino", "Vatican City"},
    {"Indonesia", "East Timor"},
    {"United States", "Samoa"},
    {"Austria", "Hungary", "Germany", "Czech Republic", "Slovakia", "Poland", "Slovenia", "Croatia"},
    {"China", "Taiwan", "Hong Kong"},
    {"United Kingdom", "Hong Kong"},
    {"India", "Pakistan", "Bangladesh"},
    {"United States", "Puerto Rico"},
    {"Greece", "Cyprus"},
)  # fmt: skip
# Of places on two continents, both. Central America and the Caribbean belong to North America.
_CONTINENTS = {
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
_COUNTRIES = {
    name.replace("-", " "): names.split("/")[0]
    for names, adjectives in _entries(_NATIONS)
    for name in (*names.split("/"), *adjectives.split())
}
_BY_FOLDED = {name.lower(): country for name, country in _COUNTRIES.items()}
_BY_CITY = {city.replace("-", " ").lower(): land for land, cities in _entries(_CITIES) for city in cities.split()}
NATIONS = frozenset(_COUNTRIES.values())
# Matches every name and adjective; it has no groups.
ANY_NATION = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in sorted(_COUNTRIES, key=len, reverse=True))
# Not in "New Mexico", "Port of Spain", "Gulf of Finland" and "Sea of Japan".
_NATION = re.compile(rf"(?<!\w)(?<!New )(?<!New South )(?<!Port of )(?<!Gulf of )(?<!Sea of )(?:{ANY_NATION})(?!\w)")
_STATE = re.compile(rf"(?<!\w)(?:{'|'.join(state.replace('-', ' ') for state in _STATES.split())})(?!\w)")
CONTINENTS = frozenset(_CONTINENTS)
_ON: dict[str, set[str]] = {}  # place -> its continents
for _continent, _places in _CONTINENTS.items():
    for _place in _places.split(", "):
        _ON.setdefault(_place, set()).add(_continent)
_REGIONS = {
    **{name: continents for name, continents in _ON.items() if name not in NATIONS},
    **{name: {name} for name in CONTINENTS - {"Arctic", "Antarctica"}},
    **{f"{name}n": {name} for name in ("Africa", "Asia", "Oceania", "South America", "North America")},
    "European": {"Europe"},
    "Afro-Eurasia": {"Africa", "Asia", "Europe"},
    "Central and South America": {"North America", "South America"},
    "North and South America": {"North America", "South America"},
}
_REGION = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(_REGIONS, key=len, reverse=True)))})(?!\w)")
_UNITED_STATES = re.compile(r"\b(?:United States|USA|US)\b|U\.S\.")  # "American" alone may be of either continent


def nation_of(name: str) -> str:
    """The country with this name or adjective, in upper or lower case; empty if there is none."""
    return _BY_FOLDED.get(name.replace("-", " ").lower(), "")


def nations_in(text: str) -> Iterator[str]:
    """The countries that a text names, by capitalised names or adjectives, in order."""
    return (nation_of(match[0]) for match in _NATION.finditer(text))


def names_a_state(text: str) -> bool:
    """Whether it names an American state other than Georgia and Washington."""
    return _STATE.search(text) is not None


def countries_in(text: str) -> list[str]:
    """The United States if the text names a state, else the countries that it names."""
    return ["United States"] if names_a_state(text) else list(nations_in(text))


def nations_of_places(places: str) -> list[str]:
    """The countries of "Linz, Austria", "Albuquerque, New Mexico" or "Bromley, a district of London". The last place with a
    known country decides; "Georgia" decides nothing, because it may be the state.
    """
    for name in reversed(re.split(r", an? [a-z]+(?: [a-z]+)? (?:of|in|near) (?:the )?|,? in |, ", places)):
        city = _BY_CITY.get(name.replace("-", " ").lower())
        if named := countries_in(name) or ([city] if city else []):
            return [nation for nation in named if nation != "Georgia"]
    return []


def exclude(one: str, other: str) -> bool:
    """Whether somebody from one of these countries cannot be from the other, at any time in history."""
    return one != other and not any({one, other} <= kin for kin in _KIN)


def continents_in(text: str) -> set[str]:
    """The continents of the countries, regions and continents that a text names in capitals. "America" alone may be either."""
    without_regions = _REGION.sub(" ", text)  # "South American" names no American
    nations = {*nations_in(without_regions), *nations_in(text)} - {"United States"}
    regions = (_REGIONS[match[0]] for match in _REGION.finditer(text))
    american = {"North America"} if _UNITED_STATES.search(text) else set[str]()
    return american.union(*regions, *(_ON.get(nation, set()) for nation in nations))
