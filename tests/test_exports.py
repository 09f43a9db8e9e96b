"""Every export holds the whole graph and reads back."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import networkx as nx
import pytest

from kg.errors import InputError, UsageError
from loaders.exports import FORMATS, export, export_path, read_export
from loaders.exports.xml_text import xml_text
from tests.toygraph import toy_graph

READ_BACK = [name for name, form in FORMATS.items() if form.read]


def same(first: nx.MultiDiGraph, second: nx.MultiDiGraph) -> None:
    assert dict(first.nodes(data=True)) == dict(second.nodes(data=True))
    edges = [sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3]) for graph in (first, second)]
    assert edges[0] == edges[1]


@pytest.mark.parametrize("form", READ_BACK)
def test_export_reads_back_equal(tmp_path: Path, form: str) -> None:
    path = export(toy_graph(), tmp_path / export_path("toy", form), form)
    same(read_export(path, form), toy_graph())
    assert [made.name for made in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("form", READ_BACK)
def test_export_of_an_empty_graph_reads_back(tmp_path: Path, form: str) -> None:
    path = export(nx.MultiDiGraph(), tmp_path / export_path("empty", form), form)
    assert read_export(path, form).number_of_nodes() == 0


@pytest.mark.parametrize("form", READ_BACK)
def test_export_of_the_same_graph_gives_the_same_bytes(tmp_path: Path, form: str) -> None:
    paths = [export(toy_graph(), tmp_path / f"{n}{FORMATS[form].ending}", form) for n in "ab"]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_export_csv_to_a_folder_reads_back_and_replaces_only_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    export(toy_graph(), folder, "csv")
    export(toy_graph(), folder, "csv")
    same(read_export(folder, "csv"), toy_graph())
    assert sorted(path.name for path in folder.iterdir()) == ["columns.json", "edges.csv", "nodes.csv"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        export(toy_graph(), other, "csv")
    assert (other / "mine.txt").read_text() == "mine"


def test_export_json_is_read_by_networkx(tmp_path: Path) -> None:
    path = export(toy_graph(), tmp_path / "toy.json", "json")
    read = nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")
    assert read.number_of_edges() == 72
    assert read.edges["method:lamp", "task:mapping", "USED_FOR"]["evidence_papers"] == ["p1", "p2"]


def test_export_graphml_is_read_by_networkx(tmp_path: Path) -> None:
    path = export(toy_graph(), tmp_path / "toy.graphml", "graphml")
    read = nx.read_graphml(path)
    assert read.nodes["method:lamp"]["aliases"] == '["Lamp", "light map"]'
    assert (read.number_of_nodes(), read.number_of_edges()) == (34, 72)


def test_export_gexf_shows_names_and_weighs_edges_by_support(tmp_path: Path) -> None:
    read = nx.read_gexf(export(toy_graph(), tmp_path / "toy.gexf", "gexf"))
    assert read.nodes["method:lamp"]["label"] == "LAMP"
    assert read.nodes["method:lamp"]["node_label"] == "Method"
    assert read.edges["method:lamp", "task:mapping", "USED_FOR"]["weight"] == 2.0


def test_export_csv_zip_holds_three_files(tmp_path: Path) -> None:
    path = export(toy_graph(), tmp_path / "toy.zip", "csv")
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["columns.json", "nodes.csv", "edges.csv"]
        assert archive.read("edges.csv").decode().startswith("source,target,key,baseline,") is False
        assert archive.read("nodes.csv").decode().startswith("id,aliases,arxiv_id,authors,doi,")


@pytest.mark.parametrize("form", READ_BACK)
def test_export_that_fails_leaves_the_old_file(tmp_path: Path, form: str) -> None:
    path = export(toy_graph(), tmp_path / f"toy{FORMATS[form].ending}", form)
    before = path.read_bytes()
    broken = toy_graph()
    broken.nodes["task:sorting"]["papers"] = {"a": {1}}
    with pytest.raises(TypeError):
        export(broken, path, form)
    assert path.read_bytes() == before
    assert [made.name for made in tmp_path.iterdir()] == [path.name]


def test_export_takes_text_that_its_format_cannot_hold(tmp_path: Path) -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("method:x", id="method:x", label="Method", name="a\x00b\ud800c\ufffe")
    for form, name in {
        "json": "a\x00b\ud800c\ufffe",
        "graphml": "a\ufffdb\ufffdc\ufffd",
        "csv": "a\x00b?c\ufffe",
    }.items():
        path = export(graph, tmp_path / f"odd{FORMATS[form].ending}", form)
        assert read_export(path, form).nodes["method:x"]["name"] == name


def test_export_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose one of json, graphml"):
        export(toy_graph(), tmp_path / "x", "dot")
    with pytest.raises(UsageError, match="is a folder"):
        export(toy_graph(), tmp_path, "json")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot be written"):
        export(toy_graph(), tmp_path / "file" / "x.json", "json")
    for form in READ_BACK:
        with pytest.raises(InputError, match=f"is not a {form} export"):
            read_export(tmp_path / "file", form)
    with pytest.raises(InputError, match="is not a json export"):
        read_export(tmp_path / "missing.json", "json")


def test_xml_text_escapes_what_a_parser_would_change() -> None:
    assert xml_text("a\r\n'b'") == "a&#13;&#10;'b'"
