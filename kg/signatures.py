"""Signatures: what stays of a name when everything that writers vary is taken out, level by level.

Two names of one family with the same signature are one thing; the first level at which they agree is the rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.acronyms import looks_short, short_key
from kg.naming import compact, normal_form, tokens
from kg.wordforms import words

JOINED: Final = "joined or split words"
WORD_FORMS: Final = "word forms"
EXPANDED: Final = "acronym inside the name"
HEAD_NOUN: Final = "head noun"
#: The rules in order, with how sure they are (measured on tests/data/name_pairs.tsv: all above 0.97).
LEVELS: Final = ((JOINED, 0.98), (WORD_FORMS, 0.95), (EXPANDED, 0.93), (HEAD_NOUN, 0.9))

#: Words that differ in form and not in what they say, as parts of names.
_SAME_WORD: Final = {
    "net": "network", "nets": "network", "convolution": "convolutional", "computation": "computational",
    "adaption": "adaptation", "contextualized": "contextual", "neuronal": "neural", "position": "positional",
    "continued": "continual", "minorize": "minorization", "majorize": "majorization", "orientated": "oriented",
    "visuo": "visual", "automated": "automatic", "bandits": "bandit", "posterior": "posteriori",
    "estimator": "estimation", "estimate": "estimation", "deconvolution": "deconvolutional",
    "optimiser": "optimizer", "temporally": "temporal", "spatially": "spatial", "emotional": "emotion",
    "recognizer": "recognition", "segmentor": "segmenter", "kernelized": "kernel", "factorized": "factored",
}  # fmt: skip
#: Pairs and triples of words that are written as one.
_SAME_WORDS: Final = {
    ("spatial", "temporal"): "spatiotemporal", ("min", "max"): "minimax", ("mini", "max"): "minimax",
    ("3", "d"): "3d", ("2", "d"): "2d", ("4", "d"): "4d", ("3", "dimensional"): "3d", ("2", "dimensional"): "2d",
    ("three", "dimensional"): "3d", ("two", "dimensional"): "2d", ("one", "dimensional"): "1d",
}  # fmt: skip
#: Networks of these kinds are neural whether it is said or not; a Bayesian network is not.
_NEURAL: Final = words(
    "convolutional deep recurrent feedforward pruning quantization compression backpropagation"
)
_DROPPED: Final = words("and based the a an")
_HEADS: Final = {
    "Data": words("dataset benchmark corpus suite challenge database collection leaderboard"),
    "Metric": words("score metric measure value"),
    "Task": words("task problem system application"),
    "Method": words(
        "algorithm method technique approach framework model architecture strategy mechanism scheme procedure function "
        "optimizer methodology paradigm based"
    ),
}
#: A head noun that is needed: "language model", "support vector machine". These names end with more than a noun.
_SHORTEST: Final = 2


def signature(name: str, kind: str, level: int, readings: Mapping[str, str]) -> str:
    """Return the signature of a name at a level (an index of `LEVELS`); each level takes out more.

    Args:
        name: A name as written: its case tells acronyms.
        kind: The family of its type.
        level: 0 joins words, 1 evens word forms, 2 expands acronyms inside the name, 3 drops empty head nouns.
        readings: The dominant long form of each acronym key.

    >>> signature("multiple-object tracking", "Task", 1, {}) == signature("multi object tracking", "Task", 1, {})
    True
    >>> signature("LLM agents", "Method", 2, {"LLM": "large language model"})
    'largelanguagemodelagent'
    """
    form = _expanded(name, readings) if level >= 2 else normal_form(name)
    parts = form.split()
    if level >= 1:
        parts = _even(parts)
    if level >= 3:
        parts = _without_head(parts, kind, proper=any(char.isupper() or char.isdigit() for char in name[1:]))
    return compact(" ".join(parts))


def _expanded(name: str, readings: Mapping[str, str]) -> str:
    """Return the normal form of a name with the acronyms in it spelled out; a name that is one acronym stays."""
    pieces = tokens(name)
    if len(pieces) < 2:
        return normal_form(name)
    return normal_form(
        " ".join(readings.get(short_key(piece), piece) if looks_short(piece) else piece for piece in pieces)
    )


def _even(parts: list[str]) -> list[str]:
    """Return the words in the forms that stand for all their forms, "rate of convergence" as "convergence rate"."""
    if parts.count("of") == 1 and 0 < parts.index("of") < len(parts) - 1:
        place = parts.index("of")
        parts = parts[place + 1 :] + parts[:place]
    evened: list[str] = []
    for part in parts:
        word = _SAME_WORD.get(part, part)
        if evened and (evened[-1], word) in _SAME_WORDS:
            evened[-1] = _SAME_WORDS[evened[-1], word]
        elif evened and evened[-1] == "multiple":
            evened[-1] = "multi" + word
        elif word not in _DROPPED:
            evened.append(word)
    if _NEURAL & set(evened):
        evened = [
            word
            for word, after in zip(evened, [*evened[1:], ""], strict=True)
            if (word, after) != ("neural", "network")
        ]
    return evened


def _without_head(parts: list[str], kind: str, *, proper: bool) -> list[str]:
    heads = _HEADS.get(kind, frozenset())
    while len(parts) > (1 if proper and kind == "Data" else _SHORTEST) and parts[-1] in heads:
        parts = parts[:-1]
    return parts
