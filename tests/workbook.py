"""Workbooks for tests: the least that .xlsx needs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def cell(value: object) -> str:
    """A formula where it begins with =, whose stored result is 42; with =?, none was stored; #… is an error."""
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    if str(value).startswith("=?"):
        return f"<c><f>{escape(str(value)[2:])}</f><v/></c>"
    if str(value).startswith("#"):
        return f'<c t="e"><f>1/0</f><v>{value}</v></c>'
    if str(value).startswith("="):
        return f"<c><f>{escape(str(value)[1:])}</f><v>42</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>' if value != "" else "<c/>"


def sheet(rows: Sequence[Sequence[object]]) -> str:
    body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    return f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    """An .xlsx of these sheets."""
    numbered = list(enumerate(sheets, 1))
    parts = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{KINDS}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{KINDS}.worksheet+xml"/>'
            for n, _ in numbered
        )
        + "</Types>",
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{RELATIONS}">'
        f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        + "".join(f'<sheet name="{escape(name)}" sheetId="{n}" r:id="s{n}"/>' for n, name in numbered)
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{RELATIONS}">'
        + "".join(
            f'<Relationship Id="s{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n, _ in numbered
        )
        + "</Relationships>",
    }
    parts |= {f"xl/worksheets/sheet{n}.xml": sheet(sheets[name]) for n, name in numbered}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def write_workbook(path: Path, **sheets: Sequence[Sequence[object]]) -> Path:
    path.write_bytes(workbook(**sheets))
    return path
