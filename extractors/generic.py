"""Phrases that name nothing in particular and so are never entities or topics."""

from __future__ import annotations

_NOUNS = frozenset(
    (
        "algorithm",
        "algorithms",
        "analysis",
        "application",
        "applications",
        "approach",
        "approaches",
        "architecture",
        "baseline",
        "baselines",
        "benchmark",
        "benchmarks",
        "code",
        "data",
        "dataset",
        "datasets",
        "domain",
        "domains",
        "evaluation",
        "experiment",
        "experiments",
        "framework",
        "frameworks",
        "learning",
        "loss",
        "mechanism",
        "method",
        "methods",
        "metric",
        "metrics",
        "model",
        "models",
        "module",
        "network",
        "networks",
        "paper",
        "performance",
        "problem",
        "problems",
        "result",
        "results",
        "setting",
        "settings",
        "sota",
        "state-of-the-art",
        "strategy",
        "system",
        "systems",
        "task",
        "tasks",
        "technique",
        "techniques",
        "training",
        "work",
    )
)
_PRAISE = frozenset(
    (
        "different",
        "effective",
        "efficient",
        "existing",
        "five",
        "four",
        "general",
        "large",
        "many",
        "multiple",
        "new",
        "novel",
        "other",
        "our",
        "previous",
        "proposed",
        "public",
        "real",
        "several",
        "simple",
        "small",
        "standard",
        "such",
        "three",
        "two",
        "unified",
        "various",
    )
)


def is_generic(form: str) -> bool:
    """Say whether a phrase names nothing in particular.

    >>> is_generic("our method"), is_generic("three benchmark datasets"), is_generic("diffusion model")
    (True, True, False)
    """
    words = [word.removesuffix("s") if word.removesuffix("s") in _NOUNS else word for word in form.split(" ")]
    return all(word in _NOUNS or word in _PRAISE or word.isdigit() for word in words)
