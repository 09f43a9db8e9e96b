"""The bulk files for Neo4j go into a real server as they are, and later loads go on from there."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import MissingExtra, UsageError
from loaders.exports import export, read_export
from loaders.exports.neo4j_admin import import_arguments
from loaders.stores import neo4j_server
from loaders.stores.neo4j_address import Address
from loaders.stores.neo4j_store import Neo4jStore
from tests.bolt_servers import neo4j_address
from tests.test_stores_neo4j import expected, held
from tests.toygraph import toy_graph


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder for a server of our own; skips where there is no Neo4j, Java or Maven."""
    neo4j_address()
    try:
        neo4j_server.fetch()
    except MissingExtra as error:
        pytest.skip(str(error))
    yield tmp_path / "home"
    neo4j_server.stop(tmp_path / "home")


@pytest.mark.neo4j
def test_neo4j_admin_export_is_imported_by_a_real_server(home: Path, tmp_path: Path) -> None:
    graph = toy_graph()
    folder = export(graph, tmp_path / "files", "neo4j-admin", name="toy")
    report = f"--report-file={tmp_path / 'import.report'}"
    neo4j_server.admin(home, ["database", "import", "full", "neo4j", report, *import_arguments(folder)])
    server = neo4j_server.start(home)
    with Neo4jStore(Address(server.uri, "neo4j", server.password), "toy") as store:
        for statement in (folder / "indexes.cypher").read_text().split(";\n")[:-1]:
            store.run(statement, {})
        assert held(store) == expected(graph)
        counts = store.load(graph)
        assert (counts.nodes, counts.edges, counts.nodes_written, counts.edges_written) == (34, 72, 0, 0)


def test_neo4j_admin_export_writes_files_and_the_command(tmp_path: Path) -> None:
    folder = export(toy_graph(), tmp_path / "toy", "neo4j-admin")
    header = (folder / "Paper-header.csv").read_text()
    assert header.startswith("id:ID(Paper),arxiv_id:string,authors:string[],doi:string,kg_graph:string,kg_hash:string,")
    header = (folder / "Method-USED_FOR-Task-header.csv").read_text()
    assert header.startswith(":START_ID(Method),:END_ID(Task),confidence:double,evidence_head_ends:long[],")
    assert import_arguments(folder)[:2] == ["--array-delimiter=U+001F", "--multiline-fields=true"]
    files = [argument.rpartition("=")[2].split(",") for argument in import_arguments(folder) if ".csv" in argument]
    assert [str(folder / f"Method-USED_FOR-Task{end}.csv") for end in ("-header", "")] in files
    assert sorted(name for pair in files for name in pair) == sorted(map(str, folder.glob("*.csv")))
    with pytest.raises(UsageError, match="choose json"):
        read_export(folder, "neo4j-admin")


def test_neo4j_admin_command_passes_the_files_on(tmp_path: Path) -> None:
    folder = export(toy_graph(), tmp_path / "a folder", "neo4j-admin")
    fake = tmp_path / "admin"
    fake.write_text('#!/bin/sh\nfor a in "$@"; do echo "$a"; done\npwd\n')
    fake.chmod(0o755)
    command = [folder / "import.sh", "papers"]
    shown = subprocess.run(command, env={"NEO4J_ADMIN": str(fake)}, capture_output=True, text=True, check=True)
    lines = shown.stdout.splitlines()
    given = [argument.replace(f"{folder}/", "") for argument in import_arguments(folder)]
    assert lines == ["database", "import", "full", "papers", *given, str(folder)]
