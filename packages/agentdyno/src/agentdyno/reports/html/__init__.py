"""A report as one HTML file: no network, no outside script, foreign text only as text."""

from agentdyno.reports.html.page import render_page

__all__ = ["render_page"]
