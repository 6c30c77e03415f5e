/* Files, commands and all else that calls were about; each opens the turns behind it. */
import { address, ask, bdi, h, link, put, table } from "./dom.js";
import { amount, cost, count, percent, plural, short, UNITS } from "./format.js";

const drawKinds = (answer, chosen) => h("p", { class: "actions", role: "tablist" }, Object.keys(answer.kinds).map((kind) => {
  const entry = link("spent", { kind }, kind, h("small", null, ` ${count(answer.kinds[kind].length)}`));
  entry.toggleAttribute("aria-current", kind === chosen);
  return entry;
}));

const drawList = (answer, kind) => {
  const rows = answer.kinds[kind], below = rows.some((row) => row.below_cost !== null);
  const heads = [kind, answer.unit === "usd" ? "cost#" : `${UNITS[answer.unit]}#`, "share#", "calls#", "failed#", "tokens back#", "turns kept#", "sessions#", ...(below ? ["own turns#"] : [])];
  const named = (row) => h("a", { href: address("spent", { kind, name: row.name }), "data-stop": true }, bdi(row.label));
  return table(heads, rows.map((row) => [
    named(row), amount(row.cost, answer.unit), percent(row.share), count(row.calls), row.failed ? count(row.failed) : null,
    short(row.result_tokens), row.turns_in_context === null ? "–" : row.turns_in_context.toFixed(1), count(row.sessions), ...(below ? [amount(row.below_cost, answer.unit)] : []),
  ]));
};

const drawCalls = (found) => [
  h("h1", null, bdi(found.name)),
  h("p", { class: "lead" }, `${plural(found.matching, "call")}, ${cost(found.cost, found.unit)}, ${short(found.result_tokens)} tokens back.`),
  table(["call", "cost#", "tokens back#", "error"], found.calls.map((call) => [
    [h("a", { href: address("session", { id: call.trajectory_id, turn: call.turn, call: call.call }), "data-stop": true }, `Turn ${call.turn + 1}, `, bdi(call.tool || "unnamed tool")), h("span", { class: "where" }, bdi(call.title || call.trajectory_id))],
    amount(call.cost, found.unit), short(call.result_tokens), call.error ? h("span", { class: "unsolved" }, bdi(call.error)) : null,
  ])),
  found.calls.length < found.matching && h("p", { class: "note" }, `The ${count(found.calls.length)} most expensive of ${count(found.matching)}.`),
];

export const openSpent = async (main, asked, signal) => {
  const update = async (next) => {
    if (next.name !== undefined) {
      const found = await ask("calls", { kind: next.kind, name: next.name }, signal);
      put(main, h("p", { class: "actions" }, link("spent", { kind: next.kind }, `All of kind ${next.kind}`)), drawCalls(found));
      return;
    }
    const answer = await ask("spent", {}, signal), kinds = Object.keys(answer.kinds);
    const kind = answer.kinds[next.kind] ? next.kind : answer.kinds.file ? "file" : kinds[0];
    main.replaceChildren(h("h1", null, "Files and commands"),
      h("p", { class: "lead" }, kinds.length ? "What calls were about. Requests and results cost something at every turn that has them in context." : "No call of this ledger says what it was about."),
      ...(kind ? [drawKinds(answer, kind), drawList(answer, kind)] : []));
  };
  await update(asked);
  return update;
};
