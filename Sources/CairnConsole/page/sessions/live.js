// Events of one session or of all. The stream is read with fetch, because EventSource cannot send a credential in a header.
import { address, Problem } from "../api.js";

/** Follows a stream of events until `stop`. If the connection breaks, reconnects and continues after the last event. */
export class Live {
  #abort = new AbortController();
  #last = "";
  #delay = 2000;

  /**
   * `path`: the stream's path. `credential()` returns the caller's credential. `heard(event, data)` is called with each event, `told(state, text)` with each
   * state of the connection (`live`, `waiting` or `over`) and its reason.
   */
  constructor(path, credential, heard, told) {
    this.path = path;
    this.credential = credential;
    this.heard = heard;
    this.told = told;
    this.#run();
  }

  stop() {
    this.#abort.abort();
  }

  get #isOver() {
    return this.#abort.signal.aborted;
  }

  async #run() {
    while (!this.#isOver) {
      try {
        await this.#listen();
        if (!this.#isOver) this.told("waiting", "the stream ended; connecting again");
      } catch (fault) {
        if (this.#isOver) return;
        if (fault instanceof Problem && fault.status !== 503 && fault.status !== 429) {
          this.stop();
          return this.told("over", fault.message);
        }
        this.told("waiting", fault instanceof Problem ? fault.message : "no connection to the service; trying again");
      }
      await this.#pause();
    }
  }

  async #listen() {
    const headers = { Accept: "text/event-stream", Authorization: `Bearer ${this.credential()}` };
    if (this.#last) headers["Last-Event-ID"] = this.#last;
    const answer = await fetch(address(this.path), { headers, signal: this.#abort.signal, credentials: "omit", cache: "no-store" });
    if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({ detail: answer.statusText })));
    this.told("live", "");
    const text = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await text.read();
      if (done) return;
      const blocks = (rest + value.replace(/\r\n?/g, "\n")).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) this.#take(block);
    }
  }

  /** Parses one event (WHATWG HTML, 9.2.6). */
  #take(block) {
    let [event, data] = ["message", []];
    for (const line of block.split("\n")) {
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (name === "event") event = value;
      else if (name === "data") data.push(value);
      else if (name === "id") this.#last = value;
      else if (name === "retry") this.#delay = Number(value) || this.#delay;
    }
    if (data.length === 0) return;
    const said = JSON.parse(data.join("\n"));
    if (event === "end" && said.reason !== "stopping") this.stop();
    this.heard(event, said);
  }

  #pause() {
    return new Promise((resolve) => {
      setTimeout(resolve, this.#delay);
      this.#abort.signal.addEventListener("abort", resolve, { once: true });
    });
  }
}
