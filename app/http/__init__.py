"""What every feature of the web application stands on: problems, security, services, the description of routes."""
