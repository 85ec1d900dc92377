// Builders of the page's elements. None of them takes markup: text stays text.

const SVG = "http://www.w3.org/2000/svg"

/** An element. `props`: attributes; a function is a listener (`onclick`), true an attribute without a value, null and false none. */
export function h(tag, props = {}, ...children) {
  return dress(document.createElement(tag), props, children)
}

/** The same in a drawing. */
export function s(tag, props = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), props, children)
}

function dress(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === "function") element.addEventListener(name.slice(2), value)
    else if (name === "value") element.value = value
    else element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** Replaces an element's children. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false))
}

/**
 * The same, and what people have typed, opened and focused stays, by `id`. Where the focused control is gone, the focus goes to what is left around
 * it: the nearest element with an `id`, else the whole.
 */
export function refill(element, ...children) {
  const isFocused = element.contains(document.activeElement)
  const ids = isFocused ? around(document.activeElement, element) : []
  const kept = new Map()
  for (const field of element.querySelectorAll("input[id], textarea[id], select[id], details[id]")) {
    kept.set(field.id, field.matches("details") ? field.open : field.type === "checkbox" ? field.checked : field.value)
  }
  fill(element, ...children)
  for (const field of element.querySelectorAll("input[id], textarea[id], select[id], details[id]")) {
    if (!kept.has(field.id)) continue
    const value = kept.get(field.id)
    if (field.matches("details")) field.open = value
    else if (field.type === "checkbox") field.checked = value
    else if (!field.matches("select") || [...field.options].some((option) => option.value === value)) field.value = value
  }
  if (isFocused) refocus(ids.map((id) => element.querySelector(`#${CSS.escape(id)}`)).find((each) => each && !each.disabled) ?? element)
}

/** The ids of an element and of those around it, up to `outermost`. */
function around(element, outermost) {
  const ids = []
  for (let each = element; each !== outermost; each = each.parentElement) if (each.id) ids.push(each.id)
  return ids
}

function refocus(element) {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** A button that does something. */
export function button(text, onclick, props = {}) {
  return h("button", { type: "button", ...props, onclick }, text)
}

/** A field with its label. */
export function field(label, control, note = null) {
  return h("label", { class: "field" }, h("span", {}, label, note ? h("small", {}, ` ${note}`) : null), control)
}

/** A choice among values; an entry is a value, or a value with its text. */
export function choice(id, entries, props = {}) {
  return h("select", { id, ...props }, entries.map((entry) => {
    const [value, text] = Array.isArray(entry) ? entry : [entry, entry]
    return h("option", { value }, text)
  }))
}

/** Other entries of a choice; what is chosen stays chosen if it is still among them. */
export function fillChoice(select, entries) {
  const { value } = select
  fill(select, [...choice("", entries).children])
  if ([...select.options].some((option) => option.value === value)) select.value = value
}

/** A table that is moved sideways where it is wider than its place; an empty head is that of what can be done. */
export function table(name, heads, body) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "More"))))), body))
}

/** A form that does something when it is sent. */
export function form(props, onsubmit, ...children) {
  return h("form", { ...props, onsubmit: (event) => { event.preventDefault(); onsubmit(event) } }, ...children)
}

/** Values as people read them: strings bare, everything else as JSON. */
export function shown(value) {
  return typeof value === "string" ? value : JSON.stringify(value)
}
