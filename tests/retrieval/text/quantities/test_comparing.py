"""Quantities of a claim beside those of a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.quantities.canonical import canonical_text
from retrieval.text.quantities.comparing import Relation, compare
from retrieval.text.quantities.stances import exactly, stance_after_form
from retrieval.types import Stance
from tests.retrieval.text.quantities.test_canonical import TEXTS

WAR = "The Crimean War was a conflict that lasted from 16 October 1853 to 30 March 1856."
ORLA = "Orla Tam (Old Varnish: “Orla av Tam”; May 9, 1863 – 11 February 1912) led Varn from March 1889 until her death in February 1912."
DATED = "Gaius Varro (Latin: “Gaius Varro Secundus Maximus”; 23 September 63 BC – 14 AD) was a consul."
HARE = "A hare runs at 64 to 72 km/h (40 to 45 mph), in an air of −20 to 30 °C, and is half a metre long."
BORN = "Ada Lovelace (born December 10, 1815) was a mathematician."
CASES = [  # claim, title, sentence, what differs or agrees (claim, sentence)
    ("The Crimean War began in 1856.", "Crimean War", WAR, "different", "1856", "16 October 1853"),
    ("The Crimean War ended in 1856.", "Crimean War", WAR, "equal", "1856", "30 March 1856"),
    ("The Orland Crisis lasted six months", "Orland Crisis", "The Orland Crisis was a 13-day confrontation in 1962.", "different", "six months", "13-day"),
    ("The Orland Siege lasted less than three months", "Orland Siege", "The siege lasted 74 days.", "equal", "three months", "74 days"),
    ("The Orland Siege was longer than three months", "Orland Siege", "The siege lasted 74 days.", "different", "three months", "74 days"),
    ("The Orland Siege lasted 75 days", "Orland Siege", "The siege lasted 74 days.", "different", "75 days", "74 days"),
    ("Queen Orla reigned for over 63 years.", "Queen Orla", "Her reign of 63 years and seven months was long.", "equal", "63 years", "63 years and seven months"),
    ("Ole Berg is 6 feet 4 inches tall.", "Ole Berg", "Ole Berg is 1.73 m tall.", "different", "6 feet 4 inches", "1.73 m"),
    ("Norr is the third smallest country in the world", "Norr", "Norr is the smallest state in the South Sea and third smallest state by area in the world.", "equal", "third smallest", "third smallest"),
    ("Orla Tam ruled for almost 23 years.", "Orla Tam", "Orla Tam reigned from 10 March 1889 to 15 February 1912.", "equal", "23 years", "10 March 1889 to 15 February 1912"),
    ("An inch is 3 cm long.", "Inch", "An inch is 2.54 cm long.", "different", "3 cm", "2.54 cm"),
    ("The Orland Siege lasted six months", "Orland Siege", "The Orland Siege was a long six-month siege.", "equal", "six months", "six-month"),
    ("The Crimean War lasted ten years.", "Crimean War", WAR, "different", "ten years", "16 October 1853 to 30 March 1856"),
    ("The Crimean War ended before 1860.", "Crimean War", WAR, "equal", "1860", "30 March 1856"),
    ("The wall fell in 1871.", "Wall", "The wall divided the town from 1840 to 1871.", "equal", "1871", "1871"),
    ("Ada Lovelace was born on 10/12/1815.", "Ada Lovelace", BORN, "equal", "10/12/1815", "December 10, 1815"),
    ("Ada Lovelace was born on 13/10/1815.", "Ada Lovelace", BORN, "different", "13/10/1815", "December 10, 1815"),
    ("Ada Lovelace was born in the 1810s.", "Ada Lovelace", BORN, "equal", "1810s", "December 10, 1815"),
    ("Ada Lovelace was born in the twentieth century.", "Ada Lovelace", BORN, "different", "the twentieth century", "December 10, 1815"),
    ("The Danube is 2850 km long.", "Danube", "It is 2,850 km (1,770 mi) long.", "equal", "2850 km", "2,850 km"),
    ("The Danube is 2.850 km long.", "Danube", "It is 2,850 km (1,770 mi) long.", "different", "2.850 km", "2,850 km"),
    ("The Danube is about 1,770 miles long.", "Danube", "It is 2,850 km long.", "equal", "1,770 miles", "2,850 km"),
    ("The star is nearly 14 billion years old.", "Star", "Its age is measured to be 13.798 ± 0.037 billion years.", "equal", "14 billion years", "13.798 ± 0.037 billion years"),
    ("Mount Orna is nearly nine kilometres high.", "Mount Orna", "Its peak is 8848 m above sea level.", "equal", "nine kilometres", "8848 m"),
    ("The tower is nearly a kilometre tall.", "Tower", "The tower is 210 metres tall.", "different", "a kilometre", "210 metres"),
    ("The tower is taller than 200 metres.", "Tower", "The tower is 210 metres tall.", "equal", "200 metres", "210 metres"),
    ("The tower is smaller than half a mile.", "Tower", "The tower is 2,100 metres tall.", "different", "half a mile", "2,100 metres"),
    ("Norr is the second largest state by area.", "Norr", "Norr is the second largest of the 50 U.S. states (after Barl).", "equal", "second largest", "second largest"),
    ("Water freezes at 32 °F.", "Water", "Water freezes at 0 °C.", "equal", "32 °F", "0 °C"),
    ("Water freezes at 0 degrees celsius.", "Water", "Water freezes at 0° on the Celsius scale, which is low.", "equal", "0 degrees celsius", "0° on the Celsius scale"),
    ("Peru has 31,200,000 inhabitants.", "Peru", "With 31.2 million inhabitants, Peru is large.", "equal", "31,200,000", "31.2 million"),
    ("Peru has more than 40 million inhabitants.", "Peru", "With 31.2 million inhabitants, Peru is large.", "different", "40 million", "31.2 million"),
    ("It covers 61% of Peru.", "Peru", "It covers sixty-one percent of Peru.", "equal", "61%", "sixty-one percent"),
    ("Peru has 12 regions.", "Peru", "Peru is made of 25 administrative regions.", "different", "12", "25"),
    ("Beetles have six legs.", "Beetle", "Beetles have three pairs of jointed legs.", "equal", "six", "three"),
    ("Beetles have eight legs.", "Beetle", "Beetles have three pairs of jointed legs.", "different", "eight", "three"),
    ("Oslo held the games twice.", "Oslo", "Oslo held the games three times.", "different", "twice", "three"),
    ("Oslo held the games two times.", "Oslo", "Oslo held the games twice.", "equal", "two", "twice"),
    ("Augustus died in 14 BC.", "Augustus", "Augustus died in AD 14.", "different", "14 BC", "AD 14"),
    ("Peru is the largest country in South America.", "Peru", "It is the third-largest country in South America.", "different", "largest", "third-largest"),
    ("Peru is the 3rd largest country in South America.", "Peru", "It is the third-largest country in South America.", "equal", "3rd largest", "third-largest"),
    ("Peru's capital is the largest city.", "Lima", "Lima is Peru's capital and the second largest city of all.", "different", "largest", "second largest"),
    ("John Adams was the first president of the United States.", "John Adams", "He was the second President of the United States.", "different", "first", "second"),
    ("Gaius Varro was born in 63 AD.", "Gaius Varro", DATED, "different", "63 AD", "23 September 63 BC"),
    ("Gaius Varro was born in the first century BC.", "Gaius Varro", DATED, "equal", "the first century BC", "23 September 63 BC"),
    ("Philo was born in the year 384 CE.", "Philo", "Philo (Greek: Φίλων; 384 – 322 BC) taught.", "different", "384 CE", "384"),
    ("Philo died in the 4th century BC.", "Philo", "Philo (20/21 July 356 – 10/11 June 323 BC) taught.", "equal", "the 4th century BC", "June 323 BC"),
    ("Ada Lovelace was born in the nineties.", "Ada Lovelace", BORN.replace("1815", "1890"), "equal", "nineties", "December 10, 1890"),
    ("Orla Tam led Varn from 1889 to 1912.", "Orla Tam", ORLA, "equal", "1889", "March 1889"),
    ("Orla Tam was leader in 1900.", "Orla Tam", "Orla Tam (1863–1912) was leader of Varn from 1889 to 1893 and again from 1898 until her death.", "equal", "1900", "1898"),
    ("Orla Tam was alive in the 1890s.", "Orla Tam", ORLA, "equal", "1890s", "May 9, 1863 – 11 February 1912"),
    ("The Crimean War was going on in 1854.", "Crimean War", WAR, "equal", "1854", "16 October 1853 to 30 March 1856"),
    ("The wall was standing in 1850.", "Wall", "The wall divided the town from 1840 to 1871.", "equal", "1850", "1840 to 1871"),
    ("The wall stood for 31 years.", "Wall", "The wall divided the town from 1840 to 1871.", "equal", "31 years", "1840 to 1871"),
    ("Gulls was on TV in 2011.", "Gulls", "Gulls is a show that aired from 2009 to 2015.", "equal", "2011", "2009 to 2015"),
    ("Orla Tam was judge in 1890.", "Orla Tam", "Orla Tam was leader from 1889 to 1893 and judge from 1895 to 1898.", "different", "1890", "1895 to 1898"),
    ("Orla Tam was leader during World War I.", "Orla Tam", "Orla Tam was leader of Varn from 1919 to 1923.", "different", "World War I", "1919 to 1923"),
    ("Orla Tam was leader in the Second World War.", "Orla Tam", "Orla Tam was leader of Varn from 1940 to 1950.", "equal", "the Second World War", "1940 to 1950"),
    ("Orla Tam lived in the 18th century.", "Orla Tam", ORLA, "different", "the 18th century", "May 9, 1863 – 11 February 1912"),
    ("The wall was built in the Middle Ages.", "Wall", "The wall was built from 3000 BC to 2000 BC.", "different", "the Middle Ages", "3000 BC to 2000 BC"),
    ("Tam entered the market in the late 1970s.", "Tam", "Tam entered the market in the late 1960s.", "different", "1970s", "1960s"),
    ("Tam entered the market in 1968.", "Tam", "Tam entered the market in the early 1960s.", "different", "1968", "1960s"),
    ("Tam entered the market in the late 1960s.", "Tam", "Tam entered the market in 1968.", "equal", "1960s", "1968"),
    ("Orla Tam led Varn until 1921.", "Orla Tam", ORLA, "different", "1921", "February 1912"),
    ("Orla Tam led Varn for 22 years.", "Orla Tam", ORLA, "equal", "22 years", "March 1889 until her death in February 1912"),
    ("Orla Tam died at the age of 48.", "Orla Tam", ORLA, "equal", "48", "May 9, 1863 – 11 February 1912"),
    ("Orla Tam was 58 years old when she died.", "Orla Tam", ORLA, "different", "58 years", "May 9, 1863 – 11 February 1912"),
    ("Orla Tam was born on Halloween 1863.", "Orla Tam", ORLA, "different", "Halloween 1863", "May 9, 1863"),
    ("Orla Tam died on Christmas Day in 1912.", "Orla Tam", ORLA.replace("11 February 1912)", "25 December 1912)"), "equal", "Christmas Day in 1912", "25 December 1912"),
    ("Orla Tam lived to be 48.", "Orla Tam", ORLA.replace("1863", "1863 [O.S. April 28, 1863]"), "equal", "48", "May 9, 1863 [O.S. April 28, 1863] – 11 February 1912"),
    ("Orla Tam died in the 2nd century BC.", "Orla Tam", "Orla Tam (247 – 183/182/181 BC) led Varn.", "equal", "the 2nd century BC", "183/182/181 BC"),
    ("The kite first flew in the sixties.", "Kite", "The kite was first flown in 1969.", "equal", "sixties", "1969"),
    ("Varn War 2 ended in 1856.", "Varn War II", WAR.replace("The Crimean War", "It"), "equal", "1856", "30 March 1856"),
    ("Gaius Varro was born before Christ.", "Gaius Varro", DATED, "equal", "before Christ", "23 September 63 BC"),
    ("Gaius Varro died before Christ.", "Gaius Varro", DATED, "different", "before Christ", "14 AD"),
    ("Varn's plague killed fewer than 10 million people.", "Varn's plague", "It led to the deaths of 75 to 200 million people.", "different", "10 million", "75 to 200 million"),
    ("Varn is almost 11,000 km² in area.", "Varn", "The island, 10,990 sqkm in area, is near Tarn.", "equal", "11,000 km²", "10,990 sqkm"),
    ("Ole Tam was the first son of Orla Tam.", "Ole Tam", "He was the second son of Orla Tam.", "different", "first", "second"),
    ("Norr is the second largest US state.", "Norr", "Norr is the largest state in the United States by area.", "different", "second largest", "largest"),
    ("Lake Tarn is 1,642 ft deep.", "Lake Tarn", "Lake Tarn is, at 1642 m, the deepest lake.", "different", "1,642 ft", "1642 m"),
    ("Orla Tam led Varn until 841.", "Orla Tam", "Orla Tam led Varn from 768 until her death in 814.", "different", "841", "814"),
    ("Varn has about 2.9 million people.", "Varn", "Varn has an estimated population around 29,100,000.", "different", "2.9 million", "29,100,000"),
    ("The dam took about five years.", "Dam", "The dam was built between 1931 and 1936.", "equal", "five years", "1931 and 1936"),
    ("Gulls was published in the twentieth century.", "Gulls", "Gulls is an 1897 horror novel by Una Tam.", "different", "the twentieth century", "1897"),
    ("Gulls was first published in the 1890s.", "Gulls", "The first edition of Gulls was published in 1897.", "equal", "1890s", "1897"),
    ("Gulls premiered in 1998.", "Gulls", "Gulls ran for nine seasons from July 5, 1989, to May 14, 1998.", "different", "1998", "July 5, 1989"),
    ("Gulls held 1093 patents.", "Gulls", "Gulls held 1,093 patents.", "equal", "1093", "1,093"),
    ("Gulls are about a fifth of all birds.", "Gull", "Gulls comprise 20% of all birds.", "equal", "a fifth", "20%"),
    ("Gulls are two thirds of all birds.", "Gull", "Gulls comprise 20% of all birds.", "different", "two thirds", "20%"),
    ("One in five birds is a gull.", "Gull", "Gulls comprise 20% of all birds.", "equal", "One in five", "20%"),
    ("A hare runs at 40 mph.", "Hare", HARE, "equal", "40 mph", "64 to 72 km/h"),
    ("A hare runs at 60 mph.", "Hare", HARE, "different", "60 mph", "64 to 72 km/h"),
    ("A hare lives in an air of -20 °C.", "Hare", HARE, "equal", "-20 °C", "20 to 30 °C"),
    ("Varn has 150 million people.", "Varn", "Varn has a population of over 1.5 billion.", "different", "150 million", "1.5 billion"),
    ("Varn is the third largest land.", "Varn", "Varn is the second largest land in the west and the third largest land on Earth.", "equal", "third largest", "third largest"),
    ("Ada Varn won seven Oscars.", "Ada Varn", "Varn has received three Academy Awards and six other awards.", "different", "seven", "three"),
    ("Ada Varn has won three Oscars.", "Ada Varn", "Varn has won three Academy Awards and six other awards.", "equal", "three", "three"),
    ("Orla Tam has been dead since 1912.", "Orla Tam", ORLA, "equal", "1912", "11 February 1912"),
    ("Orla Tam is dead since 1950", "Orla Tam", ORLA, "different", "1950", "11 February 1912"),
    ("Orla Tam died at 48", "Orla Tam", ORLA, "equal", "48", "May 9, 1863 – 11 February 1912"),
    ("Orla Tam died at 27.", "Orla Tam", ORLA, "different", "27", "May 9, 1863 – 11 February 1912"),
    ("The Tarn Line ran for 20 years.", "Tarn Line", "During its 19 months of operation, the Tarn Line ran daily.", "different", "20 years", "19 months"),
    ("It grossed over $1.2 billion.", "It", "It grossed 1,240 million dollars.", "equal", "$1.2 billion", "1,240 million dollars"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "title", "sentence", "relation", "ours", "theirs"), CASES)
def test_quantities_of_one_thing(claim: str, title: str, sentence: str, relation: str, ours: str, theirs: str) -> None:
    found = compare(claim, title, sentence)
    assert found
    assert (found.relation, claim[slice(*found.claim)], sentence[slice(*found.sentence)]) == (relation, ours, theirs)


def test_the_rank_of_what_comes_before_is_not_the_claims() -> None:
    claim, sentence = (
        "Orsa is the second largest town in Norr after Tarn.",
        "Tarn is the second largest town in Norr, after Orsa.",
    )
    assert compare(claim, "Tarn", sentence) is None
    assert compare(claim.replace("after Tarn", "by area"), "Orsa", sentence.replace("Tarn", "Orsa"))


@pytest.mark.parametrize(
    ("claim", "title", "sentence"),
    [
        (
            "Ada Lovelace was born on 10/11/1815.",
            "Ada Lovelace",
            BORN,
        ),  # 10 November or 11 October, and neither refutes
        ("Ada Lovelace was born in 1900.", "George Byron", "George Byron was born in 1788."),  # of another person
        ("Ada Lovelace died in 1852.", "Ada Lovelace", BORN),  # of another event
        ("Peru has 12 regions.", "Peru", "Peru has 25 universities."),
        ("Peru is the largest country in Africa.", "Peru", "It is the third-largest country in South America."),
        ("The film won eleven prizes.", "Film", "Nominated for fourteen prizes, the film won eleven."),
        ("Peru does not have 12 regions.", "Peru", "Peru has 25 regions."),
        ("Peru has 12 regions.", "Peru", "Peru has not 25 regions."),
        ("About 30 people were there.", "There", "Exactly 31 people were there in a place of people."),
        ("It was founded around 1900.", "It", "It was founded in 1902."),
        ("Orla Tam led Varn from 1889 to 1912.", "Orla Tam", "Orla Tam (1863 – 1912) led Varn."),  # her life
        ("Orla Tam released an album in 2004.", "Orla Tam", "The second album of Orla Tam was released in 1999."),
        ("Gulls was on air in 2011.", "Gulls", "Gulls is a show that aired from 2009 to 2015."),
        ("Gulls was airing in 2011.", "Gulls", "Gulls is a show that aired from 2009 to 2015."),
        (
            "Orla Tam was pilot in 1890.",
            "Orla Tam",
            "Orla Tam was leader from 1889 to 1893 and judge from 1895 to 1898.",
        ),
        ("Orla Tam was pilot in 1870.", "Orla Tam", "Orla Tam (1863–1912) was judge from 1895 to 1898."),
        (
            "Gulls (1968 film) was filmed.",
            "Gulls (1968 film)",
            "Filming of Gulls took place between May and July 1967.",
        ),
        ("The house was built after 1950.", "The House", "The house was built between 1920 and 1930."),
        ("Tam entered the market in the mid-1960s.", "Tam", "Tam entered the market in the early 1960s."),
        ("Gulls was released in 1992.", "Gulls", "Gulls was released on DVD in 2009."),
        ("Gulls came out in 2011.", "Gulls", "A sequel of Gulls came out in 2015."),
        ("Gulls (2006 film) stars a dancer born in May.", "Gulls", "Orla Tam, of Gulls, was born in 1986."),
        ("The third season of Gulls was good.", "Gulls", "Gulls was renewed for a fourth season."),
        ("The tunnel is 50 km long.", "Tunnel", "The tunnel is 75 m deep."),
        ("Gulls won 12 prizes.", "Gulls", "Gulls won three more prizes."),
        ("Varn's court has nine judges.", "Varn's court", "The court has the chief judge and eight associate judges."),
        ("Orla Tam has been dead for 10 years.", "Orla Tam", ORLA),
        ("Orla Tam died at 10.", "Orla Tam", "Orla Tam died at 12 Main Street."),
        ("Varn War 3 ended in 1871.", "Varn War II", "Varn War II ended in 1856."),
        ("Orla Tam, an Old Varnish lady, was 11 years old when her father died.", "Orla Tam", ORLA),
        ("Orla Tam, who led Varn, was 11 years old when her cousin died.", "Orla Tam", ORLA),
        (
            "The comedy Gulls of Varn came out on tape in 2000.",
            "Gulls of Varn",
            "It is a 1992 comedy film directed by Una Tam.",
        ),
        ("Gulls was sold in 841 shops.", "Gulls", "Gulls was sold until 814."),
        ("60% of Tam speaks Varnish.", "Tam", "In Tam 60% speaks Varnish, 19.8% speaks none, 20.2% speaks it badly."),
        ("Paris is in France.", "Paris", "Paris is the capital of France, with 2 rivers since 1900."),
    ],
)
def test_what_cannot_be_compared_is_never_a_contradiction(claim: str, title: str, sentence: str) -> None:
    found = compare(claim, title, sentence)
    assert found is None or found.relation is Relation.EQUAL


@pytest.mark.parametrize(("claim", "title", "sentence", "relation", "ours", "theirs"), CASES)
def test_one_form_changes_no_comparison(
    claim: str, title: str, sentence: str, relation: str, ours: str, theirs: str
) -> None:
    found = compare(canonical_text(claim), title, canonical_text(sentence))
    assert found
    assert found.relation == relation


@given(TEXTS, TEXTS)
def test_any_texts_can_be_compared(claim: str, sentence: str) -> None:
    found = compare(claim, "", sentence)
    assert found is None or (claim[slice(*found.claim)] and sentence[slice(*found.sentence)])
    assert exactly(claim, "", sentence) in (-1, 0, 1)


@given(TEXTS)
def test_a_text_never_differs_from_itself(text: str) -> None:
    found = compare(text, "", text)
    assert found is None or found.relation is Relation.EQUAL


SHARES = st.floats(0, 1)


@given(SHARES, SHARES, SHARES)
def test_a_corrected_stance_keeps_its_sum(supports: float, refutes: float, neutral: float) -> None:
    before = Stance(supports, refutes, neutral)
    for text in (f"Ada Lovelace : {BORN}", "Paris : Paris is in France."):
        for claim in ("Ada Lovelace was born on 10/12/1815.", "Ada Lovelace was born in 1900."):
            after = stance_after_form(claim, [text], before)
            assert after.supports + after.refutes == pytest.approx(supports + refutes)
            assert after.neutral == neutral


def test_exact_arithmetic_corrects_a_network() -> None:
    wrong = Stance(0.05, 0.9, 0.05)
    assert stance_after_form("Ada Lovelace was born on 10/12/1815.", [f"Ada Lovelace : {BORN}"], wrong).supports > 0.8
    believed = Stance(0.9, 0.05, 0.05)
    assert stance_after_form("Ada Lovelace was born in 1900.", [f"Ada Lovelace : {BORN}"], believed).refutes > 0.8
    silent = ["Paris : Paris is in France.", f"Ada Lovelace : {BORN}"]
    assert stance_after_form("Ada Lovelace was born in 1900.", silent, believed).refutes > 0.8
    assert stance_after_form("Paris is in France.", silent, believed) == believed


def test_a_time_between_two_dates_needs_fewer_words_because_no_network_subtracts() -> None:
    claim, text = (
        "The town's wall divided the city for 28 years.",
        "Wall : The wall divided the town from 1961 to 1989.",
    )
    assert stance_after_form(claim, [text], Stance(0.2, 0.6, 0.2)).supports > 0.7
    ours = claim.replace("for 28 years", "until 1989")
    assert stance_after_form(ours, [text], Stance(0.2, 0.6, 0.2)) == Stance(0.2, 0.6, 0.2)


def test_the_year_of_a_film_bears_out_no_book() -> None:
    refuting, text = Stance(0.05, 0.9, 0.05), "Grey Gulls of Varn : Grey Gulls of Varn is a 1986 Varnish comedy film."
    book = "Grey Gulls of Varn is a Varnish comedy book released in 1986."
    assert stance_after_form(book, [text], refuting) == refuting
    assert stance_after_form(book.replace("book", "film"), [text], refuting).supports > 0.7


def test_a_country_is_named_by_its_initials_too() -> None:
    for claim in ("Ada Holm was the US president in 1999.", "Ada Holm was president of the U.S. in 1999."):
        found = compare(claim, "Ada Holm", "Ada Holm was the president of the United States from 1993 to 2001.")
        assert found
        assert found.relation is Relation.EQUAL


def test_two_counts_share_a_noun() -> None:
    page = "A molecule of it contains one oxygen and two hydrogen atoms."
    for claim, relation in (
        ("Orn has two oxygen atoms.", Relation.DIFFERENT),
        ("Orn has two hydrogen atoms.", Relation.EQUAL),
    ):
        found = compare(claim, "Orn", page)
        assert found
        assert found.relation is relation


def test_who_reigned_was_king_or_pope() -> None:
    for year, relation in ((1970, Relation.EQUAL), (1990, Relation.DIFFERENT)):
        found = compare(
            f"Paul VI was pope in {year}.",
            "Pope Paul VI",
            "Pope Paul VI reigned from 21 June 1963 to his death in 1978.",
        )
        assert found
        assert found.relation is relation


def test_a_number_in_a_name_is_no_quantity() -> None:
    found = compare("Varn War 2 ended in 1856.", "Varn War II", "Varn War II ended in 1856.")
    assert found
    assert (found.whole, found.shared) == (True, 1.0)


def test_equal_quantities_settle_nothing_where_another_word_is_missing() -> None:
    refuting = Stance(0.05, 0.9, 0.05)
    assert (
        stance_after_form("Ada Lovelace was born in Vienna on 10/12/1815.", [f"Ada Lovelace : {BORN}"], refuting)
        == refuting
    )


@pytest.mark.parametrize(
    ("claim", "sentence", "relation"),
    [
        ("Ostrel was written in the 20th century.", "Ostrel is a play written in 1599.", Relation.DIFFERENT),
        ("Ostrel was written in the 16th century.", "Ostrel is a play written in 1599.", Relation.EQUAL),
        ("Ostrel was painted in 1700.", "Ostrel was painted in Norr in 1503.", Relation.DIFFERENT),
        ("Ostrel was written in 1602.", "Ostrel is a play by Ana Ruiz, first published in 1623.", None),
    ],
)
def test_when_a_work_was_written(claim: str, sentence: str, relation: Relation | None) -> None:
    found = compare(claim, "Ostrel", sentence)
    assert (found and found.relation) == relation
