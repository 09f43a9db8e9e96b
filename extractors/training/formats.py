"""Tell which kind of annotations a file holds, and read either as training examples."""

from __future__ import annotations

from pathlib import Path

from extractors.reader.pieces import Pieces
from extractors.training.annotations import Example, read_examples
from extractors.training.lines import json_lines
from extractors.training.scier import examples_of, is_scier, read_documents
from kg.errors import InputError

PAPERS, SCIER = "papers", "scier"


def format_of(file: Path) -> str:
    """Return PAPERS or SCIER by the fields of a file's first record.

    Raises:
        InputError: it holds neither.
    """
    line = next(json_lines(file))
    if is_scier(line.record):
        return SCIER
    if "spans" in line.record:
        return PAPERS
    raise InputError(
        f"{line.place} is no annotated paper: expected text, spans, entities and relations, or the fields of SciER; "
        f"it has {', '.join(line.record) or 'none'}"
    )


def read_training(file: Path, pieces: Pieces) -> list[Example]:
    """Read annotated papers or documents of SciER.

    Raises:
        InputError: the file cannot be read, or a record is of neither form.
    """
    if format_of(file) == PAPERS:
        return read_examples(file, pieces)
    return [example for document in read_documents(file) for example in examples_of(document, pieces)]
