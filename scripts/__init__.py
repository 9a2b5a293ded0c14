"""Small programs for maintainers."""
