"""Word pieces of units, laid out as the encoder reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from extractors.reader.units import Units

PIECES_A_UNIT = 8
"""A unit longer than this is known by its first pieces; only strings of noise are."""


@dataclass(frozen=True, slots=True)
class PieceRow:
    """What one encoder pass reads: `ids` and `forms` of equal length, and each unit's first place in them."""

    ids: list[int]
    forms: list[int]
    firsts: list[int]


class Pieces:
    """A word-piece vocabulary with a memory of the words it has cut."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._known: dict[str, list[int]] = {}
        vocabulary = self._tokenizer.get_vocab()
        self.cls, self.sep, self.pad, self.unknown = (vocabulary[mark] for mark in ("[CLS]", "[SEP]", "[PAD]", "[UNK]"))

    def of_word(self, word: str) -> list[int]:
        """Return 1 to PIECES_A_UNIT piece ids of a word."""
        ids = self._known.get(word)
        if ids is None:
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:PIECES_A_UNIT] or [self.unknown]
            if len(self._known) < 100_000:  # bounds memory on endless streams
                self._known[word] = ids
        return ids

    def lengths(self, units: Units) -> list[int]:
        """Return the number of pieces of each unit."""
        return [len(self.of_word(word)) for word in units.words()]

    def row(self, units: Units, first: int, after: int) -> PieceRow:
        """Lay out the units [first, after): [CLS] title [SEP] abstract [SEP]."""
        ids, forms, firsts = [self.cls], [0], []
        words = units.words()
        for position in range(first, after):
            if position == units.title and position > first:
                ids.append(self.sep)
                forms.append(0)
            firsts.append(len(ids))
            pieces = self.of_word(words[position])
            ids.extend(pieces)
            forms.extend([units.forms[position]] * len(pieces))
        return PieceRow([*ids, self.sep], [*forms, 0], firsts)
