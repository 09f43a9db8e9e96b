"""A Neo4j server of one's own: fetched once, started, found again, stopped by its process id."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from kg.errors import MissingExtra, StoreError
from loaders.stores import neo4j_server
from loaders.stores.neo4j_address import Address
from loaders.stores.neo4j_libraries import cache_folder, fetch
from loaders.stores.neo4j_store import Neo4jStore
from tests.bolt_servers import neo4j_address


def test_cache_folder_is_outside_the_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KG_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path / "paperkg" / "neo4j-5.26.20"
    monkeypatch.delenv("KG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/paperkg/neo4j-5.26.20")


def test_fetch_says_what_is_missing_and_uses_what_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match="needs java; install it"):
        fetch(tmp_path / "cache")
    (tmp_path / "cache" / "lib").mkdir(parents=True)
    assert fetch(tmp_path / "cache") == tmp_path / "cache" / "lib"


def test_fetch_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, text in (("java", "exit 0"), ("mvn", "echo '[ERROR] no network' >&2; exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(StoreError, match="no network"):
        fetch(tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_status_and_stop_of_no_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert neo4j_server.main(["status", "--home", str(tmp_path)]) == 1
    assert neo4j_server.main(["stop", "--home", str(tmp_path)]) == 0
    gone = {"pid": 2**22 + 1, "port": 1, "home": str(tmp_path)}
    (tmp_path / "server.json").write_text(json.dumps(gone))
    assert neo4j_server.current(tmp_path) is None
    assert "no server runs" in capsys.readouterr().err


@pytest.mark.neo4j
def test_start_serves_until_stop_and_keeps_its_password_in_a_private_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    neo4j_address()
    home = tmp_path / "home"
    try:
        server = neo4j_server.start(home)
        assert neo4j_server.start(home) == server
        assert neo4j_server.main(["status", "--home", str(home)]) == 0
        shown = capsys.readouterr().out
        assert f"export NEO4J_URI={server.uri} NEO4J_USERNAME=neo4j" in shown
        assert server.password not in shown
        assert re.fullmatch("[0-9a-f]{48}", server.password)  # neo4j-admin takes "-..." for an option
        assert (home / "password").stat().st_mode & 0o777 == 0o600
        with Neo4jStore(Address(server.uri, "neo4j", server.password)) as store:
            assert store.query("RETURN 1 AS x").values == [(1,)]
    finally:
        neo4j_server.stop(home)
    assert neo4j_server.current(home) is None
    with pytest.raises(ProcessLookupError):
        os.kill(server.pid, 0)
