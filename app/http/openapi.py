"""Describes what a route reads and answers, above its function: the source of the OpenAPI document, which has every route
under /api, and of the validation of requests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar

from flask import current_app, request
from pydantic import BaseModel, Field, ValidationError
from spectree import Response, SpecTree
from spectree.model_adapter import get_pydantic_model_adapter
from spectree.plugins.flask_plugin import FlaskPlugin
from werkzeug.routing import Rule

from app.http.problems import Problem
from retrieval.output.record import Json
from retrieval.version import VERSION

View = TypeVar("View", bound=Callable[..., Any])
Form = TypeVar("Form", bound=BaseModel)

ALWAYS = (400, 401, 500, 503)  # a foreign host name, not signed in, an internal error, an unavailable database
ON_CHANGES = (403, 413)  # cross-site requests, bodies that are too large
WHY = {
    400: "The request cannot be read.",
    401: "This server has accounts: send Authorization: Bearer TOKEN.",
    403: "Refused: the request comes from another web site, this belongs to somebody else, or it is turned off.",
    404: "There is nothing with this id.",
    409: "Not possible in this state.",
    413: "The request is too large.",
    415: "The body has a type that this address does not read.",
    422: "The request was read, and something in it cannot be used; `detail` says what.",
    429: "Too many requests from this address; see Retry-After.",
    500: "Something went wrong inside the program.",
    503: "Something that is needed is not available right now; see Retry-After.",
    507: "The server's disk is full.",
}
PROBLEM = "application/problem+json"


class ProblemForm(BaseModel):
    """A problem as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What happened and what to do next, in sentences.")
    instance: str
    request: str = Field(description="Id of the request, as in X-Request-ID.")


class Routes(FlaskPlugin):
    """The routes in the document: those under /api, and others that are described."""

    def find_routes(self) -> Iterator[Rule]:
        """See spectree."""
        for rule in sorted(current_app.url_map.iter_rules(), key=str):
            view = current_app.view_functions[rule.endpoint]
            if rule.rule.startswith("/api/") or self.spectree.get_function_metadata(view):
                yield rule


_media: dict[Callable[..., Any], Sequence[str]] = {}

_OPENING = re.compile(r"(Value error, |(Input|List|String|Value) (?=should))")  # how pydantic's messages begin
_FORM = re.compile(r"str|int|float|bool|dict|[A-Z]\w*|\w+\[.*")  # pydantic's names of types


@lru_cache(maxsize=1)
def tree() -> SpecTree:
    """The descriptions of all routes, collected as their modules are imported."""
    adapter: Any = get_pydantic_model_adapter()
    adapter.json_schema = cache(adapter.json_schema)  # fifty routes name the same few forms; spectree copies them
    return SpecTree(
        model_adapter=adapter,
        backend=Routes,
        annotations=False,
        page_templates={},
        title="ESOTERIC",
        description="Checks claims against a corpus. Errors are problem details (RFC 9457); each says what to do next.",
        version=VERSION,
        naming_strategy=lambda model: model.__name__,
        nested_naming_strategy=lambda _, child: child,
        validation_error_model=ProblemForm,
    )


def described(
    answer: type[BaseModel] | str | None = None,
    status: int | Sequence[int] = 200,
    *,
    body: type[BaseModel] | None = None,
    form: type[BaseModel] | None = None,
    query: type[BaseModel] | None = None,
    problems: Sequence[int] = (),
    tag: str = "",
    media: Sequence[str] = (),
) -> Callable[[View], View]:
    """Describe a route, under its `@blueprint.get(...)`. answer: the form of the answer, or a sentence if it has none.

    body, query: forms of the JSON body and of the query string; requests are validated by them, and the view gets them as
    `body` and `query`. form: the form of multipart/form-data, only described; if both are given, `body` is None when the
    form is sent. problems: statuses of errors beside those of every route. media: types of an answer other than JSON.
    """
    refusals = {*ALWAYS, *problems} | ({415, 422, *ON_CHANGES} if body or form else set())
    answers: dict[str, Any] = {f"HTTP_{code}": (ProblemForm, WHY[code]) for code in sorted(refusals)}
    for code in [status] if isinstance(status, int) else status:
        answers[f"HTTP_{code}"] = (None, answer) if isinstance(answer, str) or answer is None else answer

    def decorate(view: View) -> View:
        @wraps(view)
        def reading(**arguments: Any) -> Any:
            if body is not None:
                arguments["body"] = read_body(body) if form is None or request.is_json else None
            if query is not None:
                arguments["query"] = read_query(query)
            return view(**arguments)

        response = Response(**answers)
        tags = [tag] if tag else []
        described_view = tree().validate(
            json=body, form=form, query=query, resp=response, tags=tags, skip_validation=True,
            validation_error_status=max(refusals & {400, 422}),
        )(reading)  # fmt: skip
        if media:
            _media[described_view] = media
        return described_view  # type: ignore[no-any-return]

    return decorate


def document() -> Json:
    """The OpenAPI document of the application that answers this request."""
    spec: Json = deepcopy(tree().spec)
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    form = answer["content"]["application/json"]
                    # A browser that follows a link to a file gets a page.
                    kinds = [PROBLEM, "text/html"] if path.startswith(("/checks/", "/reports/")) else [PROBLEM]
                    answer["content"] = {kind: form if kind == PROBLEM else {} for kind in kinds}
            operation["operationId"] = _name(method, path)
            _name_files(operation, spec["components"]["schemas"])
    for path, media in _other_media():
        spec["paths"][path]["get"]["responses"]["200"]["content"] = {kind: {} for kind in media}
    spec.pop("security", None)
    spec["servers"] = [{"url": "/"}]
    return spec


def read_body(form: type[Form]) -> Form:
    """The JSON object of the request, in this form. Raises Problem 415, 400 or 422."""
    if not request.is_json:
        raise Problem(415, "The request must be JSON. Send it with the header Content-Type: application/json.")
    try:
        body: Any = request.get_json()
    except RecursionError:
        body = None
    if not isinstance(body, dict):
        raise Problem(400, f"The request must be one JSON object. Send {_example(form)}.")
    try:
        return form.model_validate(body)
    except ValidationError as error:
        raise Problem(422, f"{_fault(error)} Send {_example(form)}.") from error


def read_query(form: type[Form]) -> Form:
    """The query string, in this form. Raises Problem 400."""
    try:
        return form.model_validate(request.args.to_dict(), strict=False)
    except ValidationError as error:
        raise Problem(400, f"{_fault(error)} Leave it out for the default.") from error


def _fault(error: ValidationError) -> str:
    """The first fault, in a sentence."""
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    first = _named(errors[0]["loc"])[:2]
    # One for each type that the part may have.
    of_first = [fault for fault in errors if _named(fault["loc"])[:2] == first]
    deepest = max(of_first, key=lambda fault: len(_place(fault["loc"])))
    place = _place(deepest["loc"])
    if len([fault for fault in of_first if _place(fault["loc"]) == place]) > 1:
        return f"“{place}” has none of its possible types."
    if deepest["type"] == "missing":
        return f"“{place}” is missing."
    message = _OPENING.sub("", str(deepest["msg"]))
    return f"“{place}” {message.partition(' after validation')[0]}."


def _place(parts: Sequence[int | str]) -> str:
    """The place of a fault, such as claims[0].text."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in _named(parts)).removeprefix(".")


def _named(parts: Sequence[int | str]) -> list[int | str]:
    """The parts, without the names of types that pydantic puts between them."""
    return [part for part in parts if not _FORM.fullmatch(str(part))]


def _example(form: type[BaseModel]) -> str:
    extra = form.model_config.get("json_schema_extra")
    examples = extra.get("examples") if isinstance(extra, dict) else None
    return json.dumps(examples[0], ensure_ascii=False) if isinstance(examples, list) else "one JSON object"


def _name(method: str, path: str) -> str:
    """An operation's id, such as get_checks_check_id."""
    return "_".join([method, *filter(None, "".join(c if c.isalnum() else " " for c in path).split())])


def _name_files(operation: Json, schemas: Json) -> None:
    """Add an example of a file name to each form with a file: the name tells the type, so it is needed."""
    form = operation.get("requestBody", {}).get("content", {}).get("multipart/form-data")
    if not form:
        return
    fields = schemas[form["schema"]["$ref"].rpartition("/")[2]]["properties"]
    for name, field in fields.items():
        if file_name := (field.get("items") or field).get("x-file-name"):
            disposition = {"schema": {"type": "string"}, "example": f'form-data; name="{name}"; filename="{file_name}"'}
            form.setdefault("encoding", {})[name] = {"headers": {"Content-Disposition": disposition}}


def _other_media() -> Iterator[tuple[str, Sequence[str]]]:
    """(path, media types) of the routes that do not answer with JSON."""
    backend = tree().backend
    for rule in backend.find_routes():
        if media := _media.get(current_app.view_functions[rule.endpoint]):
            yield backend.parse_path(rule, None)[0], media
