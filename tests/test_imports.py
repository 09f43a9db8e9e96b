"""Who may import whom: the rules that keep the parts apart (README, "Map")."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("kg", "extractors", "loaders")
CORE = {"kg.types", "kg.schema", "kg.errors", "kg.config"}
FOR_STORES = CORE | {"kg.graph", "kg.naming", "kg.lookup"}
KNOW_ALL = ("kg.__main__", "kg.cli", "kg.pipeline", "kg.knowledge_graph")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, at its top or within a function; type-checking blocks left out."""
    for node in _live_nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _live_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _live_nodes(child)


def ours(path: Path) -> set[str]:
    modules = {module_name(p) for package in PACKAGES for p in (ROOT / package).rglob("*.py")}
    return {name for name in imports(path) if name in modules}


FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_follow_the_map(path: Path) -> None:
    name = module_name(path)
    seen = ours(path) - {name, "kg"}
    if name.startswith(KNOW_ALL) or name == "kg":
        return
    if name in CORE:
        assert seen <= CORE
    elif name.startswith("kg."):
        assert not {m for m in seen if not m.startswith("kg")}
        assert not {m for m in seen if m.startswith(KNOW_ALL)}
    elif name.startswith(("loaders.stores", "loaders.exports")):
        assert {m for m in seen if m.startswith("kg")} <= FOR_STORES
        assert not {m for m in seen if m.startswith("extractors")}
    else:
        package = name.split(".")[0]
        assert {m for m in seen if m.startswith("kg")} <= CORE
        assert not {m for m in seen if m.split(".")[0] in PACKAGES and m.split(".")[0] not in (package, "kg")}


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("spacy", ("extractors",)),
        ("keybert", ("extractors",)),
        ("onnxruntime", ("extractors",)),
        ("torch", ("extractors.training",)),
        ("pyvis", ("kg.views",)),
        ("arcadedb", ("loaders.stores",)),
        ("neo4j", ("loaders.stores",)),
    ],
)
def test_imports_keep_each_library_at_home(library: str, homes: tuple[str, ...]) -> None:
    strangers = [
        module_name(path)
        for path in FILES
        if any(name.split(".")[0] == library for name in imports(path)) and not module_name(path).startswith(homes)
    ]
    assert strangers == []


def test_imports_of_the_command_line_are_light() -> None:
    heavy = "spacy networkx numpy pyarrow pandas rich jinja2 pyvis arcadedb neo4j keybert sklearn onnxruntime".split()
    code = f"import sys, kg, kg.cli; print([m for m in {heavy!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
