"""Charts as figures of the page: one drawing for wide screens, one for phones, colours by CSS."""

from agentdyno.reports.charts.palette import DARK, LIGHT
from agentdyno.reports.charts.topic_charts import Picture
from agentdyno.reports.html.markup import Html, plain, tag

WIDE = 860
HALF = 416
NARROW = 336


def figure(picture: Picture) -> Html:
    """Both drawings; the page shows the one that fits."""
    wide = _draw(picture, HALF if picture.half else WIDE)
    narrow = _draw(picture, NARROW)
    return tag(
        "figure",
        tag("figcaption", plain(picture.title)),
        tag("div", wide, class_="wide"),
        tag("div", narrow, class_="narrow"),
        class_="half" if picture.half else "full",
        id=f"chart-{picture.name}",
    )


def figures(pictures: list[Picture], section: str) -> Html:
    """Those of one section."""
    section_figures = [figure(picture) for picture in pictures if picture.section == section]
    return tag("div", *section_figures, class_="figures") if section_figures else Html("")


def _draw(picture: Picture, width: int) -> Html:
    return Html(picture.draw(width).svg(picture.title))


def colour_rules() -> str:
    """CSS: the colours of both themes, and a class for each as fill and as stroke."""
    names = "".join(
        f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}" for name in LIGHT
    )
    dark = _variables(DARK)
    return (
        f":root{{color-scheme:light;{_variables(LIGHT)}}}"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}{names}"
    )


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())
