"""Numeric results: what a paper claims to have reached, by which method and metric, on what, against what.

Two judgements, both linear with counted weights (``extractors/training/results.py``): which numbers are results at
all, and to which of the entities and phrases around it a number belongs. Which reader found the entities does not
matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from extractors.linear import load_linear
from extractors.reading import Page
from extractors.scene import Scene
from extractors.ties import ROLES, Option, find_baseline, option_features, options_for
from extractors.values import Value, find_values, value_features
from kg.types import PaperEntity, Result, Span

#: Numbers below this probability are no results; chosen for F1 of the values on the dev papers.
THRESHOLD = 0.45
RESULT, OTHER = "result", "other"
TIED, FREE = "tied", "free"


def find_results(page: Page, entities: Sequence[PaperEntity], *, threshold: float = THRESHOLD) -> tuple[Result, ...]:
    """Return the numeric results of a text, in order; none overlap."""
    scene = Scene(page, entities)
    values = find_values(scene)
    if not values:
        return ()
    model = load_linear("values")
    scores = model.probabilities([list(value_features(scene, value, values)) for value in values])
    chosen = _choose(values, scores[:, model.classes.index(RESULT)].tolist(), threshold)
    return tuple(_result(scene, value, score) for value, score in chosen)


def _choose(values: list[Value], scores: list[float], threshold: float) -> list[tuple[Value, float]]:
    """Keep the probable numbers; of two that overlap, the more probable one."""
    kept: list[tuple[Value, float]] = []
    for value, score in sorted(zip(values, scores, strict=True), key=lambda pair: (-pair[1], pair[0].start)):
        if score >= threshold and not any(o.start < value.end and value.start < o.end for o, _ in kept):
            kept.append((value, score))
    return sorted(kept, key=lambda pair: pair[0].start)


def _result(scene: Scene, value: Value, score: float) -> Result:
    span = Span(value.start, value.end)
    names = {role: best_option(scene, value, role).name for role in ROLES}
    return Result(
        value=value.text,
        span=span,
        raw=scene.page.clean.raw_span(*span),
        sentence=scene.page.sentences[value.sentence],
        baseline=find_baseline(scene, value, taken=frozenset(names.values())),
        score=round(score, 4),
        source=f"results-{load_linear('values').version}",
        **names,
    )


def best_option(scene: Scene, value: Value, role: str) -> Option:
    """Return the most probable method, metric or ``on`` of a number."""
    options = options_for(scene, value, role)
    model = load_linear(f"tie_{role}")
    scores = model.probabilities([list(option_features(scene, value, option, options)) for option in options])
    tied = scores[:, model.classes.index(TIED)].tolist()
    return max(zip(tied, options, strict=True), key=lambda pair: pair[0])[1]
