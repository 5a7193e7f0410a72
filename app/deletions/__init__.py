"""Undoing the deletion of a check, a report, a collection or documents."""
