"""Figures as Japanese, Chinese and Korean write them, in western notation: a text in, a text out.

Those scripts put no blanks around figures, group by ten thousands and name what is counted behind
it, so their figures are rewritten before anything is read. A text without such letters is returned
as it is.

Worked: "料金は1万2800円です" holds "12800 JPY", "午後4時25分" is 16:25, "12月1日" is 1 December.
"""

import re
import unicodedata

_LETTERS = re.compile(r"[぀-ヿ一-鿿가-힣０-９％]")
_FIGURE = r"\d[\d,]*(?:\.\d+)?"
_MYRIADS = {"万": 1e4, "萬": 1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8}
_GROUPED = re.compile(
    rf"(?P<high>{_FIGURE})\s?(?P<unit>[万萬만億亿억])(?:(?P<rest>{_FIGURE})(?![\d.]*\s?[万萬만]))?"
)
_CLOCK = re.compile(
    r"(?P<half>午前|午後|上午|下午|晚上|오전|오후)?\s?(?P<hour>\d{1,2})\s?[時时点點시](?![間间])"
    r"(?:\s?(?P<minute>\d{1,2})\s?[分분]|(?P<past>半|반))?"
)
_LATE = ("午後", "下午", "晚上", "오후")
_DATE = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号]")
_MONTH = re.compile(r"(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월](?!\s?\d)")
_DAY = re.compile(r"(?<![\d年년])(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일号]")
_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_UNITS = {
    "円": "JPY", "元": "CNY", "원": "KRW", "ドル": "USD", "ユーロ": "EUR", "パーセント": "%",
    "퍼센트": "%", "％": "%", "時間": "hours", "小时": "hours", "시간": "hours", "分間": "minutes",
    "分钟": "minutes", "分": "minutes", "분": "minutes", "秒": "seconds", "초": "seconds",
    "日間": "days", "日": "days", "天": "days", "일": "days", "週間": "weeks", "周": "weeks",
    "ヶ月": "months", "か月": "months", "个月": "months", "개월": "months", "年間": "years",
    "キログラム": "kg", "キロメートル": "km", "公里": "km", "公斤": "kg", "グラム": "g",
    "センチ": "cm", "メートル": "m", "リットル": "l", "度": "degrees",
}  # fmt: skip
_COUNTED = re.compile(rf"({_FIGURE})\s?({'|'.join(sorted(_UNITS, key=len, reverse=True))})")
_EDGES = re.compile(r"(?<=[぀-ヿ一-鿿가-힣])(?=[\d$€£¥₩-])|(?<=[\d%])(?=[぀-ヿ一-鿿가-힣])")
_MARKS = str.maketrans(
    {"。": ". ", "、": ", ", "，": ", ", "：": ": ", "（": " (", "）": ") ", "～": "–"}
)


def in_western_notation(text: str) -> str:
    """The text with its figures, days and times in western notation."""
    if text.isascii() or _LETTERS.search(text) is None:
        return text
    text = "".join(_narrow(letter) for letter in text).translate(_MARKS)
    text = _DATE.sub(lambda m: f" {m[1]}-{int(m[2]):02}-{int(m[3]):02} ", text)
    text = _MONTH.sub(lambda m: f" {_name(m['month'])} {m['year']} ", text)
    text = _DAY.sub(lambda m: f" {int(m['day'])} {_name(m['month'])} ", text)
    text = _CLOCK.sub(_clock, text)
    text = _GROUPED.sub(_number, text)
    text = _COUNTED.sub(lambda m: f" {m[1]} {_UNITS[m[2]]} ", text)
    return _EDGES.sub(" ", text)


def _narrow(letter: str) -> str:
    """A figure or a sign of full width as the usual one."""
    return unicodedata.normalize("NFKC", letter) if "！" <= letter <= "～" else letter


def _name(month: str) -> str:
    number = int(month)
    return _NAMES[number - 1] if 1 <= number <= 12 else month


def _clock(found: re.Match[str]) -> str:
    hour = int(found["hour"]) + (12 if found["half"] in _LATE and int(found["hour"]) < 12 else 0)
    minute = 30 if found["past"] else int(found["minute"] or 0)
    return f" {hour:02}:{minute:02} "


def _number(found: re.Match[str]) -> str:
    high, rest = (float((found[name] or "0").replace(",", "")) for name in ("high", "rest"))
    return f"{high * _MYRIADS[found['unit']] + rest:.12g}"
