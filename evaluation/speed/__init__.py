"""Time and space that the program takes: loads, stores, encoders, the application under load."""
