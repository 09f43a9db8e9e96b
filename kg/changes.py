"""What differs between a version of a graph and the next one: what a store has to change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kg.elements import Edge, Node


@dataclass(frozen=True, slots=True)
class Changes:
    """Nodes and edges that went, and those that came or changed, each sorted.

    To follow, take out ``edges_gone`` (source, target, key), then ``nodes_gone``, put ``nodes``, then ``edges``; what
    is put replaces what has its id, or its source, target and key. Every edge of a node that went is listed.
    ``relabelled`` are the nodes that stay under another label, a Dataset that is a Benchmark now, and ``around`` all
    edges at them. ``old_labels`` and ``labels`` are those of all nodes spoken of, before and after.
    """

    nodes_gone: tuple[str, ...] = ()
    edges_gone: tuple[tuple[str, str, str], ...] = ()
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    relabelled: tuple[str, ...] = ()
    around: tuple[Edge, ...] = ()
    old_labels: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def leaving(self) -> list[tuple[str, str, str]]:
        """Return (source, target, key) of the edges to take out: those that went, and those that changed."""
        names = {*self.edges_gone, *((edge.source, edge.target, edge.key) for edge in self.edges)}
        return sorted(name for name in names if name[0] in self.old_labels and name[1] in self.old_labels)
