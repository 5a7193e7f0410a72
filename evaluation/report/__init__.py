"""Presentation of measurements: the report page, tables for the documentation, model cards, goals."""
