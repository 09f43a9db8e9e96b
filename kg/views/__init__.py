"""Pictures of a graph: HTML files that work offline, for ever."""

from kg.views.page import write_view

__all__ = ["write_view"]
