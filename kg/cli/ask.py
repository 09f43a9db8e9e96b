"""Commands that read a graph: query, rank, show, stats, schema, merge-report, mentions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli import options
from kg.cli.output import say, write_json, write_rows
from kg.config import QUERY_TIMEOUT, SEED
from kg.errors import UsageError
from kg.schema import ENTITY_TYPES

if TYPE_CHECKING:
    import networkx as nx

MEASURES = ("degree", "pagerank", "betweenness", "closeness", "eigenvector", "core")


@click.command()
@options.graph_name
@click.argument("cypher")
@click.option("--param", "-p", "params", multiple=True, metavar="KEY=VALUE", help="Value of $KEY (JSON, else text).")
@click.option(
    "--timeout", type=click.FloatRange(0.1, 86_400), default=QUERY_TIMEOUT, show_default=True, help="Seconds."
)
@click.option(
    "--to", "target", type=click.Choice(["embedded", "neo4j"]), default="embedded", show_default=True, help="Store."
)
@options.server
@options.form
@options.graphs
def query(
    name: str,
    cypher: str,
    params: Sequence[str],
    timeout: float,
    target: str,
    uri: str | None,
    user: str | None,
    database: str | None,
    form: str,
    graphs: Path,
) -> None:
    """Ask graph NAME in CYPHER (read-only; no server needed)."""
    values = parse_params(params)
    if target == "neo4j":
        from loaders.stores.neo4j_address import address
        from loaders.stores.neo4j_store import Neo4jStore

        with Neo4jStore(address(uri, user, None, database), name) as store:
            rows = store.query(cypher, values, timeout=timeout)
    else:
        from kg.knowledge_graph import load

        rows = load(name, graphs=graphs).rows(cypher, values, timeout=timeout)
    write_rows(rows.columns, rows.values, form=form)


@click.command()
@options.graph_name
@click.option("--by", type=click.Choice(MEASURES), default="pagerank", show_default=True, help="Measure.")
@click.option("--type", "node_type", type=click.Choice(ENTITY_TYPES), help="Only nodes of this type.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Rows.")
@click.option("--sample", type=click.IntRange(1), help="Betweenness from this many sampled nodes.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="Seed of the sample.")
@options.edge_filters
@options.form
@options.graphs
def rank(
    name: str,
    by: str,
    node_type: str | None,
    top: int,
    sample: int | None,
    seed: int,
    min_support: int,
    min_confidence: float,
    form: str,
    graphs: Path,
) -> None:
    """Rank the entities of graph NAME by a centrality."""
    from kg.knowledge_graph import load

    graph = load(name, graphs=graphs)
    ranking = graph.rank(
        by, type=node_type, sample=sample, seed=seed, min_support=min_support, min_confidence=min_confidence
    )
    if form == "table":
        click.echo(f"{by} on {ranking.graph}", err=True)
    if not ranking.edges:
        raise UsageError(f"no edge of {name!r} has support >= {min_support} and confidence >= {min_confidence:g}")
    rows = [(row.name, row.type, round(row.score, 6), row.papers) for row in ranking.rows[:top]]
    write_rows(("name", "type", by, "papers"), rows, form=form)


@click.command()
@options.graph_name
@options.as_json
@options.graphs
def stats(name: str, as_json: bool, graphs: Path) -> None:
    """Count what graph NAME holds and how it was built."""
    from kg.knowledge_graph import load

    facts = load(name, graphs=graphs).stats()
    if as_json:
        write_json(facts)
    else:
        write_rows(("what", "count"), [(key, value) for key, value in flatten(facts)])


@click.command()
@options.graph_name
@options.form
@options.graphs
def schema(name: str, form: str, graphs: Path) -> None:
    """List the labels, relationship types and properties of graph NAME, for writing queries."""
    from kg.knowledge_graph import load
    from kg.lookup import schema_rows

    write_rows(("kind", "name", "count", "properties"), schema_rows(load(name, graphs=graphs).nx), form=form)


@click.command()
@options.graph_name
@click.argument("entity")
@click.option("--to", "other", metavar="ENTITY", help="Only the edges to this one, with every sentence.")
@options.edge_filters
@options.as_json
@options.graphs
def show(
    name: str, entity: str, other: str | None, min_support: int, min_confidence: float, as_json: bool, graphs: Path
) -> None:
    """Show ENTITY of graph NAME: its names, papers, relations and the sentences behind them."""
    from kg.knowledge_graph import load
    from kg.lookup import edges_at, edges_between, find_node

    G = load(name, graphs=graphs).nx
    node = find_node(G, entity)
    if other is None:
        edges = edges_at(G, node, min_support=min_support, min_confidence=min_confidence)
    else:
        edges = edges_between(G, node, find_node(G, other))
        if not edges:
            raise UsageError(
                f"no edge joins {entity!r} and {other!r}; `kg show {name} {entity!r}` lists those there are"
            )
    if as_json:
        write_json({**G.nodes[node], "edges": [_edge_record(G, *edge) for edge in edges]})
    else:
        _print_card(G, node, edges, all_sentences=other is not None)


@click.command("merge-report")
@options.graph_name
@click.option("--top", type=click.IntRange(1), help="The most doubtful of them only.")
@options.form
@options.graphs
def merge_report(name: str, top: int | None, form: str, graphs: Path) -> None:
    """List which names became one in graph NAME, by which rule, the most doubtful first."""
    from kg.knowledge_graph import load

    merges = load(name, graphs=graphs).version.merges()[:top]
    rows = [(row.name, row.other, row.rule, round(row.score, 4), row.papers, row.node) for row in merges]
    write_rows(("name", "other name", "rule", "score", "papers", "node"), rows, form=form)


@click.command()
@options.graph_name
@options.output
@options.quiet
@options.graphs
def mentions(name: str, output: Path, quiet: bool, graphs: Path) -> None:
    """Write which node each surface of each paper of graph NAME stands for, and by which rule (JSON lines)."""
    from kg.cli.assess import write_jsonl
    from kg.knowledge_graph import load

    rows = load(name, graphs=graphs).version.mentions()
    count = write_jsonl((row.record() for row in rows), output)
    say(f"{count} surfaces -> {output}", quiet=quiet)


def parse_params(params: Sequence[str]) -> dict[str, Any]:
    """Read KEY=VALUE pairs; a value that is JSON is taken as such, anything else as text.

    >>> parse_params(["year=2024", "name=FLAG"])
    {'year': 2024, 'name': 'FLAG'}
    """
    pairs = {}
    for param in params:
        key, equals, value = param.partition("=")
        if not equals or not key:
            raise UsageError(f"--param {param!r} is not KEY=VALUE; for $name in the query write --param name=VALUE")
        try:
            pairs[key] = json.loads(value)
        except json.JSONDecodeError:
            pairs[key] = value
    return pairs


def flatten(facts: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return nested counts as (dotted name, value) rows."""
    rows: list[tuple[str, Any]] = []
    for key, value in facts.items():
        name = f"{prefix}{key}"
        rows.extend(flatten(value, f"{name}.") if isinstance(value, dict) else [(name, value)])
    return rows


def _edge_record(G: nx.MultiDiGraph, head: str, tail: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"head": G.nodes[head]["name"], "tail": G.nodes[tail]["name"], **data}


def _print_card(
    G: nx.MultiDiGraph, node: str, edges: Sequence[tuple[str, str, dict[str, Any]]], *, all_sentences: bool
) -> None:
    from kg.lookup import evidence_of

    data = G.nodes[node]
    click.echo(f"{data['name']}  ({data['label']}, {node})")
    for key in ("aliases", "papers", "introduced_in", "year", "venue", "url"):
        if data.get(key):
            value = data[key]
            click.echo(f"  {key}: {', '.join(value) if isinstance(value, list) else value}")
    for head, tail, edge in edges:
        numbers = f"support {edge['support']}, confidence {edge['confidence']:.2f}"
        stated = " ".join(f"{key} {edge[key]!r}" for key in ("metric", "value", "baseline") if edge.get(key))
        arrow = f"-{edge['type']}-> {G.nodes[tail]['name']}" + (f"  {stated}" if stated else "")
        click.echo(f"\n{G.nodes[head]['name']} {arrow}  ({numbers})")
        for evidence in list(evidence_of(edge))[: None if all_sentences else 1]:
            click.echo(f"  [{evidence.paper}] {evidence.sentence}")


COMMANDS = (query, rank, show, stats, schema, merge_report, mentions)
