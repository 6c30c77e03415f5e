"""One successful call to every tool of the world, in an order in which they can be made.

Values in braces are taken from earlier results of the same server: `{search_flights.flights.1.id}`
means that field of the result of `search_flights`.
"""

from typing import Any

from agentdyno_bench.tps.tasks.references import resolve

DAY = "2026-05-04"
OPEN = "2026-05-07"
"""A Thursday: restaurants close on other days."""
A, B = "Lisbon", "Oslo"


def back(tool: str, path: str) -> dict[str, Any]:
    """A value from an earlier result."""
    return {"$from": tool, "path": path}


def seats(tool: str = "search_flights") -> dict[str, Any]:
    """A flight that is not full."""
    return {"$from": tool, "list": "flights", "take": "first", "field": "flight_id",
            "where": [["seats_left", ">", 0]]}  # fmt: skip


FLIGHT, HOTEL, TABLE = (
    seats(),
    back("search_hotels", "hotels.0.hotel_id"),
    back("search_restaurants", "restaurants.0.restaurant_id"),
)
PRODUCT = {"$from": "search_products", "list": "products", "take": "first",
           "field": "product_id"}  # fmt: skip
PLACE, OTHER = back("find_places", "places.0.place_id"), back("find_places", "places.1.place_id")
EVENT = back("create_event", "event_id")
MAIL = back("list_inbox", "messages.0.message_id")
FILE = back("create_document", "file_id")
SHEET = {"$from": "list_folder", "list": "files", "take": "first", "field": "file_id"}
ARTICLE = back("top_headlines", "articles.0.article_id")
PAGE = back("web_search", "results.0.url")

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "weather": {
        "current_conditions": {"city": A},
        "daily_forecast": {"city": A, "date": DAY},
        "forecast_range": {"city": A, "start": DAY, "days": 3},
        "hourly_forecast": {"city": A, "date": DAY},
        "weather_alerts": {"city": A},
        "air_quality": {"city": A, "date": DAY},
        "sun_times": {"city": A, "date": DAY},
        "past_weather": {"city": A, "date": "2026-03-01"},
        "compare_cities": {"cities": [A, B], "date": DAY},
        "pollen_forecast": {"city": A, "date": DAY},
    },
    "calendar": {
        "list_events": {"start": "2026-04-13", "end": "2026-04-30"},
        "day_agenda": {"date": DAY},
        "create_event": {"title": "Test", "start": "2026-05-09T12:00"},
        "event_details": {"event_id": EVENT},
        "find_events": {"title": "test"},
        "free_slots": {"date": DAY, "minutes": 30},
        "is_free": {"start": "2026-05-09T12:30", "minutes": 30},
        "move_event": {"event_id": EVENT, "start": "2026-05-10T12:00"},
        "invite": {"event_id": EVENT, "email": "a@b.example"},
        "set_reminder": {"event_id": EVENT, "minutes_before": 15},
        "delete_event": {"event_id": EVENT},
        "public_holidays": {"country": "Norway"},
    },
    "maps": {
        "geocode_city": {"city": A},
        "find_places": {"city": A, "category": "museum"},
        "place_details": {"place_id": PLACE},
        "distance_between_cities": {"origin": A, "destination": B},
        "directions": {"origin_id": PLACE, "destination_id": OTHER},
        "travel_time": {"origin_id": PLACE, "destination_id": OTHER},
        "nearby_places": {"place_id": PLACE},
        "nearest_city": {"latitude": 38.7, "longitude": -9.1},
        "save_place": {"place_id": PLACE, "label": "x"},
        "list_saved_places": {},
    },
    "websearch": {
        "web_search": {"query": "running shoes"},
        "fetch_page": {"url": PAGE},
        "site_search": {"site": "outdoor.example", "query": "tent"},
        "page_summary": {"url": PAGE},
        "related_pages": {"url": PAGE},
        "encyclopedia_city": {"city": A},
        "search_suggestions": {"beginning": "how"},
        "page_date": {"url": PAGE},
        "deep_research": {"question": "what bees see"},
    },
    "flights": {
        "search_flights": {"origin": A, "destination": B, "date": DAY},
        "flight_details": {"flight_id": FLIGHT},
        "fare_calendar": {"origin": A, "destination": B, "start": DAY, "days": 3},
        "book_flight": {"flight_id": FLIGHT},
        "flight_status": {"flight_id": FLIGHT},
        "airports_of": {"city": A},
        "seat_map": {"flight_id": FLIGHT},
        "choose_seat": {"booking_id": back("book_flight", "booking_id"),
                        "seat": back("seat_map", "free.0.seat")},
        "my_flights": {},
        "cancel_flight": {"booking_id": back("book_flight", "booking_id")},
    },
    "hotels": {
        "search_hotels": {"city": A, "check_in": DAY, "nights": 2},
        "hotel_details": {"hotel_id": HOTEL},
        "room_availability": {"hotel_id": HOTEL, "check_in": DAY, "nights": 2},
        "reserve_room": {"hotel_id": HOTEL, "check_in": DAY, "nights": 2},
        "my_reservations": {},
        "hotel_reviews": {"hotel_id": HOTEL},
        "compare_hotels": {"hotel_ids": ["lisbon-h1", "lisbon-h2"], "check_in": DAY, "nights": 2},
        "cheapest_stay": {"city": A, "check_in": DAY, "nights": 2},
        "change_room": {"reservation_id": back("reserve_room", "reservation_id"),
                        "room": "suite"},
        "cancel_reservation": {"reservation_id": back("reserve_room", "reservation_id")},
    },
    "restaurants": {
        "search_restaurants": {"city": A, "cuisine": "Italian"},
        "restaurant_details": {"restaurant_id": TABLE},
        "menu": {"restaurant_id": TABLE},
        "free_tables": {"restaurant_id": TABLE, "date": OPEN, "party": 2},
        "reserve_table": {"restaurant_id": TABLE, "date": OPEN,
                          "time": back("free_tables", "times.0"), "party": 2},
        "cancel_table": {"table_id": back("reserve_table", "table_id")},
        "my_tables": {},
        "diet_options": {"restaurant_id": TABLE},
        "cuisines_in": {"city": A},
        "top_rated": {"city": A, "cuisine": "Italian"},
    },
    "shopping": {
        "search_products": {"query": "tent"},
        "product_details": {"product_id": PRODUCT},
        "compare_products": {"product_ids": [back("search_products", "products.0.product_id"),
                                             back("search_products", "products.1.product_id")]},
        "price_trend": {"product_id": PRODUCT},
        "check_stock": {"product_id": PRODUCT},
        "product_reviews": {"product_id": PRODUCT},
        "add_to_cart": {"product_id": PRODUCT, "quantity": 2},
        "view_cart": {},
        "remove_from_cart": {"product_id": PRODUCT, "quantity": 1},
        "order_product": {"product_id": PRODUCT, "coupon": "SPRING10"},
        "order_status": {"order_id": back("order_product", "order_id")},
        "check_coupon": {"coupon": "SPRING10"},
        "check_out": {},
        "my_orders": {},
        "cancel_order": {"order_id": back("order_product", "order_id")},
    },
    "finance": {
        "find_symbol": {"company": "Iris"},
        "stock_quote": {"symbol": "IRIS"},
        "stock_history": {"symbol": "IRIS", "start": "2026-01-05", "end": "2026-02-02"},
        "company_profile": {"symbol": "IRIS"},
        "market_movers": {},
        "exchange_rate": {"base": "EUR", "quote": "USD"},
        "account_balance": {"account": "checking"},
        "transactions": {"month": "2026-03"},
        "spending_by_category": {"month": "2026-03"},
        "transfer_money": {"source": "savings", "target": "checking", "amount": 10.0},
        "open_bills": {},
        "pay_bill": {"bill": "bill-water", "account": "checking"},
        "loan_payment": {"principal": 1000.0, "yearly_percent": 3.0, "years": 2},
        "account_statement": {"account": "checking"},
        "all_balances": {},
        "compare_shares": {"symbols": ["IRIS", "KSTR"]},
    },
    "news": {
        "top_headlines": {"category": "business"},
        "search_news": {"query": "bridge"},
        "company_news": {"company": "Iris Optics"},
        "city_news": {"city": A},
        "read_article": {"article_id": ARTICLE},
        "related_articles": {"article_id": ARTICLE},
        "trending_topics": {},
        "news_sources": {},
        "save_article": {"article_id": ARTICLE},
        "reading_list": {},
    },
    "mail": {
        "list_inbox": {},
        "search_mail": {"query": "invoice"},
        "read_message": {"message_id": MAIL},
        "send_mail": {"to": "robin.vale@mail.example", "subject": "s", "text": "t"},
        "reply": {"message_id": MAIL, "text": "ok"},
        "forward": {"message_id": MAIL, "to": "robin.vale@mail.example"},
        "archive_message": {"message_id": MAIL},
        "label_message": {"message_id": MAIL, "label": "x"},
        "find_contact": {"name": "Dana"},
        "contacts_at": {"company": "Corvid"},
        "sent_messages": {},
        "messages_from": {"email": "dana.whitlock@corvid.example"},
        "contacts_in": {"city": "Lyon"},
        "list_contacts": {},
        "delete_message": {"message_id": MAIL},
    },
    "documents": {
        "list_folder": {"folder": "finance"},
        "search_files": {"query": "budget"},
        "read_file": {"file_id": SHEET},
        "column_total": {"file_id": SHEET, "column": "spent_eur"},
        "filter_rows": {"file_id": SHEET, "column": "spent_eur", "minimum": 10.0},
        "create_document": {"title": "x", "text": "one two"},
        "word_count": {"file_id": FILE},
        "append_text": {"file_id": FILE, "text": "three"},
        "share_file": {"file_id": FILE, "email": "a@b.example"},
        "move_file": {"file_id": FILE, "folder": "home"},
        "list_files": {},
        "table_rows": {"file_id": SHEET},
        "delete_file": {"file_id": FILE},
    },
    "notes": {
        "list_tasks": {"list_name": "work"},
        "tasks_due": {"until": "2026-05-01"},
        "add_task": {"title": "x", "due": DAY},
        "complete_task": {"task_id": back("add_task", "task_id")},
        "postpone_task": {"task_id": back("add_task", "task_id"), "due": "2026-06-01"},
        "overdue_tasks": {},
        "search_notes": {"query": "gift"},
        "read_note": {"note_id": back("search_notes", "notes.0.note_id")},
        "create_note": {"title": "x", "text": "y"},
        "append_note": {"note_id": back("create_note", "note_id"), "text": "z"},
        "list_notes": {},
        "find_tasks": {"title": "passport"},
        "delete_task": {"task_id": back("add_task", "task_id")},
    },
    "media": {
        "search_films": {"genre": "comedy"},
        "film_details": {"film": "Static"},
        "showtimes": {"film": "Static", "city": A, "date": DAY},
        "buy_tickets": {"film": "Static", "city": A, "date": DAY,
                        "show_id": {"$from": "showtimes", "list": "shows", "take": "first",
                                    "field": "show_id", "where": [["seats_left", ">", 0]]}},
        "search_albums": {"artist_or_genre": "jazz"},
        "album_tracks": {"album": "Low Tide"},
        "create_playlist": {"name": "x", "tracks": ["River"]},
        "list_playlists": {},
        "search_podcasts": {"topic": "maps"},
        "podcast_episodes": {"podcast": "Ground Truth"},
        "book_details": {"book": "The Salt Road"},
        "books_by": {"author": "Mori"},
        "my_tickets": {},
        "compare_films": {"films": ["Static", "Marmalade"]},
    },
    "convert": {
        "calculate": {"expression": "(2 + 3) * 4"},
        "convert_currency": {"amount": 10.0, "source": "EUR", "target": "USD"},
        "convert_units": {"value": 1.0, "source": "mile", "target": "kilometre"},
        "convert_temperature": {"value": 100.0, "source": "celsius", "target": "fahrenheit"},
        "percentage_change": {"before": 50.0, "after": 60.0},
        "statistics_of": {"values": [1.0, 2.0, 6.0]},
        "split_bill": {"total": 100.0, "people": 4, "tip_percent": 10.0},
        "days_between": {"start": "2026-04-13", "end": "2026-04-20"},
        "shift_date": {"date": "2026-04-13", "days": 30},
        "convert_time": {"time": "2026-05-04T10:00", "source_city": A, "target_city": B},
        "compound_interest": {"principal": 100.0, "yearly_percent": 10.0, "years": 2},
        "list_units": {"kind": "mass"},
    },
}  # fmt: skip


def arguments_of(arguments: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    """Arguments with values from earlier results."""
    found: dict[str, Any] = resolve(arguments, results)
    return found
