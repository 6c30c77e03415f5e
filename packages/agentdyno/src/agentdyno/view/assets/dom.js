/* Small builders. Text of traces becomes text nodes and nothing else; an address is always one of
   this page's own. */
const SVG = "http://www.w3.org/2000/svg";

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return element;
};

export const h = (name, attributes, ...children) =>
  fill(document.createElement(name), attributes, children);

export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/* Puts children into an element in place of those it has; what is null or false is left out. */
export const put = (element, ...children) => {
  element.replaceChildren();
  return fill(element, null, children);
};

/* Foreign words, kept from turning the direction of what stands around them. */
export const bdi = (text) => h("bdi", null, text);

/* A session of the second ledger is asked about, and linked to, in that ledger. */
const OF_A_LEDGER = new Set(["session", "texts", "levers", "mark"]);
const inLedger = (name, asked) => {
  const ledger = new URLSearchParams(location.hash.split("?")[1] || "").get("ledger");
  return ledger && OF_A_LEDGER.has(name) && !("ledger" in asked) ? { ...asked, ledger } : asked;
};

export const address = (view, given = {}) => {
  const asked = inLedger(view, given);
  const known = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined);
  const words = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
  return "#/" + view + (known.length ? "?" + words : "");
};

export const link = (view, asked, ...children) => h("a", { href: address(view, asked) }, ...children);

export const ask = async (name, asked = {}, signal) => {
  const answer = await fetch(`/api/${name}${address("", inLedger(name, asked)).slice(2)}`, { signal });
  const body = await answer.json().catch(() => ({ error: "The server gave no answer; its terminal may say why." }));
  if (!answer.ok) throw new Error(body.error || answer.statusText);
  return body;
};

/* A table; `heads` are names, those ending in "#" of columns of figures. */
export const table = (heads, rows, caption) => {
  const isNumber = (head) => head.endsWith("#");
  const plain = (head) => head.replace(/#$/, "");
  const cell = (content, place) =>
    h(place === 0 ? "th" : "td",
      { scope: place === 0 ? "row" : null, class: isNumber(heads[place]) ? "n" : null, "data-l": plain(heads[place]) },
      content);
  return h("div", { class: "scroll" }, h("table", { class: "many" },
    caption && h("caption", null, caption),
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col", class: isNumber(head) ? "n" : null }, plain(head))))),
    h("tbody", null, rows.map((row) => h("tr", null, row.map(cell))))));
};
