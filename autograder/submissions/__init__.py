"""One submission from its file to its verdict."""
