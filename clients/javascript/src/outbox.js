import { CairnProblem } from "./problem.js";
import { reasonOf } from "./machine.js";

/**
 * Posts on their way, one after the other in the order in which they were made. Each has a key of its own, so that what was sent and
 * not heard of is sent again and runs once. While the network is away they wait, up to a bound.
 */
export class Outbox {
  #waiting = [];
  #isSending = false;
  #closing = undefined;

  /**
   * @param {{ transport, machine, bound?: number, store?, onChange?, onTurn?, onTrouble?, onRefused? }} given `onChange`: called when the number of
   * waiting posts has changed, with the response's body if a response arrived. `onTurn`: called with a post that is the first, before it is sent. If it
   * returns a problem, the post is rejected with it
   */
  constructor({ transport, machine, bound = 100, store, onChange = () => {}, onTurn = () => {}, onTrouble = () => {}, onRefused = () => {} }) {
    Object.assign(this, { transport, machine, bound, store, onChange, onTurn, onTrouble, onRefused });
  }

  /** How many wait, the one on its way counted. */
  get size() {
    return this.#waiting.length;
  }

  /** The post whose turn it is; undefined: none waits. */
  get first() {
    return this.#waiting[0];
  }

  /** Resolves to the answer's body. Rejects with a problem, or with the signal's reason: what was sent by then may have run. */
  post({ path, body, headers = {}, key = this.machine.newKey(), speaker }, { signal } = {}) {
    if (this.#closing) return Promise.reject(this.#closing);
    if (signal?.aborted) return Promise.reject(reasonOf(signal));
    if (this.#waiting.length >= this.bound) {
      return Promise.reject(new CairnProblem({ code: "outbox-full", detail: `${this.bound} posts wait for the network already` }));
    }
    return new Promise((resolve, reject) => {
      const item = { path, body, headers, key, speaker, resolve, reject, stop: new AbortController() };
      if (signal) {
        item.abort = () => this.#drop(item, reasonOf(signal));
        item.forget = () => signal.removeEventListener("abort", item.abort);
        signal.addEventListener("abort", item.abort);
      }
      this.#waiting.push(item);
      this.#note();
      this.#send();
    });
  }

  /** Takes up what an earlier page left in the store, before anything else is posted. */
  async restore() {
    for (const { path, body, headers, key } of (await this.store?.load()) ?? []) {
      this.post({ path, body, headers, key }).catch((problem) => this.onRefused(problem, { path, body }));
    }
  }

  /** Rejects all that waits; what is stored stays there for the next page. */
  close(problem = closed()) {
    this.#closing = problem;
    for (const item of this.#waiting.splice(0)) this.#end(item, () => item.reject(problem), problem);
    this.onChange();
  }

  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) await this.#deliver(this.#waiting[0]);
    this.#isSending = false;
  }

  async #deliver(item) {
    const { path, body, headers, key } = item;
    const { signal } = item.stop;
    const problem = this.onTurn(item);
    if (problem) return this.#finish(item, () => item.reject(problem));
    try {
      while (!this.machine.network.isOnline) {
        this.onTrouble();
        await this.transport.sleep(60_000, signal);
      }
      const request = { method: "POST", path, body, headers: { ...headers, "Idempotency-Key": `"${key}"` } };
      const onTrouble = (problem) => problem.isUnanswered && this.onTrouble();
      const answer = await this.transport.call(request, { signal, onTrouble });
      this.#finish(item, () => item.resolve(answer), { answer });
    } catch (problem) {
      if (!signal.aborted) this.#finish(item, () => item.reject(problem));
    }
  }

  #drop(item, reason) {
    this.#finish(item, () => item.reject(reason), { reason });
  }

  #finish(item, settle, { answer, reason } = {}) {
    const index = this.#waiting.indexOf(item);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    this.#note(answer);
    this.#end(item, settle, reason);
  }

  #end(item, settle, reason) {
    item.forget?.();
    settle();
    if (reason !== undefined) item.stop.abort(reason);
  }

  #note(answer) {
    this.store?.save(this.#waiting.map(({ path, body, headers, key }) => ({ path, body, headers, key })));
    this.onChange(answer);
  }
}

function closed() {
  return new CairnProblem({ code: "closed", detail: "the session was closed by its page" });
}

/** Where an outbox is kept over a reload: `storage` is localStorage, React Native's AsyncStorage, or anything with their three functions. */
export function storeIn(storage, name) {
  let last = Promise.resolve();
  return {
    /** Reads stored posts; invalid text counts as an empty list, because a page that cannot start would be worse. */
    async load() {
      try {
        const items = JSON.parse(await storage.getItem(name));
        return Array.isArray(items) ? items : [];
      } catch {
        return [];
      }
    },
    save(items) {
      last = last
        .then(() => (items.length === 0 ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(items))))
        .catch(() => {});
      return last;
    },
  };
}
