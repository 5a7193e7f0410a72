"""What every feature builds on: problems, security, services, rules and descriptions of routes."""
