"""What is remembered of a manifest changes neither its bytes nor their digest."""

import random

import msgspec
import pytest
from msgspec import structs

from agentdyno.ledger import manifest_bytes
from agentdyno.ledger.disk import digest
from agentdyno.ledger.manifest import Fingerprint, InputEntry, Manifest, _seal, new_manifest


def _entry(number: int) -> InputEntry:
    return InputEntry(f'/a "{number}"', "codex", Fingerprint(number, number, "e"))


def _plainly(manifest: Manifest) -> tuple[str, bytes]:
    found = digest(msgspec.json.encode(structs.replace(manifest, digest="")))
    return found, msgspec.json.encode(structs.replace(manifest, digest=found))


@pytest.mark.parametrize("seed", range(4))
def test_inputs_that_come_change_and_go_give_the_bytes_of_a_whole_encoding(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_bytes, "AT_FIRST", 3)
    monkeypatch.setattr(manifest_bytes, "AT_MOST", 6)
    drawn = random.Random(seed)
    manifest = new_manifest({"cache": 'evicted","inputs":{'})
    for step in range(300):
        name = f"{drawn.randrange(40)}.jsonl"
        match drawn.randrange(4):
            case 0:
                manifest.inputs[name] = _entry(step)
            case 1:
                manifest.inputs.pop(name, None)
            case 2:
                manifest.inputs.pop(name, None)
                manifest.inputs[name] = _entry(step)
            case _:
                manifest.generation, manifest.settled = step, not manifest.settled
        assert _seal(manifest) == _plainly(manifest)
