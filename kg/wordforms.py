"""English word forms: singulars and American spelling of single words."""

from __future__ import annotations

import re
from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set: how word lists are written down here."""
    return frozenset(text.split())


_IRREGULAR: Final = {
    "matrices": "matrix", "vertices": "vertex", "indices": "index", "analyses": "analysis", "bases": "base",
    "hypotheses": "hypothesis", "criteria": "criterion", "phenomena": "phenomenon", "corpora": "corpus",
    "axes": "axis", "syntheses": "synthesis", "diagnoses": "diagnosis", "theses": "thesis", "crises": "crisis",
    "mice": "mouse", "children": "child", "datasets": "dataset", "data": "data", "media": "media",
    "parentheses": "parenthesis", "ellipses": "ellipsis", "metadata": "metadata", "automata": "automaton",
    "optima": "optimum", "minima": "minimum", "maxima": "maximum", "spectra": "spectrum", "formulae": "formula",
    "nets": "net", "movies": "movie", "cookies": "cookie", "zombies": "zombie", "caches": "cache",
    "leaves": "leaf", "halves": "half", "knives": "knife", "lives": "life", "niches": "niche",
}  # fmt: skip
_UNCHANGED: Final = words(
    "bias alias lens canvas atlas gas series species always across news chaos bayes hawkes stokes gibbs keras texas "
    "plus thus versus various previous continuous christmas pandas mars jeffreys  does has was is "
    "as us this yes perhaps sometimes proceedings  apparatus gauss maths sos"
)
_AMERICAN: Final = {
    "behaviour": "behavior", "behavioural": "behavioral", "colour": "color", "colourization": "colorization",
    "neighbour": "neighbor", "neighbourhood": "neighborhood", "neighbouring": "neighboring", "favour": "favor",
    "labour": "labor", "humour": "humor", "tumour": "tumor", "odour": "odor", "vapour": "vapor", "flavour": "flavor",
    "centre": "center", "centred": "centered", "metre": "meter", "fibre": "fiber", "litre": "liter",
    "theatre": "theater", "calibre": "caliber", "grey": "gray", "greyscale": "grayscale", "defence": "defense",
    "offence": "offense", "licence": "license", "catalogue": "catalog", "dialogue": "dialog", "analogue": "analog",
    "programme": "program", "analyse": "analyze", "analysed": "analyzed", "analyser": "analyzer",
    "catalyse": "catalyze", "paralyse": "paralyze", "modelling": "modeling", "modelled": "modeled",
    "modeller": "modeler", "labelling": "labeling", "labelled": "labeled", "labeller": "labeler",
    "signalling": "signaling", "travelling": "traveling", "traveller": "traveler", "channelled": "channeled",
    "cancelled": "canceled", "cancelling": "canceling", "levelling": "leveling", "tunnelling": "tunneling",
    "fuelled": "fueled", "artefact": "artifact", "aeroplane": "airplane", "judgement": "judgment",
    "ageing": "aging", "plough": "plow", "sceptic": "skeptic", "tyre": "tire", "anaesthesia": "anesthesia",
    "haemorrhage": "hemorrhage", "oesophageal": "esophageal", "paediatric": "pediatric", "orthopaedic": "orthopedic",
    "leukaemia": "leukemia", "anaemia": "anemia", "ischaemic": "ischemic", "gynaecology": "gynecology",
    "colouring": "coloring", "coloured": "colored", "rigour": "rigor", "armour": "armor", "harbour": "harbor",
    "unlabelled": "unlabeled", "mislabelled": "mislabeled", "multicentre": "multicenter", "storey": "story",
}  # fmt: skip
#: Words in -ise and -yse that are no verbs of making: they keep their s.
_KEEP_ISE: Final = words(
    "noise precise concise exercise otherwise wise promise surprise expertise rise raise enterprise premise paradise "
    "franchise merchandise disguise advise advised advising revise revised supervise supervised supervising "
    "unsupervised selfsupervised semisupervised improvise compromise comprise precisely likewise pairwise piecewise "
    "stepwise pointwise elementwise turquoise praise poise bruise cruise treatise devise arise excise demise "
    "televise coordinatewise layerwise tokenwise listwise blockwise denoise denoising denoised noised noising rising "
    "raising arising exercising promising surprising promised raised revising advertise advertising advertised "
    "reprise apprise chastise"
)
_ISE: Final = re.compile(r"^([a-z]{3,})is(e|ed|er|ing|ation|ational|able)$")
_PLURAL_ACRONYM: Final = re.compile(r"^(?=.*[A-Z])[A-Za-z0-9\-+.]*[A-Z0-9]s$")


def singular(word: str) -> str:
    """Return the singular of one word; the case of the rest stays.

    An acronym loses a small s only, so ``LLMs`` is ``LLM`` and ``AIDS`` stays.

    >>> [singular(word) for word in ("models", "LLMs", "AIDS", "matrices", "bias", "studies", "losses", "Bayes")]
    ['model', 'LLM', 'AIDS', 'matrix', 'bias', 'study', 'loss', 'Bayes']
    """
    if _PLURAL_ACRONYM.match(word):
        return word[:-1]
    low = word.casefold()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if len(word) < 4 or not low.endswith("s") or low in _UNCHANGED or word.isupper():
        return word
    return word[: len(word) - _plural_length(low)] + ("y" if low.endswith("ies") and len(low) > 4 else "")


def _plural_length(low: str) -> int:
    """Return how many letters at the end of a word make its plural."""
    if low.endswith(("ss", "us", "is", "ics")):
        return 0
    if low.endswith("ies") and len(low) > 4:
        return 3
    return 2 if low.endswith(("sses", "xes", "ches", "shes", "zzes")) and low != "axes" else 1


def american(word: str) -> str:
    """Return the American spelling of one folded word.

    >>> [american(word) for word in ("optimisation", "noise", "modelling", "behaviour", "unsupervised", "dialogue")]
    ['optimization', 'noise', 'modeling', 'behavior', 'unsupervised', 'dialog']
    """
    if word in _AMERICAN:
        return _AMERICAN[word]
    if word in _KEEP_ISE:
        return word
    match = _ISE.match(word)
    return f"{match[1]}iz{match[2]}" if match else word
