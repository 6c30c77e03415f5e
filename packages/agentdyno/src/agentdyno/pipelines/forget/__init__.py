"""Forgets what a user asks a ledger to forget, and looks whether anything of it is left.

    secrets    everything that the rules of today take for a secret
    session    one session with its sub-agents
    project    every session of a folder
    text       the texts in a file

Takes a ledger's folder and a choice. Rows, kept texts, answers of judges and received records that
hold some of it are written anew without it; earlier generations, and whatever was worked out of
rows, go. Then every byte is read again (`ledger.searching`). Killed at any moment, the ledger is as
it was or as it is to be; the same command finishes the rest. Touches no trace.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct, structs

from agentdyno.engines.locking import hold
from agentdyno.engines.storage import url_of
from agentdyno.intake.cleaning import change_texts
from agentdyno.ledger.disk import replace_synced
from agentdyno.ledger.file_names import MARKS, refuse_link
from agentdyno.ledger.forgetting import Removal, Removed, remove_from_tables, sweep
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import Manifest, keeps_secrets, load
from agentdyno.ledger.retiring import forget as forget_earlier
from agentdyno.ledger.searching import Searched, search_folder
from agentdyno.ledger.stored_texts import StoredTexts, text_key
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.deduplicate import deduplicate_ledger
from agentdyno.pipelines.forget.choice import Choice, Plan, plan_removal
from agentdyno.pipelines.receive.segments import list_segments
from agentdyno.records import InputError, Trajectory
from agentdyno.records.verdicts import ANSWERS_FILE

CONTINUATIONS = "continuations"
"""Folder of a ledger that holds logs of runs from the middle of a trajectory."""


class Forgotten(Struct, frozen=True):
    """What `forget` did, and what it found afterwards."""

    ledger: Path
    trajectories: int
    rows: int
    """Rows that were removed from its tables."""
    texts: int
    """Cells, kept texts, answers and records that hold another text now."""
    secrets: dict[str, int]
    """Secrets that were found, by kind."""
    removed_files: list[str]
    """Logs that held some of it and were removed as a whole."""
    generations: int
    """Earlier generations that were removed."""
    being_read: list[int]
    """Earlier generations that another process is reading; their files are still there."""
    not_searched: int
    """Removed texts that were not searched for: words, very short ones, and what also stands in
    what is kept."""
    searched: Searched
    """What was read again, and where something is left."""

    @property
    def is_gone(self) -> bool:
        """Whether nothing of it was found."""
        return not self.searched.hits and not self.being_read


def forget(folder: Path, choice: Choice, inbox: Path | None = None) -> Forgotten:
    """Forgets what was chosen; `inbox` is the folder of received records, by default the one that
    `receive` has beside the ledger."""
    if url_of(folder) is not None:
        raise InputError(f"{folder}: expected a ledger on this disk, found one in a storage.")
    inbox = inbox or folder.with_name(f"{folder.name}-inbox")
    folders = [folder, *([inbox] if inbox.is_dir() else [])]
    with ExitStack() as stack:
        writer = stack.enter_context(LedgerWriter(folder, load(folder).options))
        _hold_others(stack, folder, inbox)
        lines = _list_lines(folder, inbox)
        plan = plan_removal(folder, writer.manifest, choice, lines)
        earlier = {generation.number for generation in list_generations(folder)}
        removed, keys, texts = _rewrite(writer, plan)
        StoredTexts(folder).drop_others(keys)
        needles = plan.find_needles(folder, writer.manifest)
        texts += sum(_rewrite_lines(path, plan, needles) for path in lines)
        logs = _remove_logs(folder / CONTINUATIONS, needles)
        forget_earlier(folder, writer.manifest)
        reading = sweep(folder, writer.manifest)
    searched = search_folder(folders[0], needles)
    for other in folders[1:]:
        searched = searched.join(search_folder(other, needles))
    return Forgotten(
        ledger=folder,
        trajectories=len(plan.removal.trajectories),
        rows=removed.rows,
        texts=removed.texts + texts,
        secrets=dict(plan.counts),
        removed_files=logs,
        generations=len(earlier - {writer.manifest.generation, *reading}),
        being_read=reading,
        not_searched=plan.not_searched + len(plan.texts) - len(needles),
        searched=searched,
    )


def _hold_others(stack: ExitStack, folder: Path, inbox: Path) -> None:
    """Nobody may be judging or receiving meanwhile: both append to files that are written anew."""
    answers = refuse_link(folder / ANSWERS_FILE)
    if answers.is_file():
        file: IO[bytes] = stack.enter_context(answers.open("rb"))
        hold(file, f"{answers}: another process is judging with these answers right now.")
    if inbox.is_dir():
        file = stack.enter_context(refuse_link(inbox / ".lock").open("ab"))
        hold(file, f"{inbox}: another process is receiving into this folder right now.")


def _rewrite(writer: LedgerWriter, plan: Plan) -> tuple[Removed, set[str], int]:
    """Tables and kept texts anew; the keys of the texts that stay, and how many changed."""
    manifest = writer.manifest
    before = structs.replace(manifest, inputs=manifest.inputs, volumes=dict(manifest.volumes))
    with writer.in_one_step():
        if plan.removal.redacts:
            manifest.options = {**manifest.options, "keep_secrets": False}
        removed = remove_from_tables(writer, plan.removal)
        keys, changed = _rewrite_texts(writer.folder, before, manifest, removed, plan.removal)
        if plan.removal.trajectories or not manifest.settled:
            manifest.settled = False
            deduplicate_ledger(writer, manifest.options.get("cache", "evicted"))
            remove_from_tables(writer, structs.replace(plan.removal, drops_kin=True))
    return removed, keys, changed


def _rewrite_texts(
    folder: Path, before: Manifest, now: Manifest, removed: Removed, removal: Removal
) -> tuple[set[str], int]:
    """Kept texts under the names that they have now. Those come first: a kill between them and the
    tables leaves rows whose texts are read from their traces."""
    stored, keys, changed = StoredTexts(folder), set[str](), 0
    for volume, entry in before.volumes.items() if stored.keys else ():
        home = removed.volumes[volume]
        is_spared = removal.spares_kept and keeps_secrets(entry.making)
        kept = [piece for piece in entry.pieces if piece.name not in removal.inputs]
        pieces = now.volumes[home].pieces if home is not None else []
        for old, new in zip(kept, pieces, strict=False):
            key, new_key = text_key(before, volume, old), text_key(now, home or "", new)
            if key not in stored.keys or new_key is None:
                continue
            trajectories = stored.read(key)
            remaining = trajectories if is_spared else _without(trajectories, removal)
            if remaining != trajectories or key != new_key:
                stored.write(new_key, remaining)
                changed += 1
            keys.add(new_key)
    return keys, changed


def _without(trajectories: list[Trajectory], removal: Removal) -> list[Trajectory]:
    gone = removal.trajectories
    remaining = [trajectory for trajectory in trajectories if trajectory.trajectory_id not in gone]
    names = removal.find_names(
        {n for t in remaining for n in (t.trajectory_id, t.source, t.parent_id) if n}
    )

    def rename(trajectory: Trajectory) -> Trajectory:
        parent = trajectory.parent_id
        return structs.replace(
            trajectory,
            trajectory_id=names.get(trajectory.trajectory_id, trajectory.trajectory_id),
            source=names.get(trajectory.source, trajectory.source),
            parent_id=None if parent in gone else names.get(parent or "", parent),
        )

    return change_texts([*map(rename, remaining)], removal.find_texts, removal.find_names)


# What stands beside the tables --------------------------------------------------------------------


def _list_lines(folder: Path, inbox: Path) -> list[Path]:
    """Files of JSON lines: marks, answers of judges, received records."""
    files = [refuse_link(folder / MARKS), refuse_link(folder / ANSWERS_FILE)]
    received = list_segments(inbox) if inbox.is_dir() else []
    return [path for path in (*files, *received) if path.is_file()]


def _rewrite_lines(path: Path, plan: Plan, needles: set[str]) -> int:
    """A file without what is forgotten; how many lines changed or went."""
    lines = path.read_bytes().splitlines(keepends=True)
    new = [_rewrite_line(line, plan, needles) for line in lines]
    changed = sum(a != b for a, b in zip(lines, new, strict=True))
    if changed and any(new):
        replace_synced(path, b"".join(new))
    elif changed:
        path.unlink()
    return changed


def _rewrite_line(line: bytes, plan: Plan, needles: set[str]) -> bytes:
    try:
        before, value = msgspec.json.decode(line), msgspec.json.decode(line)
        remaining = plan.rewrite(value, needles)
    except (ValueError, RecursionError):
        return line  # Not ours; what it holds is searched all the same.
    if remaining == before:
        return line
    return b"" if remaining is None else msgspec.json.encode(remaining) + b"\n"


def _remove_logs(folder: Path, needles: set[str]) -> list[str]:
    """Logs that hold some of it: nobody can write an archive of another program anew."""
    if not refuse_link(folder).is_dir():
        return []
    remaining = search_folder(folder, needles).hits
    for path in map(Path, remaining):
        if path.is_file():
            path.unlink()
    return sorted(remaining)
