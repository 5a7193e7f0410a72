"""Tables as people really keep them."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import CorpusError
from retrieval.output.tables.formulas import unread_notes
from retrieval.output.tables.reading import claim_column, read_table
from retrieval.output.tables.sparse import column_letters, column_number
from tests.workbook import workbook, write_workbook

CLAIMS = [f"Country {n} has {n + 2} provinces, and a capital." for n in range(12)]


def table(path: Path, content: bytes | str, most: int | None = None):  # type: ignore[no-untyped-def]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(path, most)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_any_separator_header_or_not_in_any_encoding(
    tmp_path: Path, separator: str, header: bool, encoding: str
) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    writer.writerows([["no", "what was said", "who"]] if header else [])
    writer.writerows([[n, text, f"Zoë {n % 3}"] for n, text in enumerate(CLAIMS)])
    found = table(tmp_path / "t.csv", out.getvalue().encode(encoding))
    assert found.header == header
    assert found.columns == (("no", "what was said", "who") if header else ("column 1", "column 2", "column 3"))
    assert claim_column(found) == 1
    assert found.column(1) == CLAIMS
    assert found.rows[0][2] == "Zoë 0"


def test_a_list_of_sentences_with_commas_is_one_column(tmp_path: Path) -> None:
    found = table(tmp_path / "t.csv", "Oslo, the capital, is old.\nRome is old.\nParis, too, is old, they say.\n")
    assert (len(found.columns), found.header, found.total) == (1, False, 3)
    assert found.column(0)[0] == "Oslo, the capital, is old."


def test_lines_in_different_encodings(tmp_path: Path) -> None:
    found = table(tmp_path / "t.csv", "claim\nZoë is here today.\n".encode() + "José is here today.\n".encode("cp1252"))
    assert found.column(0) == ["Zoë is here today.", "José is here today."]
    assert "1 of its 3 lines is not UTF-8" in found.notes[0]


def test_an_empty_column_is_never_the_claims(tmp_path: Path) -> None:
    found = table(tmp_path / "t.csv", "claim,note\n,The moon is round and far.\n,The sun is hot and far.\n")
    assert claim_column(found) == 1
    assert found.column(0) == []


def test_a_column_can_be_named_or_counted(tmp_path: Path) -> None:
    found = table(tmp_path / "t.tsv", "Said\tChecked\nIt is very cold.\tno\nIt is very hot.\tyes\n")
    assert [claim_column(found, named) for named in ("said", "Checked ", "1", "2", "")] == [0, 1, 0, 1, 0]
    with pytest.raises(
        CorpusError, match=r"There is no column '3'\. Name one of these, or its number: Said, Checked\."
    ):
        claim_column(found, "3")


def test_a_workbook_without_computing_anything(tmp_path: Path) -> None:
    rows = [["id", "claim"], [1, CLAIMS[0]], [2.5, "=1+41"], ["", ""], [3, CLAIMS[1]]]
    path = write_workbook(tmp_path / "t.xlsx", Empty=[], Claims=rows, More=[["x"]])
    found = read_table(path)
    assert found.rows == (("1", CLAIMS[0]), ("2.5", "42"), ("3", CLAIMS[1]))
    assert (found.columns, claim_column(found)) == (("id", "claim"), 1)
    assert found.notes == ("Of its 3 sheets, only “Claims” was read.",)


def test_formulas_without_a_result_and_errors_are_counted(tmp_path: Path) -> None:
    rows = [["claim", "year"], [CLAIMS[0], "=?A1"], ["=?B1", "=1+41"], [CLAIMS[1], "#DIV/0!"]]
    found = read_table(write_workbook(tmp_path / "t.xlsx", Claims=rows))
    assert found.column(0) == CLAIMS[:2]
    assert found.notes == (
        "2 formulas have no stored result, so they read as empty: open the file in a spreadsheet program and save it.",
        "1 cell holds an error such as #DIV/0!, so it reads as empty: correct the formulas there.",
    )
    passed_over = read_table(write_workbook(tmp_path / "p.xlsx", Claims=[["=?A1"]], Notes=[["claim"], [CLAIMS[0]]]))
    assert passed_over.notes[0] == "Of its 2 sheets, only “Notes” was read."
    assert passed_over.notes[1].startswith("1 formula has no stored result")


@pytest.mark.parametrize("rows", [[["=?A1"], ["=?A2"]], [["claim"], ["=?A1"], ["=?A2"]]])
def test_a_sheet_of_formulas_without_results_says_what_to_do(tmp_path: Path, rows: list[list[object]]) -> None:
    with pytest.raises(CorpusError, match=r"2 formulas have no stored result.+ spreadsheet program and save it\."):
        read_table(write_workbook(tmp_path / "t.xlsx", Claims=rows))


@pytest.mark.parametrize(
    ("cells", "formulas"),
    [
        ('<c r="A2"><f>B1</f></c>', 1),
        ('<c r="A2" s="1"><f t="shared" si="0"/></c>', 1),
        ('<c r="A2"><f>B1</f><v></v></c>', 1),
        ('<x:c r="A2"><x:f>B1</x:f><x:v/></x:c>', 1),
        ('<c r="A2" t="str"><f>IF(B1="","",B1)</f><v></v></c>', 0),  # its result is an empty text
        ('<c t="str"><f>B1&amp;""</f><v/></c>', 0),
        ('<c r="A2" t="str"><f>B1</f><v>It is so.</v></c>', 0),
        ('<c r="A2"/><c r="B2"><f>B1</f><v>0</v></c>', 0),
    ],
)
def test_what_counts_as_no_result(tmp_path: Path, cells: str, formulas: int) -> None:
    padding = "<row><c><v>1</v></c></row>" * 60_000  # more than is looked at at once
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(io.BytesIO(workbook(A=[["claim"]]))) as given, zipfile.ZipFile(path, "w") as out:
        for name in given.namelist():
            end = b"</sheetData>"
            out.writestr(name, given.read(name).replace(end, f"{padding}<row>{cells * 3}</row>".encode() + end))
    with zipfile.ZipFile(path) as book:
        notes = unread_notes(book, [0, 7])
    assert [note.split()[:2] for note in notes] == ([["3", "formulas"]] if formulas else [])


def test_only_the_first_rows_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    found = table(tmp_path / "t.csv", "claim\n" + "The same old claim.\n" * 30_000, most=2_000)
    assert (len(found.rows), found.total) == (2_000, 30_000)
    without = table(tmp_path / "n.csv", "The very same old claim.\n" * 3_000, most=2_000)
    assert (len(without.rows), without.total, without.header) == (2_000, 3_000, False)


BAD = {
    "empty.csv": (b"", "holds no claims"),
    "spaces.tsv": (b" \n\t\n", "holds no claims"),
    "image.csv": (bytes(range(256)) * 40, "holds binary data"),
    "broken.xlsx": (workbook(A=[["claim"]])[:-80], "not a workbook that can be read"),
    "text.xlsx": (b"claim\nOne.", "not a workbook that can be read"),
    "none.xlsx": (workbook(A=[]), "holds no claims"),
    "long.csv": (b'claim,x\n"' + b"x" * 200_000 + b'",1\n', "not a table of text"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_says_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match=BAD[name][1]) as raised:
        table(tmp_path / name, BAD[name][0])
    assert str(raised.value).endswith(".")


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO(workbook(A=[["claim"]]))
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/sharedStrings.xml", "w") as stream,
    ):
        for _ in range(210):
            stream.write(bytes(1_000_000))
    with pytest.raises(CorpusError, match="unpacks to more than 200 MB"):
        table(tmp_path / "bomb.xlsx", out.getvalue())


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=30).map(str.strip)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=3, max_size=20), st.sampled_from([".csv", ".tsv"]))
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], kind: str
) -> None:
    rows = [("id", "claim", "note"), *(("7", f"a {a}", b) for a, b, _ in rows)]
    out = io.StringIO()
    csv.writer(out, delimiter="\t" if kind == ".tsv" else ",", quoting=csv.QUOTE_ALL).writerows(rows)
    found = table(tmp_path_factory.getbasetemp() / f"written{kind}", out.getvalue())
    assert [list(found.columns), *map(list, found.rows)] == [[cell.strip() for cell in row] for row in rows]


@given(st.binary(max_size=400), st.sampled_from([".csv", ".tsv", ".xlsx"]))
def test_any_bytes_give_a_table_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, kind: str
) -> None:
    try:
        found = table(tmp_path_factory.getbasetemp() / f"any{kind}", content)
    except CorpusError:
        return
    assert found.total == len(found.rows)
    assert all(len(row) == len(found.columns) for row in found.rows)
    assert claim_column(found) in range(len(found.columns))


def test_a_quotation_mark_that_is_never_closed_is_told(tmp_path: Path) -> None:
    rows = ["claim,who", '"A, b.",Ann', '"C is\nlong.",Bo', '"D is open,Cy', *(f"{claim},Di" for claim in CLAIMS)]
    found = table(tmp_path / "t.csv", "\n".join(rows))
    assert found.total == 3
    (note,) = found.notes
    assert "begins in line 5 " in note
    assert "the last 13 lines were read as one row" in note
    closed = "\n".join([*rows[:3], '"E is\nlong, too",Ed'])
    assert table(tmp_path / "t.csv", closed).notes == ()
    assert table(tmp_path / "t.csv", 'claim,who\nA pipe of 5" is wide.,Al').notes == ()


def test_a_cell_without_end_is_refused_with_its_line(tmp_path: Path) -> None:
    rows = ["claim,who", "A is b.,Ann", '"C is open,Bo', *["D is e.,Cy"] * 20_000]
    with pytest.raises(CorpusError, match=r"begins in line 3 has a cell of more than 131,072 characters.*Close it"):
        table(tmp_path / "t.csv", "\n".join(rows))


def test_rows_of_different_lengths_below_names(tmp_path: Path) -> None:
    found = table(tmp_path / "t.csv", b"id,claim\n1\n2,Paris is in France, they say,really\n3,Rome is old.\n")
    assert found.columns == ("id", "claim", "column 3", "column 4")
    assert found.column(claim_column(found)) == ["Paris is in France", "Rome is old."]
    (note,) = found.notes
    assert note.startswith("1 of its rows have more cells than its first row has names".replace("have", "has"))
    even = table(tmp_path / "u.csv", b"id,claim\n1,Rome is old.\n")
    assert even.notes == ()
    listed = table(tmp_path / "v.csv", b"Claims, he said, are cheap.\nParis is in France.\n")
    assert len(listed.columns) == 1


@pytest.mark.parametrize(
    ("content", "columns", "claims", "note"),
    [
        ("sep=;\r\nid;claim\r\n1;{0}\r\n", ("id", "claim"), 1, ""),
        ('"sep=|"\nid|claim\n1|{0}\n', ("id", "claim"), 1, ""),
        ("sep=\t\n1\t{0}\n2\t{1}\n", ("column 1", "column 2"), 2, ""),
        ("Export of 2020-01-01\n\nid,claim\n1,\"{0}\"\n2,\"{1}\"\n", ("id", "claim"), 2, "“Export of 2020-01-01”"),
        ("Our claims;;\nMade in May;;\nid;claim;day\n1;{0};3\n2;{1};4\n", ("id", "claim", "day"), 2, "“Our claims”; “Made in May”"),
        ("Who,,What is said,\nname,day,statement,page\nAnn,3,\"{0}\",5\n", ("name", "day", "statement", "page"), 1, "“Who What is said”"),
        ('Claim,,Source,\ntext,lang,name,day\n"{0}",en,Ann,3\n"{1}",en,Bob,4\n', ("Claim text", "Claim lang", "Source name", "Source day"), 2, ""),
        ('Timestamp,Which claim shall we check?\n2024/05/03 9:12:11 AM GMT+2,"{0}"\n2024/05/04 9:12:11 AM GMT+2,"{1}"\n', ("Timestamp", "Which claim shall we check?"), 2, ""),
        ('id, claim, who\n1, "{0}", Ann\n2, "{1}", Bob\n', ("id", "claim", "who"), 2, ""),
        ('id,claim,why\n1,"{0}","\\"Old\\", he said"\n2,"{1}",so\n', ("id", "claim", "why"), 2, ""),
        ('id,claim,Source,\n,,name,day\n1,"{0}",Ann,3\n2,"{1}",Bob,4\n', ("id", "claim", "Source name", "Source day"), 2, ""),
        (',,2019,,2020,\nid,claim,who,day,who,day\n1,"{0}",Ann,3,Bob,4\n', ("id", "claim", "2019 who", "2019 day", "2020 who", "2020 day"), 1, "“2019 2020”"),
        ('id,claim,page,\n1,"{0}",3,\n,,4,\n2,"{1}",,\n', ("id", "claim", "page"), 2, ""),
        ('Table 1: Claims,,\nSource: us,,\n#,Claim text,Verified?\n1,"{0}",no\n2,"{1}",yes\n', ("#", "Claim text", "Verified?"), 2, "“Table 1: Claims”; “Source: us”"),
        ("Nr.;Aussage;Quelle\n1;{0};A\n2;{1};B\n", ("Nr.", "Aussage", "Quelle"), 2, ""),
        ("Claims of the week\nclaim\n{0}\n{1}\n", ("claim",), 2, "“Claims of the week”"),
        ("The list\nwho,what,pages\nAnn,\"{0}\",12\nBob,\"{1}\",13\n", ("who", "what", "pages"), 2, "“The list”"),
    ],
)  # fmt: skip
def test_what_stands_above_the_names_is_neither_a_name_nor_a_claim(
    tmp_path: Path, content: str, columns: tuple[str, ...], claims: int, note: str
) -> None:
    (tmp_path / "t.csv").write_text(content.format(*CLAIMS), "utf-8", newline="")
    found = read_table(tmp_path / "t.csv")
    assert found.columns == columns
    assert found.column(claim_column(found)) == CLAIMS[:claims]
    assert note in " ".join(found.notes)
    assert bool(found.notes) == bool(note)


def test_a_cell_far_from_all_others_costs_nothing(tmp_path: Path) -> None:
    """Read as it stands, the rectangle up to the last cell would take 400 GB."""
    content = workbook(Claims=[["id", "claim"], [1, CLAIMS[0]], ["x"], [2, CLAIMS[1]]])
    far = {
        b"<row><c><v>1": b'<row r="900000"><c r="A900000"><v>1',
        b"<row><c><v>2": b'<row r="1048576"><c r="A1048576"><v>2',
    }
    far |= {
        b'<row><c t="inlineStr"><is><t xml:space="preserve">x': b'<row r="1000000"><c r="XFD1000000" t="inlineStr"><is><t>x'
    }
    far |= {
        b'<c t="inlineStr"><is><t xml:space="preserve">' + CLAIMS[1].encode(): b'<c r="B1048576" t="inlineStr"><is><t>'
        + CLAIMS[1].encode()
    }
    far |= {
        b'<c t="inlineStr"><is><t xml:space="preserve">' + CLAIMS[0].encode(): b'<c r="B900000" t="inlineStr"><is><t>'
        + CLAIMS[0].encode()
    }
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as after:
        for name in before.namelist():
            part = before.read(name)
            for old, new in far.items():
                part = part.replace(old, new)
            after.writestr(name, part)
    found = read_table(tmp_path / "t.xlsx")
    assert found.columns == ("id", "claim")
    assert found.column(1) == CLAIMS[:2]
    assert found.notes == ("It has cells beyond column 200, which were left out.",)


@given(st.integers(1, 20_000))
def test_columns_are_numbered_by_their_letters(number: int) -> None:
    assert column_number(column_letters(number)) == number
    assert (column_letters(26), column_letters(27), column_letters(201)) == (b"Z", b"AA", b"GS")


@pytest.mark.parametrize(
    ("name", "columns", "rows", "note"),
    [
        ("merged", ("Claim", "Source name", "Source date"), 2, ""),
        ("title", ("No.", "Claim", "Who said it"), 3, "Claims of the week, 3 May 2024"),
        ("far", ("claim",), 1, "beyond column 200"),
    ],
)
def test_workbooks_of_libreoffice(name: str, columns: tuple[str, ...], rows: int, note: str) -> None:
    """Merged names, a title over all columns, a cell in row 900,000 and column 1,001."""
    table = read_table(Path(__file__).parent / "data" / f"{name}.xlsx")
    assert (table.columns, table.total) == (columns, rows)
    assert table.column(claim_column(table))[0] == "The Louvre was opened in 1793."
    assert note in " ".join(table.notes)


def test_a_sheet_with_a_column_of_claims_is_read_before_one_of_remarks(tmp_path: Path) -> None:
    about, numbers = [["Claims of the spring", ""], ["Made by", "Ann"]], [["a", 1], ["b", 2]]
    claims = [["Claims of the spring"], ["Date", "Claim"], ["2021-03-01", "Rome is old."]]
    for others in ({"About": about}, {"Note": [["All claims"]], "About": about, "Numbers": numbers}):
        found = read_table(write_workbook(tmp_path / "t.xlsx", **others, Data=claims))
        assert found.column(claim_column(found)) == ["Rome is old."]
        assert found.notes[0] == f"Of its {len(others) + 1} sheets, only “Data” was read."
    foreign = [["Behauptung"], ["Rom ist eine alte Stadt."], ["Der Rhein ist lang."]]
    assert read_table(write_workbook(tmp_path / "t.xlsx", Daten=foreign, Text=[["text"], ["x"]])).total == 2


def test_a_damaged_sheet_keeps_no_sheet_of_claims_before_it_from_being_read(tmp_path: Path) -> None:
    whole = workbook(Claims=[["claim"], [CLAIMS[0]], [CLAIMS[1]]], Chart=[["x"]])
    with zipfile.ZipFile(io.BytesIO(whole)) as made, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as changed:
        for name in made.namelist():
            changed.writestr(name, made.read(name)[: 120 if name.endswith("sheet2.xml") else None])
    assert read_table(tmp_path / "t.xlsx").column(0) == CLAIMS[:2]


def test_a_sheet_that_nobody_sees_comes_last_and_hidden_rows_are_told(tmp_path: Path) -> None:
    whole = workbook(Lists=[["claim"], ["It is a list of choices."]], Claims=[["claim"], [CLAIMS[0]], [CLAIMS[1]]])
    with zipfile.ZipFile(io.BytesIO(whole)) as made, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as changed:
        for name in made.namelist():
            content = made.read(name).replace(b'name="Lists"', b'state="hidden" name="Lists"')
            changed.writestr(name, content.replace(b"</row><row>", b'</row><row r="2" hidden="1">', 1))
    found = read_table(tmp_path / "t.xlsx")
    assert found.column(0) == CLAIMS[:2]
    assert found.notes == (
        "Of its 2 sheets, only “Claims” was read.",
        "The sheet hides 1 of its rows, as a filter does; they were read too.",
    )


@pytest.mark.parametrize(("last", "told"), [(3, True), (16384, False)])
def test_hidden_columns_are_told_unless_they_are_the_empty_rest(tmp_path: Path, last: int, told: bool) -> None:
    whole = workbook(Claims=[["id", "secret", "claim"], ["1", "a", CLAIMS[0]], ["2", "b", CLAIMS[1]]])
    with zipfile.ZipFile(io.BytesIO(whole)) as made, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as changed:
        for name in made.namelist():
            cols = f'<cols><col min="2" max="{last}" hidden="1"/></cols><sheetData>'.encode()
            changed.writestr(name, made.read(name).replace(b"<sheetData>", cols))
    assert read_table(tmp_path / "t.xlsx").notes == (("The sheet hides columns; they were read too.",) if told else ())


def test_a_number_has_the_digits_that_a_spreadsheet_shows(tmp_path: Path) -> None:
    content = workbook(Claims=[["claim", "share"], [CLAIMS[0], 0.1 + 0.2], [CLAIMS[1], 1e-7]])
    assert table(tmp_path / "t.xlsx", content).column(1) == ["0.3", "1e-07"]


@pytest.mark.parametrize(
    ("content", "claims"),
    [
        ("id,claim\n1,'The mill, they say, is old.'\n2,'It isn''t sold, they say.'\n", ["The mill, they say, is old.", "It isn't sold, they say."]),
        ("It opened in 1850; it was sold in 1990.\nIt was not sold; it is old.\n", ["It opened in 1850; it was sold in 1990.", "It was not sold; it is old."]),
        ("\ufeff\ufeffclaim,id\nThe mill is old.,1\n", ["The mill is old."]),
        ('Claim\n=HYPERLINK("http://x","a")\nThe mill is old.\n', ['=HYPERLINK("http://x"', "The mill is old."]),
    ],
)  # fmt: skip
def test_claims_stay_whole_however_they_are_quoted(tmp_path: Path, content: str, claims: list[str]) -> None:
    found = table(tmp_path / "t.csv", content)
    assert found.column(claim_column(found)) == claims
    assert found.columns[0].casefold() in ("id", "claim", "column 1")
