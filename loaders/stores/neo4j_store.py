"""A Neo4j server as a store: loading over the official driver, and queries in read access mode."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kg.errors import QueryError, StoreError

from . import statements
from .columns import column_names
from .loading import Loader, Progress
from .neo4j_address import Address, import_driver, told
from .neo4j_values import Ends, plain_rows
from .queries import checked_parameters
from .read_guard import check_reading
from .store import LoadCounts, Rows

if TYPE_CHECKING:
    import networkx as nx

_CONNECT_SECONDS: Final = 15.0
_SERVER: Final = "Neo4j/"
# A load reads back what the server holds of a large graph: fewer round trips than the driver's 1,000 rows.
_ROWS_A_FETCH: Final = 10_000
_WRITERS: Final = 2


@dataclass(slots=True)
class Neo4jStore:
    """One graph, under its name, in one database of a server. Use as a context manager or call `close`.

    After a transient error a batch is written again for up to ``retry_seconds``.
    """

    address: Address
    graph_name: str = "graph"
    progress: Progress = lambda written: None
    retry_seconds: float = 30.0
    _driver: Any = field(default=None, init=False, repr=False)
    _found: str = field(default="", init=False, repr=False)

    def load(self, graph: nx.MultiDiGraph) -> LoadCounts:
        """Make the server hold exactly this graph beside whatever others keep there.

        Constraints and indexes come first. Loading twice writes nothing the second time.

        Raises:
            StoreError: when the server is down, refuses, is too old, or holds another graph of ours.
        """
        self.prepare()
        return self._loader().load(graph)

    def update(self, graph: nx.MultiDiGraph, nodes: Iterable[str]) -> LoadCounts:
        """Write these nodes of the graph and the edges at them, and leave the rest alone."""
        self.prepare()
        return self._loader().update(graph, nodes)

    def remove(self, nodes: Sequence[str]) -> LoadCounts:
        """Remove these nodes of ours and the edges at them."""
        return self._loader().remove(nodes)

    def prepare(self) -> None:
        """Make the constraints and indexes that are missing, and wait until they are online."""
        self.check_version()
        for statement in (*statements.CONSTRAINTS, *statements.NAME_INDEXES):
            self.run(statement, {})
        if self.is_neo4j():
            self.run(statements.FULL_TEXT_INDEX, {})
            self.run(statements.AWAIT_INDEXES, {})

    def check_version(self, oldest: tuple[int, int] = statements.OLDEST_NEO4J) -> None:
        """Refuse a server that is older than the statements need.

        Raises:
            StoreError: with the version found and the one needed.
        """
        agent = self._agent()
        if not agent.startswith(_SERVER):
            raise StoreError(f"the server at {self.address.uri} is {agent!r}, not Neo4j")
        version = agent.removeprefix(_SERVER).split()[0]
        found = tuple(int(part) if part.isdigit() else 0 for part in version.split(".")[:2])
        if found < oldest:
            needed = ".".join(map(str, oldest))
            raise StoreError(f"the server at {self.address.uri} is Neo4j {version}; {needed} or newer is needed")

    def is_neo4j(self) -> bool:
        """Say whether the server is Neo4j itself, not another engine that speaks its protocol."""
        return "compatible" not in self._agent()

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float = 60.0) -> Rows:
        """Answer a query that only reads, in read access mode, within ``timeout`` seconds.

        Raises:
            QueryError: when the query is refused or wrong, or ran past its time.
            StoreError: when the server is down or refuses.
        """
        if not timeout > 0:
            raise QueryError(f"the time limit is {timeout} seconds; give more than 0")
        tokens, given = check_reading(cypher), checked_parameters(parameters or {})
        neo4j = import_driver()
        with told(self.address), self._session(neo4j.READ_ACCESS) as session:
            result = session.run(neo4j.Query(cypher, timeout=timeout), given)
            columns, rows = tuple(result.keys()), [list(record.values()) for record in result]

            def look_up(edges: list[str]) -> Ends:
                found = session.run(statements.EDGE_ENDS, edges=edges)
                return {row["edge"]: (row["head"], row["tail"]) for row in found}

            return Rows(columns or column_names(cypher, tokens), plain_rows(rows, look_up))

    def run(self, statement: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Run one of our statements in a transaction, again after a transient error, and return its rows."""
        with told(self.address):
            try:
                return self._write(statement, parameters)
            except import_driver().exceptions.IncompleteCommit:
                # Whether it was written is not known, so it runs again in a form that changes nothing then.
                return self._write(statements.AGAIN.get(statement, statement), parameters)

    def _write(self, statement: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        def work(transaction: Any) -> list[dict[str, Any]]:
            result = transaction.run(statement, dict(parameters))
            names = result.keys()
            return [dict(zip(names, record, strict=True)) for record in result]

        with self._session(import_driver().WRITE_ACCESS) as session:
            return list(session.execute_write(work))

    def close(self) -> None:
        """Close the connections."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    def __enter__(self) -> Neo4jStore:
        """Return the store itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close the connections."""
        self.close()

    def _loader(self) -> Loader:
        # While the server writes one batch, Python packs the next; other engines refuse writes to one node at once.
        return Loader(self.run, self.graph_name, self.progress, writers=_WRITERS if self.is_neo4j() else 1)

    def _connected(self) -> Any:
        if self._driver is None:
            neo4j = import_driver()
            # The server's hints at faster queries are not for our users, and not every server can be told so.
            logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
            self._driver = neo4j.GraphDatabase.driver(
                self.address.uri,
                auth=(self.address.user, self.address.password),
                connection_timeout=_CONNECT_SECONDS,
                max_transaction_retry_time=self.retry_seconds,
            )
        return self._driver

    def _session(self, access: str) -> Any:
        return self._connected().session(
            database=self.address.database or None, default_access_mode=access, fetch_size=_ROWS_A_FETCH
        )

    def _agent(self) -> str:
        if not self._found:
            with told(self.address):
                self._found = str(self._connected().get_server_info().agent)
        return self._found
