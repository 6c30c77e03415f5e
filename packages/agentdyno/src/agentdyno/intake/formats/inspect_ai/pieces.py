"""Finds the samples of an archive and puts together those that were stored in pieces.

Most samples are one member, `samples/ID_epoch_N.json`. Large ones may be a folder of the same
name with `sample.json` and numbered pieces of its events, messages and attachments.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw

from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.formats.inspect_ai.texts import without_constants
from agentdyno.intake.formats.inspect_ai.wire import EVENTS, METADATA, RAWS, SAMPLE, Pools, Sample
from agentdyno.intake.streams import decode
from agentdyno.records import UnreadableError

_SAMPLES, _JSON, _SHELL = "samples/", ".json", "/sample.json"


def sample_members(archive: Archive) -> dict[str, list[str]]:
    """Every sample's name with the members that it is made of."""
    names = [n for n in archive.members if n.startswith(_SAMPLES) and n.endswith(_JSON)]
    folders = {n.removesuffix(_SHELL): [n] for n in names if n.endswith(_SHELL)}
    samples: dict[str, list[str]] = {}
    for name in names:
        folder = next((f for f in _folders_of(name) if f in folders), None)
        if folder is None:
            samples[name.removesuffix(_JSON)] = [name]
        elif not name.endswith(_SHELL):
            folders[folder].append(name)
    # A sample stored both ways is read from its single member.
    return folders | samples


def _folders_of(name: str) -> Iterator[str]:
    at = name.find("/", len(_SAMPLES))
    while at >= 0:
        yield name[:at]
        at = name.find("/", at + 1)


def locator(name: str) -> str:
    """The sample's name in a trajectory's id."""
    return name.removeprefix(_SAMPLES)


def read_sample(archive: Archive, name: str, members: list[str]) -> Sample:
    sample: Sample = decoded(archive.read(members[0]), SAMPLE)
    if members[0].endswith(_SHELL):
        _put_together(sample, archive, name, members)
    return sample


def _put_together(sample: Sample, archive: Archive, folder: str, members: list[str]) -> None:
    def items(sequence: str, decoder: "msgspec.json.Decoder[Any]") -> Iterator[Any]:
        for member in _in_order(members, f"{folder}/{sequence}/"):
            yield from decoded(archive.read(member), decoder) or ()

    sample.events = list(items("events", EVENTS))
    sample.events_data = Pools(list(items("messages", RAWS)))
    texts: Iterator[Raw] = items("attachments", RAWS)
    sample.attachments = {str(index): text for index, text in enumerate(texts)}
    if f"{folder}/metadata.json" in members:
        sample.metadata = decoded(archive.read(f"{folder}/metadata.json"), METADATA)


def _in_order(members: list[str], prefix: str) -> list[str]:
    """The pieces of a sequence are named by the index of their first item."""
    starts = {
        m.removeprefix(prefix).removesuffix(_JSON): m for m in members if m.startswith(prefix)
    }
    return [starts[start] for start in sorted(filter(str.isdecimal, starts), key=int)]


def decoded(data: bytes, decoder: "msgspec.json.Decoder[Any]") -> Any:
    """Decodes a record of Inspect, which may hold NaN where a score is missing."""
    try:
        return decode(data, decoder)
    except UnreadableError:
        if b"NaN" not in data and b"Infinity" not in data:
            raise
        return decode(without_constants(data), decoder)
