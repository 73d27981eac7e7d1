"""The requests and messages of a running server, and the page's files."""
