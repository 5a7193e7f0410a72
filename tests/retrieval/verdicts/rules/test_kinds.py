"""Claims that put something among a kind to which it cannot belong."""

from __future__ import annotations

import pytest

from retrieval.verdicts.rules.kinds import of_another_kind
from tests.making import make_page

PAGES = [
    make_page("Pale Road", "The Pale Road is the galaxy that has our world, a hazy band formed from stars."),
    make_page("Bronzo", "Bronzo is an alloy consisting mostly of copper."),
    make_page("Skate", "Skates are a group of fish with a soft skeleton.", "Some feed on crabs and on young mammals."),
    make_page(
        "Moona", "The moona (“Ursus falsus”, or, wrongly, moona bear) is a shy, leaf-eating marsupial of the north."
    ),
    make_page("The Wadlers", "The Wadlers were a dance band."),
    make_page(
        "Wadler", "Wadlers (order Falsiformes) are a large and mostly silent group of aquatic, flightless birds."
    ),
    make_page("Vellish language", "Vellish is spoken on the coast.", "It belongs to the Uralic language family."),
    make_page("Orm (planet)", "Orm is a dwarf planet of the outer belt."),
    make_page(
        "Tarn",
        "Tarn is the largest known dwarf planet.",
        "Tarn was first classified as a planet.",
        "It shone as a planet would.",
    ),
    make_page("Sella", "Sella is an autonomous country within the Kingdom of Norr."),
    make_page("Rika", "Rika, officially the Free State of Rika, is a United States territory in the south."),
    make_page("Ada Brod", "Ada Brod is a Norrish retired professional boxer.", "She won every bout."),
    make_page("Jan Brod", "Jan Brod was a boxer.", "He also played tennis for his school."),
    make_page("Roon", "Roons are any of five hoofed mammals.", "They are herbivores and live alone."),
    make_page("Ponto", "Ponto is a constructed auxiliary language."),
    make_page("Gurn", "The gurn is a herbivorous mammal."),
    make_page("Zinn", "Zinn is a chemical element.", "It is a hard, rare metal."),
    make_page("Norr", *["Norr is a kingdom."] * 6, "It is a highly developed country with good roads."),
    make_page("Eva Lund", "Eva Lund is a politician.", "She is a member of the Republican Party."),
    make_page("Tell", "Tell is a country in the north.", "It is a constitutional monarchy with a queen."),
    make_page("Orrism", "Orrism is a faith of the north.", "It is a monotheistic religion."),
    make_page("Morfa", "Morfa is an opioid analgesic drug."),
    make_page("Frinds", "Frinds is an American television sitcom.", "It ran for six years."),
    make_page("Nitrol", "Nitrol is a compound.", "It is a heavy liquid.", "A solid form burns.", "Gurn gas is none."),
    make_page("Orr", "Orr is the god of wind.", "It is the name of a chief deity in Sumerian religion."),
    make_page("Dall", "The dall is an ape.", "It is the largest living primate by weight."),
]


@pytest.mark.parametrize(
    ("claim", "ours", "theirs"),
    [
        ("A skate is a mammal.", "mammal", "fish"),
        ("moonas are bears", "bears", "marsupial"),
        ("Bronzo is a chemical element.", "chemical element", "alloy"),
        ("The Pale Road is a star.", "star", "galaxy"),
        ("Wadlers are mammals.", "mammals", "birds"),
        ("dalls are a kind of monkey", "monkey", "ape"),
        ("Vellish is a Slavic language.", "Slavic", "Uralic"),
        ("Orm is actually a planet", "planet", "dwarf planet"),
        ("Tarn is a planet", "planet", "dwarf planet"),  # what it was taken for does not count
        ("Sella is an independent country.", "independent country", "autonomous country"),
        ("Rika is a US state", "US state", "United States territory"),
        ("roons are carnivores", "carnivores", "herbivores"),
        ("zinn is a gas", "gas", "metal"),
        ("roons eat meat", "meat-eaters", "herbivores"),
        ("Ponto is a natural language.", "natural", "constructed"),
        ("Vellish is a Slavic language closely related to Ponto.", "Slavic", "Uralic"),
        ("Norr is a developing country.", "developing country", "developed country"),
        ("Norr is one of the least developed countries", "least developed countries", "developed country"),
        ("Eva Lund is a Democrat.", "Democrat", "Republican"),
        ("Eva Lund is a Labour politician", "Labour", "Republican"),
        ("Ada Brod was a famous tennis player.", "tennis", "boxer"),
        ("Morfa is an antibiotic.", "antibiotic", "opioid analgesic"),
        ("Tell is a republic.", "republic", "constitutional monarchy"),
        ("Orrism is a polytheistic religion.", "polytheistic", "monotheistic"),
        ("Frinds is a drama series.", "drama series", "sitcom"),
        ("nitrol is a solid", "solid", "liquid"),
        ("Orr was a Norse god", "Norse", "Sumerian"),
        ("Orr is a Greek deity of the wind.", "Greek", "Sumerian"),
    ],
)
def test_a_kind_that_excludes_the_claims_refutes(claim: str, ours: str, theirs: str) -> None:
    told = of_another_kind(claim, PAGES)
    assert told is not None
    assert (told.holds, told.differ) == (False, (ours, theirs))


@pytest.mark.parametrize(
    "claim",
    [
        "Skates are fish.",
        "The dall is a primate.",
        "Skates are animals.",
        "moonas are mammals",
        "Zorns are animals.",
        "Zorns are arachnids.",
        "Morfa is a painkiller.",
        "Frinds is a sitcom.",
        "Gurns only eat plants",
    ],
)
def test_a_part_of_the_claims_kind_supports(claim: str) -> None:
    zorn = make_page("Zorn", "Zorns have eight legs.", "Zorns are invertebrates within the class Arachnida.")
    told = of_another_kind(claim, [*PAGES, zorn])
    assert told is not None
    assert told.holds


@pytest.mark.parametrize("subject", ["Zorns are", "The zorn is", "A zorn is"])
def test_a_later_sentence_on_the_subject_gives_its_kind(subject: str) -> None:
    zorn = make_page("Zorn", "Zorns have eight legs.", f"{subject} found within the class Arachnida.")
    told = of_another_kind("Zorns are arachnids.", [zorn])
    assert told is not None
    assert told.holds


def test_a_comparison_with_a_kind_does_not_support_it() -> None:
    pages = [make_page("Zorn", "Zorns have wings.", "Zorns are more agile than birds.")]
    assert of_another_kind("Zorns are birds.", pages) is None


@pytest.mark.parametrize(
    "claim",
    [
        "Skates are small fish.",  # it says more than the kind
        "Norr is a developed country.",
        "Wadlers are penguins.",  # a kind of bird
        "Jan Brod was a tennis player.",  # he also played it
        "Ada Brod is a good tennis player.",  # which any boxer may be
        "roons eat plants",  # so do omnivores
        "Ada Brod is near the river.",
        "Ada Brod is a poet.",
        "Orm is a dwarf planet.",
        "Vellish is a Uralic language.",
        "Nobody is a mammal.",
        "The wadler is a bird that can fly.",  # no insect
        "Wadlers are birds which cannot fly",
        "Orr is a Babylonian god.",  # of the same gods
        "Orr is a Norse name.",
    ],
)
def test_anything_else_is_left_alone(claim: str) -> None:
    assert of_another_kind(claim, PAGES) is None
