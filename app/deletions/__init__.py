"""Undoing the deletion of a check, report or collection."""
