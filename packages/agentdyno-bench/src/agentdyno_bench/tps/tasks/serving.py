"""Which tools can serve a subtask: the plan's own, and others that were tried and gave the same.

A tool is believed to serve only after a call whose arguments and result held everything that the
subtask is about and must bring. Nothing is assumed from descriptions.
"""

from collections.abc import Callable
from typing import Any

from agentdyno_bench.tps.tasks.matching import holds
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.kit.letters import LETTER_FIELDS

FREE_TEXT = frozenset(
    {"query", "subject", "text", "title", "label", "expression", "memo", "name", "beginning",
     "question", "topic", "site", *LETTER_FIELDS}
)  # fmt: skip
"""Arguments that everybody words as they like."""

Given = dict[str, Any]
Adapter = Callable[[Given], Given]


def find_serving_tools(world: World, tool: str, arguments: Given, expected: list[Any]) -> list[str]:
    """The plan's tool and every other one that proves to serve."""
    alternatives = [
        other
        for other, adapt in OTHER_WAYS.get(tool, ())
        if _serves(world, other, adapt(arguments), expected)
    ]
    return [tool, *alternatives]


def _serves(world: World, tool: str, args: Given, expected: list[Any]) -> bool:
    outcome = world.call(tool, args)
    return outcome.error is None and all(holds([args, outcome.value], item) for item in expected)


def _sum(arguments: Given) -> Given:
    return {"expression": "+".join(str(value) for value in arguments["values"])}


def _change(arguments: Given) -> Given:
    return {"expression": f"({arguments['after']}/{arguments['before']}-1)*100"}


def _split(arguments: Given) -> Given:
    tip = arguments.get("tip_percent", 0)
    return {"expression": f"{arguments['total']}*(1+{tip}/100)/{arguments['people']}"}


def _profile(arguments: Given) -> Given:
    slug = arguments["city"].casefold().replace(" ", "-")
    return {"url": f"https://atlas.example/{slug}"}


def _stay(arguments: Given) -> Given:
    return {key: arguments[key] for key in ("city", "check_in", "nights")}


OTHER_WAYS: dict[str, tuple[tuple[str, Adapter], ...]] = {
    "weather_daily_forecast": (
        ("weather_forecast_range", lambda g: {"city": g["city"], "start": g["date"], "days": 1}),
    ),
    "calendar_day_agenda": (
        ("calendar_list_events", lambda g: {"start": g["date"], "end": g["date"]}),
    ),
    "calendar_find_events": (
        ("calendar_list_events", lambda g: {"start": "2026-04-13", "end": "2026-05-31"}),
    ),
    "maps_directions": (
        (
            "maps_travel_time",
            lambda g: {"origin_id": g["origin_id"], "destination_id": g["destination_id"]},
        ),
    ),
    "websearch_web_search": (
        ("websearch_deep_research", lambda g: {"question": g["query"]}),
    ),
    "websearch_encyclopedia_city": (("websearch_fetch_page", _profile),),
    "websearch_fetch_page": (("websearch_page_summary", lambda g: {"url": g["url"]}),),
    "flights_search_flights": (
        (
            "flights_fare_calendar",
            lambda g: {"origin": g["origin"], "destination": g["destination"],
                       "start": g["date"], "days": 1},
        ),
    ),
    "hotels_search_hotels": (("hotels_cheapest_stay", _stay),),
    "hotels_cheapest_stay": (("hotels_search_hotels", _stay),),
    "restaurants_search_restaurants": (
        ("restaurants_top_rated", lambda g: {"city": g["city"], "cuisine": g.get("cuisine", "")}),
    ),
    "restaurants_top_rated": (
        (
            "restaurants_search_restaurants",
            lambda g: {"city": g["city"], "cuisine": g["cuisine"]},
        ),
    ),
    "finance_exchange_rate": (
        (
            "convert_convert_currency",
            lambda g: {"amount": 1.0, "source": g["base"], "target": g["quote"]},
        ),
    ),
    "finance_stock_quote": (("finance_market_movers", lambda g: {}),),
    "mail_search_mail": (("mail_list_inbox", lambda g: {"limit": 50}),),
    "mail_find_contact": (("mail_list_inbox", lambda g: {"limit": 50}),),
    "notes_search_notes": (("notes_list_notes", lambda g: {}),),
    "notes_list_tasks": (("notes_tasks_due", lambda g: {"until": "2026-12-31"}),),
    "news_company_news": (("news_search_news", lambda g: {"query": g["company"]}),),
    "news_city_news": (("news_search_news", lambda g: {"query": g["city"]}),),
    "convert_statistics_of": (("convert_calculate", _sum),),
    "convert_percentage_change": (("convert_calculate", _change),),
    "convert_split_bill": (("convert_calculate", _split),),
}  # fmt: skip
"""Tool of a plan -> tools to try with it, and how its arguments become theirs."""
