"""Every statement that is sent to a store. Labels and types come from the schema, values are parameters."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from kg import schema

from .records import EdgeGroup

NODE_TYPES: Final = schema.NODE_LABELS
EDGE_TYPES: Final = tuple(schema.EDGES)

# --- embedded store: its schema is written in SQL

EMBEDDED_SWITCHES: Final = tuple(
    f"ALTER DATABASE `arcadedb.opencypher.loadCsv.{switch}` false"
    for switch in ("allowFileUrls", "allowRemoteUrls")
)
EMBEDDED_SCHEMA: Final = (
    *(
        statement
        for label in schema.NODE_LABELS
        for statement in (
            f"CREATE VERTEX TYPE `{label}` BUCKETS 1",
            f"CREATE PROPERTY `{label}`.id STRING",
            f"CREATE PROPERTY `{label}`.name STRING",
            f"CREATE INDEX ON `{label}` (id) UNIQUE",
        )
    ),
    *(f"CREATE EDGE TYPE `{edge_type}` BUCKETS 1" for edge_type in schema.EDGES),
)
#: Made after a bulk load, which is faster than keeping them up to date on the way.
EMBEDDED_LATE_INDEXES: Final = tuple(
    f"CREATE INDEX ON `{label}` (name) NOTUNIQUE" for label in schema.NODE_LABELS
)
#: ``{records}`` takes record numbers (``#7:0``), checked digit by digit: they cannot be a parameter here.
EMBEDDED_RECORDS: Final = "SELECT FROM [{records}]"
EMBEDDED_EDGE_ENDS: Final = "SELECT @rid AS edge, @out.id AS head, @in.id AS tail FROM [{records}]"

#: Replaces the properties of nodes, or makes them.
REPLACE_NODES: Final = MappingProxyType(
    {
        label: f"UNWIND $rows AS row MERGE (n:`{label}` {{id: row.id}}) SET n = row"
        for label in schema.NODE_LABELS
    }
)
DELETE_EDGES_AT: Final = MappingProxyType(
    {
        label: f"UNWIND $ids AS id MATCH (n:`{label}` {{id: id}})-[r]-() DELETE r"
        for label in schema.NODE_LABELS
    }
)
CREATE_EDGES: Final = MappingProxyType(
    {
        EdgeGroup(head, edge_type, tail): (
            f"UNWIND $rows AS row MATCH (a:`{head}` {{id: row.head}}) MATCH (b:`{tail}` {{id: row.tail}}) "
            f"CREATE (a)-[r:`{edge_type}`]->(b) SET r = row.properties"
        )
        for edge_type, pairs in schema.EDGES.items()
        for head, tail in pairs
    }
)
DELETE_NODES: Final = MappingProxyType(
    {
        label: f"UNWIND $ids AS id MATCH (n:`{label}` {{id: id}}) DETACH DELETE n"
        for label in schema.NODE_LABELS
    }
)
