"""The store on an Elasticsearch server."""
