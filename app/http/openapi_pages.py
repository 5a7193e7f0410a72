"""The description of the HTTP interface, as JSON for programs and as a page for people."""

from __future__ import annotations

import json

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from app.http.openapi import described, document
from retrieval.output.record import Json

blueprint = Blueprint("openapi", __name__)

METHODS = ("get", "post", "put", "patch", "delete")


@blueprint.get("/api/openapi.json")
@described("This document.", tag="Description", media=["application/json"])
def openapi() -> Response:
    """OpenAPI 3.1."""
    return jsonify({**document(), "servers": [{"url": request.script_root or "/"}]})


@blueprint.get("/about/api")
def page() -> ResponseReturnValue:
    """The description as a page."""
    spec = document()
    return render_template("http/api.html", document=spec, groups=groups(spec), schemas=schemas(spec), kind=kind)


def groups(spec: Json) -> dict[str, list[Json]]:
    """The operations by tag, with method and path."""
    grouped: dict[str, list[Json]] = {}
    for path, operations in spec["paths"].items():
        for method in METHODS:
            if operation := operations.get(method):
                tag = next(iter(operation.get("tags", [])), "Other")
                grouped.setdefault(tag, []).append({**operation, "method": method.upper(), "path": path})
    return dict(sorted(grouped.items(), key=lambda group: group[0] not in ("Checks", "Documents")))


def schemas(spec: Json) -> dict[str, list[tuple[str, str, str]]]:
    """Name of a form -> its fields: (name, kind, description)."""
    return {
        name: [(field, kind(part), part.get("description", "")) for field, part in form.get("properties", {}).items()]
        for name, form in sorted(spec["components"]["schemas"].items())
    }


def kind(schema: Json) -> str:
    """A schema in a few words: `list of Stage`, `string or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(kind(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
