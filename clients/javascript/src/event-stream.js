/** Parses server-sent events (WHATWG HTML, 9.2.6) from bytes that may be split anywhere. */
export class EventStreamParser {
  #decoder = new TextDecoder();
  #line = "";
  #endsInReturn = false;
  #data = [];
  #type = "";
  #id = "";
  /** The id after which a new connection begins. */
  lastEventId = "";
  /** The wait before a new connection, in milliseconds; undefined if the stream did not contain such a time. */
  retry = undefined;

  /** @param {string} lastEventId the id after which the stream was requested to begin */
  constructor(lastEventId = "") {
    this.lastEventId = this.#id = lastEventId;
  }

  /** Returns the events that end within these bytes. */
  push(bytes) {
    const messages = [];
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return messages;
    if (this.#endsInReturn && text.startsWith("\n")) text = text.slice(1);
    this.#endsInReturn = text === "" ? false : text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop();
    for (const line of lines) {
      const message = this.#take(this.#line + line);
      this.#line = "";
      if (message) messages.push(message);
    }
    this.#line += rest;
    return messages;
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  #dispatch() {
    this.lastEventId = this.#id;
    const message = { type: this.#type || "message", data: this.#data.join("\n"), lastEventId: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#type = "";
    return isEmpty ? undefined : message;
  }
}
