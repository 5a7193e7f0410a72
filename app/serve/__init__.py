"""The web server's processes: the socket, gunicorn's process that watches, the one that answers."""
