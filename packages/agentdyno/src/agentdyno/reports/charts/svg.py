"""A rendered chart made fit for a page: only drawing elements, colours by name, no outside door.

Takes SVG text from the renderer, which holds foreign text as labels, returns SVG that may be
inlined. Anything not on the lists below is dropped, so that a label, or a future renderer, can
bring no script, no link, no style and no reference. Knows nothing of what is drawn.
"""

import re
from xml.etree import ElementTree

from agentdyno.reports.charts.palette import LIGHT

_ELEMENTS = {"svg", "g", "path", "line", "rect", "circle", "text", "tspan"}
_ATTRIBUTES = {
    "d", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "r", "cx", "cy", "width", "height",
    "viewBox", "transform", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap",
    "stroke-opacity", "fill-opacity", "opacity", "text-anchor", "font-size", "font-weight",
}  # fmt: skip
_NAMES = {colour: name for name, colour in LIGHT.items()}
_DEFAULTS = {("opacity", "1"), ("x2", "0"), ("y2", "0"), ("stroke-width", "1")}
_LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_SVG = "{http://www.w3.org/2000/svg}"


def inline_svg(text: str, description: str) -> str:
    """The chart as an element of the page, described for those who do not see it."""
    root = ElementTree.fromstring(text)
    cleaned = _clean(root)
    assert cleaned is not None, "the renderer returned no SVG"
    cleaned.attrib = {
        "viewBox": root.attrib["viewBox"],
        "width": root.attrib["width"],
        "height": root.attrib["height"],
        "role": "img",
        "aria-label": description,
    }
    return ElementTree.tostring(cleaned, encoding="unicode", short_empty_elements=True)


def _clean(element: ElementTree.Element) -> ElementTree.Element | None:
    """The element with what is allowed in it; None when it is not allowed or draws nothing."""
    name = element.tag.removeprefix(_SVG)
    if name not in _ELEMENTS or element.get("display") == "none" or _is_empty_path(name, element):
        return None
    kept = ElementTree.Element(name, _attributes(element))
    if name in ("text", "tspan"):
        kept.text = element.text
    for child in element:
        if (inner := _clean(child)) is not None:
            kept.append(inner)
    return None if name == "g" and not len(kept) else kept


def _is_empty_path(name: str, element: ElementTree.Element) -> bool:
    path = element.get("d", "")
    invisible = element.get("fill") is None and element.get("stroke") is None
    return name == "path" and (path in ("", "M0,0h0v0h0Z") or invisible)


def _attributes(element: ElementTree.Element) -> dict[str, str]:
    kept: dict[str, str] = {}
    classes: list[str] = []
    for key, value in element.attrib.items():
        if key not in _ATTRIBUTES or (key, value) in _DEFAULTS or "url(" in value:
            continue
        name = _NAMES.get(value.lower()) if key in ("fill", "stroke") else None
        if name is not None:
            classes.append(f"{key[0]}-{name}")
        else:
            kept[key] = _LONG_NUMBER.sub(_rounded, value)
    if classes:
        kept["class"] = " ".join(classes)
    return kept


def _rounded(found: re.Match[str]) -> str:
    """A tenth of a pixel is enough; a renderer writes twelve digits."""
    return f"{float(found.group()):.1f}".removesuffix(".0")
