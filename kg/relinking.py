"""Linking after a change of some papers: only names that the change can reach are linked again.

A name is reached when claims of it changed, when an acronym in it or that it stands behind is read differently, and
when it may be joined with a name that is reached. Of these all claims are taken and linked as `kg.linking` does; since
nothing joins them with others, the result is that of linking all papers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.acronyms import Expansions, Readings, readings, shipped_table
from kg.anchors import Chooser
from kg.facts import PaperFacts
from kg.link_tables import (
    ENTITIES,
    SLIPS,
    LinkTables,
    acronym_rows,
    claim_rows,
    form_rows,
    read_claims,
    table_of,
)
from kg.linking import Entity, corrected, make_entity, plain_id, sense_ids
from kg.overrides import OVERRIDE, Overrides
from kg.schema import family
from kg.senses import Member, Sense, split_senses
from kg.similarity import Similarity
from kg.splicing import Rows, edit_of, is_one_of, replaced, rows_of, splice, take
from kg.variants import FormStats, find_variants, misspelt_words, with_other_words

#: Rises whenever the same claims would be linked or assembled in another way than before.
LINKING_VERSION: Final = 2
_Slips = dict[str, list[str]]
_DECISIONS: Final = ("rule", "score", "node")


@dataclass(frozen=True, slots=True)
class Relinking:
    """The tables after a change, and what it reached.

    ``entities`` are those of the names that were linked again, ``gone`` the ids that these names had before.
    ``decided`` are the papers of which a surface got another node or rule, ``moved`` those of which one got another
    node or another type of node; both with all papers that changed themselves.
    """

    tables: LinkTables
    entities: tuple[Entity, ...]
    gone: frozenset[str]
    decided: frozenset[str]
    moved: frozenset[str]


def relink(
    old: LinkTables,
    fresh: Sequence[PaperFacts],
    touched: Collection[str],
    overrides: Overrides,
    similarity: Similarity | None = None,
) -> Relinking:
    """Link after a change.

    Args:
        old: What linking kept before; empty tables for a new graph.
        fresh: The papers that are new or changed, sorted by id.
        touched: Their ids, and those of papers that went.
        overrides: Corrections by hand, the same as before.
        similarity: Which words mean the same, the same as before.
    """
    return _Relinker(old, fresh, touched, overrides, similarity).run()


class _Relinker:
    """The steps of one relinking and what they share."""

    def __init__(
        self,
        old: LinkTables,
        fresh: Sequence[PaperFacts],
        touched: Collection[str],
        overrides: Overrides,
        similarity: Similarity | None,
    ) -> None:
        self._old = old
        self._touched = set(touched)
        self._overrides = overrides
        self._similarity = similarity
        gone, new = rows_of(old.claims["paper"], self._touched), claim_rows(fresh)
        edit = edit_of(old.claims, gone, new, ["paper"])
        self._gone_claims = take(old.claims, gone)
        self._claims = edit.applied(old.claims, new)
        self._is_new = edit.order(len(old.claims)) >= len(old.claims)
        self._new_acronyms = acronym_rows(fresh)
        gone_acronyms = rows_of(old.acronyms["paper"], self._touched)
        self._acronyms = splice(old.acronyms, gone_acronyms, self._new_acronyms, ["paper"])
        self._readings = _readings(self._acronyms)
        self._expansions = Expansions(self._readings, shipped_table())

    def run(self) -> Relinking:
        reached = self._anchor()
        reached |= self._respelled()
        slips, slips_then_or_now = self._find_slips(reached)
        while True:
            stats, forms = self._close(reached, slips_then_or_now)
            roots, merges = find_variants(stats, self._expansions, self._overrides, self._similarity, slips)
            rows = rows_of(self._claims["form"], stats.keys())
            senses = self._senses(rows, roots)
            old_nodes = set(self._old.claims["node"].take(rows_of(self._old.claims["form"], reached)).to_pylist())
            homonyms = self._homonyms(senses, old_nodes)
            if not homonyms:
                break
            reached |= homonyms
        decisions = {merge.second: (merge.rule, merge.score) for merge in merges}
        return self._settle(rows, senses, decisions, old_nodes, (forms, slips))

    def _anchor(self) -> set[str]:
        """Say what each claim stands for; return the forms whose claims are not the same as before."""
        claims = self._claims
        open_ones = pc.and_(pc.not_equal(claims["short"], ""), pc.equal(claims["long_key"], ""))
        rows = np.flatnonzero(self._is_new | np.asarray(open_ones))
        chosen, choose = take(claims, rows), self._chooser()
        before = list(zip(*(chosen[name].to_pylist() for name in ("form", "anchor", "sure")), strict=True))
        after = [choose(claim) for claim in read_claims(chosen)]
        reached = {form for row in zip(before, after, strict=True) if row[0] != row[1] for form, *_ in row}
        reached |= {after[place][0] for place in np.flatnonzero(self._is_new[rows])}
        for place, name in enumerate(("form", "anchor", "sure")):
            column = replaced(claims[name], rows, [item[place] for item in after])
            claims = claims.set_column(claims.schema.get_field_index(name), name, column)
        self._claims = claims
        return (reached | set(self._gone_claims["form"].to_pylist())) - {""}

    def _chooser(self) -> Chooser:
        claims = self._claims
        undefined = claims.filter(pc.and_(pc.not_equal(claims["short"], ""), pc.equal(claims["long_key"], "")))
        users = {item["values"]: item["counts"] for item in pc.value_counts(undefined["short"]).to_pylist()}
        families: dict[str, set[str]] = defaultdict(set)
        choose = Chooser(self._readings, families, users, self._overrides)
        longs = {long for long, _, _ in map(choose.reading, users)} - {""}
        named = pc.if_else(pc.equal(claims["long_key"], ""), claims["key"], claims["long_key"])
        rows = rows_of(named, longs)
        for long, kind in zip(named.take(rows).to_pylist(), claims["type"].take(rows).to_pylist(), strict=True):
            families[long].add(family(kind))
        return choose

    def _respelled(self) -> set[str]:
        """Return the forms with an acronym inside that is spelled out in another way than before."""
        if not len(self._old.forms):
            return set()
        gone = self._old.acronyms.filter(pa.array(is_one_of(self._old.acronyms["paper"], self._touched)))
        shorts = {*gone["short"].to_pylist(), *self._new_acronyms["short"].to_pylist()}
        before = Expansions(_readings(self._old.acronyms), shipped_table())
        other = {short for short in shorts if before.get(short) != self._expansions.get(short)}
        column = self._old.forms["shorts"].combine_chunks()
        rows = np.asarray(pc.list_parent_indices(column))[is_one_of(pc.list_flatten(column), other)]
        return set(self._old.forms["form"].take(np.unique(rows)).to_pylist())

    def _find_slips(self, reached: set[str]) -> tuple[_Slips, _Slips]:
        """Return the misspelt words, and those of before with them; forms with one that is in one only are reached.

        What was joined by a slip of before has to be looked at too: it may come apart.
        """
        forms: list[str] = pc.unique(self._claims["form"]).to_pylist()
        before: _Slips = defaultdict(list)
        for wrong, right in zip(*(self._old.slips[name].to_pylist() for name in SLIPS.names), strict=True):
            before[wrong].append(right)
        slips = misspelt_words(forms)
        other = {word for word in {*before, *slips} if before.get(word) != slips.get(word)}
        if other and len(self._old.forms):
            reached.update(form for form in forms if not other.isdisjoint(form.split()))
        either = {word: sorted({*before.get(word, ()), *slips.get(word, ())}) for word in {*before, *slips}}
        return slips, either

    def _close(self, reached: set[str], slips: _Slips) -> tuple[dict[str, FormStats], pa.Table]:
        """Add to the forms that are reached all that they may be joined with; return their uses, and all forms."""
        stats = self._stats(reached)
        fresh = form_rows(stats, self._expansions)
        rows = rows_of(self._old.forms["form"], reached)
        gone = take(self._old.forms, rows)
        forms = splice(self._old.forms, rows, fresh, ["form"])
        near = _Neighbors(forms, slips, self._overrides)
        found = near.closure(reached, [*gone["keys"].to_pylist(), *fresh["keys"].to_pylist()])
        reached |= found
        return {**stats, **self._stats(found - stats.keys())}, forms

    def _stats(self, forms: Collection[str]) -> dict[str, FormStats]:
        rows = rows_of(self._claims["form"], forms)
        names = ("form", "type", "name", "key", "long", "introduced")
        stats: dict[str, FormStats] = {}
        for form, kind, name, key, long, introduced in zip(
            *(self._claims[column].take(rows).to_pylist() for column in names), strict=True
        ):
            if form not in stats:
                stats[form] = FormStats()
            stats[form].add(kind, name if key == form else long or form, introduced=introduced)
        return stats

    def _senses(self, rows: Rows, roots: Mapping[str, str]) -> list[Sense]:
        chosen = take(self._claims, rows)
        groups: dict[str, list[Member]] = defaultdict(list)
        columns = (chosen["paper"].to_pylist(), rows.tolist(), read_claims(chosen), chosen["form"].to_pylist())
        for paper, row, claim, form in zip(*columns, strict=True):
            groups[roots.get(form, form)].append(Member(paper, row, 0, claim, form))
        return [
            corrected(sense, self._overrides)
            for form in sorted(groups)
            for sense in split_senses(form, groups[form], whole=form in self._overrides.whole)
        ]

    def _homonyms(self, senses: Iterable[Sense], old_nodes: set[str]) -> set[str]:
        """Return the forms of other entities that share an id, the sense aside, with those that are linked again."""
        entities = self._old.entities
        linked = is_one_of(entities["node"], old_nodes)
        plain = {*map(plain_id, senses), *entities["plain"].filter(pa.array(linked)).to_pylist()}
        others = entities["node"].filter(pa.array(~linked & is_one_of(entities["plain"], plain)))
        rows = rows_of(self._old.claims["node"], set(others.to_pylist()))
        return set(self._old.claims["form"].take(rows).to_pylist())

    def _settle(
        self,
        rows: Rows,
        senses: Sequence[Sense],
        decisions: Mapping[str, tuple[str, float]],
        old_nodes: set[str],
        names: tuple[pa.Table, _Slips],
    ) -> Relinking:
        ids = sense_ids(senses)
        linked = [make_entity(node, sense) for node, sense in zip(ids, senses, strict=True)]
        node_of = {member.number: node for node, sense in zip(ids, senses, strict=True) for member in sense.members}
        before: dict[str, list[str]] = {
            name: self._claims[name].take(rows).to_pylist() for name in ("node", "rule", "paper")
        }
        after = self._decide(rows, decisions, node_of)
        claims = self._claims
        for name in _DECISIONS:
            column = replaced(claims[name], rows, after[name])
            claims = claims.set_column(claims.schema.get_field_index(name), name, column)
        entities = self._old.entities
        kinds = dict(zip(entities["node"].to_pylist(), entities["type"].to_pylist(), strict=True)) if old_nodes else {}
        new_kinds = {entity.id: entity.type for entity in linked}
        decided, moved = set(self._touched), set(self._touched)
        for paper, old, new, rule, new_rule in zip(
            before["paper"], before["node"], after["node"], before["rule"], after["rule"], strict=True
        ):
            if old != new or rule != new_rule:
                decided.add(paper)
            if old != new or kinds.get(old) != new_kinds[new]:
                moved.add(paper)
        made = sorted(
            (entity.id, plain_id(sense), sense.label, entity.type, entity.name, entity.papers)
            for entity, sense in zip(linked, senses, strict=True)
        )
        forms, slips = names
        tables = LinkTables(
            claims.combine_chunks(),
            self._acronyms,
            forms,
            splice(entities, rows_of(entities["node"], old_nodes), table_of(made, ENTITIES), ["node"]),
            table_of([(wrong, right) for wrong in sorted(slips) for right in slips[wrong]], SLIPS),
        )
        order = sorted(linked, key=lambda entity: entity.id)
        return Relinking(tables, tuple(order), frozenset(old_nodes), frozenset(decided), frozenset(moved))

    def _decide(
        self, rows: Rows, decisions: Mapping[str, tuple[str, float]], node_of: Mapping[int, str]
    ) -> dict[str, list[Any]]:
        chosen = [self._claims[name].take(rows).to_pylist() for name in ("form", "anchor", "sure")]
        rules, scores = [], []
        for form, rule, score in zip(*chosen, strict=True):
            if form in decisions and rule != OVERRIDE:
                rule, score = decisions[form][0], min(score, decisions[form][1])
            rules.append(rule)
            scores.append(score)
        return {"rule": rules, "score": scores, "node": [node_of[row] for row in rows.tolist()]}


class _Neighbors:
    """Which forms may be joined with which: those that share a key, differ by a slip or stand in one override."""

    def __init__(self, forms: pa.Table, slips: _Slips, overrides: Overrides) -> None:
        column = forms["keys"].combine_chunks()
        self._keys: npt.NDArray[np.uint32] = np.asarray(pc.list_flatten(column))
        self._rows: npt.NDArray[np.int64] = np.asarray(pc.list_parent_indices(column))
        self._forms = forms["form"]
        self._known = set(self._forms.to_pylist())
        self._slips = slips
        self._rights: dict[str, list[str]] = defaultdict(list)
        for wrong, rights in slips.items():
            for right in rights:
                self._rights[right].append(wrong)
        self._groups = [{*group} for group in overrides.same]

    def closure(self, forms: Collection[str], keys: Iterable[Iterable[int]]) -> set[str]:
        """Return the known forms that some forms, and forms with some keys, may be joined with, directly or not."""
        found = self._known & set(forms)
        ahead = set(forms)
        open_keys = np.unique(np.fromiter((key for each in keys for key in each), dtype=np.uint32))
        seen_keys = open_keys
        while ahead or len(open_keys):
            near = set(self._forms.take(np.unique(self._rows[np.isin(self._keys, open_keys)])).to_pylist())
            for form in ahead:
                near.update(with_other_words(form, self._slips))
                near.update(with_other_words(form, self._rights))
                near.update(*(group for group in self._groups if form in group))
            ahead = (near & self._known) - found
            found |= ahead
            all_keys = self._keys[np.isin(self._rows, self._places(ahead))]
            open_keys = np.setdiff1d(all_keys, seen_keys)
            seen_keys = np.union1d(seen_keys, open_keys)
        return found

    def _places(self, forms: Collection[str]) -> Rows:
        return rows_of(self._forms, forms)


def _readings(acronyms: pa.Table) -> dict[str, Readings]:
    """Return how many papers give each long form for each acronym."""
    rows = Counter(zip(acronyms["short"].to_pylist(), acronyms["long"].to_pylist(), strict=True))
    return readings((short, long, count) for (short, long), count in rows.items())
