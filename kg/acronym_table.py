"""Mine the acronym table that ships with the package: which long forms papers give for which acronym.

    python -m kg.acronym_table PAPERS.jsonl.gz

writes kg/data/acronyms.tsv.gz (acronym, long form as a normal form, number of papers). Only these facts are kept,
no text of any paper.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path

from kg.acronyms import find_definitions, short_key
from kg.naming import normal_form

TABLE = Path(__file__).parent / "data" / "acronyms.tsv.gz"
LONGEST = 8
"""Words of a long form at most: longer ones are slips of the finder."""


def mine(path: Path) -> Counter[tuple[str, str]]:
    """Return in how many papers each (acronym, long form) is defined."""
    counts: Counter[tuple[str, str]] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            paper = json.loads(line)
            text = f"{paper.get('title') or ''}\n\n{paper.get('abstract') or ''}"
            pairs = {(short_key(short), normal_form(long)) for short, long in find_definitions(text)}
            counts.update(pair for pair in pairs if all(pair) and len(pair[1].split()) <= LONGEST)
    return counts


def write(counts: Counter[tuple[str, str]], path: Path) -> None:
    """Write the table sorted, with no time in it, so that the same papers give the same bytes."""
    rows = [f"{short}\t{long}\t{count}" for (short, long), count in sorted(counts.items())]
    text = "\n".join(["acronym\tlong form\tpapers", *rows]) + "\n"
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    write(mine(Path(sys.argv[1])), TABLE)
