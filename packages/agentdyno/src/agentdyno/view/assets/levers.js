/* Levers: what to change, what hangs on it, and what speaks for it. */
import { address, ask, bdi, h } from "./dom.js";
import { cost, percent, plural, span } from "./format.js";

const size = (lever) => (lever.unit === "seconds" ? span(lever.amount) : cost(lever.amount, lever.unit));

const range = (lever) => lever.low === null ? lever.certainty : `${cost(lever.low, lever.unit)} to ${cost(lever.high, lever.unit)}`;

export const drawLevers = (found) => {
  if (!found.levers.length) return h("p", { class: "note" }, "No change would surely save 1 %.");
  const { days, sessions } = found.levers[0];
  const stretch = days && h("p", { class: "note" }, `By ${plural(sessions, "session")}: those of each agent's last ${days} days.`);
  return h("div", null, stretch, h("ol", { class: "levers" }, found.levers.map((lever) => h("li", { tabindex: "-1", "data-stop": true },
    h("strong", null, size(lever), h("small", null, `${percent(lever.share)}, ${range(lever)}`)),
    h("div", null,
      h("p", null, lever.what[0].toUpperCase() + lever.what.slice(1), lever.where.length ? ": " : "", lever.where.map((place, at) => [at ? ", " : "", bdi(place)])),
      lever.evidence && h("small", null, h("b", null, "Evidence "), bdi(lever.evidence)),
      lever.change && h("small", null, h("b", null, "Change "), bdi(lever.change)),
      lever.assumption && h("small", null, h("b", null, "Assumes "), lever.assumption))))));
};

export const openLevers = async (main, _, signal) => {
  main.replaceChildren(h("p", { class: "note" }, "Computing…"));
  const found = await ask("levers", {}, signal);
  main.replaceChildren(h("h1", null, "What to change"),
    h("p", { class: "lead" }, "Each is computed by itself; two of them together may save less than their sum."),
    drawLevers(found),
    h("p", { class: "note" }, "Where the money went: ", h("a", { href: address("spent") }, "files and commands"), ", ", h("a", { href: address("sessions", { sort: "cost" }) }, "the most expensive sessions"), "."));
  return null;
};
