"""Papers in: every file a researcher holds, read as a stream of ``kg.types.Paper``."""

from loaders.papers.checking import Check, check
from loaders.papers.reading import read_papers
from loaders.papers.registry import FORMATS

__all__ = ["FORMATS", "Check", "check", "read_papers"]
