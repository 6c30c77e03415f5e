/* The context river and the cache lane under it: turns across, tokens up.

   Both are drawn in their own units (a turn is 1 wide, a token 1 high) and stretched to the page, so
   that they fit every width without being drawn again. */
import { address, h, svg } from "./dom.js";
import { cost, count, dollars, kindName, KINDS, plural, reason, short, span } from "./format.js";

const HEIGHT = 520;
const LANE = [["read", "read from the cache"], ["write", "written to it"], ["lost", "lost cache paid again"], ["fresh", "not cached"]];

/* Tokens of a part at a turn: the provider's total decides, so parts are scaled to it. */
const scaleAt = (turn, isFirst) => (isFirst ? turn.first_scale : turn.later_scale) ?? 1;

/* The outline of what lies between `low` and `low + size`: along its top, and back along its foot. */
const steps = (from, until, low, size) => {
  let path = "";
  for (let start = from; start < until; start += 1) {
    if (!(size(start) > 0)) continue;
    let stop = start, top = "";
    const foot = [], high = (at) => low(at) + size(at);
    for (; stop < until && size(stop) > 0; stop += 1) {
      if (stop === start || high(stop) !== high(stop - 1)) top += (stop === start ? "" : `H${stop}`) + `V${-high(stop)}`;
      if (stop > start && low(stop) !== low(stop - 1)) foot.push(`V${-low(stop)}H${stop}`);
    }
    path += `M${start} ${-low(start)}${top}H${stop}${foot.reverse().join("")}V${-low(start)}z`;
    start = stop;
  }
  return path;
};

/* Everything that stands in the context, from its foot up: what no text shows, small parts, the others. */
const list = (turns, data) => [
  ...data.hidden.map((each) => ({ kind: each.kind, from: 0, until: turns.length, size: (at) => each.tokens[at] })),
  ...data.rest.map((rest) => ({ kind: rest.kind, from: 0, until: turns.length, size: (at) => rest.tokens[at] * scaleAt(turns[at], rest.first) })),
  ...data.bands.map((band) => ({ ...band, from: band.enters, size: (at) => (band.tokens ?? 0) * scaleAt(turns[at], band.enters === 0) })),
];

/* Heights are rounded to half a point of the screen: what is thinner is not seen, and a path has
   steps only where it goes up or down. */
const stack = (turns, data) => {
  const layers = list(turns, data), tops = turns.map(() => 0);
  for (const layer of layers) for (let at = layer.from; at < layer.until; at += 1) tops[at] += layer.size(at);
  const top = Math.max(...tops, ...turns.map((turn) => turn.context_tokens ?? 0), 1);
  const base = turns.map(() => 0), round = (tokens) => Math.round((tokens * HEIGHT) / top);
  for (const layer of layers) {
    const low = base.slice(layer.from, layer.until);
    for (let at = layer.from; at < layer.until; at += 1) base[at] += layer.size(at);
    const foot = low.map(round), head = base.slice(layer.from, layer.until).map(round);
    layer.path = steps(layer.from, layer.until, (at) => foot[at - layer.from], (at) => head[at - layer.from] - foot[at - layer.from]);
  }
  return { layers, top };
};

const ticks = (top) => {
  if (!(top > 0)) return [];
  const size = 10 ** Math.floor(Math.log10(top));
  const step = [0.2, 0.5, 1, 2].map((part) => part * size).find((each) => top / each <= 5) || size * 2;
  return Array.from({ length: Math.floor(top / step) }, (_, place) => (place + 1) * step);
};

const frame = (height, turns, top, layers, extra) => {
  const drawn = svg("svg", { viewBox: `0 ${-HEIGHT} ${Math.max(turns, 1)} ${HEIGHT}`, preserveAspectRatio: "none", height, role: "img", "aria-label": extra.label }, layers);
  const lines = ticks(top).map((at) => h("span", { class: "tick", style: { bottom: `${(100 * at) / top}%` } }, h("i", null, short(at))));
  const cursor = h("span", { class: "cursor", hidden: true });
  return h("div", { class: "drawn " + extra.class, style: { height: height + "px" } }, lines, drawn, cursor, extra.over);
};

export const keys = (names) => h("ul", { class: "keys" }, names.map(([colour, text]) =>
  h("li", null, h("i", { class: "swatch b-" + colour }), text)));

/* Bands that the keyboard reaches: those that cost the most, for a session has thousands. */
const REACHED = 24;
const dearest = (bands) => new Set([...bands].sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0)).slice(0, REACHED).map((band) => band.part));
const saidOf = (band, unit) => `${kindName(band.kind)}${band.name ? " of " + band.name : ""}, ${short(band.tokens)} tokens, in context from turn ${band.enters + 1} to ${band.until}, ${cost(band.cost, unit)} in all`;

export const drawRiver = (data, id, onTurn) => {
  const { turns, unit } = data, { layers, top } = stack(turns, data.river);
  const reached = dearest(data.river.bands);
  const paths = layers.filter((layer) => layer.path).map((layer) =>
    svg("path", { class: "f-" + layer.kind + ((layer.tokens ?? 0) > top / 150 ? " edge" : ""), d: layer.path, "data-part": layer.part ?? "", ...(reached.has(layer.part) ? { tabindex: "0", role: "button", "aria-label": saidOf(layer, unit) } : {}) }));
  const places = new Map(data.river.bands.map((band) => [String(band.part), band]));
  const note = h("p", { class: "note point", "aria-live": "off" }, "Point at a part to see what it is; press to open its turn.");
  const river = frame(260, turns.length, top, paths, { class: "river", label: `Context of ${plural(turns.length, "turn")}, up to ${short(top)} tokens` });
  const used = KINDS.filter((kind) => layers.some((layer) => layer.kind === kind && layer.path));
  const turnAt = (event) => {
    const box = river.getBoundingClientRect();
    return Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * turns.length), 0), turns.length - 1);
  };
  const bandAt = (event) => places.get(event.target.dataset?.part);
  river.addEventListener("pointermove", (event) => {
    const at = turnAt(event), band = bandAt(event), turn = turns[at];
    note.textContent = `Turn ${at + 1}: ${short(turn.context_tokens)} tokens, ${cost(turn.cost, unit)}.` + (band
      ? ` ${saidOf(band, unit)}.`
      : ` Without a text: ${data.river.hidden.filter((each) => each.tokens[at] > 0).map((each) => `${each.name} ${short(each.tokens[at])}`).join(", ") || "nothing"}.`);
  });
  river.addEventListener("focusin", (event) => {
    const band = bandAt(event);
    if (band) note.textContent = `${saidOf(band, unit)}. Press Enter to open its turn.`;
  });
  river.addEventListener("keydown", (event) => {
    const band = bandAt(event);
    if (!band || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    onTurn(band.turn ?? band.enters, band.call);
  });
  river.addEventListener("click", (event) => {
    const band = bandAt(event);
    onTurn(band ? band.turn ?? band.enters : turnAt(event), band?.call);
  });
  return h("section", { id: "river" }, h("h2", null, "Context river"),
    h("p", { class: "note" }, "Every text from the turn it enters to the turn it leaves: what lingers is paid for again at each turn."),
    river, axis(turns.length), keys(used.map((kind) => [kind, kindName(kind)])), note);
};

const axis = (turns) => h("p", { class: "axis" }, h("span", null, "turn 1"), turns > 1 && h("span", null, `turn ${turns}`));

/* The parts that cost the most while they stayed. */
const drawKept = (data, id) => {
  const first = [...data.river.bands, ...(data.unit === "usd" ? data.river.hidden.map((each) => ({ ...each, cost: each.usd })) : [])].filter((band) => band.cost).sort((a, b) => b.cost - a.cost).slice(0, 9);
  if (!first.length) return null;
  const calls = new Map(data.calls.map((call) => [`${call.turn}/${call.call}`, call]));
  const row = (band) => {
    if (band.turn === undefined) return h("tr", null, h("th", { scope: "row" }, h("i", { class: "swatch b-" + band.kind }), band.name, h("span", { class: "where" }, "no text in the trace")),
      h("td", { class: "n", "data-l": "tokens" }, short(Math.max(...band.tokens))), h("td", { class: "n", "data-l": "turns in context" }, count(band.tokens.filter((size) => size > 0).length)), h("td", { class: "n", "data-l": "cost" }, dollars(band.usd)));
    const call = calls.get(`${band.turn}/${band.call}`);
    return h("tr", null,
      h("th", { scope: "row" }, h("i", { class: "swatch b-" + band.kind }), h("a", { href: address("session", { id, turn: band.turn ?? band.enters, call: band.call }) },
        `${kindName(band.kind)}${band.name ? " of " + band.name : ""}`), call?.subject && h("span", { class: "where" }, call.subject)),
      h("td", { class: "n", "data-l": "tokens" }, short(band.tokens)),
      h("td", { class: "n", "data-l": "turns in context" }, count(band.until - band.enters)),
      h("td", { class: "n", "data-l": "cost" }, cost(band.cost, data.unit)));
  };
  return h("table", { class: "many" }, h("caption", null, "What it cost to keep"),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "text"), ["tokens", "turns in context", "cost"].map((head) => h("th", { scope: "col", class: "n" }, head)))),
    h("tbody", null, first.map(row)));
};

/* The cache lane ---------------------------------------------------------- */
const isLoss = (turn) => turn.lost > 0 && turn.cause !== "first turn";
const charged = (turn) => {
  const written = turn.written ?? 0, lost = turn.cause === "first turn" ? 0 : turn.lost ?? 0;
  const again = Math.min(lost, written), fresh = turn.uncached ?? 0;
  return { read: turn.read ?? 0, write: written - again, lost, fresh: Math.max(fresh - (lost - again), 0) };
};

export const drawLane = (data, id) => {
  const { turns } = data;
  if (!turns.some((turn) => turn.known)) return h("section", { id: "lane" }, h("h2", null, "Cache"), h("p", { class: "note" }, "The provider reports no cache for this session."));
  const sums = turns.map(charged), base = turns.map(() => 0);
  const top = Math.max(...sums.map((each) => each.read + each.write + each.lost + each.fresh), 1);
  const round = (tokens) => Math.round((tokens * HEIGHT) / top);
  const paths = LANE.map(([name]) => {
    const low = base.map(round);
    turns.forEach((_, at) => { base[at] += sums[at][name]; });
    const high = base.map(round);
    return svg("path", { class: "f-" + name, d: steps(0, turns.length, (at) => low[at], (at) => high[at] - low[at]) });
  });
  const losses = turns.filter(isLoss);
  const marks = losses.map((turn) => h("a", {
    class: "loss", href: address("session", { id, turn: turn.turn }), style: { left: `${(100 * (turn.turn + 0.5)) / turns.length}%` },
    "aria-label": `Turn ${turn.turn + 1}: lost ${short(turn.lost)} tokens, ${reason(turn)}, ${dollars(turn.lost_usd)}`,
    title: `Turn ${turn.turn + 1}: ${reason(turn)}, ${short(turn.lost)} tokens, ${dollars(turn.lost_usd)}`,
  }, "▼"));
  const lane = frame(96, turns.length, top, paths, { class: "lane", label: `Cache of ${plural(turns.length, "turn")}: ${plural(losses.length, "loss").replace("losss", "losses")}`, over: marks });
  const paid = losses.reduce((sum, turn) => sum + (turn.lost_usd ?? 0), 0);
  return h("section", { id: "lane" }, h("h2", null, "Cache"),
    h("p", { class: "note" }, losses.length ? `${dollars(paid)} went on context that had been cached before, in ${plural(losses.length, "turn")}.` : "Nothing that was cached was lost."),
    lane, axis(turns.length), keys(LANE));
};

const drawLosses = (data, id) => {
  const losses = data.turns.filter(isLoss);
  if (!losses.length) return null;
  const rows = [...losses].sort((a, b) => (b.lost_usd ?? b.lost) - (a.lost_usd ?? a.lost)).slice(0, 12).map((turn) => h("tr", null,
    h("th", { scope: "row" }, h("a", { href: address("session", { id, turn: turn.turn }) }, `Turn ${turn.turn + 1}`)),
    h("td", { "data-l": "why" }, turn.cause), h("td", { class: "n", "data-l": "pause" }, span(turn.pause_seconds)),
    h("td", { class: "n", "data-l": "tokens" }, short(turn.lost)), h("td", { class: "n", "data-l": "paid again" }, dollars(turn.lost_usd)),
    h("td", { class: "n", "data-l": "avoidable" }, turn.avoidable_usd === null ? "–" : dollars(turn.avoidable_usd))));
  return h("table", { class: "many" }, h("caption", null, "What was lost, and why"),
    h("thead", null, h("tr", null, ["turn", "why", "pause", "tokens", "paid again", "avoidable"].map((head, place) => h("th", { scope: "col", class: place > 1 ? "n" : null }, head)))), h("tbody", null, rows));
};

/* What the two drawings show, as tables. */
export const drawTables = (data, id) => h("div", { class: "beside" }, drawKept(data, id), drawLosses(data, id));

export const pointAt = (main, turn, turns) => {
  for (const cursor of main.querySelectorAll(".drawn .cursor")) {
    cursor.hidden = turn === null;
    cursor.style.left = `${(100 * turn) / turns}%`;
    cursor.style.width = `max(2px, ${100 / turns}%)`;
  }
};
