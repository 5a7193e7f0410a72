"""The description of the HTTP interface, made from its routes: OpenAPI 3.1."""
