// Events of one session or of all. The stream is read with fetch, because EventSource cannot send a credential in a header.
import { address, Problem } from "../api.js";
import { EventStreamParser } from "../client/event-stream.js";

/**
 * Follows a stream of events until `stop`, the event `end`, or an error response. After a broken connection, 429, 503, or an `end` because the service stops,
 * reconnects and continues after the last event.
 */
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
    const parser = new EventStreamParser(this.#last);
    const reader = answer.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = parser.push(value);
      this.#last = parser.lastEventId;
      this.#delay = parser.retry ?? this.#delay;
      for (const event of events) this.#take(event);
    }
  }

  #take({ type, data }) {
    const said = JSON.parse(data);
    if (type === "end" && said.reason !== "stopping") this.stop();
    this.heard(type, said);
  }

  #pause() {
    return new Promise((resolve) => {
      setTimeout(resolve, this.#delay);
      this.#abort.signal.addEventListener("abort", resolve, { once: true });
    });
  }
}
