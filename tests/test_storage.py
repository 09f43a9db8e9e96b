"""Graph folders: whole versions, equal bytes for equal papers, and what survives a kill."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.building import Built, Change, apply_change
from kg.errors import GraphBusy, GraphNotFound, UsageError
from kg.graph import build_graph
from kg.pending import open_pending
from kg.pipeline import write_store
from kg.records import decode_extraction, encode
from kg.storage import build_lock, graph_folder, list_graphs, new_version, open_version, prune, write_manifest
from kg.types import Extraction, Paper
from loaders.stores import query
from tests.conftest import ROOT
from tests.graph_papers import sample_papers

PAPERS, EXTRACTIONS = sample_papers()
EDITED = [Paper(paper.id, abstract=paper.abstract + " It is fast.") for paper in PAPERS]


def read(papers: Iterable[Paper]) -> Iterator[Extraction]:
    """Read sample papers; an edited paper reads as empty."""
    known = {extraction.content_hash: extraction for extraction in EXTRACTIONS}
    for paper in papers:
        yield known.get(paper.content_hash) or Extraction(paper.id, paper.content_hash, extractor="given")


def build(folder: Path, papers: Iterable[Paper] = (), **options: object) -> Built:
    return apply_change(folder, Change(papers=list(papers), read=read, extractor="given", **options))  # type: ignore[arg-type]


def tables(folder: Path) -> dict[str, bytes]:
    version = open_version(folder)
    found = {path.name: path.read_bytes() for path in sorted(version.path.glob("*.parquet"))}
    version.close()
    return found


def test_storage_gives_back_the_graph_that_was_built(tmp_path: Path) -> None:
    built = build(tmp_path / "g", PAPERS)
    G, expected = built.version.graph(), build_graph(PAPERS, EXTRACTIONS)
    assert list(G.nodes(data=True)) == list(expected.nodes(data=True))
    assert list(G.edges(keys=True, data=True)) == list(expected.edges(keys=True, data=True))
    assert built.version.papers() == sorted(PAPERS, key=lambda paper: paper.id)
    manifest = built.version.manifest()
    assert manifest["papers"] == 5
    assert manifest["nodes"]["Paper"] == 5
    assert sum(manifest["edges"].values()) == G.number_of_edges()
    assert manifest["dropped"] == {"an end of the relation was dropped": 1, "generic name": 1}


def test_storage_extractions_survive_a_round_trip() -> None:
    for extraction in EXTRACTIONS:
        assert decode_extraction(encode(extraction)) == extraction


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_storage_any_sequence_of_changes_equals_a_clean_build(tmp_path: Path, data: st.DataObject) -> None:
    folder = tmp_path / str(time.monotonic_ns())
    state: dict[str, Paper] = {}
    for _ in range(data.draw(st.integers(1, 5))):
        if len(state) > 1 and data.draw(st.booleans()):
            gone = data.draw(st.lists(st.sampled_from(sorted(state)), min_size=1, max_size=len(state) - 1, unique=True))
            build(folder, removed=gone)
            state = {paper_id: paper for paper_id, paper in state.items() if paper_id not in gone}
        else:
            added = data.draw(st.lists(st.sampled_from([*PAPERS, *EDITED]), min_size=1, unique_by=lambda p: p.id))
            build(folder, added)
            state.update({paper.id: paper for paper in added})
    clean = tmp_path / f"{folder.name}-clean"
    build(clean, data.draw(st.permutations(sorted(state.values(), key=lambda paper: paper.id))))
    assert tables(folder) == tables(clean)


def test_storage_reads_only_what_changed(tmp_path: Path) -> None:
    assert build(tmp_path, PAPERS[:3]).read == 3
    again = build(tmp_path, PAPERS)
    assert (again.read, again.reused) == (2, 3)
    assert build(tmp_path, EDITED[:1]).read == 1
    other = apply_change(tmp_path, Change(papers=(), read=read, extractor="another version", removed=["survey"]))
    assert other.read == 4
    assert build(tmp_path, PAPERS[:1], replace=True).version.manifest()["papers"] == 1


def test_storage_takes_a_changed_record_without_reading_again(tmp_path: Path) -> None:
    build(tmp_path, PAPERS)
    dated = Paper("lantern", abstract=PAPERS[0].abstract, year=2026)
    built = build(tmp_path, [dated])
    assert built.read == 0
    assert built.version.graph().nodes["paper:lantern"]["year"] == 2026


def test_storage_removal_takes_what_only_that_paper_supported(tmp_path: Path) -> None:
    build(tmp_path, PAPERS)
    G = build(tmp_path, removed=["lantern"]).version.graph()
    assert "data:minif 2f" not in G
    assert "paper:lantern" not in G
    assert "method:lantern search" in G
    with pytest.raises(UsageError, match="no paper 'lantern'"):
        build(tmp_path, removed=["lantern"])
    with pytest.raises(UsageError, match="no paper would be left"):
        build(tmp_path, removed=[paper.id for paper in PAPERS[1:]])


def test_storage_failed_build_leaves_the_graph_and_goes_on_later(tmp_path: Path) -> None:
    build(tmp_path, PAPERS[:2])
    before = tables(tmp_path)

    def failing(papers: Iterable[Paper]) -> Iterator[Extraction]:
        yield from list(read(papers))[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply_change(tmp_path, Change(papers=PAPERS, read=failing, extractor="given"))
    assert tables(tmp_path) == before
    built = build(tmp_path, PAPERS)
    assert (built.read, built.reused) == (1, 4)
    assert not (tmp_path / "pending.sqlite").exists()


def test_storage_second_build_says_that_the_graph_is_busy(tmp_path: Path) -> None:
    with build_lock(tmp_path), pytest.raises(GraphBusy, match="another process is building"):
        build(tmp_path, PAPERS)


def test_storage_names_and_missing_graphs(tmp_path: Path) -> None:
    with pytest.raises(GraphNotFound, match=r"no graph 'nothing'.*there is none yet"):
        open_version(tmp_path / "nothing")
    build(graph_folder(tmp_path, "one"), PAPERS[:1])
    assert list_graphs(tmp_path) == ["one"]
    with pytest.raises(GraphNotFound, match="there are: one"):
        open_version(tmp_path / "nothing")
    for name in ("../up", "a/b", "", ".hidden"):
        with pytest.raises(UsageError):
            graph_folder(tmp_path, name)


def test_storage_keeps_a_version_that_is_being_read(tmp_path: Path) -> None:
    build(tmp_path, PAPERS[:1])
    reader = open_version(tmp_path)
    for count in (2, 3, 4):
        build(tmp_path, PAPERS[:count])
    assert reader.graph().number_of_nodes() > 0
    assert [path.name for path in sorted((tmp_path / "versions").iterdir())] == ["000001", "000003", "000004"]
    reader.close()
    prune(tmp_path)
    assert [path.name for path in sorted((tmp_path / "versions").iterdir())] == ["000003", "000004"]


def test_storage_clears_what_a_killed_build_left(tmp_path: Path) -> None:
    build(tmp_path, PAPERS[:1])
    (tmp_path / "versions" / "unfinished-000002").mkdir()
    (tmp_path / "versions" / "000007").mkdir()
    with new_version(tmp_path) as staged:
        assert staged.name == "unfinished-000002"
        write_manifest(staged, open_version(tmp_path).manifest())
    assert open_version(tmp_path).path.name == "000002"


def test_pending_goes_by_content_and_extractor(tmp_path: Path) -> None:
    with open_pending(tmp_path / "pending.sqlite") as pending:
        pending.put(EXTRACTIONS[0], "v1")
        assert pending.get(PAPERS[0], "v1") == EXTRACTIONS[0]
        assert pending.get(PAPERS[0], "v2") is None
        twin = pending.get(Paper("twin", abstract=PAPERS[0].abstract), "v1")
        assert twin is not None
        assert twin.paper_id == "twin"


def test_storage_second_build_waits_for_the_first(tmp_path: Path) -> None:
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with build_lock(tmp_path):
            held.set()
            let_go.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    threading.Timer(0.3, let_go.set).start()
    built = apply_change(tmp_path, Change(papers=PAPERS, read=read, extractor="given"), wait=30)
    holder.join()
    assert built.read == 5


SLOW_READER = """
import sys, time
from pathlib import Path
from kg.building import Change, apply_change
from tests.test_storage import PAPERS, read

def slowly(papers):
    for number, extraction in enumerate(read(papers)):
        if number == 3:
            time.sleep(60)
        yield extraction
        print(number, flush=True)

import kg.pending
kg.pending._COMMIT_EVERY = 0.0
apply_change(Path(sys.argv[1]), Change(papers=PAPERS, read=slowly, extractor="given"))
"""


@pytest.mark.slow
def test_storage_killed_reading_goes_on_where_it_was(tmp_path: Path) -> None:
    reader = subprocess.Popen([sys.executable, "-c", SLOW_READER, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT)
    assert reader.stdout is not None
    for _ in range(3):
        reader.stdout.readline()
    os.kill(reader.pid, signal.SIGKILL)
    reader.wait()
    reader.stdout.close()
    built = build(tmp_path, PAPERS)
    assert (built.read, built.reused) == (2, 3)
    build(tmp_path / "clean", PAPERS)
    assert tables(tmp_path) == tables(tmp_path / "clean")


BUILDER = """
import sys
from pathlib import Path
from kg.building import Change, apply_change
from kg.pipeline import write_store
from tests.test_storage import PAPERS, EDITED, read
folder, turn = Path(sys.argv[1]), 0
while True:
    papers = (PAPERS if turn % 2 else EDITED)[: 2 + turn % 4]
    apply_change(folder, Change(papers=papers, read=read, extractor="given", finish=write_store))
    turn += 1
    print(turn, flush=True)
"""


@pytest.mark.slow
def test_storage_kill_at_any_moment_leaves_a_whole_graph_and_store(tmp_path: Path) -> None:
    folder, moments = tmp_path / "g", random.Random(7)
    build(folder, PAPERS, finish=write_store)
    for _ in range(10):
        builder = subprocess.Popen([sys.executable, "-c", BUILDER, str(folder)], stdout=subprocess.PIPE, cwd=ROOT)
        assert builder.stdout is not None
        builder.stdout.readline()
        time.sleep(moments.uniform(0, 0.4))
        os.kill(builder.pid, signal.SIGKILL)
        builder.wait()
        builder.stdout.close()
        version = open_version(folder)
        G, manifest = version.graph(), version.manifest()
        assert sum(label == "Paper" for _, label in G.nodes(data="label")) == manifest["papers"]
        assert G.number_of_edges() == sum(manifest["edges"].values())
        assert query(version.store, "MATCH (n) RETURN count(n) AS n").values == [(G.number_of_nodes(),)]
        version.close()
    build(folder, PAPERS, replace=True)
    build(tmp_path / "clean", PAPERS)
    assert tables(folder) == tables(tmp_path / "clean")
