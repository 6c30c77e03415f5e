"""Pictures as PNG, which needs the extra `charts`; without a browser and without a network."""

from agentdyno.reports.charts.drawing import Drawing
from agentdyno.reports.charts.palette import LIGHT


def as_png(drawing: Drawing, scale: float = 2.0) -> bytes:
    """A picture in the light colours."""
    import vl_convert

    paper = f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}" /><g'
    svg = drawing.svg().replace("<g", paper, 1)
    return bytes(vl_convert.svg_to_png(svg, scale=scale))
