/* Findings, each with its evidence. */
import { address, ask, bdi, h, link, put } from "./dom.js";
import { count } from "./format.js";

/* What readers call a finding that papers name otherwise. */
const NAMES = { lack_of_tool_priors: "failed call: wrong path or option", reread_lines: "lines read again" };
export const named = (kind) => NAMES[kind] ?? (kind || "").replaceAll("_", " ");

export const drawFinding = (found) => {
  const place = found.turn === null ? "the session" : `turn ${found.turn + 1}`;
  return h("li", { tabindex: "-1", "data-stop": true, dataset: { finding: found.id } },
    h("p", null, h("b", null, named(found.kind)), " in ", link("session", { id: found.trajectory, turn: found.turn, call: found.call }, place), found.title && [", ", bdi(found.title)]),
    found.detail && h("p", null, bdi(found.detail)),
    found.evidence && h("blockquote", { dir: "auto" }, found.evidence));
};

export const openFindings = async (main, asked, signal) => {
  const update = async (next) => {
    const found = await ask("findings", next, signal);
    const list = h("ol", { class: "findings" }, found.rows.map(drawFinding));
    const tab = (kind, text, size) => {
      const entry = h("a", { href: address("findings", { ...next, kind: kind || null, offset: null }) }, text, h("small", null, ` ${count(size)}`));
      entry.toggleAttribute("aria-current", (next.kind || "") === kind);
      return entry;
    };
    const all = found.kinds.reduce((sum, each) => sum + each.count, 0);
    const chosen = found.kinds.find((each) => each.is === next.kind);
    const more = h("button", { type: "button", class: "more", hidden: found.rows.length >= found.matching, onclick: async () => {
      const rest = await ask("findings", { ...next, offset: list.children.length }, signal);
      list.append(...rest.rows.map(drawFinding));
      more.hidden = list.children.length >= rest.matching;
    } }, "Show more");
    put(main, h("h1", null, "Findings"),
      h("p", { class: "actions" }, tab("", "all", all), found.kinds.map((each) => tab(each.is, named(each.kind), each.count))),
      chosen && h("p", { class: "note" }, `${named(chosen.kind)}: ${chosen.right}.`),
      found.unproven > 0 && h("p", { class: "note" }, `Hidden: ${count(found.unproven)} unreliable findings. `, h("a", { href: address("findings", { ...next, unproven: 1 }) }, "Show them")),
      next.unproven === "1" && h("p", { class: "note" }, "With unreliable findings. ", h("a", { href: address("findings", { ...next, unproven: null }) }, "Leave them out")),
      !found.derived && h("p", { class: "note" }, "Not everything in this ledger was searched for findings yet. To do that: ", h("code", null, "agentdyno report LEDGER")),
      list.children.length ? list : found.derived && h("p", { class: "note" }, "None."), more);
  };
  await update(asked);
  return update;
};
