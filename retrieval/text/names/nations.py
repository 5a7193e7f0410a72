"""Countries and the adjectives for them: "Argentina", "Argentine"."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A country, its other names after "/", and its adjectives.
_TABLE = """
Afghanistan: Afghan; Albania: Albanian; Algeria: Algerian; Angola: Angolan; Argentina: Argentine Argentinian Argentinean;
Armenia: Armenian; Australia: Australian; Austria: Austrian; Azerbaijan: Azerbaijani; Bahamas: Bahamian; Bangladesh: Bangladeshi;
Barbados: Barbadian Bajan; Belarus: Belarusian; Belgium: Belgian; Bolivia: Bolivian; Bosnia and Herzegovina/Bosnia: Bosnian;
Botswana: Botswanan; Brazil: Brazilian; Bulgaria: Bulgarian; Cambodia: Cambodian; Cameroon: Cameroonian; Canada: Canadian;
Chile: Chilean; China: Chinese; Colombia: Colombian; Costa Rica: Costa-Rican; Croatia: Croatian Croat; Cuba: Cuban; Cyprus: Cypriot;
Czech Republic/Czechia: Czech; Denmark: Danish; Dominican Republic: Dominican; Ecuador: Ecuadorian Ecuadorean; Egypt: Egyptian;
El Salvador: Salvadoran; Estonia: Estonian; Ethiopia: Ethiopian; Finland: Finnish; France: French; Georgia: Georgian;
Germany: German; Ghana: Ghanaian; Greece: Greek; Guatemala: Guatemalan; Haiti: Haitian; Honduras: Honduran; Hong Kong: Hong-Konger; Hungary: Hungarian;
Iceland: Icelandic; India: Indian; Indonesia: Indonesian; Iran/Persia: Iranian Persian; Iraq: Iraqi; Ireland: Irish; Israel: Israeli;
Italy: Italian; Ivory Coast: Ivorian; Jamaica: Jamaican; Japan: Japanese; Jordan: Jordanian; Kazakhstan: Kazakh Kazakhstani;
Kenya: Kenyan; Kuwait: Kuwaiti; Latvia: Latvian; Lebanon: Lebanese; Libya: Libyan; Lithuania: Lithuanian; Luxembourg: Luxembourgish;
Malaysia: Malaysian; Malta: Maltese; Mexico: Mexican; Moldova: Moldovan; Mongolia: Mongolian; Morocco: Moroccan;
Mozambique: Mozambican; Myanmar/Burma: Burmese; Namibia: Namibian; Nepal: Nepalese Nepali; Netherlands/Holland: Dutch;
New Zealand: New-Zealand; Nicaragua: Nicaraguan; Nigeria: Nigerian; North Korea: North-Korean; North Macedonia: Macedonian;
Norway: Norwegian; Pakistan: Pakistani; Panama: Panamanian; Paraguay: Paraguayan; Peru: Peruvian; Philippines: Filipino Philippine;
Poland: Polish; Portugal: Portuguese; Puerto Rico: Puerto-Rican; Romania: Romanian; Russia: Russian; Rwanda: Rwandan;
Saudi Arabia: Saudi Saudi-Arabian; Senegal: Senegalese; Serbia: Serbian; Singapore: Singaporean; Slovakia: Slovak Slovakian;
Slovenia: Slovenian Slovene; Somalia: Somali; South Africa: South-African; South Korea: South-Korean; Soviet Union: Soviet;
Spain: Spanish; Sri Lanka: Sri-Lankan; Sudan: Sudanese; Sweden: Swedish; Switzerland: Swiss; Syria: Syrian; Taiwan: Taiwanese;
Tanzania: Tanzanian; Thailand: Thai; Trinidad and Tobago: Trinidadian; Tunisia: Tunisian; Turkey: Turkish; Uganda: Ugandan;
Ukraine: Ukrainian; United States/United States of America/USA/US/America: American; Uruguay: Uruguayan; Venezuela: Venezuelan;
Vietnam: Vietnamese; Yemen: Yemeni; Yugoslavia: Yugoslav; Zambia: Zambian; Zimbabwe: Zimbabwean;
United Kingdom/UK/Great Britain/Britain: British; England: English; Scotland: Scottish; Wales: Welsh; Northern Ireland: Northern-Irish
"""
# States that were once one, or whose people count as both: neither name excludes the other.
_KIN = (
    {"United Kingdom", "England", "Scotland", "Wales", "Northern Ireland", "Ireland"},
    {"Soviet Union", "Russia", "Ukraine", "Belarus", "Georgia", "Armenia", "Azerbaijan", "Kazakhstan", "Moldova", "Latvia"}
    | {"Lithuania", "Estonia"},
    {"Yugoslavia", "Serbia", "Croatia", "Bosnia and Herzegovina", "Slovenia", "North Macedonia"},
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
_ANY = re.compile(rf"(?<!\w)(?:{ANY_NATION})(?!\w)")


def nation_of(name: str) -> str:
    """The country with this name or adjective, in upper or lower case; empty if there is none."""
    return _BY_FOLDED.get(name.replace("-", " ").lower(), "")


def nations_in(text: str) -> Iterator[str]:
    """The countries that a text names, by capitalised names or adjectives, in order."""
    for match in _ANY.finditer(text):
        yield nation_of(match.group())


def exclude(one: str, other: str) -> bool:
    """Whether somebody from one of these countries cannot be from the other, at any time in history."""
    return one != other and not any({one, other} <= kin for kin in _KIN)
