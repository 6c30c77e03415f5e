"""The numbers of `--json`, computed again from the Parquet files of a ledger with nothing but sums.

Each function takes an object that a verb printed and the tables, and returns the same shape with
the numbers that it must hold: a number, `Within` where a value was resampled or predicted and only
its bounds follow from the tables, or None where nothing is known. GPU-seconds stand in no table:
those of turns, parts and calls are taken from the replay, which has tests of its own, and added up
here.
"""

import math
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.studies.cost.part_seconds import read_calls, with_part_seconds
from agentdyno.studies.cost.seconds import time_turns

ID = "trajectory_id"
CALL = [ID, "turn", "call"]
SETTING = ["model", "benchmark", "variant"]
INSTRUCTIONS, IMAGES = r"(CLAUDE|AGENTS)\.md$", r"\.png$"
Object = dict[str, Any]


class Within(NamedTuple):
    """The bounds of a number that is resampled or predicted."""

    low: float
    high: float


ANY = Within(-math.inf, math.inf)
SHARE, COUNT = Within(0, 1), Within(0, math.inf)
NO_FIGURES = {
    "report_version": "the version of the format",
    "files*": "files of this run; no table says what one run did",
    "new_files": "as files",
    "read_again": "as files",
    "apart": "as files",
    "redaction_rules": "how many rules the program has",
    "*served.*": "the servers of the replay: cards, load and the range of its seconds",
    "evidence.*": "how far off replays were where they were measured",
    "*lanes.*": "coordinates of a drawing",
    "*patterns.found": "counts of detections, none of which has a cost here",
    "*patterns.unread": "as patterns.found",
    "*patterns.unproven.*": "as patterns.found",
    "*mixing.*": "shares and ratios of counts",
    "*estimated.*_error": "an error from the spread of estimates",
    "*.turn": "a place",
    "*.call": "a place",
}
"""Numbers that are no figures of cost, with the reason."""


def find_wrong(printed: Object, expected: Object) -> list[str]:
    """Every number that is not what the tables say, or that nobody can say anything about."""
    numbers, known = dict(_numbers(printed)), dict(_numbers(expected))
    wrong = [f"{path}: expected {known[path]}, found none" for path in known
             if path not in numbers and known[path] not in (None, 0) and not
             isinstance(known[path], Within)]  # fmt: skip
    for path, value in numbers.items():
        if path in known:
            if not _fits(value, known[path]):
                wrong.append(f"{path}: expected {known[path]}, found {value}")
        elif not any(fnmatchcase(path, pattern) for pattern in NO_FIGURES):
            wrong.append(f"{path}: {value} is recomputed by no rule")
    return wrong


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from _numbers(inside, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, inside in enumerate(value):
            yield from _numbers(inside, f"{path}.{place}")
    elif isinstance(value, int | float | Within) and not isinstance(value, bool):
        yield path, value


def _fits(value: float, expected: float | Within) -> bool:
    if isinstance(expected, Within):
        slack = 1e-9 * max(1.0, abs(value))
        return expected.low - slack <= value <= expected.high + slack
    return math.isclose(value, expected, rel_tol=1e-6, abs_tol=1e-12)


class Tables:
    """The files of a ledger, with the `cost` of their rows in one unit."""

    def __init__(self, folder: Path, unit: str | None = None) -> None:
        self.folder = folder
        rows, turns = self.read("trajectories"), self.read("turns")
        known = turns.group_by(ID).agg(of_turns=pl.col("usd").sum(), many=pl.col("usd").count())
        of_turns = pl.when(pl.col("many") > 0).then("of_turns")
        rows = rows.join(known, on=ID, how="left", maintain_order="left")
        rows = rows.with_columns(whole_usd="usd", usd=pl.coalesce("usd", of_turns))
        self.unit = unit or ("usd" if rows["usd"].count() else "pte")
        self.trajectories = self._priced(rows, self._seconds.group_by(ID).agg(
            pl.col("gpu_seconds").sum()), [ID])  # fmt: skip
        self.turns = self._priced(turns, self._seconds, [ID, "turn"])
        self.total = add(self.trajectories["cost"])

    def read(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self.folder / name / "*.parquet", missing_columns="insert")

    @cached_property
    def parts(self) -> pl.DataFrame:
        timed = None
        if self.unit == "gpu_seconds":
            ledger = Ledger(self.folder)
            timed = with_part_seconds(ledger, ledger.scan("parts")).collect()
        return self._shared(self.read("parts"), timed, [ID, "part"])

    @cached_property
    def calls(self) -> pl.DataFrame:
        timed = None
        if self.unit == "gpu_seconds":
            timed = read_calls(Ledger(self.folder), "gpu_seconds")
        return self._shared(self.read("calls"), timed, CALL)

    @cached_property
    def _seconds(self) -> pl.DataFrame:
        if self.unit == "usd":
            schema = {ID: pl.String, "turn": pl.Int64, "gpu_seconds": pl.Float64}
            return pl.DataFrame(schema=schema)
        return time_turns(Ledger(self.folder)).turns.select(ID, "turn", "gpu_seconds")

    def _priced(self, rows: pl.DataFrame, seconds: pl.DataFrame, on: list[str]) -> pl.DataFrame:
        joined = rows.join(seconds, on=on, how="left", maintain_order="left")
        return joined.with_columns(cost=pl.col(self.unit))

    def _shared(
        self, rows: pl.DataFrame, timed: pl.DataFrame | None, on: list[str]
    ) -> pl.DataFrame:
        """Parts and calls: a bill that only a trace states is shared out by PTE."""
        if timed is not None:
            rows = rows.join(timed.select(*on, "gpu_seconds"), on=on, how="left")
            return rows.with_columns(cost="gpu_seconds")
        whole = self.trajectories.select(ID, rate=pl.col(self.unit) / pl.col("pte"))
        joined = rows.join(whole, on=ID, how="left", maintain_order="left")
        return joined.with_columns(cost=pl.coalesce(self.unit, pl.col("pte") * pl.col("rate")))

    @cached_property
    def roots(self) -> dict[str, str]:
        parents = dict(self.trajectories.select(ID, "parent_id").iter_rows())
        found = {}
        for name in parents:
            top = name
            while parents.get(top) in parents:
                top = parents[top]
            found[name] = top
        return found

    @cached_property
    def losses(self) -> pl.DataFrame:
        """Every turn that paid for context which the turn before had in the cache, and first turns:
        lost = min(read + written before, context) - read; written by a first turn."""
        held = (pl.col("cached_tokens") + pl.col("cache_write_tokens")).shift(1).over(ID)
        lost = (pl.min_horizontal(held, "context_tokens") - pl.col("cached_tokens")).clip(0)
        is_first = pl.col("turn") == 0
        start = pl.coalesce("started_at", "ended_at")
        fresh = pl.col("context_tokens") - pl.col("cached_tokens") - pl.col("cache_write_tokens")
        rows = self.turns.sort(ID, "turn").with_columns(
            lost=pl.when(is_first).then("cache_write_tokens").otherwise(lost),
            pause=(start - start.shift(1)).over(ID), is_first=is_first,
            day=_day(),
            session=pl.col(ID).replace(self.roots),
            write=pl.col("usd_write") / pl.col("cache_write_tokens"),
            fresh=pl.col("usd_input") / fresh,
            read=(pl.col("usd_read").sum() / pl.col("cached_tokens").sum()).over("model"),
        ).filter(pl.col("lost") > 0)  # fmt: skip
        again = pl.min_horizontal("lost", "cache_write_tokens")
        sent = (pl.col("lost") - again) * pl.col("fresh").fill_nan(0)
        rows = rows.with_columns(written_again=again * pl.col("write"), sent_again=sent.fill_nan(0))
        paid = pl.col("written_again") + pl.col("sent_again")
        return rows.with_columns(paid=paid, avoidable=paid - pl.col("lost") * pl.col("read"))


def _day() -> pl.Expr:
    """When a turn was billed: at its end."""
    at = pl.from_epoch(pl.coalesce("ended_at", "started_at"), time_unit="s")
    return at.dt.strftime("%F")


def add(values: pl.Series) -> float | None:
    """The sum of what is known."""
    return float(values.sum()) if values.count() else None


def mean(values: pl.Series) -> float | None:
    known = values.drop_nulls()
    return float(known.sum()) / len(known) if len(known) else None


def share(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole


def where(rows: pl.DataFrame, **named: Any) -> pl.DataFrame:
    return rows.filter(pl.all_horizontal(pl.col(k).eq_missing(pl.lit(v)) for k, v in named.items()))


def counts(values: pl.Series) -> dict[str, int]:
    return dict(values.value_counts().iter_rows())


def estimate(value: float | None) -> Object:
    if value is None:
        return {"n": COUNT, "confidence": 0.95}
    ends = {"low": Within(-math.inf, value), "high": Within(value, math.inf)}
    return {"value": value, **ends, "n": COUNT, "confidence": 0.95, "p": SHARE}


# The head -----------------------------------------------------------------------------------------


def summary(found: Object, t: Tables) -> Object:
    """What `measure` prints."""
    rows, turns, unpriced = t.trajectories, t.turns, where(t.turns, usd=None)
    adds_up = rows["architecture"].n_unique() == 1
    guessed = turns.filter(decode_source="estimated")
    context = turns.filter(prefill_source="estimated").select("usd_input", "usd_read", "usd_write")
    estimated = guessed["usd_output"].sum() + context.sum().sum_horizontal()[0]
    errors = t.read("bad_records")
    return {
        "trajectories": len(rows), "turns": len(turns), "calls": len(t.calls),
        "bad_records": len(errors),
        "by_format": counts(rows["format"]), "by_token_source": counts(turns["token_source"]),
        "cost": t.total,
        "pte": add(rows["pte"]) if adds_up else None,
        "pte_growth": add(rows["pte_growth"]) if adds_up else None,
        "gpu_seconds": None if t.unit == "usd" else add(rows["gpu_seconds"]),
        "usd": add(rows["usd"]), "estimated_usd": estimated,
        "architectures": rows["architecture"].n_unique(),
        "unpriced": rows["whole_usd"].null_count(), "unpriced_turns": len(unpriced),
        "unpriced_models": counts(unpriced["model"].fill_null("")),
        "context_tokens": turns["context_tokens"].sum(),
        "decode_tokens": turns["decode_tokens"].sum(),
        "unmeasured": rows["cost"].null_count(),
        "settings": [_setting(each, t) for each in found["settings"]],
        "tools": [_tool(each, t) for each in found["tools"]],
        "kinds": [_kind(each, t) for each in found["kinds"]],
        "repeats": len(t.read("repeats")), "byte_equal": 0,
        "agents": agents(found["agents"], t) if found["agents"] else None,
        "estimated": _estimated(t) if found["estimated"] else None,
        "unseen": {name or "prompt": add(where(t.parts, kind="unseen", name=name)["cost"])
                   for name in t.parts.filter(kind="unseen")["name"].unique()},
        # No sample came through a gateway that counts by itself.
        "gateway_turns": 0, "gateway_usd": None if found["usd"] is None else 0.0,
        "reported_money": len(where(turns, usd_source="reported")),
        "cache_unreported": turns["cached_tokens"].null_count(),
        **{name: [_completeness(each["agent"], t) for each in found[name]]
           for name in {"completeness"} & found.keys()},
    }  # fmt: skip


def _completeness(agent: str, t: Tables) -> Object:
    mine = where(t.trajectories, format=agent)[ID]
    turns = t.turns.filter(pl.col(ID).is_in(mine.implode()))
    counted = ("reported", "scaled")
    is_known = [pl.col(name).is_in(counted) for name in ("prefill_source", "decode_source")]
    known = turns.filter(pl.all_horizontal(is_known))
    files = where(t.read("files"), format=agent)
    of = {state: where(files, state=state)["files"].sum() for state in ("empty", "bad")}
    cut = where(files, state="read").filter(pl.col("reason").is_not_null())
    whole = where(files, state="read").filter(pl.col("reason").is_null())
    both = where(turns, usd_source="list").drop_nulls("reported_usd")
    return {
        "responses": len(turns), "priced": turns["usd"].count(),
        "estimated": len(turns) - len(known), "read": whole["files"].sum(),
        "empty": of["empty"], "unread": of["bad"], "in_part": cut["files"].sum(),
        "bad_records": files["bad_records"].sum(),
        # A seller stands before the model's name; these ledgers have makers' models alone.
        "at_makers_price": turns.filter(pl.col("model").str.contains("/"))["usd"].count(),
        "stated_usd": both["reported_usd"].sum(), "listed_usd": both["usd"].sum(),
    }  # fmt: skip


def _setting(found: Object, t: Tables) -> Object:
    rows = where(t.trajectories, **{name: found[name] for name in SETTING})
    return {
        "trajectories": len(rows), "graded": rows["correct"].count(),
        "pte_mean": mean(rows["pte"]), "pte_total": add(rows["pte"]),
        "pte_growth_mean": mean(rows["pte_growth"]), "usd_mean": mean(rows["whole_usd"]),
        "gpu_seconds_mean": None if t.unit == "usd" else mean(rows["gpu_seconds"]),
        "tokens_mean": mean(rows["prefill_tokens"] + rows["decode_tokens"]),
        "turns_mean": mean(rows["turns"]), "calls_mean": mean(rows["calls"]),
        "gamma": rows["gamma"][0],
    }  # fmt: skip


def _tool(found: Object, t: Tables) -> Object:
    kinds = ("schema", "request", "result")
    parts = t.parts.filter(
        pl.col("kind").is_in(kinds), pl.col("name").fill_null("") == found["tool"]
    )
    calls = where(t.calls, tool=found["tool"])
    cost = {f"{kind}_cost": add(where(parts, kind=kind)["cost"]) for kind in kinds}
    return {
        **{name: 0.0 if where(parts, kind=name[:-5]).is_empty() else each
           for name, each in cost.items()},
        "calls": len(calls), "errors": calls["error"].count(),
        "offered": where(parts, kind="schema")[ID].n_unique(),
        "cost": add(parts["cost"]), "share": share(add(parts["cost"]), t.total),
        "result_tokens_mean": mean(calls["result_tokens"]),
    }  # fmt: skip


def _kind(found: Object, t: Tables) -> Object:
    parts = where(t.parts, kind=found["kind"])
    cost = add(parts["cost"])
    return {"tokens": add(parts["tokens"]), "cost": cost, "share": share(cost, t.total)}


def _estimated(t: Tables) -> Object:
    rows = t.turns.filter(pl.col("decode_spread").is_not_null(), pl.col("decode_tokens") > 0)
    return {"turns": len(rows), "tokens": rows["decode_tokens"].sum()}


def agents(found: Object, t: Tables) -> Object:
    """Main agents against sub-agents."""
    rows = t.trajectories
    main, started = (rows.filter(pl.col("parent_id").is_null() == is_main)
                     for is_main in (True, False))  # fmt: skip
    return {
        "main": _side(main), "started": _side(started),
        "architectures": rows["architecture"].n_unique(),
        "calls": [_starting(each, t) for each in found["calls"]],
    }  # fmt: skip


def _side(rows: pl.DataFrame) -> Object:
    return {"trajectories": len(rows), "turns": rows["turns"].sum(), "calls": rows["calls"].sum(),
            "tokens": rows["decode_tokens"].sum(), "cost": add(rows["cost"]),
            "unpriced": rows["cost"].null_count(),
            "usd": add(rows["usd"])}  # fmt: skip


def _starting(found: Object, t: Tables) -> Object:
    """One agent a call: the samples have no agents below agents."""
    rows = where(t.trajectories, parent_id=found[ID], title=found["title"])
    call = where(t.calls, **{name: found[name] for name in CALL})
    own = add(call["cost"])
    started = add(rows["cost"])
    return {"agents": len(rows), "turns": rows["turns"].sum(), "calls": rows["calls"].sum(),
            "own_cost": own, "started_cost": started, "started_usd": add(rows["usd"]),
            "cost": None if started is None else started + (own or 0.0), "bounded": 0,
            "unpriced": rows["cost"].null_count()}  # fmt: skip


# The cache ----------------------------------------------------------------------------------------


def cache(found: Object, t: Tables) -> Object:
    """What `cache` prints: always dollars."""
    turns, again, usd = t.turns, t.losses.filter(~pl.col("is_first")), add(t.turns["usd"])
    read, written = turns["cached_tokens"].sum(), turns["cache_write_tokens"].sum()
    hour = turns["cache_write_hour_tokens"].sum() or 0
    money = {
        name: add(turns[name]) for name in ("usd_read", "usd_write", "usd_input", "usd_output")
    }
    return {
        "turns": len(turns), "unreported": turns["cached_tokens"].null_count(),
        "read_tokens": read, "written_short_tokens": written - hour, "written_hour_tokens": hour,
        "uncached_tokens": turns["context_tokens"].sum() - read - written,
        "hit_rate": read / turns["context_tokens"].sum(),
        "usd": usd, **money,
        "charged": charged(turns, again),
        "rewritten": _lost(again),
        "causes": [_by_cause(each, t) for each in found["causes"]],
        "pauses": [_lost(again.filter(_is_in(each["name"]))) for each in found["pauses"]],
        "days": [_lost(where(again, day=each["name"])) for each in found["days"]],
        "sessions": [_lost(where(again, session=each["name"])) for each in found["sessions"]],
        "losses": [_loss(each, again) for each in found["losses"]],
        "alternatives": [{"before_usd": add(t.trajectories["whole_usd"]),
                          "after_usd": Within(0.3 * (usd or 0), 3 * (usd or 0))}
                         for _ in found["alternatives"]],
        "unexplained_share": share(
            sum(each["usd"] for each in found["causes"] if each["name"].endswith("unknown")),
            add(again["paid"]),
        ),
        "versions": [_version(where(turns, client_version=each["client_version"]), again)
                     for each in found["versions"]],
    }  # fmt: skip


def _version(turns: pl.DataFrame, again: pl.DataFrame) -> Object:
    """Which of its losses another version might not have had is a judgement."""
    most = Within(0, add(again["paid"]) or 0)
    return {"turns": len(turns.filter(pl.col("turn") > 0)), "losses": Within(0, len(again)),
            "usd": most}  # fmt: skip


def charged(turns: pl.DataFrame, again: pl.DataFrame) -> Object:
    """A bill: lost cache is taken out of writes and fresh input."""
    sums = {name: turns[f"usd_{name}"].sum() for name in ("read", "write", "output", "input")}
    return {"read": sums["read"], "output": sums["output"], "lost": again["paid"].sum(),
            "write": sums["write"] - again["written_again"].sum(),
            "fresh": sums["input"] - again["sent_again"].sum()}  # fmt: skip


def _lost(rows: pl.DataFrame) -> Object:
    return {"losses": len(rows), "tokens": rows["lost"].sum(), "usd": add(rows["paid"]),
            "avoidable_usd": add(rows["avoidable"])}  # fmt: skip


def _by_cause(found: Object, t: Tables) -> Object:
    """Which cause a loss has is a judgement; what it cost is not."""
    if found["name"] == "first turn":
        return _lost(t.losses.filter("is_first")) | {"avoidable_usd": None}
    whole = _lost(t.losses.filter(~pl.col("is_first")))
    return {name: Within(0, each or 0) for name, each in whole.items()}


def _is_in(band: str | None) -> pl.Expr:
    if band is None:
        return pl.col("pause").is_null()
    least, most = {"under 5 minutes": (0, 300), "5 to 60 minutes": (300, 3600)}[band]
    return pl.col("pause").is_between(least, most, closed="left")


def _loss(found: Object, again: pl.DataFrame) -> Object:
    row = where(again, **{ID: found[ID], "turn": found["turn"]})
    return {"tokens": row["lost"].sum(), "usd": add(row["paid"]),
            "pause_seconds": row["pause"][0]}  # fmt: skip


def origins(found: Object, t: Tables) -> Object:
    """Where tokens come from is a judgement; that the money adds up to the bill is not."""
    usd = add(t.turns["usd"]) or 0.0
    total = sum(each["usd"] for each in found["rows"])
    assert abs(total - usd) < 1e-6 * usd, (total, usd)
    unknown = sum(each["usd"] for each in found["rows"] if each["origin"] == "unexplained")
    return {"usd": usd, "unexplained_share": share(unknown, usd),
            "rows": [{"tokens": Within(0, 1e15), "usd": Within(0, usd),
                      "share": share(each["usd"], usd)} for each in found["rows"]]}  # fmt: skip


# What it was spent on -----------------------------------------------------------------------------


def spending(found: Object, t: Tables) -> Object:
    return {"total": t.total, "kinds": {
        kind: [_spent(each, t) for each in rows] for kind, rows in found["kinds"].items()
    }}  # fmt: skip


def _spent(found: Object, t: Tables) -> Object:
    calls = where(t.calls, subject=found["name"])
    stays = where(t.parts, kind="result").join(t.trajectories.select(ID, "turns"), on=ID)
    stays = stays.select(*CALL, stay=pl.coalesce("leaves", "turns") - pl.col("enters"))
    held = calls.join(stays.unique(CALL), on=CALL, how="left")["stay"]
    cost = add(calls["cost"])
    return {"calls": len(calls), "failed": calls["error"].count(),
            "sessions": calls[ID].replace(t.roots).n_unique(),
            "result_tokens": add(calls["result_tokens"]), "turns_in_context": mean(held),
            "cost": cost, "share": share(cost, t.total), "usd": add(calls["usd"]),
            "unpriced_calls": calls["cost"].null_count(),
            **_started(calls, t)}  # fmt: skip


def _started(calls: pl.DataFrame, t: Tables) -> Object:
    below = t.trajectories.join(
        calls.select(parent_id=ID, parent_call_id="call_id"), on=["parent_id", "parent_call_id"]
    )
    tokens = add(below["prefill_tokens"] + below["decode_tokens"])
    return {"below_cost": add(below["cost"]), "unpriced_agents": below["cost"].null_count(),
            "returned_share": share(add(calls["result_tokens"]), tokens)}  # fmt: skip


def sessions(found: Object, t: Tables) -> Object:
    at = pl.from_epoch(pl.coalesce("started_at", "ended_at"), time_unit="s")
    about = t.trajectories.select(session=ID, project="project", branch="branch", agent="format")
    turns = t.turns.with_columns(
        session=pl.col(ID).replace(t.roots), day=at.dt.strftime("%F"), week=at.dt.strftime("%G-W%V")
    ).join(about, on="session", how="left")
    return {
        "sessions": [_session(where(turns, session=each[ID]), each, t)
                     for each in found["sessions"]],
        "groups": {by: [_group(where(turns, **{by: each["name"]})) for each in rows]
                   for by, rows in found["groups"].items()},
    }  # fmt: skip


def _session(turns: pl.DataFrame, found: Object, t: Tables) -> Object:
    start, end = (turns.select(pl.coalesce(*each)).to_series()
                  for each in (("started_at", "ended_at"), ("ended_at", "started_at")))  # fmt: skip
    known = turns.filter(pl.col("cached_tokens").is_not_null())
    return {
        "started_at": where(t.trajectories, trajectory_id=found[ID])["started_at"][0],
        "seconds": None if start.min() is None else end.max() - start.min(),
        "turns": len(turns), "calls": turns["calls"].sum(), "sub_agents": turns[ID].n_unique() - 1,
        "cost": add(turns["cost"]), "usd": add(turns["usd"]),
        "hit_rate": share(known["cached_tokens"].sum(), known["context_tokens"].sum()),
        "unpriced_turns": turns["cost"].null_count(),
    }  # fmt: skip


def _group(turns: pl.DataFrame) -> Object:
    read, written = turns["cached_tokens"].sum(), turns["cache_write_tokens"].sum()
    return {
        "sessions": turns["session"].n_unique(), "turns": len(turns), "read_tokens": read,
        "written_tokens": written, "input_tokens": turns["context_tokens"].sum() - read - written,
        "output_tokens": turns["decode_tokens"].sum(), "cost": add(turns["cost"]),
        "usd": add(turns["usd"]), "unpriced_turns": turns["cost"].null_count(),
    }  # fmt: skip


# The rest of a report -----------------------------------------------------------------------------


def levers(found: list[Object], t: Tables) -> list[Object]:
    """A part of the whole, its share of it, and an interval around it."""
    return [{"amount": Within(0, t.total or 0), "share": each["amount"] / (t.total or 1),
             "low": Within(0, each["amount"]), "high": Within(each["amount"], t.total or 0),
             "rows": COUNT, "sessions": COUNT}
            for each in found]  # fmt: skip


def overview(found: Object, t: Tables) -> Object:
    graded = t.trajectories.filter(pl.col("correct").is_not_null())
    named = found["highlights"]
    unused = [{"sessions": COUNT, "tokens": COUNT, "cost": add(
        t.parts.filter(kind="schema").filter(pl.col("name").is_in(each["tools"]))["cost"]
    )} for each in named["unused_servers"]]  # fmt: skip
    return {
        "summary": summary(found["summary"], t),
        "graded": len(graded), "solved": int(graded["correct"].sum()),
        "graded_cost": graded["cost"].sum(), "levers": levers(found["levers"], t),
        "highlights": {
            "bill": _bill(named["bill"], t) if named["bill"] else None,
            "file": _file(named["file"], t) if named["file"] else None,
            "pause": _pause(named["pause"], t) if named["pause"] else None,
            "unused_servers": unused, "sessions": len(set(t.roots.values())),
        },
    }  # fmt: skip


def _file(found: Object, t: Tables) -> Object:
    spent = _spent(found, t)
    return {"calls": spent["calls"], "cost": spent["cost"]}


def _pause(found: Object, t: Tables) -> Object:
    loss = _loss(found, t.losses)
    return {"seconds": loss["pause_seconds"], "usd": loss["usd"]}


def _bill(found: Object, t: Tables) -> Object:
    """By day, or by session."""
    again = t.losses.filter(~pl.col("is_first"))
    turns = t.turns.with_columns(day=_day().fill_null("no date"),
                                 session=pl.col(ID).replace(t.roots))  # fmt: skip
    again, by = again.with_columns(pl.col("day").fill_null("no date")), found["by"]
    bars = [(where(turns, **{by: bar["name"]}), where(again, **{by: bar["name"]}))
            for bar in found["bars"]]  # fmt: skip
    return {"usd": add(turns["usd"]), "parts": charged(turns, again), "left_out": 0,
            "bars": [{"usd": add(rows["usd"]), "parts": charged(rows, lost)}
                     for rows, lost in bars]}  # fmt: skip


def fuel(found: Object, t: Tables) -> Object:
    settings = t.trajectories.select(ID, *SETTING)
    parts, calls = (
        rows.drop(SETTING, strict=False).join(settings, on=ID) for rows in (t.parts, t.calls)
    )

    def kind(each: Object) -> Object:
        mine = where(parts, **each["setting"])
        cost = add(where(mine, kind=each["kind"])["cost"])
        return {"cost": cost, "share": share(cost, add(mine["cost"])),
                "trajectories": len(where(settings, **each["setting"]))}  # fmt: skip

    def tool(each: Object) -> Object:
        mine = where(parts, **each["setting"])
        cost = add(where(mine, kind=each["kind"], name=each["tool"])["cost"])
        return {"cost": cost, "share": share(cost, add(mine["cost"])),
                "calls": len(where(calls, tool=each["tool"], **each["setting"]))}  # fmt: skip

    return {"summary": summary(found["summary"], t), "kinds": [*map(kind, found["kinds"])],
            "tools": [*map(tool, found["tools"])]}  # fmt: skip


def expensive(found: list[Object], t: Tables) -> list[Object]:
    whole = dict(t.trajectories.select(ID, "cost").iter_rows())

    def call(each: Object) -> Object:
        [row] = where(t.calls, **{name: each[name] for name in CALL}).to_dicts()
        return {"request_tokens": row["request_tokens"], "result_tokens": row["result_tokens"],
                "held_turns": COUNT, "cost": row["cost"],
                "share": share(row["cost"], whole[each[ID]])}  # fmt: skip

    return [*map(call, found)]


def drilldown(found: Object, t: Tables) -> Object:
    def one(each: Object) -> Object:
        name = {ID: each[ID]}
        [row] = where(t.trajectories, **name).to_dicts()
        parts = where(t.parts, **name)
        return {
            "cost": row["cost"], "usd": row["whole_usd"], "calls": row["calls"],
            "kinds": {kind: add(where(parts, kind=kind)["cost"]) for kind in each["kinds"]},
            "turns": [turn(place, name) for place in range(len(each["turns"]))],
        }  # fmt: skip

    def turn(place: int, name: Object) -> Object:
        [row] = where(t.turns, turn=place, **name).to_dicts()
        calls = where(t.calls, turn=place, **name).sort("call").to_dicts()
        cells = ("request_tokens", "result_tokens", "wait_seconds", "cost")
        named = ("prefill_tokens", "context_tokens", "decode_tokens", "cached_tokens", "cost",
                 "latency_seconds")  # fmt: skip
        return {cell: row[cell] for cell in named} | {
            "calls": [{cell: call[cell] for cell in cells} for call in calls]
        }

    return {"total": len(t.trajectories), "trajectories": [*map(one, found["trajectories"])]}


def scheduling(found: Object, t: Tables) -> Object:
    """Missed costs: the PTE that the table holds, at the price of its trajectory's."""
    about = t.trajectories.select(ID, "model", "calls", "cost", rate=pl.col("cost") / pl.col("pte"))
    rows = t.read("scheduling").filter(pl.col("call_turns") > 0).join(about, on=ID)
    not_known = {"n": 0, "confidence": 0.95}  # No task brings a graph.
    missed = ("joined", "missed_turns", "missed_share", "missed_cost", "tool_seconds",
              "model_seconds")  # fmt: skip

    def group(named: Object) -> Object:
        is_whole = named["name"] == found["whole"]["name"]
        mine = rows.filter(True if is_whole else pl.col("model") == named["name"])
        return {
            "trajectories": len(mine),
            "calls_per_turn": estimate(mean(mine["calls_per_turn"])),
            "overlap": estimate(mean(mine["overlap"])),
            **dict.fromkeys(missed, not_known),
        }

    def one(each: Object) -> Object:
        [row] = where(rows, trajectory_id=each[ID]).to_dicts()
        return {name: row[name] for name in ("calls", "call_turns")}

    return {
        "whole": group(found["whole"]), "settings": [*map(group, found["settings"])],
        "worst": [*map(one, found["worst"])], "drawn": [*map(one, found["drawn"])],
        "known": 0, "inferred": len(rows), "timeless": COUNT, "unread": 0,
    }  # fmt: skip


SECTIONS: dict[str, Callable[[Any, Tables], Any]] = {
    "glance": overview, "cache": cache, "origins": origins, "spending": spending,
    "sessions": sessions,
    "levers": levers, "fuel": fuel, "tools": summary, "method": summary, "calls": expensive,
    "scheduling": scheduling, "trajectories": drilldown, "agents": agents,
}  # fmt: skip


def report(found: Object, t: Tables) -> Object:
    return {"results": {name: SECTIONS[name](result, t) for name, result in
                        found["results"].items() if name in SECTIONS}}  # fmt: skip


# compare ------------------------------------------------------------------------------------------


def compare(found: Object, a: Tables, b: Tables) -> Object:
    """Means over attempts that both sides have, by the first response, sub-agents with the attempt
    that started them; and their ratio."""
    shared = set(_first_responses(a)) & set(_first_responses(b))

    def metric(each: Object) -> Object:
        first, second = (mean(_attempts(side, each["metric"], shared)) for side in (a, b))
        if each["metric"] in CALL_SHARES:
            effect = second - first
            ends = {"low": Within(-1, effect), "high": Within(effect, 1)}
            return {"n": COUNT, "a_mean": first, "b_mean": second, "effect": effect, **ends}
        ratio = share(second, first)
        ends = {"low": Within(0, ratio), "high": Within(ratio, math.inf)} if ratio else {}
        typical = _typical(*(_attempts(side, each["metric"], shared) for side in (a, b)))
        return {"n": COUNT, "a_mean": first, "b_mean": second, "effect": ratio, "p": SHARE,
                "p_holm": SHARE, **ends, "typical": typical}  # fmt: skip

    return {"a": _side_of(a, found["a"]), "b": _side_of(b, found["b"]), "confidence": 0.95,
            "concurrency": COUNT, "metrics": [*map(metric, found["metrics"])]}  # fmt: skip


def _typical(first: pl.Series, second: pl.Series) -> Object:
    """The geometric mean of ratios of attempts in the order of their first responses."""
    ratios = (second / first).drop_nulls()
    if ratios.is_empty():
        return {}
    ratio = math.exp(ratios.log().mean())
    return {"ratio": ratio, "low": Within(0, ratio), "high": Within(ratio, math.inf), "p": SHARE,
            "n": len(ratios), "left_out_tasks": len(first) - len(ratios)}  # fmt: skip


def _side_of(t: Tables, found: Object) -> Object:
    rows = where(t.trajectories, parent_id=None)
    return {"trajectories": len(rows), "tasks": len(rows),
            "settings": rows.select(SETTING).n_unique(),
            "estimated": {"turns": COUNT, "tokens": COUNT}}  # fmt: skip


def _first_responses(t: Tables) -> dict[str, str]:
    """Response -> the attempt that it begins."""
    return dict(t.turns.filter(turn=0).select("identity", ID).iter_rows())


CALL_SHARES = {
    "failed_calls": lambda calls, _: calls.filter(pl.col("error").is_not_null()),
    "malformed_calls": lambda calls, patterns: calls.join(
        patterns.filter(pl.col("pattern") == "format_collapse"), on=[ID, "turn", "call"], how="semi"
    ),
}


def _attempts(t: Tables, metric: str, shared: set[str]) -> pl.Series:
    """By first response; None for an attempt of which a part is not known."""
    both = pl.col("context_tokens") + pl.col("decode_tokens")
    tokens = t.turns.group_by(ID).agg(tokens=both.sum())
    rows = t.trajectories.with_columns(usd="whole_usd").join(tokens, on=ID, how="left")
    if metric == "gpu_seconds":
        timed = time_turns(Ledger(t.folder), 64).by_trajectory().select(ID, "gpu_seconds")
        rows = rows.drop("gpu_seconds").join(timed, on=ID, how="left")
    if metric == "accuracy":
        return rows["correct"].cast(pl.Float64)
    if metric in CALL_SHARES:
        counted = CALL_SHARES[metric](t.calls, t.read("paper_patterns"))
        many = t.calls.group_by(ID).len("whole").join(counted.group_by(ID).len("part"), ID, "left")
        tops = many.group_by(pl.col(ID).replace(t.roots)).agg(pl.col("whole", "part").sum())
        return tops["part"] / tops["whole"]
    whole = pl.when(pl.col(metric).null_count() == 0).then(pl.col(metric).sum())
    found = _first_responses(t)
    first = pl.DataFrame({"root": [found[response] for response in sorted(shared)]})
    grouped = rows.group_by(root=pl.col(ID).replace(t.roots)).agg(whole=whole)
    joined = first.join(grouped, on="root", how="left", maintain_order="left")
    return joined["whole"].cast(pl.Float64)
