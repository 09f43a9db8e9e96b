"""Anchors: the normal form that each claim stands for, of the long form where that is known."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.acronyms import Readings, reading, readings, shipped_table
from kg.facts import Claim, PaperFacts
from kg.overrides import OVERRIDE, Overrides
from kg.schema import family

BY_NAME: Final = "normal form"
BY_DEFINITION: Final = "own definition"
BY_CORPUS: Final = "acronym (corpus)"
BY_TABLE: Final = "acronym (table)"
_DEFINITION_SCORE: Final = 0.99
#: From ten defining papers on, an acronym is common property: one that seems to introduce "LLM" means the same.
_COMMON_SCORE: Final = round(_DEFINITION_SCORE * 10 / 11, 4)
#: From fifty on, its reading stands against the type that a paper gives it.
_SURE_SCORE: Final = round(_DEFINITION_SCORE * 50 / 51, 4)


@dataclass(frozen=True, slots=True)
class Anchored:
    """A claim (its paper's number and its index), the form it stands for, the rule that says so and how sure it is."""

    paper: int
    claim: int
    form: str
    rule: str = BY_NAME
    score: float = 1.0


def anchor_claims(papers: Sequence[PaperFacts], overrides: Overrides) -> list[Anchored]:
    """Return the anchor of each claim, in the order of papers and claims."""
    users = Counter(claim.short for facts in papers for claim in facts.claims if claim.short and not claim.long_key)
    choose = Chooser(corpus_readings(papers), _families(papers), users, overrides)
    return [
        Anchored(number, index, *choose(claim))
        for number, facts in enumerate(papers)
        for index, claim in enumerate(facts.claims)
    ]


def corpus_readings(papers: Sequence[PaperFacts]) -> dict[str, Readings]:
    """Return how many papers of a corpus give each long form for each acronym."""
    rows: Counter[tuple[str, str]] = Counter()
    for facts in papers:
        own = {(claim.short, claim.long_key) for claim in facts.claims if claim.short and claim.long_key}
        rows.update(own.union(facts.acronyms))
    return readings((short, long, count) for (short, long), count in rows.items())


class Chooser:
    """Chooses anchors; what the corpus says of an acronym is looked up once."""

    def __init__(
        self,
        corpus: Mapping[str, Readings],
        families: Mapping[str, Collection[str]],
        users: Mapping[str, int],
        overrides: Overrides,
    ) -> None:
        """Take what a corpus says.

        Args:
            corpus: How many papers give each long form for each acronym.
            families: The families under which each long form is used.
            users: How many claims use each acronym without a definition.
            overrides: Corrections by hand.
        """
        self._overrides = overrides
        self._corpus = corpus
        self._families = families
        self._users = users
        self._found: dict[str, tuple[str, str, float]] = {}

    def __call__(self, claim: Claim) -> tuple[str, str, float]:
        """Return the form that a claim stands for, the rule and the score."""
        form, rule, score = self._unguarded(claim)
        if form != claim.key and self._overrides.speaks_against(claim.key, form):
            return claim.key, OVERRIDE, 1.0
        return form, rule, score

    def _unguarded(self, claim: Claim) -> tuple[str, str, float]:
        if claim.long_key:
            if claim.key == claim.long_key:
                return claim.key, BY_NAME, 1.0
            return claim.long_key, BY_DEFINITION, _DEFINITION_SCORE
        if claim.short:
            long, rule, score = self.reading(claim.short)
            is_own = claim.introduced and score < _COMMON_SCORE
            if long and not is_own and (score >= _SURE_SCORE or _fits(claim, self._families.get(long))):
                return long, rule, score
        return claim.key, BY_NAME, 1.0

    def reading(self, short: str) -> tuple[str, str, float]:
        """Return what an acronym stands for where its paper does not say ("" for nothing), the rule and the score."""
        if short not in self._found:
            table = shipped_table()
            long, who = reading(short, self._corpus, table, users=self._users.get(short, 0))
            known = sum(side[short].counts.get(long, 0) for side in (self._corpus, table) if short in side)
            sure = round(_DEFINITION_SCORE * known / (known + 1), 4)
            self._found[short] = (long, BY_CORPUS if who == "corpus" else BY_TABLE, sure)
        return self._found[short]


def _families(papers: Sequence[PaperFacts]) -> dict[str, set[str]]:
    known: dict[str, set[str]] = defaultdict(set)
    for facts in papers:
        for claim in facts.claims:
            known[claim.long_key or claim.key].add(family(claim.type))
    return known


def _fits(claim: Claim, families: Collection[str] | None) -> bool:
    """Say whether an acronym of a type can stand for a long form that is used under these families."""
    if not families:
        return True
    kind = family(claim.type)
    return kind in families or (kind in ("Method", "Task") and ("Method" in families or "Task" in families))
