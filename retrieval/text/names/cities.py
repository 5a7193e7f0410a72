"""The countries of well-known cities, by which a page says where someone was born without naming the country: "born in Paris"."""

from __future__ import annotations

# Only cities that hardly share their name with another birthplace, unless a state or country stands beside it ("Paris, Texas").
_TABLE = """
Argentina: Buenos-Aires; Australia: Sydney Melbourne Brisbane Adelaide Canberra; Austria: Vienna Salzburg Graz Innsbruck; Bangladesh:
Dhaka; Belgium: Brussels Antwerp Ghent Bruges; Brazil: Rio-de-Janeiro São-Paulo Brasília; Bulgaria: Sofia; Canada: Toronto Montreal
Vancouver Ottawa Calgary Winnipeg Edmonton; Chile: Santiago; China: Beijing Shanghai Guangzhou Wuhan Nanjing; Colombia: Bogotá Medellín;
Croatia: Zagreb; Cuba: Havana; Czech Republic: Prague Brno Ostrava; Denmark: Copenhagen Aarhus; Egypt: Cairo; Finland: Helsinki; France:
Paris Lyon Marseille Bordeaux Toulouse Strasbourg Nantes Lille; Germany: Berlin Munich Hamburg Cologne Frankfurt Stuttgart Leipzig Dresden
Bonn Düsseldorf Nuremberg Hanover Bremen; Greece: Athens Thessaloniki; Hungary: Budapest; Iceland: Reykjavík Reykjavik; India: Mumbai Bombay
Delhi Kolkata Calcutta Chennai Madras Bangalore; Indonesia: Jakarta; Iran: Tehran; Iraq: Baghdad; Ireland: Dublin Galway; Israel: Tel-Aviv;
Italy: Rome Milan Naples Florence Venice Turin Genoa Bologna Palermo Verona; Jamaica: Kingston; Japan: Tokyo Osaka Kyoto Nagoya Hiroshima
Yokohama; Kenya: Nairobi; Lebanon: Beirut; Mexico: Mexico-City Guadalajara; Netherlands: Amsterdam Rotterdam Utrecht; New Zealand: Auckland
Wellington Christchurch; Nigeria: Lagos; Norway: Oslo Bergen Trondheim; Pakistan: Karachi Islamabad; Peru: Lima; Philippines: Manila; Poland:
Warsaw Kraków Łódź Poznań; Portugal: Lisbon Porto; Romania: Bucharest; Russia: Moscow Saint-Petersburg Leningrad; Serbia: Belgrade; Slovakia:
Bratislava; South Africa: Johannesburg Cape-Town Pretoria Durban; South Korea: Seoul Busan; Spain: Madrid Barcelona Seville Málaga Bilbao
Zaragoza; Sweden: Stockholm Gothenburg Malmö Uppsala; Switzerland: Zurich Zürich Geneva Basel Bern Lausanne; Thailand: Bangkok; Trinidad and Tobago: Port-of-Spain; Turkey:
Istanbul Ankara; Ukraine: Kiev Kyiv Kharkiv; United Kingdom: London Manchester Liverpool Birmingham Leeds Sheffield Bristol Glasgow Edinburgh
Cardiff Belfast Oxford Stratford-upon-Avon; United States: New-York-City Chicago Los-Angeles Boston Philadelphia Houston Dallas Detroit Seattle
Miami Atlanta Baltimore Brooklyn Hollywood San-Francisco San-Diego Denver Pittsburgh Cleveland Las-Vegas New-Orleans Honolulu Manhattan
Milwaukee Minneapolis; Uruguay: Montevideo; Venezuela: Caracas; Vietnam: Hanoi Saigon
"""
_COUNTRIES = {
    city.replace("-", " ").lower(): country
    for country, cities in (entry.split(": ") for entry in " ".join(_TABLE.split()).split("; "))
    for city in cities.split()
}


def country_of_city(name: str) -> str:
    """The country that the city lies in today; empty for other names."""
    return _COUNTRIES.get(name.replace("-", " ").lower(), "")
