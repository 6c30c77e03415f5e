"""A picture as SVG: shapes at places in pixels in, text for a page or a file out.

Colours are names of the palette: classes on a page, which has two themes, values in a file. Foreign
text only ever becomes the text of an element, so a label brings no script, link or reference.
"""

from itertools import accumulate
from unicodedata import combining, east_asian_width
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from agentdyno.reports.charts.palette import LIGHT

SIZE = 12
"""Font size; labels keep it at every width because each width has its own drawing."""
LETTER = 6.4
"""About how many pixels a letter takes."""
_BASELINES = {"middle": 4.0, "bottom": -3.0, "top": 10.0, "alphabetic": 0.0}
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


class Drawing:
    """Shapes, later ones on top. Coordinates are of the plane inside the margins."""

    def __init__(
        self, width: float, height: float, left: float = 2, right: float = 4, top: float = 4,
        bottom: float = 2,
    ) -> None:  # fmt: skip
        """`width` is the whole picture's, margins included; `height` the plane's."""
        self.plane = max(width - left - right, 1.0)
        self.height = height
        self._whole = (width, height + top + bottom)
        self._root = Element("g", {"transform": f"translate({_px(left)},{_px(top)})"})

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, opacity: float = 1.0,
        stroke: str | None = None,
    ) -> None:  # fmt: skip
        """A filled box."""
        size = {"width": _px(max(width, 0.0)), "height": _px(max(height, 0.0))}
        shape = self._add("rect", {"x": _px(x), "y": _px(y), **size}, opacity)
        _paint(shape, fill=fill, stroke=stroke)
        if stroke is not None:
            shape.set("stroke-width", "1.5")

    def line(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1.0,
        opacity: float = 1.0, dashed: bool = False,
    ) -> None:  # fmt: skip
        """A straight line."""
        ends = {"x1": _px(x1), "y1": _px(y1), "x2": _px(x2), "y2": _px(y2)}
        shape = self._add("line", {**ends, "stroke-width": _px(width)}, opacity)
        _paint(shape, stroke=stroke, dashed=dashed)

    def path(
        self, places: list[tuple[float, float]], stroke: str, width: float = 1.5,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """Places joined by straight lines."""
        steps = "L".join(f"{_px(x)},{_px(y)}" for x, y in places)
        shape = self._add("path", {"d": f"M{steps}", "fill": "none", "stroke-width": _px(width)})
        _paint(shape, stroke=stroke, dashed=dashed)

    def circle(self, x: float, y: float, radius: float, fill: str, opacity: float = 1.0) -> None:
        """A filled dot."""
        shape = self._add("circle", {"cx": _px(x), "cy": _px(y), "r": _px(radius)}, opacity)
        _paint(shape, fill=fill)

    def text(
        self, x: float, y: float, text: str, fill: str = "ink", align: str = "left",
        baseline: str = "middle", bold: bool = False, turned: int = 0, size: int = SIZE,
    ) -> None:  # fmt: skip
        """A line of text, `turned` by so many degrees; nothing where there is none."""
        if not text:
            return
        attributes = {"x": _px(x), "y": _px(y + _BASELINES[baseline])}
        if turned:
            at = f"translate({_px(x)},{_px(y)})rotate({turned})"
            attributes = {"y": _px(_BASELINES[baseline]), "transform": at}
        shape = self._add("text", attributes)
        if align != "left":
            shape.set("text-anchor", _ANCHORS[align])
        if bold:
            shape.set("font-weight", "bold")
        if size != SIZE:
            shape.set("font-size", str(size))
        _paint(shape, fill=fill)
        shape.text = text

    def svg(self, description: str | None = None) -> str:
        """For a page, where it is described for those who do not see it; else as a file of its
        own, with its colours in it."""
        width, height = (_px(side) for side in self._whole)
        root = Element("svg", {"viewBox": f"0 0 {width} {height}", "width": width})
        root.set("height", height)
        root.set("font-size", str(SIZE))
        if description is None:
            root.set("xmlns", "http://www.w3.org/2000/svg")
            root.set("font-family", "Helvetica, Arial, sans-serif")
            root.append(_apply_colours(self._root))
        else:
            root.set("role", "img")
            root.set("aria-label", description)
            root.append(self._root)
        return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)

    def _add(self, name: str, attributes: dict[str, str], opacity: float = 1.0) -> Element:
        if opacity != 1.0:
            attributes["opacity"] = f"{opacity:g}"
        return SubElement(self._root, name, attributes)


def cut(text: str, room: float) -> str:
    """As much of a text as fits into so many pixels."""
    letters = int(room / LETTER)
    if count_letters(text) <= letters:
        return text
    ends = accumulate(map(_letters, text))
    kept = sum(end <= letters - 1 for end in ends)
    return text[:kept] + "…"


def text_width(*texts: str) -> float:
    """About how many pixels the longest of them takes."""
    return LETTER * max(map(count_letters, texts), default=0)


def count_letters(text: str) -> int:
    """How many letters are as wide: Chinese characters and emoji are two, marks on letters none."""
    return len(text) if text.isascii() else sum(map(_letters, text))


def _letters(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _paint(
    shape: Element, fill: str | None = None, stroke: str | None = None, dashed: bool = False
) -> None:
    classes = []
    for key, colour in (("fill", fill), ("stroke", stroke)):
        if colour in LIGHT:
            classes.append(f"{key[0]}-{colour}")
        elif colour is not None:
            shape.set(key, colour)
    if classes:
        shape.set("class", " ".join(classes))
    if dashed:
        shape.set("stroke-dasharray", "3,3")


def _apply_colours(element: Element) -> Element:
    """The same with the light colours' values in place of their classes."""
    produced = Element(element.tag, {k: v for k, v in element.attrib.items() if k != "class"})
    for name in element.get("class", "").split():
        produced.set("fill" if name[0] == "f" else "stroke", LIGHT[name[2:]])
    produced.text = element.text
    produced.extend(_apply_colours(child) for child in element)
    return produced


def _px(value: float) -> str:
    """A tenth of a pixel is enough."""
    return f"{value:.1f}".removesuffix(".0")
