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
    f"ALTER DATABASE `arcadedb.opencypher.loadCsv.{switch}` false" for switch in ("allowFileUrls", "allowRemoteUrls")
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
EMBEDDED_LATE_INDEXES: Final = tuple(f"CREATE INDEX ON `{label}` (name) NOTUNIQUE" for label in schema.NODE_LABELS)
#: ``{records}`` takes record numbers (``#7:0``), checked digit by digit: they cannot be a parameter here.
EMBEDDED_RECORDS: Final = "SELECT FROM [{records}]"
EMBEDDED_EDGE_ENDS: Final = "SELECT @rid AS edge, @out.id AS head, @in.id AS tail FROM [{records}]"

#: Replaces the properties of nodes, or makes them.
REPLACE_NODES: Final = MappingProxyType(
    {label: f"UNWIND $rows AS row MERGE (n:`{label}` {{id: row.id}}) SET n = row" for label in schema.NODE_LABELS}
)
DELETE_EDGES_AT: Final = MappingProxyType(
    {label: f"UNWIND $ids AS id MATCH (n:`{label}` {{id: id}})-[r]-() DELETE r" for label in schema.NODE_LABELS}
)
#: Between two nodes there is one edge of a type, but several results.
DELETE_EDGES: Final = MappingProxyType(
    {
        EdgeGroup(head, edge_type, tail): (
            f"UNWIND $rows AS row MATCH (a:`{head}` {{id: row.head}})-[r:`{edge_type}`]->(b:`{tail}` {{id: row.tail}}) "
            + (
                f"WHERE '{edge_type}:' + coalesce(r.metric, '') + ':' + coalesce(r.value, '') + ':' + r.paper "
                "= row.key "
                if edge_type == schema.REPORTED
                else ""
            )
            + "DELETE r"
        )
        for edge_type, pairs in schema.EDGES.items()
        for head, tail in pairs
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
    {label: f"UNWIND $ids AS id MATCH (n:`{label}` {{id: id}}) DETACH DELETE n" for label in schema.NODE_LABELS}
)

# --- Neo4j. ``kg_`` properties are the loader's own: which graph a node is of, and what was last written
# there.

#: An old server lacks parts of Cypher that these statements use.
OLDEST_NEO4J: Final = (5, 0)

_NAMED: Final = "|".join(f"`{label}`" for label in (schema.PAPER, *schema.ENTITY_TYPES, schema.TOPIC, schema.AUTHOR))
NAMES_INDEX: Final = "paperkg_names"
CONSTRAINTS: Final = tuple(
    f"CREATE CONSTRAINT paperkg_{label.lower()}_id IF NOT EXISTS FOR (n:`{label}`) REQUIRE n.id IS UNIQUE"
    for label in schema.NODE_LABELS
)
NAME_INDEXES: Final = tuple(
    f"CREATE TEXT INDEX paperkg_{label.lower()}_name IF NOT EXISTS FOR (n:`{label}`) ON (n.name)"
    for label in schema.NODE_LABELS
)
FULL_TEXT_INDEX: Final = (
    f"CREATE FULLTEXT INDEX {NAMES_INDEX} IF NOT EXISTS FOR (n:{_NAMED}) ON EACH [n.name, n.aliases]"
)
AWAIT_INDEXES: Final = "CALL db.awaitIndexes(300)"

OTHER_GRAPH: Final = MappingProxyType(
    {
        label: f"MATCH (n:`{label}`) WHERE n.kg_graph <> $graph RETURN n.kg_graph AS graph LIMIT 1"
        for label in schema.NODE_LABELS
    }
)
NODE_STATE: Final = MappingProxyType(
    {
        label: f"MATCH (n:`{label}`) WHERE n.kg_graph = $graph RETURN n.id AS id, n.kg_hash AS hash"
        for label in schema.NODE_LABELS
    }
)
#: A Dataset that became a Benchmark is still the same node, with all that users added to it.
RELABEL: Final = MappingProxyType(
    {
        (old, new): (
            f"UNWIND $ids AS id MATCH (n:`{old}` {{id: id}}) WHERE n.kg_graph = $graph REMOVE n:`{old}` SET n:`{new}`"
        )
        for old in schema.ENTITY_TYPES
        for new in schema.ENTITY_TYPES
        if old != new and schema.family(old) == schema.family(new)
    }
)
WRITE_NODES: Final = MappingProxyType(
    {
        label: f"UNWIND $rows AS row MERGE (n:`{label}` {{id: row.id}}) SET n += row.properties"
        for label in schema.NODE_LABELS
    }
)
REMOVE_EDGES_AT: Final = MappingProxyType(
    {
        label: (
            f"UNWIND $ids AS id MATCH (n:`{label}` {{id: id}})-[r]-() WHERE n.kg_graph = $graph AND "
            f"r.kg_graph = $graph "
            "WITH DISTINCT r DELETE r RETURN count(*) AS removed"
        )
        for label in schema.NODE_LABELS
    }
)
#: Returns how many nodes were removed, and how many edges of others went with them.
REMOVE_NODES: Final = MappingProxyType(
    {
        label: (
            f"UNWIND $ids AS id MATCH (n:`{label}` {{id: id}}) WHERE n.kg_graph = $graph OPTIONAL MATCH "
            f"(n)-[r]-() "
            "WITH collect(DISTINCT n) AS gone, count(DISTINCT r) AS others "
            "FOREACH (n IN gone | DETACH DELETE n) RETURN size(gone) AS removed, others"
        )
        for label in schema.NODE_LABELS
    }
)
EDGE_STATE: Final = MappingProxyType(
    {
        group: (
            f"MATCH (a:`{group.head_label}`)-[r:`{group.type}`]->(b:`{group.tail_label}`) WHERE r.kg_graph = "
            f"$graph "
            "RETURN elementId(r) AS edge, a.id AS head, r.kg_key AS key, b.id AS tail, r.kg_hash AS hash"
        )
        for group in CREATE_EDGES
    }
)
EDGE_STATE_AT: Final = MappingProxyType(
    {
        group: tuple(
            f"UNWIND $ids AS id MATCH "
            f"(a:`{group.head_label}`{head})-[r:`{group.type}`]->(b:`{group.tail_label}`{tail}) "
            "WHERE r.kg_graph = $graph "
            "RETURN elementId(r) AS edge, a.id AS head, r.kg_key AS key, b.id AS tail, r.kg_hash AS hash"
            for head, tail in ((" {id: id}", ""), ("", " {id: id}"))
        )
        for group in CREATE_EDGES
    }
)
#: For edges that the server lacks: nothing is looked for between the two nodes, which takes long at hubs.
NEW_EDGES: Final = MappingProxyType(
    {
        group: (
            f"UNWIND $rows AS row MATCH (a:`{group.head_label}` {{id: row.head}}) "
            f"MATCH (b:`{group.tail_label}` {{id: row.tail}}) "
            f"CREATE (a)-[r:`{group.type}` {{kg_key: row.key}}]->(b) SET r += row.properties"
        )
        for group in CREATE_EDGES
    }
)
WRITE_EDGES: Final = MappingProxyType(
    {
        group: (
            f"UNWIND $rows AS row MATCH (a:`{group.head_label}` {{id: row.head}}) "
            f"MATCH (b:`{group.tail_label}` {{id: row.tail}}) "
            f"MERGE (a)-[r:`{group.type}` {{kg_key: row.key}}]->(b) SET r += row.properties"
        )
        for group in CREATE_EDGES
    }
)
#: What to run in the place of a statement that was perhaps written and must not be twice.
AGAIN: Final = MappingProxyType({NEW_EDGES[group]: WRITE_EDGES[group] for group in CREATE_EDGES})
REMOVE_EDGES: Final = MappingProxyType(
    {
        group: (
            f"UNWIND $rows AS row MATCH (a:`{group.head_label}` {{id: row.head}})"
            f"-[r:`{group.type}` {{kg_key: row.key}}]->(b:`{group.tail_label}` {{id: row.tail}}) DELETE r"
        )
        for group in CREATE_EDGES
    }
)
COUNT_NODES: Final = MappingProxyType(
    {label: f"MATCH (n:`{label}`) WHERE n.kg_graph = $graph RETURN count(n) AS n" for label in schema.NODE_LABELS}
)
COUNT_EDGES: Final = MappingProxyType(
    {
        edge_type: f"MATCH ()-[r:`{edge_type}`]->() WHERE r.kg_graph = $graph RETURN count(r) AS n"
        for edge_type in schema.EDGES
    }
)
EDGE_ENDS: Final = (
    "MATCH (a)-[r]->(b) WHERE elementId(r) IN $edges RETURN elementId(r) AS edge, a.id AS head, b.id AS tail"
)

# --- Neo4j, for retrieval: the names that Neo4j's GraphRAG package looks for

OLDEST_WITH_VECTORS: Final = (5, 13)
ENTITY_LABEL: Final = "__Entity__"
VECTOR_INDEX: Final = "paperkg_entity_embeddings"
ENTITY_NAMES: Final = "paperkg_entity_names"
CREATE_VECTOR_INDEX: Final = (
    f"CREATE VECTOR INDEX {VECTOR_INDEX} IF NOT EXISTS FOR (n:`{ENTITY_LABEL}`) ON (n.embedding) "
    "OPTIONS {{indexConfig: {{`vector.dimensions`: {dimensions}, `vector.similarity_function`: 'cosine'}}}}"
)
DROP_VECTOR_INDEX: Final = f"DROP INDEX {VECTOR_INDEX} IF EXISTS"
VECTOR_INDEX_OPTIONS: Final = "SHOW INDEXES YIELD name, options WHERE name = $name RETURN options"
ENTITY_NAMES_INDEX: Final = (
    f"CREATE FULLTEXT INDEX {ENTITY_NAMES} IF NOT EXISTS FOR (n:`{ENTITY_LABEL}`) ON EACH [n.name, n.aliases]"
)
EMBEDDED_STATE: Final = MappingProxyType(
    {
        label: f"MATCH (n:`{label}`:`{ENTITY_LABEL}`) RETURN n.id AS id, n.kg_embedded AS embedded"
        for label in schema.ENTITY_TYPES
    }
)
WRITE_VECTORS: Final = MappingProxyType(
    {
        label: (
            f"UNWIND $rows AS row MATCH (n:`{label}` {{id: row.id}}) "
            f"SET n:`{ENTITY_LABEL}`, n.embedding = row.vector, n.kg_embedded = row.embedded"
        )
        for label in schema.ENTITY_TYPES
    }
)
