"""A .docx is read as Word shows it with all changes accepted; what was left out is counted."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest

from retrieval.errors import CorpusError
from retrieval.text.files.word.reading import read_word

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
)
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*parts: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(parts)}</w:p>"


def packed(body: str, namespaces: str = NAMESPACES, **parts: str) -> bytes:
    """A .docx with this body; parts: "footnotes" and the like, by their content."""
    file = io.BytesIO()
    docx.Document().save(file)
    old, new = zipfile.ZipFile(file), io.BytesIO()
    with zipfile.ZipFile(new, "w") as archive:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/document.xml":
                content = f"<w:document {namespaces}><w:body>{body}</w:body></w:document>".encode()
            elif name == "word/_rels/document.xml.rels":
                relations = (
                    f'<Relationship Id="r-{kind}" Type="{RELATION}/{kind}" Target="{kind}.xml"/>' for kind in parts
                )
                content = content.replace(b"</Relationships>", "".join(relations).encode() + b"</Relationships>")
            archive.writestr(name, content)
        for kind, content in parts.items():
            archive.writestr(f"word/{kind}.xml", f"<w:{kind} {namespaces}>{content}</w:{kind}>")
    return new.getvalue()


def lines(body: str, **parts: str) -> list[str]:
    return read_word(packed(body, **parts)).text.split("\n")


def notes(body: str, **parts: str) -> str:
    return "; ".join(read_word(packed(body, **parts)).notes)


INSERTED = f'<w:ins w:id="1">{run("not ")}</w:ins>'
DELETED = '<w:del w:id="2"><w:r><w:delText xml:space="preserve">five old </w:delText></w:r></w:del>'


def test_tracked_changes_are_read_as_accepted_and_counted() -> None:
    moved = f'<w:moveFrom w:id="3">{run("quietly ")}</w:moveFrom>', f'<w:moveTo w:id="4">{run(" quietly")}</w:moveTo>'
    body = paragraph(run("The lock is "), INSERTED, DELETED, moved[0], run("closed"), moved[1], run("."))
    assert lines(body) == ["The lock is not closed quietly."]
    assert (
        notes(body) == "its tracked changes were read as accepted (1 word inserted, 2 words deleted and 1 word moved)"
    )


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next() -> None:
    first = paragraph(run("The weir was "), properties="<w:rPr><w:del/></w:rPr>")
    assert lines(first + paragraph(run("built in 1811."))) == ["The weir was built in 1811."]


def test_a_large_first_letter_begins_its_word() -> None:
    body = paragraph(run("W"), properties='<w:framePr w:dropCap="drop" w:lines="3"/>') + paragraph(
        run("hen it ended, it was not rebuilt.")
    )
    assert lines(body) == ["When it ended, it was not rebuilt."]


def test_a_deleted_row_of_a_table_is_left_out() -> None:
    cell = lambda text: f"<w:tc>{paragraph(run(text))}</w:tc>"  # noqa: E731
    rows = (
        f"<w:tr>{cell('Weir')}{cell('1811')}</w:tr><w:tr><w:trPr><w:del/></w:trPr>{cell('Lock')}{cell('1900')}</w:tr>"
    )
    assert lines(f"<w:tbl>{rows}</w:tbl>") == ["| Weir | 1811 |"]
    gone = f"<w:tc><w:tcPr><w:cellDel/></w:tcPr>{paragraph(run('Lock'))}</w:tc>"
    assert lines(f"<w:tbl><w:tr>{cell('Weir')}{gone}{cell('1811')}</w:tr></w:tbl>") == ["| Weir | 1811 |"]


def test_a_paragraph_that_was_moved_is_read_where_it_stands_now() -> None:
    mark = lambda name: f"<w:rPr><w:{name}/></w:rPr>"  # noqa: E731
    moved = run("The lock was dug in 1874.")
    body = (
        f'<w:moveFromRangeStart w:id="1" w:name="m"/>{paragraph(f"<w:moveFrom>{moved}</w:moveFrom>", properties=mark("moveFrom"))}'
        f'<w:moveFromRangeEnd w:id="1"/>{paragraph(run("The weir is old."))}<w:moveToRangeStart w:id="2" w:name="m"/>'
        f'{paragraph(f"<w:moveTo>{moved}</w:moveTo>", properties=mark("moveTo"))}<w:moveToRangeEnd w:id="2"/>'
    )
    assert lines(body) == ["The weir is old.", "The lock was dug in 1874."]


def test_a_field_that_never_ends_hides_nothing_behind_it() -> None:
    begins = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
    assert lines(paragraph(begins) + paragraph(run("The weir is old."))) == ["The weir is old."]


def test_letters_too_small_to_read_are_hidden() -> None:
    body = paragraph(run("The weir is "), run("not really ", '<w:sz w:val="2"/>'), run("old.", '<w:sz w:val="20"/>'))
    assert lines(body) == ["The weir is old."]
    assert notes(body) == "left out: 2 hidden words"


def test_controls_tags_fields_and_links_keep_their_words() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE \\@ "yyyy"</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("1811")}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    body = (
        f"<w:sdt><w:sdtContent>{paragraph(run('A control.'))}</w:sdtContent></w:sdt>"
        + paragraph(run("Built in "), field, run(" by "), f"<w:hyperlink>{run('Ann')}</w:hyperlink>", run("."))
        + paragraph(
            f'<w:smartTag>{run("Leeds")}</w:smartTag><w:fldSimple w:instr="X">{run(" has 3")}</w:fldSimple>',
            run(" mills."),
        )
        + paragraph(
            "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>"
            + run("Click here.")
            + "</w:sdtContent></w:sdt>"
        )
    )
    assert lines(body) == ["A control.", "Built in 1811 by Ann.", "Leeds has 3 mills."]


def test_hidden_and_struck_out_text_is_left_out_also_by_its_style() -> None:
    styles = (
        '<w:style w:styleId="Base"><w:name w:val="base"/><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="Secret"><w:name w:val="secret"/><w:basedOn w:val="Base"/></w:style>'
    )
    body = paragraph(
        run("The lake is 4"), run(" 500", "<w:dstrike/>"), run(" secretly", '<w:rStyle w:val="Secret"/>'),
        run(" very", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>'), run(" deep.", '<w:strike w:val="false"/>'),
    )  # fmt: skip
    content = packed(body)
    old, new = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(new, "w") as archive:
        for name in old.namelist():
            own = f"<w:styles {NAMESPACES}>{styles}</w:styles>"
            archive.writestr(name, own if name == "word/styles.xml" else old.read(name))
    found = read_word(new.getvalue())
    assert found.text == "The lake is 4 very deep."
    assert found.notes == ("left out: 1 hidden word and 1 struck-out word",)


WHITE = '<w:color w:val="FFFFFF"/>'


def test_white_letters_are_hidden_where_nothing_dark_is_behind_them() -> None:
    dark = '<w:shd w:val="clear" w:fill="204060"/>'
    body = (
        paragraph(run("The lake is "), run("not ", WHITE), run("deep."))
        + paragraph(run("It is old.", WHITE + dark), run(" It is long.", WHITE + '<w:highlight w:val="black"/>'))
        + paragraph(run("It is wide.", WHITE), properties=dark)
        + paragraph(run("It is cold.", '<w:color w:val="C00000"/>'), run(" It is dry.", '<w:color w:val="FDFDFD"/>'))
        + f"<w:tbl><w:tr><w:tc><w:tcPr>{dark}</w:tcPr>{paragraph(run('Here is the lake.', WHITE))}</w:tc></w:tr></w:tbl>"
    )
    assert lines(body) == [
        "The lake is deep.",
        "It is old. It is long.",
        "It is wide.",
        "It is cold.",
        "Here is the lake.",
    ]
    assert notes(body) == "left out: 4 hidden words"


RAISED = '<w:vertAlign w:val="superscript"/>'


def test_raised_numbers_and_symbols_are_not_glued() -> None:
    body = paragraph(
        run("Opened in 1811"), run("1", RAISED), run("2", RAISED), run(" with 10"), run("9", RAISED), run(" bees on the 19"),
        run("th", RAISED), run(' of May at 45'), '<w:r><w:sym w:font="Symbol" w:char="F0B0"/></w:r>',
        run(", H"), run("2", '<w:vertAlign w:val="subscript"/>'), run("O."),
    )  # fmt: skip
    assert lines(body) == ["Opened in 1811 with 10^9 bees on the 19th of May at 45°, H2O."]


def test_breaks_are_spaces_and_hyphens_hyphens() -> None:
    parts = "<w:r><w:t>The mid</w:t><w:noBreakHyphen/><w:t>1990s</w:t><w:br/><w:t>co</w:t><w:softHyphen/><w:t>lumn</w:t><w:tab/><w:t>x</w:t></w:r>"
    assert lines(paragraph(parts)) == ["The mid-1990s column x"]


def test_notes_are_paragraphs_after_those_that_name_them() -> None:
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    own = '<w:r><w:footnoteReference w:id="3" w:customMarkFollows="1"/><w:t>*</w:t></w:r>'
    note = '<w:footnote w:id="{}"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>{}</w:t></w:r></w:p></w:footnote>'
    separator = '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>----</w:t></w:r></w:p></w:footnote>'
    body = paragraph(run("Opened in 1811"), mark, run(" by Ann"), own, run(".")) + paragraph(run("It is steel."))
    found = lines(body, footnotes=separator + note.format(2, "Or in 1812.") + note.format(3, "Ann Lee."))
    assert found == ["Opened in 1811 by Ann.", "Or in 1812.", "Ann Lee.", "It is steel."]


def test_text_boxes_are_read_once_and_pictures_are_counted() -> None:
    box = f"<w:txbxContent>{paragraph(run('In a box.'))}</w:txbxContent>"
    body = paragraph(
        run("Before."),
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>",
        "<w:r><w:drawing/></w:r>",
    )
    assert lines(body) == ["Before.", "In a box."]
    assert notes(body, comments="<w:comment/><w:comment/>") == "left out: 2 comments and 1 image"


def test_nested_tables_and_cells_of_sentences_have_no_bars() -> None:
    inner = f"<w:tbl><w:tr><w:tc>{paragraph(run('Mill'))}</w:tc><w:tc>{paragraph(run('1850'))}</w:tc></w:tr></w:tbl>"
    cell = f"<w:tc>{paragraph(run('The mill was built in 1850.'))}</w:tc>"
    assert lines(f"<w:tbl><w:tr>{cell}<w:tc>{inner}<w:p/></w:tc></w:tr></w:tbl>") == [
        "The mill was built in 1850.",
        "| Mill | 1850 |",
    ]


def test_equations_stand_on_one_line() -> None:
    part = lambda text: f"<m:r><m:t>{text}</m:t></m:r>"  # noqa: E731
    power = f"<m:sSup><m:sSupPr/><m:e>{part('c')}</m:e><m:sup>{part('2')}</m:sup></m:sSup>"
    body = paragraph(run("The energy is "), f"<m:oMath>{part('E=m')}{power}</m:oMath>", run("."))
    assert lines(body) == ["The energy is E=mc²."]


def test_a_document_of_the_strict_standard_is_read() -> None:
    strict = NAMESPACES.replace(W, "http://purl.oclc.org/ooxml/wordprocessingml/main")
    assert read_word(packed(paragraph(run("A strict one.")), strict)).text == "A strict one."


@pytest.mark.parametrize(
    "body",
    [
        "<w:tbl>" * 400 + "</w:tbl>" * 400,
        paragraph(run("x")) + "<unclosed>",
        "&undeclared;",
    ],
)
def test_damaged_documents_are_refused_in_a_sentence(body: str) -> None:
    with pytest.raises(CorpusError, match="damaged"):
        read_word(packed(body))


def test_what_word_shows_in_capitals_is_read_so_and_names_stay_as_they_are_typed() -> None:
    caps, small = "<w:caps/>", "<w:smallCaps/>"
    read = lines(
        paragraph(
            run("It joined "),
            run("nato", caps),
            run(" and the "),
            run("un", small),
            run(" with "),
            run("Anna Berg", caps),
            run("."),
        )
        + paragraph(run("The "), run("eu", '<w:caps w:val="0"/>'), run("ro is used."))
    )
    assert read == ["It joined NATO and the UN with Anna Berg.", "The euro is used."]


def styled(body: str, styles: str) -> bytes:
    """A .docx with these styles and no others."""
    old, new = zipfile.ZipFile(io.BytesIO(packed(body))), io.BytesIO()
    with zipfile.ZipFile(new, "w") as archive:
        for name in old.namelist():
            own = f"<w:styles {NAMESPACES}>{styles}</w:styles>"
            archive.writestr(name, own if name == "word/styles.xml" else old.read(name))
    return new.getvalue()


@pytest.mark.parametrize("holder", ["w:hyperlink", "w:ins", "w:smartTag", "w:fldSimple"])
def test_a_paragraphs_style_hides_what_links_and_tracked_changes_hold(holder: str) -> None:
    style = '<w:style w:styleId="Old"><w:name w:val="old"/><w:rPr><w:strike/></w:rPr></w:style>'
    body = paragraph(run("The weir "), f"<{holder}>{run('is new.')}</{holder}>", properties='<w:pStyle w:val="Old"/>')
    found = read_word(styled(body + paragraph(run("The weir is old.")), style))
    assert (found.text, found.notes) == ("The weir is old.", ("left out: 4 struck-out words",))


NOTE = '<w:r><w:footnoteReference w:id="2"/></w:r>'
FOOTNOTE = f'<w:footnote w:id="2">{paragraph(run("Without the lower lock."))}</w:footnote>'


def test_a_row_whose_figure_has_a_footnote_stays_a_row() -> None:
    cells = f"<w:tc>{paragraph(run('Weir'))}</w:tc><w:tc>{paragraph(run('1811'), NOTE)}</w:tc>"
    later = f"<w:tc>{paragraph(run('Lock'))}</w:tc><w:tc>{paragraph(run('1874'))}</w:tc>"
    body = f"<w:tbl><w:tr>{cells}</w:tr><w:tr>{later}</w:tr></w:tbl>" + paragraph(run("After."))
    assert lines(body, footnotes=FOOTNOTE) == [
        "| Weir | 1811 |",
        "| Lock | 1874 |",
        "Without the lower lock.",
        "After.",
    ]


def test_the_note_of_hidden_text_and_hidden_rows_are_left_out() -> None:
    hidden = NOTE.replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    row = f"<w:tr><w:trPr><w:hidden/></w:trPr><w:tc>{paragraph(run('Lock'))}</w:tc><w:tc>{paragraph(run('1900'))}</w:tc></w:tr>"
    assert lines(paragraph(run("It is old."), hidden) + f"<w:tbl>{row}</w:tbl>", footnotes=FOOTNOTE) == ["It is old."]


def test_what_was_deleted_from_an_equation_is_not_read_and_inserted_files_are_counted() -> None:
    part = lambda text: f"<m:r><m:t>{text}</m:t></m:r>"  # noqa: E731
    body = paragraph(
        run("Here "), f"<m:oMath>{part('a=')}<w:del>{part('2')}</w:del><w:ins>{part('3')}</w:ins></m:oMath>"
    )
    assert lines(body + '<w:altChunk r:id="x"/>'.replace("r:id", "id")) == ["Here a=3"]
    assert notes(body + "<w:altChunk/>") == "left out: 1 inserted file"


def tagged(inner: str) -> str:
    return f'<w:sdt><w:sdtPr><w:tag w:val="goog_rdk_0"/></w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>'


def test_a_document_as_google_docs_exports_it() -> None:
    look = '<w:rFonts w:ascii="Arial"/><w:sz w:val="22"/><w:rtl w:val="0"/>'
    text = lambda words: run(words, look)  # noqa: E731
    number = text("90")
    item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:ind w:left="720"/>'
    change = 'w:author="Ann Lee" w:id="0" w:date="2026-05-04T10:00:00Z"'
    body = (
        paragraph(text("The Well"), properties='<w:pStyle w:val="Title"/>')
        + paragraph(text("The well is "), f"<w:ins {change}>{text('not ')}</w:ins>", text("12"), text(" metres"), text(" deep."))
        + paragraph(text("It was dug in 18"), f"<w:del {change}><w:r><w:delText>74</w:delText></w:r></w:del>",
                    f"<w:ins {change}>{text('81')}</w:ins>", text("."), properties=item)
        + paragraph(text("It has "), f"<w:hyperlink>{text('a pump')}</w:hyperlink>", text("."), properties=item)
        + paragraph(text("It is "), tagged(f"<w:ins {change}>{text('not ')}</w:ins>"), tagged(f"<w:del {change}><w:r><w:delText>so </w:delText></w:r></w:del>"), text("dry."))
        + f"<w:tbl><w:tr><w:tc>{paragraph(text('Age'))}</w:tc>{tagged(f'<w:tc>{paragraph(number)}</w:tc>')}</w:tr></w:tbl>"
    )  # fmt: skip
    found = lines(body)
    assert found == [
        "The Well", "The well is not 12 metres deep.", "It was dug in 1881.", "It has a pump.", "It is not dry.", "| Age | 90 |",
    ]  # fmt: skip


def field(code: str, begun: str = "", result: str = "") -> str:
    """A field without a stored result, unless one is given."""
    mark = '<w:r><w:fldChar w:fldCharType="{}">{}</w:fldChar></w:r>'
    return (
        f"{mark.format('begin', begun)}<w:r><w:instrText>{code}</w:instrText></w:r>{mark.format('separate', '')}"
        f"{run(result) if result else ''}{mark.format('end', '')}"
    )


def test_what_fields_show_without_a_stored_result_is_read() -> None:
    entries = "".join(f'<w:listEntry w:val="{entry}"/>' for entry in ("open", "closed"))
    choice = f'<w:ffData><w:ddList><w:result w:val="1"/>{entries}</w:ddList></w:ffData>'
    sign = field(' SYMBOL 176 \\f "Symbol" \\s 12 ')
    body = paragraph(run("The lock is "), field(" FORMDROPDOWN ", choice), run(", at 45"), sign, run(" in "), field(" DATE ", result="1811"), run("."))  # fmt: skip
    assert lines(body) == ["The lock is closed, at 45° in 1811."]


def test_an_entry_in_a_table_of_contents_has_no_number_of_a_page() -> None:
    styles = '<w:style w:styleId="I1"><w:name w:val="toc 1"/></w:style>'
    entry = paragraph(
        run("The lock was dug in 1874"), "<w:r><w:tab/></w:r>", run("12"), properties='<w:pStyle w:val="I1"/>'
    )
    assert read_word(styled(entry, styles)).text == "The lock was dug in 1874"


def test_a_cell_merged_with_the_one_above_shows_its_words() -> None:
    def cell(text: str, merged: str = "") -> str:
        return f"<w:tc><w:tcPr>{merged}</w:tcPr>{paragraph(run(text)) if text else paragraph()}</w:tc>"

    first = cell("2019", '<w:vMerge w:val="restart"/>') + cell("Leeds")
    rows = f"<w:tbl><w:tr>{first}</w:tr><w:tr>{cell('', '<w:vMerge/>')}{cell('York')}</w:tr></w:tbl>"
    assert lines(rows) == ["| 2019 | Leeds |", "| 2019 | York |"]
