"""From a text to a report: its claims are found and checked, and a person reviews and signs them."""
