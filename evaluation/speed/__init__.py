"""What time and space the program takes: loads, stores, encoders, the application under load."""
