/** Creates an element. `members` has attributes, `on…` listeners and properties; `inside` is the content. */
export function h(tag, members = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...inside.flat().filter((one) => one !== undefined && one !== false));
  return element;
}

export function button(text, press, members = {}) {
  return h("button", { type: "button", onclick: press, ...members }, text);
}

/** A row of a list that opens a page. */
export function row(title, more, press) {
  return h("li", {}, h("button", { type: "button", class: "row", onclick: press }, h("span", { class: "title" }, title), h("span", { class: "more" }, more)));
}

/** A form that passes the values of its fields to `send`. */
export function form(fields, label, send) {
  const inputs = fields.map(([name, text, members = {}]) => h("label", {}, text, h("input", { name, required: true, autocomplete: "off", ...members })));
  const take = (event) => {
    event.preventDefault();
    send(Object.fromEntries(new FormData(event.target)));
  };
  return h("form", { onsubmit: take }, inputs, h("button", { class: "primary" }, label));
}
