"""Papers in a JSON value, whoever wrote it: the dialect is told by the keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from loaders.papers import arxiv, europe_pmc, openalex, openreview, semantic_scholar
from loaders.papers.fields import is_given, paper_from
from loaders.papers.names import venue_id_of
from loaders.papers.records import Faulty, Found, Record

#: Keys under which services and programs keep their list of papers.
LIST_KEYS: Final = (
    *(
        "notes",
        "results",
        "result",
        "data",
        "papers",
        "items",
        "records",
        "works",
        "articles",
        "entries",
        "entry",
    ),
    *("docs", "hits", "hit", "publications", "documents", "recommendedPapers"),
)
#: Keys under which they keep one paper.
_WRAPPERS: Final = (
    *(
        "data",
        "_source",
        "info",
        "message",
        "paper",
        "citedPaper",
        "citingPaper",
        "article",
        "attributes",
        "work",
    ),
    *("record", "note", "fields", "response", "resultList", "search-results"),
)
_DEPTH: Final = 4

_Owns = Callable[[Mapping[str, Any]], bool]
_RecordOf = Callable[[Mapping[str, Any], int], Record]

_DIALECTS: Final[tuple[tuple[_Owns, _RecordOf], ...]] = (
    (openreview.owns, openreview.record_of),
    (openalex.owns, openalex.record_of),
    (arxiv.owns, arxiv.record_of),
    (semantic_scholar.owns, semantic_scholar.record_of),
    (europe_pmc.owns, europe_pmc.record_of),
)


def records_of(value: Any, line: int, *, depth: int = _DEPTH) -> Iterator[Record]:
    """Yield the papers in a JSON value: one, those of a list within, or the reason why there is none."""
    if isinstance(value, list) and depth < _DEPTH:
        for item in value:
            yield from records_of(item, line, depth=depth)
    elif not isinstance(value, dict):
        yield Faulty(line, f"is a JSON {_kind(value)}; expected an object with a title or an abstract")
    elif inner := _inner(value, depth):
        yield from records_of(inner, line, depth=depth - 1)
    else:
        yield _record_of(value, line)


def _inner(value: Mapping[str, Any], depth: int) -> Any:
    """Return what an object without words of its own wraps."""
    if depth <= 0 or any(is_given(value.get(key)) for key in ("title", "abstract", "content")) or "corpusid" in value:
        return None
    for key in LIST_KEYS:
        if isinstance(inner := value.get(key), list | dict) and inner:
            return _unwrapped(value, key) if isinstance(inner, dict) else inner
    for key in _WRAPPERS:
        if isinstance(value.get(key), dict):
            return _unwrapped(value, key)
    if value and all(isinstance(item, dict) for item in value.values()):
        return [{"id": key, **item} for key, item in value.items()]
    return None


def _unwrapped(value: Mapping[str, Any], key: str) -> dict[str, Any]:
    outer = {name: item for name, item in value.items() if name != key and name not in value[key]}
    return {**value[key], **outer}


def _record_of(value: Mapping[str, Any], line: int) -> Record:
    for owns, record_of in _DIALECTS:
        if owns(value):
            return record_of(value, line)
    paper = paper_from(value)
    if not paper.raw:
        return Faulty(line, "has neither 'title' nor 'abstract'")
    return Found(line, paper, venue_id_of(paper.url))


def _kind(value: object) -> str:
    names = {str: "string", list: "array", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")
