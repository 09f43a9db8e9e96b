"""Plots as SVG that stands inside a page: matplotlib's drawing without its styles, in the page's own colours.

A page whose policy forbids inline styles shows nothing of them, so each becomes an attribute or a class; that
also lets the plots follow the page into the dark.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from markupsafe import Markup

from kg.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"

#: Colours that stand for roles in a drawing -> the class that gives the real colour.
_ROLES = {"#010101": "ink", "#020202": "muted", "#030303": "grid", "#040404": "bar"}
_INK, _MUTED, _GRID, _BAR = _ROLES
#: Lines: hues that the colour-blind tell apart, light and dark enough for both grounds.
_SERIES = ("#3d8fc9", "#dd6b1f", "#1fa37a", "#b98a1d", "#c46fa1")
_LINES = ("stroke", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width")
_KEPT = frozenset((*_LINES, "fill", "fill-opacity", "opacity", "text-anchor"))


def bars(rows: Sequence[tuple[str, float, str]]) -> Markup:
    """Draw horizontal bars, the first on top; each is (name, value, address it leads to)."""
    figure, axes = _figure(7.2, 0.34 * len(rows) + 0.2)
    drawn = axes.barh(range(len(rows)), [value for _, value, _ in rows], height=0.66, color=_BAR)
    most = max((value for _, value, _ in rows), default=1)
    for bar, (_, value, address) in zip(drawn, rows, strict=True):
        bar.set_url(address)
        middle = bar.get_y() + bar.get_height() / 2
        axes.text(value + most * 0.012, middle, f"{value:,.0f}", va="center", color=_INK, fontsize=10)
    axes.set_yticks(range(len(rows)), [_short(name) for name, _, _ in rows], color=_INK, fontsize=11)
    axes.set_xlim(0, most * 1.1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks([])
    _bare(axes)
    return _inline(figure, ", ".join(f"{name} {value:,.0f}" for name, value, _ in rows))


def columns(rows: Sequence[tuple[str, float, str]]) -> Markup:
    """Draw upright bars, such as papers a year; each is (name, value, address)."""
    figure, axes = _figure(7.2, 2.4)
    drawn = axes.bar(range(len(rows)), [value for _, value, _ in rows], width=0.7, color=_BAR)
    for bar, (_, value, address) in zip(drawn, rows, strict=True):
        bar.set_url(address)
        middle = bar.get_x() + bar.get_width() / 2
        axes.text(middle, value, f"{value:,.0f}", ha="center", va="bottom", color=_INK, fontsize=10)
    axes.set_xticks(range(len(rows)), [name for name, _, _ in rows], color=_MUTED, fontsize=10)
    axes.set_yticks([])
    _bare(axes)
    return _inline(figure, ", ".join(f"{name}: {value:,.0f}" for name, value, _ in rows))


def lines(years: Sequence[int], series: Mapping[str, Sequence[float]]) -> Markup:
    """Draw shares by year (fractions), each line named at its end; as many lines as there are hues."""
    figure, axes = _figure(7.2, 3.4)
    ends = []
    for (name, values), colour in zip(series.items(), _SERIES, strict=False):
        percent = [100 * value for value in values]
        axes.plot(years, percent, color=colour, linewidth=2.2, marker="o", markersize=4)
        ends.append((percent[-1], name, colour))
    axes.set_xticks(list(years), [str(year) for year in years], color=_MUTED, fontsize=10)
    axes.set_xlim(years[0] - 0.3, years[-1] + 0.3)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}%")
    axes.tick_params(axis="y", labelcolor=_MUTED, labelsize=10)
    axes.grid(axis="y", color=_GRID, linewidth=1)
    _bare(axes)
    _name_lines(axes, years[-1], ends)
    return _inline(figure, "Share of papers by year: " + ", ".join(series))


def matrix(names: Sequence[str], cells: Mapping[tuple[int, int], tuple[int, str]]) -> Markup:
    """Draw who meets whom as dots whose area grows with the count; a cell is (count, address)."""
    side = 0.36 * len(names)
    figure, axes = _figure(side + 2.6, side + 1.8)
    most = max((count for count, _ in cells.values()), default=1)
    for (row, column), (count, address) in sorted(cells.items()):
        axes.scatter([column], [row], s=30 + 170 * count / most, color=_BAR).set_urls([address])
    labels = [_short(name, 26) for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=50, ha="left", rotation_mode="anchor", color=_INK)
    axes.set_yticks(range(len(names)), labels, color=_INK)
    axes.tick_params(labelsize=10, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_aspect("equal")
    axes.grid(color=_GRID, linewidth=1)
    _bare(axes)
    told = (f"{names[row]} with {names[column]} {count}" for (row, column), (count, _) in sorted(cells.items()))
    return _inline(figure, ", ".join(told))


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        message = "plots need matplotlib, which is not installed; pip install 'paperkg[report]' brings it"
        raise MissingExtra(message) from None
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    figure.patch.set_visible(False)
    axes.patch.set_visible(False)
    return figure, axes


def _bare(axes: Axes) -> None:
    """Leave out what tells nothing: frames and ticks."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_axisbelow(True)


def _name_lines(axes: Axes, x: int, ends: list[tuple[float, str, str]]) -> None:
    """Write each line's name beside its end, moved apart where ends lie close."""
    step = axes.get_ylim()[1] * 0.075
    last = float("-inf")
    for value, name, colour in sorted(ends):
        last = max(value, last + step)
        axes.annotate(
            _short(name, 30),
            (x, last),
            (8, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            annotation_clip=False,
        )


def _short(name: str, most: int = 38) -> str:
    """Shorten a name, and keep matplotlib from reading formulas into it."""
    cut = name if len(name) <= most else name[: most - 1].rstrip() + "…"
    return "".join(c for c in cut if c.isprintable()).replace("$", r"\$")


def _inline(figure: Figure, description: str) -> Markup:
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "plot"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    root = ElementTree.fromstring(buffer.getvalue())
    for child in list(root):
        if child.tag not in (f"{_SVG}g", f"{_SVG}defs"):
            root.remove(child)
    for element in list(root.iter()):
        _unstyle(element)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib.update({"class": "plot", "role": "img", "aria-label": description})
    text = ElementTree.tostring(root, encoding="unicode")
    return Markup(re.sub(r'(?<=[</])ns\d+:|\sxmlns:ns\d+="[^"]*"', "", text))


def _unstyle(element: ElementTree.Element) -> None:
    """Turn an element's style into attributes, and the colours that stand for roles into classes."""
    for sheet in element.findall(f"{_SVG}style"):
        element.remove(sheet)
    style = dict(part.split(":", 1) for part in element.attrib.pop("style", "").split(";") if ":" in part)
    for key, value in ((key.strip(), value.strip()) for key, value in style.items()):
        if key in _KEPT:
            element.set(key, value)
        elif key in ("font", "font-size") and (size := re.search(r"([\d.]+)px", value)):
            element.set("font-size", size[1])
    painted = [key for key in ("fill", "stroke") if element.get(key) in _ROLES]
    if painted:
        element.set("class", " ".join(f"{key}-{_ROLES[element.attrib.pop(key)]}" for key in painted))
    if element.tag == f"{_SVG}g":
        # The same in every plot, and one page holds several.
        element.attrib.pop("id", None)
    if _LINK in element.attrib:
        element.set("href", element.attrib.pop(_LINK))
