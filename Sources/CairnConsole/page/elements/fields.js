// Input fields for params by type (`integer`, `string?`, …), and for the values that a definition allows.
import { choice, field, h } from "./dom.js";

/** Fields for params by name. `read()` returns the entered values by name. `allowed`: the allowed values by name. */
export function paramFields(prefix, types, allowed = {}) {
  const fields = Object.entries(types ?? {}).map(([name, type]) => new ParamField(`${prefix}-${name}`, name, type, allowed?.[name]));
  return {
    elements: fields.map((each) => each.element),
    read: () => Object.fromEntries(fields.map((each) => [each.name, each.read()]).filter(([, value]) => value !== undefined)),
  };
}

class ParamField {
  constructor(id, name, type, allowed) {
    this.name = name;
    this.isOptional = type.endsWith("?");
    this.type = type.replace("?", "");
    this.control = this.#control(id, allowed);
    this.element = field(name, this.control, type + (!allowed && this.#isJSON ? " (JSON)" : ""));
  }

  /** Whether the value is typed as JSON. */
  get #isJSON() { return this.type === "any" || this.type === "list"; }

  #control(id, allowed) {
    const none = this.isOptional ? [["", "(left out)"]] : [];
    if (allowed) return choice(id, [...none, ...allowed.map((value) => [JSON.stringify(value), String(value)])]);
    if (this.type === "boolean") return choice(id, [...none, ["true", "true"], ["false", "false"]]);
    if (this.#isJSON) return h("textarea", { id, rows: 2, spellcheck: "false" });
    const isNumber = this.type === "integer" || this.type === "number";
    return h("input", { id, inputmode: isNumber ? "decimal" : null, autocomplete: "off", spellcheck: "false" });
  }

  /**
   * Returns the entered value; undefined for an empty field, unless it is a required string. A value of the wrong type is sent as text: the service reports the
   * error.
   */
  read() {
    const text = this.control.value;
    if (text === "" && (this.isOptional || this.type !== "string")) return undefined;
    if (this.control.matches("input") && this.type === "string") return text;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
}
