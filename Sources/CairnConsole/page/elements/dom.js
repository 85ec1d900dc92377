// Builders of the page's elements. They accept no markup: strings become text nodes.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. In `props`, a function is a listener (`onclick`), and true means an attribute without a value; null and false are skipped.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} tag
 * @param {Record<string, unknown>} props
 * @param {unknown[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(tag, props = {}, ...children) {
  return dress(document.createElement(tag), props, children);
}

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} tag
 * @param {Record<string, unknown>} props
 * @param {unknown[]} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function s(tag, props = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), props, children);
}

function dress(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replaces an element's children. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
}

/**
 * Replaces an element's children, and keeps by `id` what the user has typed, opened and focused. If the focused control was removed, the focus moves to the
 * nearest remaining ancestor with an `id`, otherwise to the element itself.
 */
export function refill(element, ...children) {
  const isFocused = element.contains(document.activeElement);
  const ids = isFocused ? around(document.activeElement, element) : [];
  const kept = new Map();
  for (const field of element.querySelectorAll("input[id], textarea[id], select[id], details[id]")) {
    kept.set(field.id, field.matches("details") ? field.open : field.type === "checkbox" ? field.checked : field.value);
  }
  fill(element, ...children);
  for (const field of element.querySelectorAll("input[id], textarea[id], select[id], details[id]")) {
    if (!kept.has(field.id)) continue;
    const value = kept.get(field.id);
    if (field.matches("details")) field.open = value;
    else if (field.type === "checkbox") field.checked = value;
    else if (!field.matches("select") || [...field.options].some((option) => option.value === value)) field.value = value;
  }
  if (isFocused) refocus(ids.map((id) => element.querySelector(`#${CSS.escape(id)}`)).find((each) => each && !each.disabled) ?? element);
}

/** The ids of an element and of its ancestors up to `outermost`. */
function around(element, outermost) {
  const ids = [];
  for (let each = element; each !== outermost; each = each.parentElement) if (each.id) ids.push(each.id);
  return ids;
}

function refocus(element) {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** A button with a click listener. */
export function button(text, onclick, props = {}) {
  return h("button", { type: "button", ...props, onclick }, text);
}

/** A field with its label. */
export function field(label, control, note = null) {
  return h("label", { class: "field" }, h("span", {}, label, note ? h("small", {}, ` ${note}`) : null), control);
}

/** A select element. An entry is a value, or a value with its text. */
export function choice(id, entries, props = {}) {
  return h("select", { id, ...props }, entries.map((entry) => {
    const [value, text] = Array.isArray(entry) ? entry : [entry, entry];
    return h("option", { value }, text);
  }));
}

/** Replaces the entries of a select element. The selected value stays selected if it is among the new entries. */
export function fillChoice(select, entries) {
  const { value } = select;
  fill(select, [...choice("", entries).children]);
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

/** A table that scrolls sideways if it is wider than the page. An empty head stands for the column of buttons. */
export function table(name, heads, body) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "More"))))), body));
}

/** A form that calls `onsubmit` instead of being sent by the browser. */
export function form(props, onsubmit, ...children) {
  return h("form", { ...props, onsubmit: (event) => { event.preventDefault(); onsubmit(event); } }, ...children);
}

/** A value for people: a string without quotes, anything else as JSON. */
export function shown(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
