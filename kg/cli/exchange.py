"""Commands that hand a graph to other programs: export, load, serve."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli import options
from kg.cli.output import say, write_json

if TYPE_CHECKING:
    from loaders.stores.serving import Served


@click.command()
@options.graph_name
@click.option("--format", "form", required=True, help="What to write; an unknown one lists those there are.")
@click.option("-o", "--output", type=options.FILE, help="File to write.  [default: NAME and the format's ending]")
@options.quiet
@options.graphs
def export(name: str, form: str, output: Path | None, quiet: bool, graphs: Path) -> None:
    """Write graph NAME to a file of another format."""
    from kg.knowledge_graph import load
    from loaders.exports import export_path

    path = load(name, graphs=graphs).export(output or export_path(name, form), form)
    say(str(path), quiet=quiet)


@click.command("load")
@options.graph_name
@click.option(
    "--to", "target", type=click.Choice(["neo4j"]), default="neo4j", show_default=True, help="Kind of server."
)
@click.option(
    "--for-graphrag", is_flag=True, help="Also label entities __Entity__, with embeddings and a vector index."
)
@options.server
@options.quiet
@options.as_json
@options.graphs
def load_server(
    name: str,
    target: str,
    for_graphrag: bool,
    uri: str | None,
    user: str | None,
    database: str | None,
    quiet: bool,
    as_json: bool,
    graphs: Path,
) -> None:
    """Load graph NAME into a Neo4j server; again after a change, and only what changed is written."""
    from dataclasses import asdict

    from kg.cli.output import counter
    from kg.knowledge_graph import load
    from loaders.stores.neo4j_address import address
    from loaders.stores.neo4j_store import Neo4jStore

    G = load(name, graphs=graphs).nx
    place = address(uri, user, None, database)
    total = G.number_of_nodes() + G.number_of_edges()
    with counter("Loading", total=total, quiet=quiet) as advance, Neo4jStore(place, name, advance) as store:
        counts = asdict(store.load(G))
        if for_graphrag:
            from loaders.stores.graphrag import HashedEmbedder, add_vectors

            counts["embedded"] = add_vectors(store, G, HashedEmbedder())
    if as_json:
        write_json(counts)
    else:
        say(f"{place.uri}: " + ", ".join(f"{key.replace('_', ' ')} {n}" for key, n in counts.items()), quiet=quiet)


@click.command()
@options.graph_name
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7687, show_default=True, help="Bolt port; 0: a free one."
)
@click.option("--password", envvar="KG_SERVE_PASSWORD", help="For the user neo4j.  [default: a random one, shown]")
@options.graphs
def serve(name: str, host: str, port: int, password: str | None, graphs: Path) -> None:
    """Share graph NAME over Bolt, read-only, until Ctrl-C; any Neo4j driver can query it."""
    from kg.knowledge_graph import load
    from loaders.stores.serving import serve as share

    chosen = password or secrets.token_hex(12)

    def ready(served: Served) -> None:
        click.echo(f"{served.uri}  user {served.user}  password {'as given' if password else chosen}")

    share(load(name, graphs=graphs).store(), password=chosen, host=host, port=port, ready=ready)


COMMANDS = (export, load_server, serve)
