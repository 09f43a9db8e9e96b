"""Numeric results: what a paper claims to have reached, by which method and metric, on what, against what.

Two judgements, both linear with counted weights (``extractors/training/results.py``): which numbers are results at
all, and to which of the entities and phrases around it a number belongs. Which reader found the entities does not
matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from extractors.linear import Floats, load_linear
from extractors.questions import ROLES, Question
from extractors.reading import AnswerScores, Page
from extractors.scene import Scene
from extractors.ties import find_baseline, option_features
from extractors.values import Value, find_values, value_features
from extractors.words import content_words, nearly_same
from kg.types import PaperEntity, Relation, Result, Span

#: Numbers below this probability are no results; chosen for F1 of the values on the dev papers.
THRESHOLD = 0.35
#: Words before the number of a baseline, and within how many words of it they stand.
_COMPARING, _CLOSE = frozenset(("against", "versus", "vs", "compared", "baseline")), 3
_CONTRAST, _REACH = frozenset(("whereas",)), 6
#: Words between a result and the number of its baseline.
_NEAR = 15
RESULT, OTHER = "result", "other"


def find_results(
    page: Page,
    entities: Sequence[PaperEntity],
    relations: Sequence[Relation] = (),
    *,
    answers: AnswerScores | None = None,
    threshold: float = THRESHOLD,
) -> tuple[Result, ...]:
    """Return the numeric results of a text, in order; none overlap."""
    scene = Scene(page, entities, relations)
    groups = find_values(scene)
    return tuple(result for values in groups for result in _of_sentence(scene, values, answers, threshold))


def _of_sentence(scene: Scene, values: list[Value], answers: AnswerScores | None, threshold: float) -> Iterator[Result]:
    model = load_linear("values")
    scores = model.probabilities([list(value_features(scene, value, values)) for value in values])
    chosen = _choose(values, scores[:, model.classes.index(RESULT)].tolist(), threshold)
    results: list[tuple[Value, float]] = []
    baselines: dict[Value, str] = {}
    for value, score in chosen:
        compared = _compared(scene, value)
        if compared and results and value.first - results[-1][0].last <= _NEAR:
            baselines.setdefault(results[-1][0], compared)
        else:
            results.append((value, score))
    told = [value for value, _ in results]
    for value, score in results:
        names = likeliest_names(scene, value, told, answers)
        yield _result(scene, value, score, names, baseline=baselines.get(value, ""))


def _compared(scene: Scene, value: Value) -> str:
    """Return the words from "whereas" or "compared to" up to a number that only tells a baseline, else ""."""
    words = scene.words[value.sentence]
    for offset in range(1, _REACH + 1):
        word = scene.word(value.sentence, value.first - offset)
        if word in _CONTRAST or (word in _COMPARING and offset <= _CLOSE):
            return scene.page.clean.text[words[value.first - offset + 1].start : value.end].removeprefix("to ")
    return ""


def _choose(values: list[Value], scores: list[float], threshold: float) -> list[tuple[Value, float]]:
    """Keep the probable numbers; of two that overlap, the more probable one."""
    kept: list[tuple[Value, float]] = []
    for value, score in sorted(zip(values, scores, strict=True), key=lambda pair: (-pair[1], pair[0].start)):
        if score >= threshold and not any(o.start < value.end and value.start < o.end for o, _ in kept):
            kept.append((value, score))
    return sorted(kept, key=lambda pair: pair[0].start)


def _result(scene: Scene, value: Value, score: float, names: dict[str, str], *, baseline: str) -> Result:
    span = Span(value.start, value.end)
    return Result(
        value=value.text,
        span=span,
        raw=scene.page.clean.raw_span(*span),
        sentence=scene.page.sentences[value.sentence],
        baseline=baseline or find_baseline(scene, value, taken=frozenset(names.values())),
        score=round(score, 4),
        source=f"results-{load_linear('values').version}",
        **names,
    )


def likeliest_names(scene: Scene, value: Value, told: Sequence[Value], answers: AnswerScores | None) -> dict[str, str]:
    """Return role -> the most probable answer; ``told`` are the results of the number's sentence."""
    questions = [Question(scene, value, role, told) for role in ROLES]
    scores: Sequence[Floats] = [counted_scores(question) for question in questions]
    if answers:
        scores = answers.rescored(questions, scores)
    options = {question.role: [option.name for option in question.options] for question in questions}
    return {role: names[most_agreed(names, odds)] for (role, names), odds in zip(options.items(), scores, strict=True)}


def counted_scores(question: Question) -> Floats:
    """Return the log-odds of the options by the counted weights, shape (options,)."""
    model = load_linear(f"tie_{question.role}")
    return model.scores([list(option_features(question, option)) for option in question.options])[:, 0]


def most_agreed(names: Sequence[str], scores: Floats) -> int:
    """Return the number of the most probable name; what says nearly the same in other words counts for it.

    ``scores`` are log-odds, shape (names,).

    >>> most_agreed(("Zebra", "hoof test set", "hoof set"), np.array([1.0, 0.9, 0.8], np.float32))
    1

    References:
        Kumar and Byrne, 2004: Minimum Bayes-Risk Decoding for Statistical Machine Translation.
    """
    probable = np.exp(scores - scores.max())
    words = [content_words(name) for name in names]
    alike = np.array([[nearly_same(a, b) for b in words] for a in words], dtype=np.float32)
    # of names that say the same the most probable one
    return int((alike @ probable + 1e-6 * probable).argmax())
