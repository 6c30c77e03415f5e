"""Opens a ledger and the limits that its status line kept, and asks what used them."""

from pathlib import Path

import msgspec

from agentdyno.ledger.file_names import LIMITS, refuse_link
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.quota import Quota, Reading, study_quota
from agentdyno.studies.report_context import ReportContext

LARGEST = 64 * 2**20
"""Bytes of readings that are looked at, the newest."""


def find_quota(ledger: Path) -> Quota:
    """What used the weekly limit."""
    folder = local_folder(ledger)
    found = study_quota(ReportContext(ReadableLedger(folder)), read_limits(folder))
    if found is None:
        raise InputError(
            f"{ledger}: expected limits of a subscription, found none. Claude Code gives them to "
            "the status line: agentdyno statusline --install, and work for a while."
        )
    return found


def read_limits(folder: Path) -> list[Reading]:
    """Readings of the weekly limit; lines that are none are left out."""
    try:
        with refuse_link(folder / LIMITS).open("rb") as file:
            file.seek(max(file.seek(0, 2) - LARGEST, 0))
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        try:
            row = msgspec.json.decode(line)
            used, resets = row["seven_day"]
            found.append(Reading(float(row["at"]), float(used), float(resets)))
        except (msgspec.MsgspecError, LookupError, TypeError, ValueError):
            continue
    return [each for each in found if 0 <= each.used <= 1_000 and abs(each.at) < 1e11]
