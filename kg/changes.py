"""What differs between a version of a graph and the next one: what a store has to change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg.elements import Assembly, Edge, Node
from kg.tables import read_digests, read_labels


@dataclass(frozen=True, slots=True)
class Changes:
    """Nodes and edges that went, and those that came or changed, each sorted.

    To follow, take out ``edges_gone`` (source, target, key), then ``nodes_gone``, put ``nodes``, then ``edges``; what
    is put replaces what has its id, or its source, target and key. Every edge of a node that went is listed.
    ``relabelled`` are the nodes that stay under another label: a Dataset that is a Benchmark now.
    """

    nodes_gone: tuple[str, ...]
    edges_gone: tuple[tuple[str, str, str], ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    relabelled: tuple[str, ...] = ()

    @property
    def touched(self) -> tuple[str, ...]:
        """The nodes that are there and changed, or have an edge that changed, came or went; sorted."""
        ends = {end for edge in self.edges for end in (edge.source, edge.target)}
        ends.update(end for source, target, _ in self.edges_gone for end in (source, target))
        ends.update(node.id for node in self.nodes)
        return tuple(sorted(ends.difference(self.nodes_gone)))


def changes_since(folder: Path, assembly: Assembly) -> Changes:
    """Return what has changed since the version in a folder."""
    old_nodes, old_edges = read_digests(folder)
    labels = read_labels(folder)
    node_ids = {node.id for node in assembly.nodes}
    edge_names = {(edge.source, edge.target, edge.key) for edge in assembly.edges}
    return Changes(
        nodes_gone=tuple(sorted(old_nodes.keys() - node_ids)),
        edges_gone=tuple(sorted(old_edges.keys() - edge_names)),
        nodes=tuple(node for node in assembly.nodes if old_nodes.get(node.id) != node.digest),
        edges=tuple(
            edge for edge in assembly.edges if old_edges.get((edge.source, edge.target, edge.key)) != edge.digest
        ),
        relabelled=tuple(
            node.id
            for node in assembly.nodes
            if labels.get(node.id, node.attributes["label"]) != node.attributes["label"]
        ),
    )
