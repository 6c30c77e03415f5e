"""Shopping: a catalogue with prices over time, a cart, orders."""

from datetime import timedelta
from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.finance import bank
from agentdyno_bench.tps.world.kit.arguments import Limit, Query, note
from agentdyno_bench.tps.world.kit.chance import chance, share
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

ProductId = Annotated[str, note("Id of a product, for example 'p-tent-corvid'.")]
OrderId = Annotated[str, note("Id of an order, for example 'OR-7K2M9P'.")]


class Shopping(Server):
    """The shop."""

    name = "shopping"
    title = "Bazaar"
    version = "6.0.1"
    about = "Searches a catalogue of goods and orders them."

    @tool(latency=0.7)
    def search_products(
        self,
        query: Query,
        max_price: Annotated[float | None, note("In euros.")] = None,
        limit: Limit = 10,
    ) -> Row:
        """Products whose name or category matches, with price in euros and stars."""
        words = query.casefold().split()
        products = [
            p
            for p in self._catalogue()
            if _matches(words, f"{p['name']} {p['category']}")
            and (max_price is None or p["price_eur"] <= max_price)
        ]
        return {"query": query, "products": products[:limit]}

    @tool(latency=0.3)
    def product_details(self, product_id: ProductId) -> Row:
        """One product with weight, warranty, delivery time and description."""
        product = self._product(product_id)
        rng = chance(self.seed, "details", product_id)
        return {
            **product,
            "weight_kg": round(_usual_weight(product["name"]) * rng.uniform(0.8, 1.25), 2),
            "warranty_months": rng.choice([12, 24, 36]),
            "delivery_days": self._days_by_post(product_id),
            "description": f"{product['name']} for everyday use, in "
            f"{rng.choice(['black', 'grey', 'green'])}.",
            "returns": "30 days",
        }

    @tool(latency=0.8)
    def compare_products(self, product_ids: Annotated[list[str], note("Two to five ids.")]) -> Row:
        """Several products side by side, cheapest first."""
        if not 2 <= len(product_ids) <= 5:
            raise ServiceError("invalid_argument", "Give two to five products.")
        rows = [self.product_details(p) for p in product_ids]
        return {"products": sorted(rows, key=lambda r: float(r["price_eur"]))}

    @tool(latency=0.9)
    def price_trend(self, product_id: ProductId) -> Row:
        """Monthly prices of a product over the past year, with the lowest."""
        product = self._product(product_id)
        months = [
            (TODAY - timedelta(days=30 * back)).strftime("%Y-%m") for back in range(12, 0, -1)
        ]
        prices = [
            {
                "month": m,
                "price_eur": round(
                    product["price_eur"] * (0.85 + 0.4 * share(self.seed, product_id, m)), 2
                ),
            }
            for m in months
        ]
        low = min(prices, key=lambda p: float(str(p["price_eur"])))
        return {"product_id": product_id, "prices": prices, "lowest": low}

    @tool(latency=0.3)
    def check_stock(self, product_id: ProductId) -> Row:
        """How many of a product are in the warehouse."""
        self._product(product_id)
        return {"product_id": product_id, "in_stock": self._stock(product_id)}

    @tool(latency=0.5)
    def product_reviews(self, product_id: ProductId, limit: Limit = 5) -> Row:
        """What buyers wrote about a product."""
        self._product(product_id)
        rng = chance(self.seed, "reviews", product_id)
        reviews = []
        for _ in range(limit):
            stars = rng.randint(1, 5)
            lines = load("shopping")["praise" if stars > 3 else "blame"]
            reviews.append({"stars": stars, "text": rng.choice(lines)})
        return {"product_id": product_id, "reviews": reviews}

    @tool(latency=0.4, writes=True)
    def add_to_cart(
        self, product_id: ProductId, quantity: Annotated[int, note("1 to 20.")] = 1
    ) -> Row:
        """Put a product into the cart."""
        product = self._product(product_id)
        if not 1 <= quantity <= 20:
            raise ServiceError("invalid_argument", "quantity must be 1 to 20.")
        if self._stock(product_id) < quantity:
            raise ServiceError("out_of_stock", f"Only {self._stock(product_id)} left.")
        row = {"product_id": product_id, "name": product["name"], "quantity": quantity,
               "subtotal_eur": round(product["price_eur"] * quantity, 2)}  # fmt: skip
        return self.keep("cart", product_id, row)

    @tool(latency=0.2)
    def view_cart(self) -> Row:
        """What is in the cart, and its total."""
        rows = list(self.state["cart"].values())
        return {"items": rows, "total_eur": round(sum(r["subtotal_eur"] for r in rows), 2)}

    @tool(latency=0.3, writes=True)
    def remove_from_cart(
        self,
        product_id: ProductId,
        quantity: Annotated[int | None, note("How many; all when left out.")] = None,
    ) -> Row:
        """Take a product out of the cart, or some of it."""
        row = self.row("cart", product_id, "product in the cart")
        remaining = 0 if quantity is None else row["quantity"] - quantity
        if remaining < 0:
            raise ServiceError("invalid_argument", f"Only {row['quantity']} are in the cart.")
        del self.state["cart"][product_id]
        if remaining:
            price = self._product(product_id)["price_eur"]
            line = {**row, "quantity": remaining, "subtotal_eur": round(price * remaining, 2)}
            self.keep("cart", product_id, line)
        return {"removed": row["product_id"], "left": remaining}

    @tool(latency=1.3, writes=True, destructive=True)
    def order_product(
        self,
        product_id: ProductId,
        quantity: Annotated[int, note("1 to 20.")] = 1,
        coupon: Annotated[str | None, note("A code, where you have one.")] = None,
    ) -> Row:
        """Order a product directly, without the cart, to the address on file."""
        product = self._product(product_id)
        if not 1 <= quantity <= 20:
            raise ServiceError("invalid_argument", "quantity must be 1 to 20.")
        if self._stock(product_id) < quantity:
            raise ServiceError("out_of_stock", f"Only {self._stock(product_id)} left.")
        cut = 0 if coupon is None else self._cut(coupon)
        total = round(product["price_eur"] * quantity * (1 - cut / 100), 2)
        return self._order(product, quantity, total)

    @tool(latency=1.5, writes=True, destructive=True)
    def check_out(
        self, coupon: Annotated[str | None, note("A code, where you have one.")] = None
    ) -> Row:
        """Order everything in the cart, to the address on file, and empty it."""
        rows = list(self.state["cart"].values())
        if not rows:
            raise conflict("The cart is empty.")
        cut = 0 if coupon is None else self._cut(coupon)
        orders = []
        for row in rows:
            total = round(row["subtotal_eur"] * (1 - cut / 100), 2)
            orders.append(self._order(self._product(row["product_id"]), row["quantity"], total))
            del self.state["cart"][row["product_id"]]
        return {"orders": orders, "total_eur": round(sum(o["total_eur"] for o in orders), 2)}

    @tool(latency=0.7, writes=True, destructive=True)
    def cancel_order(self, order_id: OrderId) -> Row:
        """Take back an order that is not yet on its way; the money comes back in full."""
        row = self.row("orders", order_id, "order")
        if row["status"] != "placed":
            raise conflict(f"{order_id} is {row['status']}.")
        bank(self).charge(f"refund of {order_id}", -row["total_eur"], order_id)
        return self.keep("orders", order_id, {**row, "status": "cancelled"})

    @tool(latency=0.2)
    def my_orders(self) -> Row:
        """Orders of this account, with totals in euros and days of arrival."""
        return {"orders": list(self.state["orders"].values())}

    def _days_by_post(self, product_id: str) -> int:
        return 2 + int(6 * share(self.seed, "post", product_id))

    def _order(self, product: Row, quantity: int, total: float) -> Row:
        product_id = product["product_id"]
        if self._stock(product_id) < quantity:
            raise ServiceError("out_of_stock", f"Only {self._stock(product_id)} left.")
        order_id = self.new_id("OR", product_id, quantity, len(self.state["orders"]))
        bank(self).charge(f"{quantity} x {product['name']}", total, order_id)
        arrives = TODAY + timedelta(days=self._days_by_post(product_id))
        row = {"order_id": order_id, "product_id": product_id, "name": product["name"],
               "quantity": quantity, "total_eur": total, "status": "placed",
               "arrives": arrives.isoformat()}  # fmt: skip
        return self.keep("orders", order_id, row)

    @tool(latency=0.4)
    def order_status(self, order_id: OrderId) -> Row:
        """Where an order is and when it arrives."""
        return self.row("orders", order_id, "order")

    @tool(latency=0.3)
    def check_coupon(self, coupon: Annotated[str, note("The code.")]) -> Row:
        """What a discount code is worth."""
        return {"coupon": coupon, "percent": self._cut(coupon)}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """An empty cart and no orders."""
        return {"cart": {}, "orders": {}}

    def _cut(self, coupon: str) -> int:
        cuts: dict[str, int] = load("shopping")["coupons"]
        if coupon not in cuts:
            raise not_found("coupon", coupon)
        return cuts[coupon]

    def _catalogue(self) -> list[Row]:
        return catalogue(self.seed)

    def _product(self, product_id: str) -> Row:
        product = _by_id(self.seed).get(product_id)
        if product is not None:
            return product
        raise not_found("product", product_id, "Ids come from a search for products.")

    def _stock(self, product_id: str) -> int:
        sold: int = sum(
            o["quantity"]
            for o in self.state["orders"].values()
            if o["product_id"] == product_id and o["status"] == "placed"
        )
        return max(0, int(24 * share(self.seed, "stock", product_id)) - sold)


def _matches(words: list[str], text: str) -> bool:
    """True when every word begins a word of the text: 'phone' finds no headphones."""
    tokens = text.casefold().split()
    return all(any(f.startswith(word) for f in tokens) for word in words)


@cache
def catalogue(seed: int) -> list[Row]:
    """Every product; never to be changed by whoever reads them."""
    data = load("shopping")
    products = []
    for name, category, price, _ in data["products"]:
        rng = chance(seed, "product", name)
        for brand in rng.sample(data["brands"], 4):
            slug = name.split()[-1].replace("'", "")
            products.append(
                {
                    "product_id": f"p-{slug}-{brand.casefold()}",
                    "name": f"{brand} {name}",
                    "category": category,
                    "price_eur": round(price * rng.uniform(0.7, 1.45), 2),
                    "stars": round(rng.uniform(2.4, 4.9), 2),
                }
            )
    return products


@cache
def _usual_weight(name: str) -> float:
    return next(float(p[3]) for p in load("shopping")["products"] if name.endswith(f" {p[0]}"))


@cache
def _by_id(seed: int) -> dict[str, Row]:
    return {product["product_id"]: product for product in catalogue(seed)}
