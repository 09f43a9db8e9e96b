"""Which reader of entities and relations goes by which name."""

from __future__ import annotations

from functools import cache

from extractors.reading import Reader
from kg.errors import UsageError

#: The default: the best model that is installed, else the rules.
AUTO = "auto"
RULES = "rules"


@cache
def load_reader(name: str = AUTO) -> Reader:
    """Return the reader of a name ("auto", "best", "fast", "rules") or of a trained model's folder.

    Raises:
        UsageError: There is no such reader.
    """
    if name in (AUTO, RULES):
        from extractors.rules import RuleReader

        return RuleReader()
    raise UsageError(f"no reader {name!r}; choose auto, rules or the folder of a trained model")
