/* Numbers as a person reads them. Unknown money is "no price", other unknown figures are a dash; neither is ever 0. */
export const UNKNOWN = "–", NO_PRICE = "no price";
export const ORIGINS = { client: "client and built-in tools", server: "MCP servers", file: "instruction files", setup: "plugins, MCP, memory (not logged)", before: "earlier, in another file", "put-back": "put back after compaction", frames: "frames of calls", unseen: "unexplained" };
export const KINDS = ["client", "server", "file", "setup", "before", "put-back", "frames", "system", "schema", "user", "reasoning", "text", "request", "result", "unseen"];
export const UNITS = { usd: "money", pte: "PTE", gpu_seconds: "GPU-seconds" };

const isKnown = (value) => value !== null && value !== undefined;

export const short = (value) => {
  if (!isKnown(value)) return UNKNOWN;
  for (const [limit, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]])
    if (Math.abs(value) >= limit) return Number((value / (unit === "k" ? 1e3 : limit)).toPrecision(3)) + unit;
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
};

export const count = (value) => (isKnown(value) ? Math.round(value).toLocaleString("en") : UNKNOWN);

export const dollars = (value) => {
  if (!isKnown(value)) return NO_PRICE;
  if (value === 0) return "$0";
  const size = Math.abs(value), digits = size >= 1 ? 2 : size >= 0.01 ? 3 : 5;
  return (value < 0 ? "-$" : "$") + size.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

export const cost = (value, unit) =>
  unit === "usd" ? dollars(value) : !isKnown(value) ? UNKNOWN : `${short(value)} ${UNITS[unit]}`;

export const amount = (value, unit) => (unit === "usd" ? dollars(value) : short(value));

export const percent = (value) => (isKnown(value) ? (100 * value).toFixed(value < 0.1 ? 1 : 0) + " %" : UNKNOWN);

export const span = (value) => {
  if (!isKnown(value)) return UNKNOWN;
  for (const [limit, size, unit] of [[172800, 86400, "d"], [7200, 3600, "h"], [120, 60, "min"]])
    if (value >= limit) return (value / size).toFixed(1) + " " + unit;
  return (value < 10 ? value.toFixed(1) : Math.round(value)) + " s";
};

export const day = (value) => (isKnown(value) ? new Date(value * 1000).toISOString().slice(0, 10) : UNKNOWN);
export const moment = (value) => (isKnown(value) ? new Date(value * 1000).toISOString().slice(0, 16).replace("T", " ") : UNKNOWN);
export const kindName = (kind) => ORIGINS[kind] ?? kind;
/* Why a cache was lost, with the pause where that was long. */
export const reason = (turn) =>
  (turn.cause === "unknown" ? "cause unknown" : turn.cause) + (turn.pause_seconds > 60 ? `, ${span(turn.pause_seconds)} after the turn before` : "");
export const plural = (value, name) => `${count(value)} ${name}${value === 1 ? "" : "s"}`;
