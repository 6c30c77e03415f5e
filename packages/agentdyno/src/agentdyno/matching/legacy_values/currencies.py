"""Currencies: codes, and the names and signs that several of them share.

Each currency is a dimension of its own (`money/nok`). A sign that several countries use is one too
(`money/$`), and `one_kind` says which currencies it may stand for: "$45" may be 45 AUD, "US$45" and
"USD 45" may not.
"""

CODES = frozenset(
    """AED AFN ALL AMD ARS AUD AZN BAM BBD BDT BGN BHD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP
    CNY COP CRC CUP CZK DKK DOP DZD EGP ETB EUR FJD GBP GEL GHS GTQ HKD HNL HUF IDR ILS INR IQD IRR
    ISK JMD JOD JPY KES KGS KHR KRW KWD KZT LAK LBP LKR MAD MDL MKD MMK MNT MOP MUR MXN MYR MZN NAD
    NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SCR SEK SGD SYP THB
    TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND XAF XOF YER ZAR ZMW""".split()
)
"""As ISO 4217 has them; in a text they are written in capitals."""
WORDS = frozenset("ALL BOB COP CUP GEL LAK MAD MOP PEN RON TOP TRY".split())
"""Codes that are words too, and so no units at the end of a field's name."""
NAMES = {
    "us$": "usd", "€": "eur", "euro": "eur", "euros": "eur", "£": "gbp", "pound sterling": "gbp",
    "pounds sterling": "gbp", "¥": "jpy", "yen": "jpy", "₹": "inr", "fr.": "chf",
    "swiss francs": "chf", "yuan": "cny", "renminbi": "cny", "a$": "aud", "c$": "cad", "kronor":
    "sek", "won": "krw", "₩": "krw", "r$": "brl", "reais": "brl", "zł": "pln", "złoty": "pln",
    "zloty": "pln", "forint": "huf", "₺": "try", "₪": "ils", "shekels": "ils", "baht": "thb",
    "฿": "thb", "₽": "rub", "₴": "uah", "₦": "ngn", "naira": "ngn", "₫": "vnd", "dong": "vnd",
    "kč": "czk", "ringgit": "myr", "s$": "sgd", "hk$": "hkd", "nz$": "nzd", "mx$": "mxn",
}  # fmt: skip
SHARED = {
    "$": ("usd cad aud nzd sgd hkd twd bbd bsd bzd fjd jmd ttd mxn ars clp cop uyu dop cup",
          ("$", "dollar", "dollars", "bucks")),
    "kr": ("nok sek dkk isk", ("kr", "kr.", "kroner", "krone", "kronas")),
    "crown": ("nok sek dkk isk czk", ("crowns", "crown")),
    "franc": ("chf xaf xof cdf rwf", ("francs", "franc")),
    "peso": ("mxn ars clp cop php uyu dop cup", ("peso", "pesos")),
    "rupee": ("inr pkr lkr npr mur", ("rupees", "rupee", "rs.")),
    "rand": ("zar nad", ("rand",)),
    "lira": ("try", ("lira", "liras")),
    "dirham": ("aed mad", ("dirham", "dirhams")),
    "dinar": ("kwd bhd iqd jod tnd rsd dzd", ("dinar", "dinars")),
    "shilling": ("kes ugx tzs", ("shilling", "shillings")),
    "cent": ("$ usd eur cad aud nzd sgd hkd zar", ()),
}  # fmt: skip
"""Signs and names that several currencies share: whose they may be, and how they are written."""
_MAY_BE = {f"money/{name}": frozenset(f"money/{code}" for code in codes.split())
           for name, (codes, _) in SHARED.items()}  # fmt: skip


def one_kind(one: str, other: str) -> bool:
    """Whether two dimensions may be one: they are equal, or one is a shared name of the other."""
    if one == other:
        return True
    if other in _MAY_BE.get(one, ()) or one in _MAY_BE.get(other, ()):
        return True
    if not (one.startswith("money/") and other.startswith("money/")):
        return False
    (first, _, under), (second, _, rest) = one.partition(" per "), other.partition(" per ")
    return bool(under) and under == rest and one_kind(first, second)
