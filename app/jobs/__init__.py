"""Checks as durable jobs: the table of checks, the queue, the worker and its steps."""
