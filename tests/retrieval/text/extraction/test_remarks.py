"""A claim without what its writer remarks on it, whose turn it is in a transcript, which year "that year" is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.extraction.dates import years_meant
from retrieval.text.extraction.quoting.turns import Turns
from tests.retrieval.text.extraction.test_quotations import finder, said


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Marie Curie died in Lyon in 1934, the book adds, which will surprise the Swiss.", [("Marie Curie died in Lyon in 1934.", "the book")]),
        ("Brazil won the cup in 1950, it claims, and anyone from Peru will disagree.", [("Brazil won the cup in 1950.", "")]),
        ("The jam was made in Kent in 1990, and that label, at least, I could not fault.", [("The jam was made in Kent in 1990.", "")]),
        ("The Louvre, says the guide, is in Lyon.", [("The Louvre is in Lyon.", "the guide")]),
        ("The Louvre, recalled the guide, is in Lyon.", [("The Louvre is in Lyon.", "the guide")]),
        ("The guests, told the mill was safe, left it in 1990.", [("The guests, told the mill was safe, left it in 1990.", "")]),
        ("The crew, warned the storm was near, left Kent in 1944.", [("The crew, warned the storm was near, left Kent in 1944.", "")]),
        ("The driver, told the road, turned back to Lyon in 1980.", [("The driver, told the road, turned back to Lyon in 1980.", "")]),
        ("The old mill was sold in 1932, announced the guide.", [("The old mill was sold in 1932.", "the guide")]),
        ("Mozart was born in Salzburg in 1756, writes the Gazette.", [("Mozart was born in Salzburg in 1756.", "the Gazette")]),
        ("The report says 4 million people moved in 2020, concludes, and nobody seems to care.", [("4 million people moved in 2020.", "The report")]),
        ("As mentioned above, the mill was sold in 1990.", [("The mill was sold in 1990.", "")]),
        ("The mill was sold in 1990, sadly. Unfortunately, the barn burned down in 1991.", [("The mill was sold in 1990.", ""), ("The barn burned down in 1991.", "")]),
        (
            "SMITH: The mill was sold in 1990. MR. O'DAY: The barn was sold in 1991. SMITH: The lock is 9 m wide.",
            [("The mill was sold in 1990.", "Smith"), ("The barn was sold in 1991.", "Mr. O'Day"), ("The lock is 9 m wide.", "Smith")],
        ),
        ("The mill (which I love) was sold in 1990.", [("The mill was sold in 1990.", "")]),
        ("The show toured Paris, Berlin and Rome, where I could see it.", [("The show toured Paris, Berlin and Rome.", "")]),
        ("I said that the tower was opened in 1889.", [("The tower was opened in 1889.", "")]),
        ("Sixty percent of visitors said that the mill was old.", [("Sixty percent of visitors said that the mill was old.", "")]),
        ("According to the mayor wages rose by 4%.", [("According to the mayor wages rose by 4%.", "")]),
        ("He moved to my house in 1990, and I was born there.", [("He moved to my house in 1990, and I was born there.", "")]),
        (
            "MR. SMITH: The bridge was closed in 2019. It cost 3 million euros.\nLEE: The mayor said that it was old.",
            [("The bridge was closed in 2019.", "Mr. Smith"), ("The bridge cost 3 million euros.", "Mr. Smith"), ("It was old.", "The mayor")],
        ),
        (
            "According to the ministry, wages fell by 45 per cent. \"The wall is 13,171 miles long\", she claimed.",
            [("Wages fell by 45 per cent.", "the ministry"), ("The wall is 13,171 miles long.", "someone unnamed")],
        ),
        ("Brazil won the cup in 1950, claims.", [("Brazil won the cup in 1950.", "")]),
        ("Berlin is in France, and nobody corrected it.", [("Berlin is in France.", "")]),
        ("The wall was built in 1961, and nobody died there.", [("The wall was built in 1961, and nobody died there.", "")]),
        ("The mill was sold in 1990 (the host said so, and no one objected).", [("The mill was sold in 1990.", "")]),
        ("To be fair, the mill was sold in 1990, by the way.", [("The mill was sold in 1990.", "")]),
        ("Rome was founded in 900 BC; I looked it up.", [("Rome was founded in 900 BC.", "")]),
        ("This blog claims that the mill was sold in 1990.", [("The mill was sold in 1990.", "")]),
        ("According to her, the mill was sold in 1990.", [("The mill was sold in 1990.", "someone unnamed")]),
        ("A blog claims that Rome is old. He said that the mill was sold.", [("Rome is old.", "A blog"), ("The mill was sold.", "someone unnamed")]),
        ("The bridge, opened in 1937, is 2.7 km long.", [("The bridge, opened in 1937, is 2.7 km long.", "")]),
        ("LONDON, March 3 (Reuters) - The pound fell by 3%, the bank said.", [("The pound fell by 3%.", "the bank")]),
        ("OSLO, Norway (AP) — The fund lost $164 billion in 2022.", [("The fund lost $164 billion in 2022.", "")]),
        ("NEW YORK, Feb. 12, 2024 /PRNewswire/ -- Acme said that revenue rose 14%.", [("Revenue rose 14%.", "Acme")]),
        (
            "\"I never said that,\" the minister told the BBC, adding: \"We spent 3 billion pounds on hospitals in 2021.\"",
            [("I never said that.", "the minister"), ("We spent 3 billion pounds on hospitals in 2021.", "the minister")],
        ),
        (
            "[12/05/2024, 09:14:22] Ann: The mill was sold in 1990.\n[12/05/2024, 09:15:01] Bob Lee: The mill is 30 m tall.",
            [("The mill was sold in 1990.", "Ann"), ("The mill is 30 m tall.", "Bob Lee")],
        ),
        ("0:00 Intro\n0:45 The mill was sold in 1990.\n1:10 The mill is 30 m tall.", [("Intro", ""), ("The mill was sold in 1990.", ""), ("The mill is 30 m tall.", "")]),
        ("Sure!\n\nThe list is below. She won two prizes in 1911.", [("Sure!", ""), ("The list is below.", ""), ("She won two prizes in 1911.", "")]),
        ("The wall is 9 km long. It is a common myth that it is visible from afar.", [("The wall is 9 km long.", ""), ("It is a common myth that it is visible from afar.", "")]),
        ("As I said before, the mill was sold in 1990.", [("The mill was sold in 1990.", "")]),
        ("The mill is 30 m tall, if the guide is to be believed.", [("The mill is 30 m tall.", "")]),
        ("The mill was sold in 1990, believe it or not.", [("The mill was sold in 1990.", "")]),
        ("The treaty of 1648 ended the war, historians agree.", [("The treaty of 1648 ended the war.", "")]),
        ("The tunnel opened in 1950 — a date that I had to look up.", [("The tunnel opened in 1950.", "")]),
        ("The mill (or so they say) was sold in 1990.", [("The mill was sold in 1990.", "")]),
        ("The mill, the guide insists, is 30 metres tall.", [("The mill is 30 metres tall.", "the guide")]),
        ("Fact: The mill was sold in 1990.", [("The mill was sold in 1990.", "")]),
        ("In 1999 (see Fig. 2) it was sold.", [("In 1999 (see Fig. 2) it was sold.", "")]),
        ("The mill is old. (It was sold in 1990.)", [("The mill is old.", ""), ("The mill was sold in 1990.", "")]),
        ("According to Smith (2010, p. 5), 40% of pupils failed.", [("40% of pupils failed.", "Smith")]),
        ("On 3. May 1990 the mill burned.", [("On 3. May 1990 the mill burned.", "")]),
        ("LOL the mill was sold in 1990, which is a lot, if you ask me.", [("The mill was sold in 1990.", "")]),
        ("FYI, the mill was sold in 1990. PS: The inn was closed in 1940.", [("The mill was sold in 1990.", ""), ("The inn was closed in 1940.", "")]),
        ("Yesterday @anna @bob said that the mill was sold in 1990.", [("The mill was sold in 1990.", "@bob")]),
        ("@anna and @bob said that the mill was sold in 1990.", [("The mill was sold in 1990.", "@anna and @bob")]),
        ("The mill is 30 metres tall, he adds, smiling.", [("The mill is 30 metres tall.", "someone unnamed")]),
        ("The mill, she adds, laughing out loud, is 30 metres tall.", [("The mill is 30 metres tall.", "someone unnamed")]),
        ("\"The mill is 30 metres tall,\" Ann Lee adds, smiling broadly.", [("The mill is 30 metres tall.", "Ann Lee")]),
        (
            "Bolt ran 100 metres in 9.58 seconds in 2009, and nobody has beaten it, I think.",
            [("Bolt ran 100 metres in 9.58 seconds in 2009, and nobody has beaten it.", "")],
        ),
        ("He moved to Washington D.C. He died in 1901.", [("He moved to Washington D.C.", ""), ("He died in 1901.", "")]),
        (
            "MS. LEE (by phone): The mill was sold in 1990.\nMR. RAY: The mill was never sold.",
            [("The mill was sold in 1990.", "Ms. Lee"), ("The mill was never sold.", "Mr. Ray")],
        ),
        (
            "Interviewer: How old is the mill?\nAnn Lee: The mill is 90 years old.",
            [("How old is the mill?", ""), ("The mill is 90 years old.", "Ann Lee")],
        ),
        (
            "The mill was sold in 1990. In the same year it burned down. The old barn was rebuilt the following year.",
            [("The mill was sold in 1990.", ""), ("In 1990 the mill burned down.", ""), ("The old barn was rebuilt in 1991.", "")],
        ),
    ],
)  # fmt: skip
def test_a_claim_is_read_without_remarks_and_by_its_speaker(text: str, claims: list[tuple[str, str]]) -> None:
    assert said(text) == claims


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("The Beatles were formed in 1960. They released twelve albums. Their last concert was in 1966.", "The Beatles' last concert was in 1966."),
        ("Marie and Pierre Curie discovered polonium. They won a prize.", "Marie and Pierre Curie won a prize."),
        ("Two ships sank near Malta. They carried 900 soldiers.", "The two ships carried 900 soldiers."),
        ("Mercury, Venus and Mars are planets. They orbit the Sun.", "Mercury, Venus and Mars orbit the Sun."),
        ("Pandas live in China. They eat bamboo.", "Pandas eat bamboo."),
        ("Bees live in hives. They are small.", "They are small."),
        ("Many people like the tower. They pay 20 euros.", "They pay 20 euros."),
        ("Lake Balaton is in Hungary. The mean temperature of the lake is 12 degrees. Its area is 592 square kilometres.", "Lake Balaton's area is 592 square kilometres."),
        ("Iceland has 370,000 inhabitants. The mean temperature in January is -1 degrees. It joined NATO in 1949.", "It joined NATO in 1949."),
        ("The population of Berlin is 3.7 million. Its area is 892 square kilometres.", "Berlin's area is 892 square kilometres."),
        ("The Treaty of Versailles was signed in 1919. It ended the war.", "The Treaty of Versailles ended the war."),
        ("Did Einstein fail maths? No. Einstein did not fail maths.", "Einstein did not fail maths."),
        ("The bridge is 3 ft. 5 in. wide.", "The bridge is 3 ft. 5 in. wide."),
        ("Lee 9:14 AM\nNo, it was not opened in 2004. (edited)\n", "No, it was not opened in 2004."),
        ("It is old. TL;DR: The bridge was not opened in 1930.", "The bridge was not opened in 1930."),
        ("The zoo bought an elephant in 1903, and it died in 1910.", "The zoo bought an elephant in 1903, and it died in 1910."),
        ("London Zoo bought an elephant in 1903. It died in 1910.", "It died in 1910."),
        ("London Zoo won a prize in 1903. It is the oldest zoo.", "London Zoo is the oldest zoo."),
        ("The company was founded in 1990, and it has 500 workers.", "The company has 500 workers."),
        ("Titanic sank in 1912. It carried 2,224 people.", "Titanic carried 2,224 people."),
        ("Lusitania was torpedoed in 1915. It sank in 18 minutes.", "Lusitania sank in 18 minutes."),
        ("Mont Blanc is the highest mountain of the Alps. It was first climbed in 1786.", "Mont Blanc was first climbed in 1786."),
        ("Green disagreed. It was rebuilt in 1990.", "It was rebuilt in 1990."),
        ("Titanic sank in 1912. It was a surprise.", "It was a surprise."),
        ("Suddenly fell the wall. It was built in 1961.", "It was built in 1961."),
        ("Eiffel Tower\n\nIt is 330 metres tall. Millions of people visit the Eiffel Tower.", "Millions of people visit the Eiffel Tower."),
    ],
)  # fmt: skip
def test_they_and_it_are_what_the_text_is_about(text: str, last: str) -> None:
    assert said(text)[-1] == (last, "")


def test_he_is_not_the_speaker_where_another_stands_between() -> None:
    found = said("“The mill is old,” said Ann Lee. Green disagreed. “It was rebuilt in 1990,” he said.")
    assert found[-1] == ("It was rebuilt in 1990.", "someone unnamed")


def test_a_person_whom_the_text_calls_she_is_no_he() -> None:
    text = "Ada Lovelace was an English writer. She wrote about engines. Lord Byron left his wife when Ada was born. He died in Greece."
    assert said(text)[-1] == ("Lord Byron died in Greece.", "")


def test_no_name_stands_for_one_of_two_pronouns() -> None:
    text = (
        "Sidney Poitier, who won in 1964, has died aged 94. The star's death was confirmed by Fred Mitchell, the foreign minister. "
        "Poitier was born in Miami in 1927, while his parents were visiting. He made his film debut in 1950."
    )
    assert said(text)[-1][0] in ("He made his film debut in 1950.", "Sidney Poitier made his film debut in 1950.")


def test_a_cell_of_a_table_is_no_heading() -> None:
    text = "| Country | Capital |\n|---|---|\n| France | Paris |\n| The mill is old. | 1811 |\n\nIt is in Kent."
    html = "<table><tr><td>France</td><td>Paris</td></tr></table><p>The mill is old.</p>"
    kinds = [(claim.text, claim.kind, claim.context) for claim in finder().find(text)]
    assert [kind for _, kind, _ in kinds[:4]] == ["table cell"] * 4
    assert kinds[4][1] != "table cell"
    assert all(context == "" for _, _, context in kinds[:5])
    assert [claim.kind for claim in finder().find(html)][:2] == ["table cell"] * 2


def test_a_title_keeps_its_article_where_the_text_has_one() -> None:
    text = "Eiffel Tower\n\nIt is 330 metres tall. Millions of people visit the Eiffel Tower."
    assert said(text)[1] == ("The Eiffel Tower is 330 metres tall.", "")


SPOKEN = ["The mill was sold in 1990.", "The mill is 30 m tall.", "The inn was closed in 1940."]


@pytest.mark.parametrize(
    ("labels", "speakers"),
    [
        (("Jeremy Lee (Islington North) (Lab): ", "The Prime Minister (Theresa Ray): ", "Mr Speaker: "), ("Jeremy Lee", "Theresa Ray", "Mr Speaker")),
        (("The Minister of State for Health (Ann Ray): ", "Tom Lee (Harlow) (Con): ", "Bob Ash (Ayr) (Lab): "), ("Ann Ray", "Tom Lee", "Bob Ash")),
        (("JANE DOE, HOST: ", "SEN. MARK LOWE (R-OH), MAJORITY LEADER: ", "DOE: "), ("Jane Doe", "Sen. Mark Lowe", "Jane Doe")),
        (("THE PRESIDENT: ", "", ""), ("The President",) * 3),
        (("", "", "NARRATOR: "), ("", "", "Narrator")),
        (("Ann Lee  00:00:03\n", "Raj Ray  00:00:15\n", ""), ("Ann Lee", "Raj Ray", "Raj Ray")),
        (("Ann Lee  9:41 AM\n", "Raj Ray  9:43 AM\n", "Ann Lee  Yesterday at 9:44 AM\n"), ("Ann Lee", "Raj Ray", "Ann Lee")),
        (("Ann Lee (AL): ", "Raj Ray (RR): ", "AL: "), ("Ann Lee", "Raj Ray", "Ann Lee")),
        (("THE CLAIM: ", "THE FACTS: ", "THE VERDICT: "), ("", "", "")),
    ],
)  # fmt: skip
def test_a_label_names_who_speaks_in_every_kind_of_transcript(
    labels: tuple[str, ...], speakers: tuple[str, ...]
) -> None:
    found = said("\n\n".join(label + line for label, line in zip(labels, SPOKEN, strict=True)))
    assert [speaker for _, speaker in found] == list(speakers)
    if any(speakers):
        assert [text for text, _ in found] == SPOKEN


def test_a_table_of_values_in_capitals_names_no_speakers() -> None:
    text = "TEMPERATURE: 31 C\nWIND: 12 km/h\n\nTHE MILL WAS SOLD IN 1990. THE INN WAS CLOSED IN 1940."
    assert [speaker for text, speaker in said(text) if "WAS" in text] == ["", ""]


def test_a_schedule_names_no_speakers() -> None:
    text = "Morning Prayer  9:30 AM\nin the chapel\nOpening Session  10:00 AM\nin the great hall\n\nThe mill was sold in 1990."
    assert said(text)[-1] == ("The mill was sold in 1990.", "")


def test_one_label_alone_is_no_transcript() -> None:
    assert Turns("SMITH: The mill is old.\nNOTE: It is closed.").speaker(10) == ""


@given(st.lists(st.sampled_from(["SMITH: ", "Q: ", "It is old. ", "\n", "A B C", ":"]), max_size=20).map("".join))
def test_spans_without_labels_stay_in_their_sentences(text: str) -> None:
    spans = [(place, min(len(text), place + 9)) for place in range(0, len(text), 9)]
    assert all(
        first <= start < end == last for (first, last), (start, end) in zip(spans, Turns(text).bare(spans), strict=True)
    )


@pytest.mark.parametrize(
    "sentences", [["It was sold in 1990 or 1991.", "That year it fell."], ["It fell that year."], ["In 1990 it fell.", "a", "b", "That year it rose."],
    ["In 1990 it fell.", "It rose later.", "The next year it fell."], ["In 1990 it fell.", "About five years later it rose."],
    ["In 1990 it fell.", "A decade later it rose."]],
)  # fmt: skip
def test_no_year_is_guessed(sentences: list[str]) -> None:
    assert not any(years_meant(sentences))


def test_years_are_counted_from_the_last_one() -> None:
    sentences = [
        "It opened in 1932.",
        "Five years later it was sold.",
        "The next year it fell.",
        "It rose 3 years earlier.",
    ]
    meant = [text for edits in years_meant(sentences) for _, _, text in edits]
    assert meant == ["In 1937", "In 1938", "in 1935"]


def test_lines_of_facts_are_no_sentences_and_labels_are_headings() -> None:
    text = (
        "Marie Curie\n\n**Born:** 1867 in Warsaw\n**Died:** 1934\n- **Height**: 159 cm\n\n"
        "**Founded in 1909**: The institute was founded in 1909.\n**Born:** 7 May 1867\n\nHer mill is old."
    )
    found = [(claim.text, claim.kind) for claim in finder().find(text)][1:]
    assert found[:-1] == [
        ("Born: 1867 in Warsaw", "table cell"),
        ("Died: 1934", "table cell"),
        ("Height: 159 cm", "table cell"),
        ("Founded in 1909:", "heading"),
        ("The institute was founded in 1909.", "claim"),
        ("Born: 7 May 1867", "table cell"),
    ]
    assert not any(claim.speaker for claim in finder().find(text))


def test_the_lines_above_a_letter_are_none_of_its_text() -> None:
    text = "From: Ann Lee\nTo: Bob\nSubject: The mill\n\nThe mill was sold in 1990."
    assert [claim.kind for claim in finder().find(text)] == ["heading", "boilerplate", "boilerplate", "claim"]


def test_a_reference_of_wikipedia_is_none_of_its_text() -> None:
    text = (
        "The mill is old.\n\n^ a b “The mill was sold in 1990”. The Courier. Retrieved 4 May 2019.\nIt burned in 1995."
    )
    assert {claim.kind for claim in finder().find(text)[1:-1]} == {"boilerplate"}
    assert finder().find(text)[-1].kind == "claim"


def test_speakers_are_named_in_capitals_or_not_and_headings_of_minutes_are_no_speakers() -> None:
    text = "RAY: The bridge closed in 1990.\nDR. ANN LEE: It closed in 1991.\nRay: The toll rose in 1992.\n0:15 Host: It fell in 1993."
    assert [speaker for _, speaker in said(text)] == ["Ray", "Dr. Ann Lee", "Ray", ""]
    text = "RESOLVED: The toll rose in 1992.\nAOB: The bridge closed in 1990."
    assert [speaker for _, speaker in said(text)] == ["", ""]


@pytest.mark.parametrize("labels", [("Mr. Ray [00:12:15]", "Ms. Lee [00:13:15]"), ("0:12 Mr. Ray", "0:13 Ms. Lee")])
def test_labels_with_times_name_who_speaks(labels: tuple[str, str]) -> None:
    first, second = labels
    found = said(f"{first}: The bridge was closed in 1990.\n{second}: The bridge was opened in 1932.\n")
    assert found == [("The bridge was closed in 1990.", "Mr. Ray"), ("The bridge was opened in 1932.", "Ms. Lee")]


@pytest.mark.parametrize("mark", ["• ", "- ", "* ", "1. ", "1) "])
def test_the_first_of_a_list_is_no_heading(mark: str) -> None:
    found = said(
        f"{mark}The bridge was opened in 1932\n{mark}The bridge is not open to lorries\n{mark}The bridge is old\n"
    )
    assert found[0] == ("The bridge was opened in 1932.", "")
