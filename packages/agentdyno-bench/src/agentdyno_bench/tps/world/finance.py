"""Finance: a stock market, exchange rates and a personal bank account."""

from datetime import date as Date
from datetime import timedelta
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import Amount, Currency, Day, Limit, note
from agentdyno_bench.tps.world.kit.chance import chance, share
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import NOW, TODAY, day
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.money import rate
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

Symbol = Annotated[str, note("Ticker symbol, for example 'CRVD'.")]
Account = Annotated[str, note("checking, savings or travel")]
Month = Annotated[str, note("Month as YYYY-MM.")]
CARD = "checking"
"""The account that purchases of all services are charged to."""


class Finance(Server):
    """Markets and the bank."""

    name = "finance"
    title = "Ledgerline"
    version = "3.4.0"
    about = "Share prices, exchange rates, accounts, bills and transfers."

    @tool(latency=0.4)
    def find_symbol(self, company: Annotated[str, note("Name or part of it.")]) -> Row:
        """Ticker symbol of a listed company."""
        rows = [_company(c) for c in load("finance")["companies"]]
        matches = [r for r in rows if company.casefold() in r["name"].casefold()]
        if not matches:
            raise not_found("company", company)
        return {"matches": matches}

    @tool(latency=0.5, quota=(40, 75))
    def stock_quote(self, symbol: Symbol) -> Row:
        """Latest share price of a company with the change since yesterday."""
        company = self._find_company(symbol)
        price, before = (
            self._price(symbol, TODAY),
            self._price(symbol, _find_trading_day_before(TODAY)),
        )
        return {
            "symbol": company["symbol"],
            "name": company["name"],
            "price_usd": price,
            "previous_usd": before,
            "change_percent": round((price / before - 1) * 100, 2),
            "volume": int(2e6 * share(self.seed, "volume", symbol)) + 50_000,
        }

    @tool(latency=0.9, quota=(25, 50))
    def stock_history(self, symbol: Symbol, start: Day, end: Day) -> Row:
        """Closing prices of a share between two past dates, one per week."""
        self._find_company(symbol)
        first = day(start, Date(2024, 1, 1), TODAY)
        last = day(end, Date(2024, 1, 1), TODAY)
        if last < first:
            raise ServiceError("invalid_date", "end lies before start.")
        days = range(0, (last - first).days + 1, 7)
        closes = [
            {"date": (first + timedelta(days=n)).isoformat(),
             "close_usd": self._price(symbol, first + timedelta(days=n))}
            for n in days
        ]  # fmt: skip
        return {"symbol": symbol, "closes": closes}

    @tool(latency=0.5, quota=(25, 50))
    def company_profile(self, symbol: Symbol) -> Row:
        """Sector, size, dividend and valuation of a listed company."""
        company = self._find_company(symbol)
        rng = chance(self.seed, "profile", symbol)
        return {
            **company,
            "employees": rng.randint(900, 86_000),
            "founded": rng.randint(1921, 2014),
            "dividend_percent": round(rng.uniform(0, 5), 2),
            "price_to_earnings": round(rng.uniform(8, 42), 1),
            "market_value_billion_usd": round(rng.uniform(1, 320), 1),
        }

    @tool(latency=0.7)
    def market_movers(self) -> Row:
        """Shares that rose and fell most today."""
        rows = [self.stock_quote(c[0]) for c in load("finance")["companies"]]
        ranked = sorted(rows, key=lambda r: float(r["change_percent"]))
        return {"losers": ranked[:3], "winners": ranked[-3:][::-1]}

    @tool(latency=0.3)
    def exchange_rate(self, base: Currency, quote: Currency) -> Row:
        """Today's rate between two currencies."""
        return {"base": base.upper(), "quote": quote.upper(), "date": TODAY.isoformat(),
                "rate": rate(self.seed, base, quote)}  # fmt: skip

    @tool(latency=0.3)
    def account_balance(self, account: Account) -> Row:
        """What is on an account, in euros."""
        row = self.row("accounts", account, "account")
        return {
            "account": account,
            "holder": "Robin Vale",
            "balance_eur": row["balance_eur"],
            "available_eur": round(row["balance_eur"] + (500 if account == CARD else 0), 2),
            "as_of": NOW,
            "interest_percent": {"savings": 1.75}.get(account, 0.0),
        }

    @tool(latency=0.7)
    def transactions(self, month: Month, limit: Limit = 20) -> Row:
        """Card payments of a month with merchant, category and amount in euros."""
        return {"month": month, "transactions": self._month(month)[:limit]}

    @tool(latency=0.8)
    def spending_by_category(self, month: Month) -> Row:
        """Where the money went in a month, by category, in euros."""
        total: dict[str, float] = {}
        for row in self._month(month):
            total[row["category"]] = round(total.get(row["category"], 0) + row["amount_eur"], 2)
        ranked = sorted(total.items(), key=lambda item: -item[1])
        rows = [{"category": c, "amount_eur": a} for c, a in ranked]
        return {"month": month, "categories": rows, "total_eur": round(sum(total.values()), 2)}

    @tool(latency=1.2, writes=True, destructive=True)
    def transfer_money(
        self,
        source: Account,
        target: Account,
        amount: Amount,
        memo: Annotated[str, note("What it is for.")] = "",
    ) -> Row:
        """Move euros between two of the own accounts."""
        giving = self.row("accounts", source, "account")
        taking = self.row("accounts", target, "account")
        if amount <= 0 or source == target:
            raise ServiceError("invalid_argument", "A positive amount between two accounts.")
        if giving["balance_eur"] < amount:
            raise ServiceError(
                "insufficient_funds", f"{source} holds only {giving['balance_eur']} EUR."
            )
        amount = round(amount, 2)
        self._move(giving, -amount)
        self._move(taking, amount)
        number = len(self.state["transfers"])
        transfer_id = self.new_id("TR", source, target, amount, memo, number)
        row = {"transfer_id": transfer_id, "source": source, "target": target,
               "amount_eur": amount, "memo": memo}  # fmt: skip
        return self.keep("transfers", transfer_id, row)

    @tool(latency=0.3)
    def open_bills(self) -> Row:
        """Bills that are still to be paid, with due dates."""
        rows = [r for r in self.state["bills"].values() if r["status"] == "open"]
        return {"bills": rows}

    @tool(latency=1.1, writes=True, destructive=True)
    def pay_bill(self, bill: Annotated[str, note("Id of the bill.")], account: Account) -> Row:
        """Pay an open bill from an account."""
        row = self.row("bills", bill, "bill")
        purse = self.row("accounts", account, "account")
        if row["status"] != "open":
            raise conflict(f"{bill} is already paid.")
        if purse["balance_eur"] < row["amount_eur"]:
            raise ServiceError("insufficient_funds", f"{account} does not hold enough.")
        self._move(purse, -row["amount_eur"])
        return self.keep("bills", bill, {**row, "status": "paid", "account": account})

    @tool(latency=0.2)
    def loan_payment(
        self,
        principal: Amount,
        yearly_percent: Annotated[float, note("Interest in percent a year.")],
        years: Annotated[int, note("1 to 40.")],
    ) -> Row:
        """Monthly payment and total interest of a loan with equal payments."""
        if not 1 <= years <= 40 or yearly_percent <= 0:
            raise ServiceError("invalid_argument", "years 1 to 40 and a positive interest.")
        monthly = yearly_percent / 1200
        payment = round(principal * monthly / (1 - (1 + monthly) ** (-12 * years)), 2)
        return {
            "monthly_payment": payment,
            "total_interest": round(payment * 12 * years - principal, 2),
        }

    @tool(latency=0.3)
    def account_statement(self, account: Account) -> Row:
        """What other services charged to or paid back on an account lately, and its balance."""
        row = self.row("accounts", account, "account")
        charges = [c for c in self.state["charges"].values() if c["account"] == account]
        return {"account": account, "balance_eur": row["balance_eur"], "charges": charges}

    @tool(latency=0.4)
    def all_balances(self) -> Row:
        """Every account with what is on it, and the sum, in euros."""
        rows = list(self.state["accounts"].values())
        return {"accounts": rows, "total_eur": round(sum(r["balance_eur"] for r in rows), 2)}

    @tool(latency=0.5)
    def compare_shares(
        self, symbols: Annotated[list[str], note("Two to six ticker symbols.")]
    ) -> Row:
        """Several shares side by side: price and change since yesterday, best first."""
        if not 2 <= len(symbols) <= 6:
            raise ServiceError("invalid_argument", "Give two to six symbols.")
        rows = [self.stock_quote(symbol) for symbol in symbols]
        return {"shares": sorted(rows, key=lambda r: -float(r["change_percent"]))}

    def charge(self, reason: str, amount: float, key: str) -> None:
        """Takes money for a purchase elsewhere from the account of the card, or gives it back."""
        purse = self.state["accounts"][CARD]
        if purse["balance_eur"] < amount:
            raise ServiceError(
                "insufficient_funds",
                f"The card was declined: {CARD} holds {purse['balance_eur']} EUR.",
            )
        self._move(purse, -amount)
        charge_id = self.new_id("CH", key, len(self.state["charges"]))
        row = {"charge_id": charge_id, "account": CARD, "for": reason, "amount_eur": amount}
        self.keep("charges", charge_id, row)

    def _move(self, account: Row, amount: float) -> None:
        now = {**account, "balance_eur": round(account["balance_eur"] + amount, 2)}
        self.keep("accounts", account["account"], now)

    def first_state(self) -> dict[str, dict[str, Row]]:
        """Accounts with money on them, bills to pay."""
        data = load("finance")
        accounts = {n: {"account": n, "balance_eur": b} for n, b in data["accounts"].items()}
        bills = {
            f"bill-{n}": {
                "bill": f"bill-{n}",
                "for": n,
                "amount_eur": a,
                "due": d,
                "status": "open",
            }
            for n, a, d in data["bills"]
        }
        return {"accounts": accounts, "bills": bills, "transfers": {}, "charges": {}}

    def _find_company(self, symbol: str) -> Row:
        for row in load("finance")["companies"]:
            if row[0] == symbol.upper():
                return _company(row)
        raise not_found("listed share", symbol)

    def _price(self, symbol: str, when: Date) -> float:
        usual: float = next(c[3] for c in load("finance")["companies"] if c[0] == symbol.upper())
        when = _last_trading_day(when)
        name, quarter = symbol.upper(), (when.month - 1) // 3
        slow = share(self.seed, "quarter", name, when.year, quarter)
        month = share(self.seed, "month", name, when.year, when.month)
        fast = share(self.seed, "close", name, when)
        # A day moves a share by up to three percent, a quarter by up to a quarter.
        return round(usual * (0.85 + 0.2 * slow + 0.05 * month) * (0.985 + 0.03 * fast), 2)

    def _month(self, month: str) -> list[Row]:
        first = day(f"{month}-01", Date(2025, 1, 1), TODAY)
        rng = chance(self.seed, "month", month)
        data, rows = load("finance"), []
        categories = [name for name in data["categories"] if name != "rent"]
        for number in range(rng.randint(14, 22)):
            if first + timedelta(days=number) > TODAY:
                break
            category = rng.choice(categories) if number else "rent"
            amount = round(rng.uniform(4, 130), 2) if number else 940.0
            rows.append({"date": (first + timedelta(days=number)).isoformat(),
                         "merchant": rng.choice(data["merchants"][category]),
                         "category": category, "amount_eur": amount})  # fmt: skip
        return rows


def _last_trading_day(when: Date) -> Date:
    """The day itself, or the Friday before a weekend: the price stays where it closed."""
    return when - timedelta(days=max(0, when.weekday() - 4))


def _find_trading_day_before(when: Date) -> Date:
    return _last_trading_day(when - timedelta(days=1))


def bank(server: Server) -> Finance:
    """The bank of the world that another server stands in."""
    server_found = server.world.server("finance")
    assert isinstance(server_found, Finance)
    return server_found


def _company(row: list[str]) -> Row:
    return {"symbol": row[0], "name": row[1], "sector": row[2]}
