"""Write files and folders whole: under another name first, then renamed, so that nobody meets half of one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.errors import UsageError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path to write that replaces ``path`` at the end; if anything fails, ``path`` is left as it was.

    Raises:
        UsageError: when ``path`` is a folder or its folder cannot be written.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file to write")
    partial = _beside(path)
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path, *, mark: str) -> Iterator[Path]:
    """Yield an empty folder that replaces ``path`` at the end; if anything fails, ``path`` is left as it was.

    Args:
        path: the folder to write. It may exist if it is empty or holds the file ``mark``.
        mark: a file that shows that a folder came from here and may be replaced.

    Raises:
        UsageError: when ``path`` holds anything else or its folder cannot be written.
    """
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is a file; name a folder to write")
    if path.is_dir() and any(path.iterdir()) and not (path / mark).is_file():
        raise UsageError(f"{path} holds other files; name a new folder")
    partial, old = _beside(path), _beside(path).with_suffix(".old")
    partial.unlink()
    try:
        partial.mkdir()
        yield partial
        if path.is_dir():
            path.rename(old)
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _beside(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}-", suffix=".partial", dir=path.parent)
    except OSError as error:
        raise UsageError(f"{path.parent} cannot be written: {error.strerror}") from error
    os.close(handle)
    partial = Path(name)
    partial.chmod(0o644)
    return partial
