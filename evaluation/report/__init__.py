"""What others read of a measurement: the report as a page, tables for the documentation, model cards, goals."""
