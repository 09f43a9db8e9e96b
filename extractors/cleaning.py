r"""Raw text to clean text: mark-up, entities and broken lines go, and every character knows where it stood.

The raw span of a marked word holds its marks (`\textbf{FLAG}` for "FLAG"), so a raw slice, cleaned again,
gives the same text. This holds for spans of whole words. It fails where a span starts inside an `*emphasis of
Several Words*` or a `$formula with blanks$` and ends beyond it, for then its raw slice holds half a pair.
"""

from __future__ import annotations

from extractors.edits import Draft
from extractors.markup import RULES
from kg.types import CleanText


def clean(raw: str) -> CleanText:
    r"""Strip mark-up from a title and abstract and keep the way back to the raw text.

    Takes time linear in the length of ``raw`` and never raises. A blank line stays as one blank line, every
    other white space becomes one blank.

    >>> clean(r"\textbf{FLAG} is $\mathcal{O}(n)$ and 10-40\% better").text
    'FLAG is O(n) and 10-40% better'
    >>> cleaned = clean("the **N2M** module")
    >>> cleaned.raw[slice(*cleaned.raw_span(4, 7))]
    '**N2M**'
    """
    draft = Draft(raw, list(range(len(raw))), list(range(1, len(raw) + 1)))
    for rule in RULES:
        draft = draft.edited(rule(draft.text))
    return CleanText(raw, draft.text, tuple(draft.starts), tuple(draft.ends))
