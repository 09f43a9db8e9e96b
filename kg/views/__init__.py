"""Pictures of a graph: HTML files that work offline, for ever."""

from kg.views.page import write_view
from kg.views.report import write_report
from kg.views.site import write_site

__all__ = ["write_report", "write_site", "write_view"]
