"""Reads what people send, in processes of their own with limits."""
