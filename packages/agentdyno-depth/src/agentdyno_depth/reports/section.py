"""The section of a report that agentdyno-depth adds."""

from agentdyno.reports.section import Section
from agentdyno_depth.reports.depth import render_depth
from agentdyno_depth.studies.depth.report import Depth, study_depth

DEPTH = Section("depth", study_depth, render_depth, Depth, after="scheduling")
