"""Names that name nothing: "our method", "experiments", "the proposed framework"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from kg.naming import normal_form, plain
from kg.wordforms import words

#: Nouns that by themselves, or with empty words before them, name no particular thing.
_NOUNS: Final = words(
    """
    model framework method approach experiment benchmark dataset algorithm system task technique strategy mechanism
    baseline metric measure procedure process solution tool toolkit pipeline architecture module component network
    paper work study analysis result evaluation performance problem application scenario setting domain field data
    corpus collection resource sample example instance input output feature parameter hyperparameter layer block
    learner agent user human people author researcher community theory concept idea principle paradigm scheme
    formulation objective function variable value code implementation library package software platform
    test testset set subset split training testing design structure representation information knowledge property
    condition assumption theorem lemma proof case factor effect challenge issue question answer goal aim purpose
    contribution insight finding improvement gain advantage limitation state literature survey review score number
    percentage scale type kind class category level step stage phase part aspect way manner counterpart competitor
    alternative variant version extension family line suite environment world prior research science technology
    engineering methodology practice experience ability capability setup protocol criterion standard core
    classifier controller detector estimator planner predictor regressor solver tracker
    """
)
#: The emptiest nouns: two of them together still name nothing ("benchmark dataset", "evaluation protocol").
_EMPTIEST: Final = words(
    """
    model framework method approach experiment benchmark dataset algorithm system task technique strategy baseline
    data evaluation performance result application problem setting scenario example study metric training test
    learning case experimental analysis pipeline procedure process protocol module environment instance sample
    improvement gain comparison simulation stage step phase
    """
)
#: Words that add nothing to a generic noun.
_EMPTY: Final = words(
    """
    the a an our this that these those its their such any some all each every other another same own
    proposed novel new existing current previous prior recent traditional conventional classical classic standard
    simple general generic specific particular different various several many multiple numerous diverse
    state of art sota best better good strong powerful effective efficient popular common main major
    extensive comprehensive empirical experimental theoretical numerical quantitative qualitative
    real world synthetic public publicly available large small first second third one two three four five six
    overall final full complete entire resulting corresponding underlying related seven eight nine ten dozen
    introduced presented suggested considered given original improved advanced modern sophisticated
    challenging complex important key basic research scientific technical scale
    in on for and with to from by as we it they which more most less very highly widely used
    """
)
#: Names that the rules above would drop and that papers use for a thing of its own.
_ALLOWED: Final = frozenset(
    {"synthetic data", "metric learning", "multiple instance learning", "large scale learning",
     "model learning", "task learning", "two sample test",
     "two sample testing", "scientific research", "scientific knowledge", "world model", "world knowledge",
     "state estimation", "learning theory", "large model", "general state", "prior knowledge", "experimental design",
     "real analysis", "common knowledge", "process model",
     "scientific software", "state representation", "public knowledge", "value function"}
)  # fmt: skip
_PRONOUN: Final = re.compile(r"^(?:it|we|they|this|that|these|those|which|who|he|she|i|you|here|there|ours|them|us)$")
_MAX_WORDS: Final = 14
_MAX_LENGTH: Final = 140


@lru_cache(maxsize=1 << 18)
def why_not_a_name(name: str) -> str:
    """Return the reason why a name can be no node, or "".

    >>> why_not_a_name("our proposed method"), why_not_a_name("experiments"), why_not_a_name("contrastive learning")
    ('generic name', 'generic name', '')
    >>> why_not_a_name("###"), why_not_a_name("they")
    ('name without letters', 'pronoun')
    """
    form = normal_form(name)
    parts = form.split()
    if not any(char.isalpha() for char in form):
        return "name without letters"
    if len(form) == 1:
        return "single letter"
    if len(parts) > _MAX_WORDS or len(form) > _MAX_LENGTH:
        return "name too long"
    if _PRONOUN.match(form):
        return "pronoun"
    if "http" in name or "www." in name:
        return "web address"
    return "generic name" if _is_generic(parts, plain(name)) else ""


def _is_generic(parts: list[str], surface: str) -> bool:
    if " ".join(parts) in _ALLOWED or _has_inner_capital(surface):
        return False
    rest = [word for word in parts if word not in _EMPTY and not word.isdigit()]
    if len(rest) < 2:
        return not rest or rest[0] in _NOUNS
    return len(rest) == 2 and all(word in _EMPTIEST for word in rest)


def _has_inner_capital(surface: str) -> bool:
    """Return whether a word is written as a proper name: RESULT and DataComp may be systems, Results is not."""
    parts = surface.split()
    if len(parts) == 1 and surface.isupper():
        return len(surface) < 12
    inner = any(any(char.isupper() for char in part[1:]) for part in parts)
    return inner and not all(part.isupper() for part in parts if len(part) > 3)
