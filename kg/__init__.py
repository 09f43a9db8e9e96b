"""A scientific knowledge graph from paper abstracts."""

__version__ = "0.1.0"
