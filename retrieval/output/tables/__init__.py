"""Reads tables of claims: .csv, .tsv and .xlsx."""
