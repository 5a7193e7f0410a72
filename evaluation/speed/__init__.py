"""Time and space that the program takes: loads, stores, the application under load."""
