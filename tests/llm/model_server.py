"""llama.cpp's own server before a model file: `python -m tests.llm.model_server WEIGHTS PORT`. One thread, no spinning."""

from __future__ import annotations

import sys
import threading

import xllamacpp


def main(weights: str, port: str) -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = weights
    parameters.hostnames, parameters.port = ["127.0.0.1"], int(port)
    parameters.n_ctx, parameters.n_parallel = 2048, 1
    parameters.warmup, parameters.offline = False, True
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        threads.n_threads, threads.poll = 1, 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
