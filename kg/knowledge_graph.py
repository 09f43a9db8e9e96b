"""A graph as scripts use it: ask it in Cypher, rank it, draw it, take the NetworkX object."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.config import DEFAULT_GRAPHS, QUERY_TIMEOUT
from kg.storage import Version, graph_folder, open_version

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from kg.analytics import Communities, Ranking
    from kg.types import Paper
    from loaders.stores import Rows


def load(name: str, *, graphs: str | Path = DEFAULT_GRAPHS) -> KnowledgeGraph:
    """Open the current version of a graph.

    Raises:
        GraphNotFound: There is no graph of that name; the message lists those there are.
    """
    folder = graph_folder(Path(graphs), name)
    return KnowledgeGraph(name, folder, open_version(folder))


class KnowledgeGraph:
    """One version of a graph. Parts are read from disk when they are first used."""

    def __init__(self, name: str, folder: Path, version: Version) -> None:
        self.name = name
        self.folder = folder
        self.version = version

    def __repr__(self) -> str:
        return f"<KnowledgeGraph {self.name!r}: {self.manifest['papers']} papers>"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What the graph was built from, when, with which versions, and its counts."""
        return self.version.manifest()

    @cached_property
    def nx(self) -> nx.MultiDiGraph:
        """The whole graph: README, "Schema", lists labels, types and attributes."""
        return self.version.graph()

    @cached_property
    def papers(self) -> dict[str, Paper]:
        """The papers by id."""
        return {paper.id: paper for paper in self.version.papers()}

    def query(
        self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = QUERY_TIMEOUT
    ) -> list[dict[str, Any]]:
        """Answer a Cypher query that only reads; one dict a row, keyed by column.

        Raises:
            QueryError: The query is wrong, would write, or ran longer than ``timeout`` seconds.
        """
        return list(self.rows(cypher, parameters, timeout=timeout).dicts())

    def rows(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = QUERY_TIMEOUT) -> Rows:
        """Like `query`, with the columns apart (a query without rows has columns too)."""
        from loaders.stores import query

        return query(self.store(), cypher, parameters, timeout=timeout)

    def frame(
        self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = QUERY_TIMEOUT
    ) -> pd.DataFrame:
        """Like `query`, as a pandas DataFrame.

        Raises:
            MissingExtra: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            from kg.errors import MissingExtra

            raise MissingExtra("a DataFrame needs pandas; pip install 'paperkg[pandas]'") from None
        rows = self.rows(cypher, parameters, timeout=timeout)
        return pd.DataFrame(rows.values, columns=list(rows.columns))

    def rank(self, by: str = "pagerank", **options: Any) -> Ranking:
        """Rank entities by a centrality; see `kg.analytics.rank` for the options."""
        from kg.analytics import rank

        return rank(self.nx, by, **options)

    def communities(self, **options: Any) -> Communities:
        """Find communities of entities; see `kg.analytics.communities` for the options."""
        from kg.analytics import communities

        return communities(self.nx, **options)

    def view(self, path: str | Path | None = None, **options: Any) -> Path:
        """Write the graph as one HTML file that works offline; see `kg.views.write_view` for the options.

        Args:
            path: The file; ``view.html`` in the graph's folder if not given.
        """
        from kg.views import write_view

        page = Path(path) if path else self.folder / "view.html"
        write_view(self.nx, page, title=self.name, papers=self.papers, **options)
        return page

    def site(self, folder: str | Path, **options: Any) -> int:
        """Write the graph as a folder of static pages; see `kg.views.write_site`. Return the number of pages."""
        from kg.views import write_site

        return write_site(self.nx, folder, title=self.name, papers=self.papers, **options)

    def report(self, path: str | Path, *, top: int = 15) -> Path:
        """Write what a person asks first of a collection of papers as one HTML file."""
        from kg.views import write_report

        write_report(self.nx, path, title=self.name, top=top)
        return Path(path)

    def export(self, path: str | Path, form: str) -> Path:
        """Write the whole graph in a format of `loaders.exports.FORMATS`."""
        from loaders.exports import export

        return export(self.nx, Path(path), form, name=self.name)

    def stats(self) -> dict[str, Any]:
        """Return counts of papers, nodes by label and edges by type, and what was left out by reason.

        ``merged`` counts the records that the last build found to be papers it had, by what they share; ``skipped``
        those it could not use.
        """
        first = ("name", "papers", "nodes", "edges", "names", "entities", "merged", "skipped", "dropped")
        return {key: self.manifest[key] for key in (*first, "extractor", "version", "built_at", "seconds")}

    def store(self) -> Path:
        """Return the folder of the store; one that is damaged or of an older layout is made again."""
        from loaders.stores import is_store, load_store

        if not is_store(self.version.store):
            load_store(self.nx, self.version.store)
        return self.version.store
