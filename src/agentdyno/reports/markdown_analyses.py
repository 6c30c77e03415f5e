"""The analyses as Markdown, after the summary. Text from traces is escaped."""

from agentdyno.estimates.values import Estimate
from agentdyno.records.settings import SettingName
from agentdyno.reports.latency import WHAT_TO_WATCH, left_out
from agentdyno.reports.markdown import escape
from agentdyno.reports.numbers import UNKNOWN, label, percent, short
from agentdyno.studies.cost.results import Analyses

ROWS = 20


def render_analyses(a: Analyses) -> str:
    """Every analysis that has something to say."""
    blocks = [_conclusion(a), _standings(a), _outcomes(a), _turns(a), _levels(a), _patterns(a),
              _latency(a), _hardware(a), _calls(a)]  # fmt: skip
    return "\n\n".join(block for block in blocks if block) + "\n"


def _conclusion(a: Analyses) -> str:
    told = a.conclusion
    lines = [f"- {escape(text)}" for text in (told.cost, told.place, told.change)]
    return "## In short\n\n" + "\n".join(lines)


def _table(title: str, head: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    lines = ["| " + " | ".join(row) + " |" for row in [head, rule, *rows[:ROWS]]]
    left = len(rows) - ROWS
    more = f"\n\n{left} more rows in `--format json`." if left > 0 else ""
    return f"## {title}\n\n" + "\n".join(lines) + more


def _name(setting: SettingName | None) -> str:
    if setting is None:
        return "all settings"
    return escape(label(setting.model, setting.benchmark, setting.variant))


def _figure(found: Estimate, digits: int = 2) -> str:
    if found.value is None:
        return found.reason or UNKNOWN
    if found.low is None or found.high is None:
        return f"{found.value:.{digits}f}"
    return f"{found.value:.{digits}f} [{found.low:.{digits}f}, {found.high:.{digits}f}]"


def _share(found: Estimate) -> str:
    if found.value is None:
        return found.reason or UNKNOWN
    return f"{percent(found.value, 0)} [{percent(found.low, 0)}, {percent(found.high, 0)}]"


def _standings(a: Analyses) -> str:
    places = {None: "no rival", True: "on the front", False: "beaten"}
    rows = [[_name(r.setting), _share(r.accuracy), short(r.pte.value), short(r.pte_per_solved),
             places[r.on_front]] for r in a.standings]  # fmt: skip
    head = ["setting", "solved", "PTE", "PTE per solved", "Pareto front"]
    return _table("Accuracy against cost", head, rows)


def _outcomes(a: Analyses) -> str:
    rows = [[_name(g.setting), f"{g.solved:,}", f"{g.unsolved:,}", _figure(g.ratio)]
            for g in a.outcomes]  # fmt: skip
    head = ["setting", "solved", "unsolved", "PTE, unsolved / solved"]
    return _table("What failing costs", head, rows)


def _turns(a: Analyses) -> str:
    rows = [[_name(s.setting), f"{s.trajectories:,}", _share(s.first_longest),
             _figure(s.first_over_later), _figure(s.last_over_first_pte)]
            for s in a.turns if s.trajectories]  # fmt: skip
    head = ["setting", "n", "first turn longest", "tokens, first / later", "PTE, last / first"]
    return _table("Turn by turn", head, rows)


def _levels(a: Analyses) -> str:
    rows = [[_name(g.setting), escape(label(g.level)), f"{g.solved:,}", f"{g.unsolved:,}",
             _figure(g.ratio)] for g in a.difficulty.gaps]  # fmt: skip
    head = ["setting", "level", "solved", "unsolved", "PTE, unsolved / solved"]
    return _table("By difficulty", head, rows)


def _patterns(a: Analyses) -> str:
    rows = [[escape(label(r.pattern)), _name(r.setting), f"{r.found:,}", _share(r.frequency),
             _figure(r.multiplier), percent(r.pte_share)] for r in a.patterns.rates]  # fmt: skip
    head = ["pattern", "setting", "found", "frequency", "cost multiplier", "PTE share"]
    return _table("Wasteful habits", head, rows)


def _latency(a: Analyses) -> str:
    rows = [[r.measure, escape(label(r.model)) if r.model else "all models", r.unit,
             _figure(r.pearson, 3), _figure(r.spearman, 3), f"{r.pearson.n:,}"]
            for r in a.latency.rows]  # fmt: skip
    head = ["measure", "model", "unit", "Pearson r", "Spearman", "n"]
    blocks = [_table("Cost against time", head, rows), WHAT_TO_WATCH if rows else "",
              left_out(a.latency) if rows else ""]  # fmt: skip
    return "\n\n".join(block for block in blocks if block)


def _hardware(a: Analyses) -> str:
    rows = [[escape(label(r.hardware)), f"{r.scale:.2f}", short(r.pte), _figure(r.trajectories, 3)]
            for r in a.hardware.rows]  # fmt: skip
    return _table("On other hardware", ["hardware", "gamma ×", "PTE", "rank correlation"], rows)


def _calls(a: Analyses) -> str:
    rows = [[escape(label(c.tool)), escape(label(c.trajectory_id, limit=60)), f"{c.turn + 1}",
             short(c.result_tokens), short(c.pte), percent(c.share)] for c in a.calls]  # fmt: skip
    head = ["tool", "trajectory", "turn", "result tokens", "PTE", "of its trajectory"]
    return _table("The most expensive calls", head, rows)
