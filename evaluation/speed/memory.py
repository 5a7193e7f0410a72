"""Measures the application's memory while people upload documents and check claims against them under every recipe."""

from __future__ import annotations

import httpx

from evaluation.report.results_folder import Json
from evaluation.speed.started import application, checked, ended, largest, memory, processes
from retrieval.errors import EsotericError

MEMORY_POLL_S = 0.2


def measure_memory(store: str, uploads: int, characters: int, recipes: list[str]) -> Json:
    """Resident megabytes of the server and its processes after the uploads, and after checking a claim against each
    upload under each recipe in turn; `peak_megabytes`: the greatest of any single process. Raises EsotericError.
    """
    with application(store, 1) as running, httpx.Client(base_url=running.address, timeout=120) as client:
        after = {"start": resident(running.pid)}
        names = [_upload(client, number, characters) for number in range(uploads)]
        after["uploads"] = resident(running.pid)
        for recipe in recipes:
            for number, name in enumerate(names):
                claim = f"Line {number} was opened in 1987."
                checked(client, {"claim": claim, "recipe": recipe, "against": name}, MEMORY_POLL_S)
            after[recipe] = resident(running.pid)
        found = {"uploads": uploads, "characters": characters, "megabytes_after": after}
        return {**found, "peak_megabytes": round(largest(running.pid, "VmHWM"))}


def document(number: int, characters: int) -> str:
    """A document of different sentences, about `characters` long."""
    sentence = "Stop {} of line {} was opened in {} and is served every {} minutes by cars of type {}.\n"
    lines, size = list[str](), 0
    while size < characters:
        row = len(lines)
        lines.append(sentence.format(row, number, 1900 + row % 120, 3 + row % 27, row * 31 % 997))
        size += len(lines[-1])
    return "".join(lines)


def resident(pid: int) -> int:
    """Megabytes of a process and its descendants."""
    return round(sum(memory(one) for one in processes(pid)))


def _upload(client: httpx.Client, number: int, characters: int) -> str:
    files = {"files": (f"line-{number}.txt", document(number, characters).encode())}
    sent = client.post("/api/documents", files=files)
    if sent.status_code != 202:
        raise EsotericError(f"The upload was refused: {sent.text[:200]}")
    found = ended(client, sent.json()["url"], ("ready", "failed"), MEMORY_POLL_S)
    if found["state"] != "ready":
        raise EsotericError(f"The upload could not be read: {found['error']}")
    return f"upload:{found['id']}"
