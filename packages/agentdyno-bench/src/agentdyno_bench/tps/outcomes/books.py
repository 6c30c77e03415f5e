"""The books of the world: money that is gone without anything that was left to show for it.

Each account should hold what it held at first, less what the rows that are there now cost, less
bills and transfers. What is missing beyond that was spent on nothing: a flight that was booked and
cancelled again and again, a seat that nobody asked for.

Worked: a flight for 135.60 is booked, cancelled (three quarters come back) and booked again. The
row that is left costs 135.60 and 169.50 were taken: 33.90 are missing.
"""

from agentdyno_bench.tps.outcomes.changes import Change
from agentdyno_bench.tps.world.directory import server_class
from agentdyno_bench.tps.world.finance import CARD
from agentdyno_bench.tps.world.kit.server import Row, State, first_state

_CHARGED = frozenset({"bookings", "orders", "tickets"})
"""Collections whose rows are paid by card when they are made."""
SMALLEST = 0.005
"""Euros; less is rounding."""


def missing_money(states: dict[str, State], found: list[Change], world_seed: int) -> float:
    """Euros that left the accounts and that no row explains."""
    if "finance" not in states:
        return 0.0
    first = first_state(server_class("finance"), world_seed)["accounts"]
    accounts = states["finance"]["accounts"]
    left = {name: row["balance_eur"] for name, row in first.items()}
    for change in found:
        for account, amount in _costs(change):
            left[account] = left.get(account, 0.0) - amount
    gone = sum(left[name] - row["balance_eur"] for name, row in accounts.items())
    return round(gone, 2) if gone > SMALLEST else 0.0


def _costs(change: Change) -> list[tuple[str, float]]:
    """What an account paid for a row as it is now."""
    row = change.after
    if row is None or change.is_undone:
        return []
    if change.collection == "bills" and row.get("status") == "paid":
        return [(str(row.get("account")), float(row["amount_eur"]))]
    if change.collection in _CHARGED and change.before is None:
        return [(CARD, _price(row))]
    return []


def _price(row: Row) -> float:
    price = float(row["price_eur"] if "price_eur" in row else row["total_eur"])
    return price - float(row.get("refund_eur") or 0.0)
