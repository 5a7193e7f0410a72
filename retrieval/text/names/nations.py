"""Countries and the adjectives for them: "Argentina", "Argentine"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.names.cities import country_of_city

# A country, its other names after "/", and its adjectives.
_TABLE = """
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
_OF = {
    name.replace("-", " "): names.split("/")[0]
    for names, adjectives in (entry.split(": ") for entry in " ".join(_TABLE.split()).split("; "))
    for name in (*names.split("/"), *adjectives.split())
}
NATIONS = frozenset(_OF.values())
_BY_FOLDED = {name.lower(): country for name, country in _OF.items()}
# Matches every name and adjective; it has no groups.
ANY_NATION = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in sorted(_OF, key=len, reverse=True))
# Not in "New Mexico", "Port of Spain", "Gulf of Finland" and "Sea of Japan".
_ANY = re.compile(rf"(?<!\w)(?<!New )(?<!New South )(?<!Port of )(?<!Gulf of )(?<!Sea of )(?:{ANY_NATION})(?!\w)")
_ANY_STATE = re.compile(rf"(?<!\w)(?:{'|'.join(state.replace('-', ' ') for state in _STATES.split())})(?!\w)")


def nation_of(name: str) -> str:
    """The country with this name or adjective, in upper or lower case; empty if there is none."""
    return _BY_FOLDED.get(name.replace("-", " ").lower(), "")


def nations_in(text: str) -> Iterator[str]:
    """The countries that a text names, by capitalised names or adjectives, in order."""
    for match in _ANY.finditer(text):
        yield nation_of(match.group())


def names_a_state(text: str) -> bool:
    """Whether it names an American state other than Georgia and Washington."""
    return _ANY_STATE.search(text) is not None


def countries_in(text: str) -> list[str]:
    """The United States if a state is named, else the countries that are."""
    return ["United States"] if names_a_state(text) else list(nations_in(text))


def nations_of_places(places: str) -> list[str]:
    """The countries that "Linz, Austria" names, or "Albuquerque, New Mexico" a state of, or "Bromley, a district of London" a well-known
    city of. The last name decides; "Georgia" may be either.
    """
    for name in reversed(re.split(r", an? [a-z]+(?: [a-z]+)? (?:of|in|near) (?:the )?|,? in |, ", places)):
        if named := countries_in(name) or list(filter(None, [country_of_city(name)])):
            return [nation for nation in named if nation != "Georgia"]
    return []


def exclude(one: str, other: str) -> bool:
    """Whether somebody from one of these countries cannot be from the other, at any time in history."""
    return one != other and not any({one, other} <= kin for kin in _KIN)
