"""Normal forms: which names are written differently and mean the same.

All functions are pure and know nothing of a corpus. A normal form folds case, hyphens, quotes, accents, LaTeX
leftovers, Greek letters, plurals and British spelling, and keeps what tells versions apart: GPT-4 is not GPT-4o.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from kg.wordforms import american, singular, words

_GREEK: Final = {
    letter: name
    for name, letters in {
        "alpha": "αΑ", "beta": "βΒϐ", "gamma": "γΓ", "delta": "δΔ", "epsilon": "εΕϵ", "zeta": "ζΖ", "eta": "ηΗ",
        "theta": "θΘϑ", "iota": "ιΙ", "kappa": "κΚϰ", "lambda": "λΛ", "mu": "μΜµ", "nu": "νΝ", "xi": "ξΞ",
        "pi": "πΠ", "rho": "ρΡϱ", "sigma": "σΣς", "tau": "τΤ", "upsilon": "υΥ", "phi": "φΦϕ", "chi": "χΧ",
        "psi": "ψΨ", "omega": "ωΩ",
    }.items()
    for letter in letters
}  # fmt: skip
_PUNCTUATION: Final = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("‘’ʼ´`", "'"),
        **dict.fromkeys("“”„«»", '"'),
        "ı": "i", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "×": "x", "&": " and ", "’": "'",
    }
)  # fmt: skip
_LATEX_WRAPPER: Final = re.compile(r"\\[a-zA-Z]+\*?\s*\{([^{}]*)\}")
_LATEX_COMMAND: Final = re.compile(r"\\([a-zA-Z]+)\s?")
_MARKS: Final = re.compile(r"[$*_^{}\\\"~]+")
_POSSESSIVE: Final = re.compile(r"'s\b")
#: What `plain` has anything to do for: LaTeX, ampersands, fancy quotes and all that is not ASCII.
_SPECIAL: Final = re.compile(r"[\\$&`´]|[^\x00-\x7f]")
_PROPER: Final = re.compile(r"(?<=\w)[A-Z]|\d")
_SPACE: Final = re.compile(r"(?<!\d) | (?!\d)")
_TOKEN: Final = re.compile(r"[^\W_]+(?:\.\d+)*(?:\+\+|\+|#|\*(?=$|\W))?")
_VERSION_MARK: Final = re.compile(r"(?<=[A-Za-z]{2})(?=[vV]\d)")
_BEFORE_DIGIT: Final = re.compile(r"(?<=[A-Za-z]{2})(?<!\b[vV])(?=\d)")
_DETERMINERS: Final = frozenset({"the", "a", "an", "our", "this", "these", "its", "their"})
#: Prefixes that are written joined, with a hyphen or apart, and mean the same each way.
_PREFIXES: Final = words(
    "pre post multi semi non anti sub super hyper inter intra bi tri uni auto un re de pseudo quasi ultra micro macro "
    "meta co mis over under spatio neuro bio geo hetero homo mono poly trans counter fore out fine"
)
#: Words that a prefix must not swallow: "fine" joins tuning only, "meta learning" is written apart by many.
_JOINED_ONLY: Final = {
    "fine": frozenset({"tuning", "tune", "tuned", "grained"}),
    "co": frozenset({"training"}),
}


def plain(name: str) -> str:
    r"""Return a name without LaTeX leftovers, accents, fancy dashes and a last quote; case and words stay.

    >>> plain(r"$\tau$-bench"), plain("\\textbf{FLAG}"), plain("Fréchet–Inception"), plain("LLMs’")
    ('tau-bench', 'FLAG', 'Frechet-Inception', 'LLMs')
    """
    if not _SPECIAL.search(name):
        return " ".join(name.split()).rstrip("'")
    text = name
    while True:
        unwrapped = _LATEX_WRAPPER.sub(r"\1", text)
        if unwrapped == text:
            break
        text = unwrapped
    text = _LATEX_COMMAND.sub(r"\1", text.translate(_PUNCTUATION))
    text = unicodedata.normalize("NFKD", text)
    text = "".join(_GREEK.get(char, char) for char in text if not unicodedata.combining(char))
    return " ".join(text.translate(_PUNCTUATION).replace("$", "").split()).rstrip("'")


def tokens(name: str) -> list[str]:
    """Return the words of a name as written, split at hyphens and before version numbers.

    >>> tokens("LLM-based agents"), tokens("YOLOv5")
    (['LLM', 'based', 'agents'], ['YOLO', 'v5'])
    """
    text = _POSSESSIVE.sub("", plain(name))
    text = _MARKS.sub(" ", re.sub(r"(?<=\w)\*(?=\s|$|-)", "\u2217", text)).replace("\u2217", "*")
    text = _VERSION_MARK.sub(" ", text)
    return _TOKEN.findall(_BEFORE_DIGIT.sub(" ", text))


def _join_prefixes(parts: list[str]) -> list[str]:
    joined: list[str] = []
    for word in parts:
        prefix = joined[-1] if joined else ""
        allowed = _JOINED_ONLY.get(prefix)
        if prefix in _PREFIXES and word.isalpha() and len(word) > 2 and (allowed is None or word in allowed):
            joined[-1] = prefix + word
        else:
            joined.append(word)
    return joined


@lru_cache(maxsize=1 << 19)
def normal_form(name: str) -> str:
    r"""Return the form under which spellings of one name are equal; "" when nothing nameable is left.

    Every word is made singular and American; ``ResNet50`` and ``ResNet-50`` agree, ``GPT-4`` and ``GPT-4o`` do not.

    >>> normal_form("the Large-Language Models"), normal_form("ResNet50"), normal_form("ResNet-50")
    ('large language model', 'resnet 50', 'resnet 50')
    >>> normal_form("GPT-4o"), normal_form("GPT-4"), normal_form("Llama3.1-8B")
    ('gpt 4o', 'gpt 4', 'llama 3.1 8b')
    >>> normal_form("Pre-Training"), normal_form("pretraining"), normal_form("multi-modal optimisation")
    ('pretraining', 'pretraining', 'multimodal optimization')
    >>> normal_form("k-means"), normal_form("LLMs"), normal_form("β-VAE"), normal_form(r"$\beta$-VAE")
    ('k mean', 'llm', 'beta vae', 'beta vae')
    """
    pieces = tokens(name)
    shouting = sum(len(token) > 3 and token.isupper() for token in pieces) > 1
    parts = [american(singular(token.lower() if shouting else token).casefold()) for token in pieces]
    while len(parts) > 1 and parts[0] in _DETERMINERS:
        parts = parts[1:]
    return " ".join(_join_prefixes(parts))


def compact(form: str) -> str:
    """Return a normal form without spaces, but for those between digits: forms that join words differently agree.

    >>> compact("k mean") == compact("kmean"), compact("cifar 10 100"), compact("gpt 4 1") == compact("gpt 41")
    (True, 'cifar10 100', False)
    """
    return _SPACE.sub("", form)


def is_proper(name: str) -> bool:
    """Say whether a name is written like a proper name: a capital inside a word, a digit, or all capitals.

    >>> [is_proper(name) for name in ("ImageNet", "GPT-4", "RL", "Image classification", "Adam")]
    [True, True, True, False, False]
    """
    return bool(_PROPER.search(name))
