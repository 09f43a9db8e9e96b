"""The libraries of Neo4j Community, fetched by Maven into a cache folder, and how Java runs them.

Neo4j Community is GPL-3 software of its own: nothing of it is part of this package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from kg.errors import MissingExtra, StoreError

VERSION: Final = "5.26.20"
_FETCH_SECONDS: Final = 1800
_DEPENDENCIES: Final = (
    ("org.neo4j.app", "neo4j-server"),
    ("org.neo4j", "neo4j"),
    ("org.neo4j", "neo4j-import-tool"),
)
_POM: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>neo4j-home</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
{dependencies}
</dependencies>
</project>
"""
_DEPENDENCY: Final = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"


def cache_folder() -> Path:
    """Return where the server's libraries are kept: ``$KG_CACHE`` or the user's cache folder."""
    base = os.environ.get("KG_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "paperkg" / f"neo4j-{VERSION}"


def fetch(cache: Path | None = None) -> Path:
    """Return the folder of the server's libraries; fetch them by Maven (116 MB) if they are not there.

    Raises:
        MissingExtra: when Java or Maven is not installed.
        StoreError: when Maven fails.
    """
    folder = (cache or cache_folder()) / "lib"
    if folder.is_dir():
        return folder
    for program, package in (("java", "openjdk-17-jre-headless"), ("mvn", "maven")):
        if not shutil.which(program):
            raise MissingExtra(f"a Neo4j server of your own needs {program}; install it (Debian: {package})")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=folder.parent) as work:
        _copy_dependencies(Path(work))
        (Path(work) / "lib").rename(folder)
    return folder


def _copy_dependencies(work: Path) -> None:
    dependencies = "\n".join(_DEPENDENCY.format(group, name, VERSION) for group, name in _DEPENDENCIES)
    (work / "pom.xml").write_text(_POM.format(dependencies=dependencies), encoding="utf-8")
    command = ["mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib"]
    try:
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=_FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise StoreError(f"Maven did not fetch Neo4j within {_FETCH_SECONDS} seconds") from error
    if done.returncode != 0 or not any((work / "lib").glob("neo4j-*.jar")):
        lines = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line]
        raise StoreError(f"Maven could not fetch Neo4j {VERSION}: {lines[0] if lines else 'no reason given'}")


def java_command(libraries: Path) -> list[str]:
    """Return the beginning of a command that runs a main class of the libraries."""
    opened = ("java.nio", "java.lang", "sun.nio.ch", "java.util.concurrent")
    return [
        "java",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in opened),
        "-cp",
        f"{libraries}/*",
    ]
