/* The difference of two sessions, turn by turn; or of two ledgers. */
import { address, ask, bdi, h, link, put, table } from "./dom.js";
import { amount, cost, count, dollars, kindName, KINDS, plural, reason, short } from "./format.js";

const signed = (value, unit) => (value > 0 ? "+" : "") + amount(value, unit);

const drawKinds = (found) => {
  const unit = found.units[0], used = KINDS.filter((kind) => found.kinds.some((side) => side[kind]));
  return table(["part", "A#", "B#", "difference#"], used.map((kind) => {
    const [a, b] = found.kinds.map((side) => side[kind] ?? 0);
    return [[h("i", { class: "swatch b-" + kind }), kindName(kind)], amount(a, unit), amount(b, unit), signed(b - a, unit)];
  }), "What the cost was for");
};

const drawSide = (turn, unit, id, side, ledger) => {
  if (!turn) return h("td", { class: "absent", "data-l": side }, "no such turn");
  const added = Object.entries(turn.added).filter(([, tokens]) => tokens >= 1).sort((a, b) => b[1] - a[1]).map(([kind, tokens]) => `${short(tokens)} ${kindName(kind)}`).join(", ");
  const lost = turn.lost > 0 && turn.cause !== "first turn";
  return h("td", { "data-l": side },
    h("p", null, h("a", { href: address("session", { id, turn: turn.turn, ledger }) }, `Turn ${turn.turn + 1}`), h("b", { class: "cost" }, cost(turn.cost, unit))),
    h("p", { class: "where" }, turn.calls.length ? turn.calls.map((call) => h("span", { class: "line" }, bdi(call))) : "answer"),
    h("p", { class: "where" }, `${short(turn.context_tokens)} in context`, added && `; entered: ${added}`),
    lost && h("p", { class: "lost" }, `cache lost: ${reason(turn)}; ${short(turn.lost)} tokens, ${dollars(turn.lost_usd)}`));
};

const drawSessions = (found, asked) => {
  const unit = found.units[0], [one, other] = found.sessions;
  const pair = ([a, b]) => {
    const left = found.turns[0][a], right = found.turns[1][b];
    const by = (right?.cost ?? 0) - (left?.cost ?? 0);
    return h("tr", { class: left && right ? null : "alone" }, drawSide(left, unit, one.id, "A", asked.a), drawSide(right, unit, other.id, "B", asked.b),
      h("td", { class: "n", "data-l": "B less A" }, signed(by, unit)));
  };
  const alone = found.pairs.filter(([a, b]) => a === null || b === null).length;
  return [h("h1", null, "Difference of two sessions"),
    h("table", { class: "many" }, h("thead", null, h("tr", null, ["", "A", "B"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", null,
      [["session", (side, place) => link("session", { id: side.id, ledger: [asked.a, asked.b][place] }, bdi(side.title))], ["cost", (side) => cost(side.cost, unit)], ["turns", (side) => count(side.turns)], ["calls", (side) => count(side.calls)], ["model", (side) => bdi(side.model || "–")]]
        .map(([name, value]) => h("tr", null, h("th", { scope: "row" }, name), [one, other].map((side, place) => h("td", { "data-l": "AB"[place] }, value(side, place))))))),
    h("p", { class: "actions" }, h("a", { href: address("difference", { one: asked.other, other: asked.one, a: asked.b, b: asked.a }) }, "swap"), link("sessions", { compare: one.id, a: asked.a, name: one.title }, "compare A with another")),
    drawKinds(found),
    h("h2", null, "Turn by turn"),
    h("p", { class: "note" }, `Aligned by what the turns called. ${alone ? plural(alone, "turn") + " stand alone." : "Every turn has its partner."}`),
    h("table", { class: "pairs" }, h("thead", null, h("tr", null, h("th", { scope: "col" }, "A"), h("th", { scope: "col" }, "B"), h("th", { scope: "col", class: "n" }, "B less A"))), h("tbody", null, found.pairs.slice(0, 1000).map(pair)))];
};

const drawLedgers = (found) => {
  const unit = found.units[0], isComparable = found.units[0] === found.units[1];
  const rows = [["sessions", count], ["turns", count], ["calls", count], ["cost", (value, place) => cost(value, found.units[place])]];
  return [h("h1", null, "Difference of two ledgers"),
    table(["", "A", "B"], [["ledger", ...found.names.map(bdi)], ...rows.map(([name, as]) => [name, ...found.totals.map((side, place) => as(side[name], place))])]),
    !isComparable && h("p", { class: "problem" }, "The two count their costs in different units, so no difference of costs is computed. Give both the same prices or hardware."),
    isComparable && drawKinds(found),
    h("h2", null, "Session by session"),
    h("p", { class: "note" }, "Paired by task, or by the session's id; the largest difference first."),
    table(["session", "A#", "B#", "B less A#"], found.rows.map((row) => [
      [row.id && row.id_b ? h("a", { href: address("difference", { one: row.id, other: row.id_b, a: "a", b: "b" }), "data-stop": true }, bdi(row.title || row.id)) : bdi(row.title || row.id || row.id_b || ""), !(row.id && row.id_b) && h("span", { class: "where" }, row.id ? "in A alone" : "in B alone")],
      amount(row.cost, found.units[0]), amount(row.cost_b, found.units[1]), isComparable ? signed(row.difference, unit) : "–"]))];
};

export const openDifference = async (main, asked, signal) => {
  const update = async (next) => {
    if (!next.one) {
      const { ledgers } = await ask("state", {}, signal);
      if (!ledgers.b) {
        main.replaceChildren(h("h1", null, "Difference"), h("p", { class: "lead" }, "Open a session and press ", h("i", null, "compare with another"), "; or start with two ledgers:"), h("p", null, h("code", null, "agentdyno view A --against B")), h("p", null, link("sessions", {}, "Choose a session")));
        return;
      }
      put(main, drawLedgers(await ask("difference", {}, signal)));
      return;
    }
    if (!next.other) { location.replace(address("sessions", { compare: next.one, a: next.a })); return; }
    put(main, drawSessions(await ask("difference", next, signal), next));
  };
  await update(asked);
  return update;
};
