"""How fast pictures open and move in headless Chromium, ours beside plain PyVis on the same graph.

Run ``python -m tests.bench.views [GRAPH]``: with the name of a built graph its real papers are drawn, without one
invented papers are. Prints one row a page.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx

from kg.views import write_view
from kg.views.data import chosen_edges
from kg.views.selection import Choice, select
from tests import view_graphs
from tests.test_views_browser import FLAGS

SIZES = (300, 2000, 10000)
LARGEST_WITH_PHYSICS = 2000
PATIENCE = 40.0
"""Seconds a page may take to show anything: plain PyVis with its default physics never does on a large graph."""

WATCH = """
window.frames_ = []; window.painted = 0;
const fill = CanvasRenderingContext2D.prototype.fill;
CanvasRenderingContext2D.prototype.fill = function (...rest) {
  if (!window.painted) { window.painted = -1; requestAnimationFrame(() => { window.painted = performance.now(); }); }
  return fill.apply(this, rest);
};
let last = 0;
requestAnimationFrame(function tick(now) {
  if (last) frames_.push(now - last);
  last = now;
  requestAnimationFrame(tick);
});
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one page took. Milliseconds; ``under_100`` is the share of frames below 100 ms while moving."""

    page: str
    nodes: int
    edges: int
    megabytes: float
    first_paint: float | None
    median: float | None
    p95: float | None
    under_100: float | None

    def row(self) -> str:
        """Return the figures as a line of a table."""
        times = (self.first_paint, self.median, self.p95)
        told = [f"{time:8.0f} ms" if time is not None else f"   > {PATIENCE:.0f} s " for time in times]
        share = f"{self.under_100:6.1%}" if self.under_100 is not None else "     -"
        size = f"{self.nodes:6d} nodes {self.edges:6d} edges {self.megabytes:5.1f} MB"
        return (
            f"{self.page:24} {size}  first paint {told[0]}  frame median {told[1]}  p95 {told[2]}  under 100 ms {share}"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of every size and page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph", nargs="?", help="name of a built graph")
    parser.add_argument("--graphs", default="graphs", help="folder of graphs")
    options = parser.parse_args(arguments)
    G = _load(options.graph, options.graphs)
    with tempfile.TemporaryDirectory() as folder:
        for figures in measure(G, Path(folder)):
            print(figures.row(), flush=True)


def measure(G: nx.MultiDiGraph, folder: Path) -> Iterator[Figures]:
    """Yield the figures of our page and of plain PyVis for each size that the graph has."""
    for size in SIZES:
        choice = Choice(top=size)
        selection = select(G, choice)
        if len(selection.nodes) < size and size != SIZES[0]:
            break
        index = {node: number for number, node in enumerate(selection.nodes[:size])}
        edges = chosen_edges(G, index, choice)
        ours, plain, still = (folder / f"{name}-{size}.html" for name in ("ours", "plain", "still"))
        write_view(G, ours, top=size)
        yield _drive("kg view", ours, len(index), len(edges))
        still.write_text(plain_pyvis(G, index, edges, physics=False), encoding="utf-8")
        yield _drive("PyVis, physics off", still, len(index), len(edges))
        if size <= LARGEST_WITH_PHYSICS:
            plain.write_text(plain_pyvis(G, index, edges, physics=True), encoding="utf-8")
            yield _drive("PyVis as it comes", plain, len(index), len(edges))


def plain_pyvis(
    G: nx.MultiDiGraph, index: dict[str, int], edges: Sequence[tuple[str, str, dict[str, Any]]], *, physics: bool
) -> str:
    """Return what PyVis writes of the same nodes and edges, as its own documentation shows."""
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="in_line")
    for node, number in index.items():
        net.add_node(number, label=G.nodes[node]["name"], title=G.nodes[node]["label"])
    for head, tail, data in edges:
        net.add_edge(index[head], index[tail], title=data["type"])
    net.toggle_physics(physics)
    return str(net.generate_html())


def _drive(name: str, page: Path, nodes: int, edges: int) -> Figures:
    from playwright.sync_api import Error, sync_playwright

    megabytes = page.stat().st_size / 1e6
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        # Plain PyVis asks a CDN for its styles: here that fails at once instead of hanging.
        tab.route("**/*", lambda r: r.continue_() if r.request.url.startswith("file:") else r.abort())
        tab.add_init_script(WATCH)
        tab.set_default_timeout(PATIENCE * 1000)
        try:
            tab.goto(page.as_uri())
            tab.wait_for_function("window.painted > 0")
            painted = float(tab.evaluate("window.painted"))
            frames = _move(tab)
        except Error:
            return Figures(name, nodes, edges, megabytes, None, None, None, None)
        finally:
            browser.close()
    under = sum(frame < 100 for frame in frames) / len(frames)
    median, p95 = frames[len(frames) // 2], frames[int(len(frames) * 0.95)]
    return Figures(name, nodes, edges, megabytes, painted, median, p95, under)


def _move(tab: Any) -> list[float]:
    """Pan and zoom for some seconds as a person does; return the frame times, shortest first."""
    tab.wait_for_timeout(800)
    tab.evaluate("frames_.length = 0")
    tab.mouse.move(850, 450)
    for direction in (1, -1):
        tab.mouse.down()
        for step in range(40):
            tab.mouse.move(850 + direction * step * 6, 450 + step * 2)
        tab.mouse.up()
    for turn in range(30):
        tab.mouse.wheel(0, -100 if turn < 15 else 100)
        tab.evaluate("new Promise(requestAnimationFrame)")
    return sorted(tab.evaluate("frames_"))


def _load(name: str | None, graphs: str) -> nx.MultiDiGraph:
    if name is None:
        return view_graphs.grown(9000)
    from kg.knowledge_graph import load

    G: nx.MultiDiGraph = load(name, graphs=graphs).nx
    return G


if __name__ == "__main__":
    main()
