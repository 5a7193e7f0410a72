"""Reads what people send, in separate processes with limits."""
