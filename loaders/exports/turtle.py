"""RDF as Turtle, with the evidence of each edge in the PROV vocabulary. Needs rdflib.

A node ``method:x`` is ``<urn:paperkg:node:method%3Ax>`` of class ``kg:Method``. An edge is stated directly
(``a kg:USED_FOR b``) and described by an ``rdf:Statement`` with its attributes. Each piece of evidence is a
``prov:Entity`` with the sentence as ``prov:value``, quoted from its paper (``prov:wasQuotedFrom``) and found by an
extractor (``prov:wasAttributedTo``). Lists of authors keep their order as RDF lists; other lists are repeated values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from kg.errors import MissingExtra

from .whole import whole_file

if TYPE_CHECKING:
    import networkx as nx

_VOCABULARY: Final = "urn:paperkg:vocabulary:"
_NODE: Final = "urn:paperkg:node:"
_EDGE: Final = "urn:paperkg:edge:"
_SOURCE: Final = "urn:paperkg:extractor:"
#: Lists whose order means something.
_ORDERED: Final = frozenset({"authors"})
#: Lists that are written as repeated values, and read back sorted.
_SETS: Final = frozenset({"aliases", "introduced_in"})
#: The parallel lists of evidence, by the property of one piece.
_EVIDENCE: Final = {
    "evidence_head_starts": "head_start",
    "evidence_head_ends": "head_end",
    "evidence_tail_starts": "tail_start",
    "evidence_tail_ends": "tail_end",
    "evidence_scores": "score",
}


def _rdflib() -> Any:
    try:
        import rdflib
    except ImportError as error:
        raise MissingExtra("RDF needs rdflib; install it with pip install 'paperkg[rdf]'") from error
    return rdflib


def write_turtle(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write the whole graph.

    Raises:
        MissingExtra: when rdflib is not installed.
    """
    rdf = _rdflib()
    triples = rdf.Graph()
    for prefix, namespace in (("kg", _VOCABULARY), ("prov", str(rdf.PROV)), ("rdfs", str(rdf.RDFS))):
        triples.bind(prefix, namespace)
    for node, data in graph.nodes(data=True):
        for triple in _node_triples(rdf, triples, node, data):
            triples.add(triple)
    for number, (head, tail, key, data) in enumerate(graph.edges(keys=True, data=True)):
        for triple in _edge_triples(rdf, f"{_EDGE}{number}", (head, tail, str(key)), data):
            triples.add(triple)
    with whole_file(path) as partial:
        triples.serialize(partial, format="turtle", encoding="utf-8")


def _iri(rdf: Any, prefix: str, text: str) -> Any:
    return rdf.URIRef(prefix + quote(text.encode("utf-8", "replace"), safe=""))


def _term(rdf: Any, name: str) -> Any:
    return rdf.URIRef(_VOCABULARY + name)


def _literal(rdf: Any, value: Any) -> Any:
    if not isinstance(value, str | bool | int | float):
        raise TypeError(f"RDF holds text and numbers, not a {type(value).__name__}")
    return rdf.Literal(value.encode("utf-8", "replace").decode() if isinstance(value, str) else value)


def _node_triples(rdf: Any, triples: Any, node: str, data: Mapping[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    subject = _iri(rdf, _NODE, node)
    yield subject, rdf.RDF.type, _term(rdf, data["label"])
    yield subject, rdf.RDFS.label, _literal(rdf, data["name"])
    for name, value in data.items():
        if name in ("id", "label", "name"):
            continue
        if name in _ORDERED:
            start = rdf.BNode()
            rdf.collection.Collection(triples, start, [_literal(rdf, item) for item in value])
            yield subject, _term(rdf, name), start
        else:
            for item in value if isinstance(value, list) else [value]:
                yield subject, _term(rdf, name), _literal(rdf, item)


def _edge_triples(
    rdf: Any, iri: str, place: tuple[str, str, str], data: Mapping[str, Any]
) -> Iterator[tuple[Any, Any, Any]]:
    statement, (head, tail, key) = rdf.URIRef(iri), place
    ends = (_iri(rdf, _NODE, head), _term(rdf, data["type"]), _iri(rdf, _NODE, tail))
    yield ends
    yield statement, rdf.RDF.type, rdf.RDF.Statement
    for predicate, end in zip((rdf.RDF.subject, rdf.RDF.predicate, rdf.RDF.object), ends, strict=True):
        yield statement, predicate, end
    yield statement, _term(rdf, "edge_key"), _literal(rdf, key)
    for name, value in data.items():
        if name != "type" and not name.startswith("evidence_"):
            yield statement, _term(rdf, name), _literal(rdf, value)
    for at in range(len(data.get("evidence_papers", ()))):
        yield from _evidence_triples(rdf, statement, at, data)


def _evidence_triples(rdf: Any, statement: Any, at: int, data: Mapping[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    evidence = rdf.URIRef(f"{statement}:evidence:{at}")
    yield statement, rdf.PROV.wasDerivedFrom, evidence
    yield evidence, rdf.RDF.type, rdf.PROV.Entity
    yield evidence, rdf.PROV.wasQuotedFrom, _iri(rdf, _NODE, f"paper:{data['evidence_papers'][at]}")
    yield evidence, _term(rdf, "position"), rdf.Literal(at)
    if "evidence_sentences" in data:
        yield evidence, rdf.PROV.value, _literal(rdf, data["evidence_sentences"][at])
    if "evidence_sources" in data:
        yield evidence, rdf.PROV.wasAttributedTo, _iri(rdf, _SOURCE, data["evidence_sources"][at])
    for name, term in _EVIDENCE.items():
        if name in data:
            yield evidence, _term(rdf, term), _literal(rdf, data[name][at])


def read_turtle(path: Path) -> nx.MultiDiGraph:
    """Read a graph that `write_turtle` wrote."""
    import networkx as nx

    rdf = _rdflib()
    triples = rdf.Graph()
    triples.parse(path, format="turtle")
    graph = nx.MultiDiGraph()
    for subject in triples.subjects(rdf.RDFS.label):
        graph.add_node(_name(subject, _NODE), **_node_data(rdf, triples, subject))
    for statement in triples.subjects(rdf.RDF.type, rdf.RDF.Statement):
        head, tail = (_name(triples.value(statement, end), _NODE) for end in (rdf.RDF.subject, rdf.RDF.object))
        data = _edge_data(rdf, triples, statement)
        graph.add_edge(head, tail, key=data.pop("edge_key"), **data)
    return graph


def _name(iri: Any, prefix: str) -> str:
    return unquote(str(iri).removeprefix(prefix))


def _node_data(rdf: Any, triples: Any, subject: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"id": _name(subject, _NODE), "name": str(triples.value(subject, rdf.RDFS.label))}
    for predicate, value in triples.predicate_objects(subject):
        name = str(predicate).removeprefix(_VOCABULARY)
        if predicate == rdf.RDF.type:
            data["label"] = str(value).removeprefix(_VOCABULARY)
        elif name in _SETS:
            data[name] = sorted([*data.get(name, ()), value.toPython()])
        elif name in _ORDERED:
            data[name] = [item.toPython() for item in rdf.collection.Collection(triples, value)]
        elif name != str(predicate) and isinstance(value, rdf.Literal):
            data[name] = value.toPython()
    return data


def _edge_data(rdf: Any, triples: Any, statement: Any) -> dict[str, Any]:
    data = {"type": str(triples.value(statement, rdf.RDF.predicate)).removeprefix(_VOCABULARY)}
    for predicate, value in triples.predicate_objects(statement):
        name = str(predicate).removeprefix(_VOCABULARY)
        if name != str(predicate):
            data[name] = value.toPython()
    pieces = sorted(
        triples.objects(statement, rdf.PROV.wasDerivedFrom),
        key=lambda piece: triples.value(piece, _term(rdf, "position")).toPython(),
    )
    return {**data, **_evidence_data(rdf, triples, pieces)}


def _evidence_data(rdf: Any, triples: Any, pieces: list[Any]) -> dict[str, list[Any]]:
    columns = {
        "evidence_papers": [_name(triples.value(p, rdf.PROV.wasQuotedFrom), _NODE + "paper%3A") for p in pieces],
        "evidence_sentences": [triples.value(piece, rdf.PROV.value) for piece in pieces],
        "evidence_sources": [triples.value(piece, rdf.PROV.wasAttributedTo) for piece in pieces],
        **{name: [triples.value(piece, _term(rdf, term)) for piece in pieces] for name, term in _EVIDENCE.items()},
    }
    present = {name: values for name, values in columns.items() if values and None not in values}
    if "evidence_sources" in present:
        present["evidence_sources"] = [_name(source, _SOURCE) for source in present["evidence_sources"]]
    return {
        name: [value.toPython() if isinstance(value, rdf.Literal) else value for value in values]
        for name, values in present.items()
    }
