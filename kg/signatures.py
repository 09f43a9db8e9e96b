"""Signatures: what stays of a name when everything that writers vary is taken out, level by level.

Two names of one family with the same signature are one thing; the first level at which they agree is the rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kg.acronyms import Expansions, looks_short, short_key
from kg.naming import compact, is_proper, normal_form, tokens
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
    "visuo": "visual", "posterior": "posteriori",
    "estimator": "estimation", "estimate": "estimation", "deconvolution": "deconvolutional",
    "emotional": "emotion", "recognizer": "recognition",
}  # fmt: skip
#: Pairs and triples of words that are written as one.
_SAME_WORDS: Final = {
    ("spatial", "temporal"): "spatiotemporal", ("min", "max"): "minimax", ("mini", "max"): "minimax",
    ("loss", "function"): "loss", ("activation", "function"): "activation",
    ("objective", "function"): "objective", ("3", "d"): "3d", ("2", "d"): "2d", ("4", "d"): "4d",
    ("3", "dimensional"): "3d", ("2", "dimensional"): "2d",
    ("three", "dimensional"): "3d", ("two", "dimensional"): "2d", ("one", "dimensional"): "1d",
}  # fmt: skip
#: Networks of these kinds are neural whether it is said or not; a Bayesian network is not.
_NEURAL: Final = words("convolutional deep recurrent feedforward pruning quantization compression backpropagation")
_DROPPED: Final = words("and based the a an")
#: What does a thing and what a thing is based on differ: "LLM-based evaluation" is no evaluation of LLMs.
_AGENTS: Final = words("model llm agent human")
#: Head nouns that say no more than the type does; they may go, or stand for one another.
_EMPTY_HEADS: Final = {
    "Data": words("dataset benchmark corpus suite database collection leaderboard"),
    "Metric": words("score metric measure value"),
    "Task": words("task problem system"),
    "Method": words("algorithm method technique approach strategy scheme procedure methodology mechanism"),
}
#: Head nouns that may go only where the rest is a name in the corpus: "Transformer model", but "language model".
_SOFT_HEADS: Final = {"Method": words("model framework architecture optimizer paradigm")}
_ALL_HEADS: Final = _EMPTY_HEADS["Method"] | _SOFT_HEADS["Method"]
#: After these a head noun may be another one, but not go: "zero-shot models" are no "zero-shot".
_ADJECTIVES: Final = words(
    "based shot end driven free wise level loop agnostic aware supervised unsupervised order stage step class scale "
    "modal lingual domain view source specific guided symbolic neural robust parametric nonparametric linear"
)
#: So many words stay at least: "kernel methods" are more than a kernel.
_SHORTEST: Final = 2


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signatures of a name at each level of `LEVELS`, and the last one without a soft head noun ("" for none)."""

    levels: tuple[str, str, str, str]
    without_soft_head: str = ""


def signatures(name: str, form: str, kind: str, readings: Expansions) -> Signatures:
    """Return the signatures of a name; each level takes out more.

    Level 0 joins words, 1 evens word forms, 2 spells out acronyms inside the name, 3 drops empty head nouns.

    Args:
        name: The name as written: its case tells acronyms.
        form: Its normal form.
        kind: The family of its type.
        readings: The dominant long form of each acronym key.

    >>> names = ("multi-object tracking", "multiple object tracking")
    >>> one, other = (signatures(name, normal_form(name), "Task", Expansions({}, {})) for name in names)
    >>> one.levels[0] == other.levels[0], one.levels[1] == other.levels[1]
    (False, True)
    >>> from kg.acronyms import Readings
    >>> readings = Expansions({"LLM": Readings({"large language model": 9})}, {})
    >>> signatures("LLM agents", "llm agent", "Method", readings).levels[2]
    'largelanguagemodelagent'
    """
    evened = _even(form.split())
    expanded = _expanded(name, form, readings)
    full = _even(expanded.split()) if expanded != form else evened
    least = 1 if _begins_proper(name) and kind in ("Data", "Method") else _SHORTEST
    bare = _without(full, _EMPTY_HEADS.get(kind, frozenset()), least)
    soft = _without(bare, _SOFT_HEADS.get(kind, frozenset()), least)
    levels = (_join(form.split()), _join(evened), _join(full), _join(bare))
    return Signatures(levels, _join(soft) if soft != bare and soft[-1] != "learning" else "")


def _begins_proper(name: str) -> bool:
    """Say whether a name of two words is a proper name and a noun: "ImageNet dataset", "Adam optimizer"."""
    first, _, rest = re.sub(r"^(?:the|an?|our) ", "", name).partition(" ")
    return is_proper(first) or (first[:1].isupper() and rest.islower() and " " not in rest)


def _join(parts: list[str]) -> str:
    """Return words as one; two letters stay apart: V_T is a symbol, VT a name."""
    apart = " ".join(parts)
    joined = compact(apart)
    return apart if len(joined) < 3 and joined.isalpha() else joined


def _expanded(name: str, form: str, readings: Expansions) -> str:
    """Return the normal form of a name with the acronyms in it spelled out; a name that is one acronym stays."""
    if sum(map(str.isupper, name)) < 2:
        return form
    pieces = tokens(name)
    if len(pieces) < 2 or not any(looks_short(piece) for piece in pieces):
        return form
    return normal_form(
        " ".join(readings.get(short_key(piece), piece) if looks_short(piece) else piece for piece in pieces)
    )


def _even(parts: list[str]) -> list[str]:
    """Return the words in the forms that stand for all their forms, "rate of convergence" as "convergence rate"."""
    if len(parts) > 1 and parts[-2] in _ADJECTIVES and parts[-1] in _ALL_HEADS:
        parts = [*parts[:-2], f"{parts[-2]} methods"]
    if parts.count("of") == 1 and 0 < parts.index("of") < len(parts) - 1:
        place = parts.index("of")
        parts = parts[place + 1 :] + parts[:place]
    evened: list[str] = []
    for part in parts:
        word = _SAME_WORD.get(part, part)
        before = evened[-1] if evened else ""
        if (before, word) in _SAME_WORDS:
            evened[-1] = _SAME_WORDS[before, word]
        elif before == "multiple":
            evened[-1] = "multi" + word
        elif word not in _DROPPED or (word == "based" and before in _AGENTS):
            evened.append(word)
    if _NEURAL & set(evened):
        evened = [word for word, after in pairwise([*evened, ""]) if (word, after) != ("neural", "network")]
    return evened


def _without(parts: list[str], heads: frozenset[str], shortest: int) -> list[str]:
    while len(parts) > shortest and parts[-1] in heads:
        parts = parts[:-1]
    return parts
