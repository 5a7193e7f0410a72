"""The web server: its socket, gunicorn's process, and the process that answers requests."""
