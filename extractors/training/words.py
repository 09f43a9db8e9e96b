"""Count which words make up running text, and which begin and end names, in annotated papers.

    python -m extractors.training.words TRAIN.jsonl

writes ``extractors/weights/running_words.json`` and ``edge_words.json``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from extractors.training.rules import WEIGHTS, introduced_words
from extractors.words import split_words

#: Rarer words are not judged.
MIN_COUNT = 15
#: A word that stands in names less often than this is running text.
RUNNING = 0.05
#: A word that begins (ends) a name more often than this may begin (end) a phrase.
EDGE = 0.25


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each word was seen, within a name, first in a name and last in a name."""

    seen: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)
    last: Counter[str] = field(default_factory=Counter)

    def share(self, part: Counter[str], word: str) -> float:
        """Return the smoothed share of a word's places that are counted in ``part``."""
        return (part[word] + 1) / (self.seen[word] + 3)


def count(records: list[dict[str, Any]]) -> Counts:
    """Count the words of papers; ``record["spans"]`` are the places of names in ``record["text"]``."""
    counts = Counts()
    for record in records:
        spans = [(start, end) for start, end, *_ in record["spans"]]
        inside = {place for start, end in spans for place in range(start, end)}
        starts, ends = {start for start, _ in spans}, {end for _, end in spans}
        for word in split_words(record["text"]):
            counts.seen[word.lower] += 1
            counts.inside[word.lower] += word.start in inside
            counts.first[word.lower] += word.start in starts
            counts.last[word.lower] += word.end in ends
    return counts


def write_words(words: object, name: str) -> Path:
    """Write a list or mapping of words, one a line."""
    path = WEIGHTS / name
    path.write_text(json.dumps(words, ensure_ascii=False, separators=(",\n", ":")) + "\n", encoding="utf-8")
    return path


def main() -> None:
    """Count and write both lists."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    records = [json.loads(line) for line in parser.parse_args().train.read_text(encoding="utf-8").splitlines()]
    counts, banned = count(records), introduced_words(records)
    words = sorted(w for w, n in counts.seen.items() if n >= MIN_COUNT and w[0].isalpha() and w not in banned)
    running = [word for word in words if counts.share(counts.inside, word) < RUNNING]
    edges = {
        "first": [word for word in words if counts.share(counts.first, word) > EDGE],
        "last": [word for word in words if counts.share(counts.last, word) > EDGE],
    }
    print(write_words(running, "running_words.json"), len(running))
    print(write_words(edges, "edge_words.json"), *(len(part) for part in edges.values()))


if __name__ == "__main__":
    main()
