"""Which reader of entities and relations goes by which name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from extractors.reading import Reader
from kg.errors import MissingExtra, UsageError

#: The best model that is installed, else the rules.
AUTO = "auto"
RULES = "rules"
#: Models that may come with the package, best first: folders below ``_WEIGHTS``.
PROFILES = ("best", "fast")
_WEIGHTS = Path(__file__).parent / "reader" / "weights"
_MODEL_FILE = "config.json"
_NEEDED = ("onnxruntime", "tokenizers")


@cache
def load_reader(name: str = AUTO) -> Reader:
    """Return the reader of a name ("auto", "best", "fast", "rules") or of a trained model's folder.

    Raises:
        UsageError: There is no such reader.
        MissingExtra: A trained model needs onnxruntime, which is not installed.
    """
    if name == AUTO:
        name = next(iter(shipped()), RULES)
    if name == RULES:
        from extractors.rules import RuleReader

        return RuleReader()
    return _trained(model_folder(name))


def shipped() -> list[str]:
    """Return the names of the models that came with the package, best first."""
    return [name for name in PROFILES if (_WEIGHTS / name / _MODEL_FILE).is_file()]


def model_folder(name: str = AUTO) -> Path:
    """Return the folder of a trained model: of a shipped one by its name ("auto" is the best), or the one given.

    Raises:
        UsageError: There is no such model.
    """
    if name == AUTO:
        name = next(iter(shipped()), AUTO)
    if name in shipped():
        return _WEIGHTS / name
    folder = Path(name)
    if not (folder / _MODEL_FILE).is_file():
        known = ", ".join((AUTO, RULES, *shipped()))
        raise UsageError(f"no reader {name!r}; choose one of {known}, or the folder of a trained model")
    return folder


def _trained(folder: Path) -> Reader:
    from importlib.util import find_spec

    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtra(
            f"reading with {folder} needs {' and '.join(missing)}; install it or choose --reader {RULES}"
        )
    from extractors.reader.trained import TrainedReader

    return TrainedReader(folder)
