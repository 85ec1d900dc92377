import { CairnProblem } from "./problem.js";
import { reasonOf } from "./machine.js";
import { Numbering } from "./numbering.js";
import { isStale, staleAnswer } from "./stale.js";
import { hasSecret } from "./storage/secrecy.js";

/**
 * Sends posts, one request after the other, in the order in which they were made. Each post has a separate key, so that a post without a response is sent again
 * and still runs only once. Actions that are posted during a request are sent together in the next request, with numbers instead of keys. Without a network,
 * posts wait, up to a maximum number.
 */
export class Outbox {
  #waiting = [];
  #numbering;
  #isSending = false;
  #closing = undefined;

  /**
   * @param {{ transport, machine, bound?: number, store?, onChange?, onTurn?, onTrouble?, onRefused? }} given `onChange`: called when the number of waiting
   * posts has changed, with the response's body if a response arrived. Its second argument has the posts that have ended, each as `{ item, answer }` or `{
   * item, problem }`. `refusal`: called before a post is sent; returns a problem if the post must not be sent. `onTurn`: called with the first post of a
   * request, before the request is sent. `before`: awaited before each attempt. `isHeld`: returns whether nothing may be sent yet; `send` is called afterwards
   */
  constructor({
    transport, machine, bound = 100, store, onChange = () => {}, refusal = () => {}, onTurn = () => {}, onTrouble = () => {}, onRefused,
    isHeld = () => false, before,
  }) {
    Object.assign(this, { before, transport, machine, bound, store, onChange, refusal, onTurn, onTrouble, onRefused, isHeld });
    this.#numbering = new Numbering(machine);
  }

  /** Numbers this client's actions. */
  get numbering() {
    return this.#numbering;
  }

  /** The unanswered posts, in order. */
  get waiting() {
    return this.#waiting;
  }

  /** Number of waiting posts, including the post that is being sent. */
  get size() {
    return this.#waiting.length;
  }

  /** The first waiting post; undefined if none waits. */
  get first() {
    return this.#waiting[0];
  }

  /** The problem because of which no other post can wait; undefined if another post can wait. */
  get overflow() {
    const isOld = this.#waiting.length > 0 && this.machine.now() - this.#waiting[0].at > longest;
    if (this.#waiting.length < this.bound && !isOld) return undefined;
    const detail = isOld ? "a post has waited for the network for 7 days" : `${this.bound} posts already wait for the network (option outbox)`;
    return new CairnProblem({ code: "outbox-full", detail });
  }

  /**
   * Resolves to the answer's body. Rejects with a problem, or with the signal's reason; a post that was already sent by then may have run. With `needsNetwork`
   * the post is rejected instead of waiting for the network after the last attempt.
   */
  post({ path, body, headers = {}, key, client, number, definition, order, action, at = this.machine.now(), speaker, isBound, wasShown, uid, isRestored, isReported, needsNetwork }, { signal } = {}) {
    if (this.#closing) return Promise.reject(this.#closing);
    if (signal?.aborted) return Promise.reject(reasonOf(signal));
    const overflow = isRestored ? undefined : this.overflow;
    if (overflow) return Promise.reject(overflow);
    let item;
    const promise = new Promise((resolve, reject) => {
      // A post whose caller chose its key keeps that key, so it is sent by itself.
      item = {
        path, body, headers, key: key ?? uid ?? this.machine.newKey(), isNumberable: key === undefined, client, number, definition, order, action, at, speaker,
        isBound, wasShown, isReported, needsNetwork, signal, resolve, reject, stop: new AbortController(),
      };
      if (signal) {
        item.abort = () => this.#drop(item, reasonOf(signal));
        item.forget = () => signal.removeEventListener("abort", item.abort);
        signal.addEventListener("abort", item.abort);
      }
    });
    Object.assign(item, { promise, uid: uid ?? item.key });
    this.#waiting.push(item);
    this.#note();
    this.send();
    return promise;
  }

  /** Redirects waiting posts to a session that now has another path. Also changes their definition if `definition` is given. */
  move(from, to, definition) {
    for (const item of this.#waiting) {
      item.path = item.path.replace(from, to);
      if (definition !== undefined && item.definition !== undefined) item.definition = definition;
    }
  }

  /** Queues the posts that an earlier page left, by default those in the store. Called before anything else is posted. */
  async restore(posts) {
    const left = posts ?? (await this.store?.load()) ?? [];
    // All of them are in the queue before the first is sent, so that the posts of one request are repeated in one request.
    this.#isSending = true;
    for (const post of left) {
      const { path, body } = post;
      this.post({ ...post, isRestored: true, isReported: this.onRefused !== undefined })
        .catch((problem) => problem.code !== "aborted" && this.onRefused?.(problem, { path, body }));
    }
    this.#isSending = false;
    this.send();
  }

  /** Rejects all waiting posts. Stored posts stay in the store for the next page. */
  close(problem = closed()) {
    this.#closing = problem;
    for (const item of this.#waiting.splice(0)) this.#end(item, () => item.reject(problem), problem);
    this.onChange();
  }

  /** Rejects all waiting posts, as if the service had refused each. */
  refuse(problem) {
    this.#finish(new Map(this.#waiting.map((item) => [item, { problem }])));
  }

  /** Rejects the posts that are not sent yet and fulfill a condition. */
  refuseUnsent(isMeant, problem) {
    const refused = this.#waiting.filter((item) => !item.isSent && isMeant(item));
    if (refused.length > 0) this.#finish(new Map(refused.map((item) => [item, { problem }])), { reason: problem });
  }

  /** Hands the waiting posts over to another page: `post(item)` resolves to the answer. Running requests are aborted; their posts have `isSent`. */
  handOver(post) {
    for (const item of this.#waiting.splice(0)) {
      item.stop.abort(closed());
      post(item).finally(() => item.forget?.()).then(item.resolve, item.reject);
    }
  }

  async send() {
    if (this.#isSending || this.isHeld()) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const problem = this.refusal(this.#waiting[0]);
      if (problem) this.#finish(new Map([[this.#waiting[0], { problem }]]));
      else await this.#sendNext();
    }
    this.#isSending = false;
  }

  #sendNext() {
    const batch = this.#numbering.batch(this.#waiting, (item) => this.refusal(item) === undefined);
    this.onTurn(this.#waiting[0]);
    return batch === undefined ? this.#deliver(this.#waiting[0]) : this.#deliverNumbered(batch);
  }

  async #deliver(item) {
    const { path, headers, key } = item;
    try {
      // With a network the request is sent during the call.
      if (!this.machine.network.isOnline) await this.#online(item.stop.signal);
      item.isSent = true;
      const answer = await this.#call({ path, body: defined(item), headers: { ...headers, "Idempotency-Key": `"${key}"` } }, item.stop.signal, [item]);
      this.#finish(new Map([[item, { answer }]]), { answer });
    } catch (problem) {
      if (!item.stop.signal.aborted) this.#finish(new Map([[item, { problem }]]));
    }
  }

  /** Sends several actions in one request. If the service does not support numbers, or the body is too large, each action is sent in a separate request. */
  async #deliverNumbered(batch) {
    // The numbers are stored before they are used.
    this.#note();
    const stop = new AbortController();
    const left = () => batch.filter((item) => this.#waiting.includes(item));
    for (const item of batch) item.stop.signal.addEventListener("abort", () => left().length === 0 && stop.abort(reasonOf(item.stop.signal)));
    try {
      await this.store?.flush?.();
      if (!this.machine.network.isOnline) await this.#online(stop.signal);
      // Some posts may have been rejected while there was no network. The others are then sent in another request.
      if (left().length < batch.length) return;
      for (const item of batch) item.isSent = true;
      const answer = await this.#call(this.#numbering.request(batch), stop.signal, batch);
      this.#finish(this.#numbering.ends(batch, answer), { answer });
    } catch (problem) {
      if (stop.signal.aborted) return;
      const isDivided = (problem.status === 413 || problem.status === 422) && this.#numbering.release(batch);
      const isPatient = this.store?.isPatient === true && problem.isPassing;
      if (!isDivided) this.#finish(new Map(left().filter((item) => !isPatient || item.needsNetwork).map((item) => [item, { problem }])));
    }
  }

  async #online(signal) {
    while (!this.machine.network.isOnline) {
      this.onTrouble();
      await this.transport.sleep(60_000, signal);
    }
  }

  async #call(request, signal, items) {
    const isPatient = this.store?.isPatient === true && !items.some(({ needsNetwork }) => needsNetwork);
    const onTrouble = (problem) => problem.isUnanswered && this.onTrouble();
    const isAway = () => !this.machine.network.isOnline;
    for (;;) {
      try {
        return await this.transport.call({ method: "POST", ...request }, { signal, onTrouble, before: this.before, isAway });
      } catch (problem) {
        if (isAway() && problem.isUnanswered) await this.#online(signal);
        else if (isPatient && problem.isPassing) await this.transport.rest(problem, signal);
        else throw problem;
      }
    }
  }

  #drop(item, reason) {
    if (!this.#waiting.includes(item)) return item.reject(reason);
    this.#finish(new Map([[item, { problem: reason }]]), { reason });
  }

  /** Removes posts from the queue as one change, and settles each. `ends` maps each post to its answer or problem. */
  #finish(ends, { answer, reason } = {}) {
    const ended = this.#waiting.filter((item) => ends.has(item)).map((item) => ({ item, ...endOf(item, ends.get(item)) }));
    if (ended.length === 0 && answer === undefined) return;
    this.#waiting = this.#waiting.filter((item) => !ends.has(item));
    this.#note(answer, ended);
    for (const { item, ...end } of ended) {
      this.#end(item, () => (end.problem === undefined ? item.resolve(end.answer) : item.reject(end.problem)), reason);
    }
  }

  #end(item, settle, reason) {
    item.forget?.();
    settle();
    if (reason !== undefined) item.stop.abort(reason);
  }

  #note(answer, ended = []) {
    this.store?.save(this.#waiting.map(({ path, body, headers, key, client, number, definition }) => ({ path, body, headers, key, client, number, definition })));
    this.onChange(answer, ended);
  }
}

/** Returns a post's result for its caller. An action on a screen that the user no longer saw gives an answer instead of a refusal. */
function endOf(item, end) {
  return isStale(item, end.problem) ? { answer: staleAnswer(end.problem) } : end;
}

/** Returns the body of a post that is sent by itself. Its actions name the definition that the user saw, unless they name one already. */
function defined({ path, body, definition }) {
  const isOpen = (action) => action !== null && typeof action === "object" && action.definition === undefined;
  if (definition === undefined || !path.endsWith("/actions") || ![body].flat().every(isOpen)) return body;
  return Array.isArray(body) ? body.map((action) => ({ ...action, definition })) : { ...body, definition };
}

/** Maximum time for which a post waits for the network, in milliseconds. */
const longest = 7 * 86_400_000;

function closed() {
  return new CairnProblem({ code: "closed", detail: "this page has closed the session" });
}

/**
 * Returns a store that keeps an outbox over a reload. `storage` is localStorage, React Native's AsyncStorage, or an object with the same three functions. Posts
 * that are known to contain a secret are left out. The others keep their order, keys and numbers.
 */
export function storeIn(storage, name) {
  let last = Promise.resolve();
  let [newest, definition] = [[], undefined];
  const save = (posts) => {
    newest = posts;
    const items = posts.filter(({ body }) => !hasSecret(body, definition));
    last = last
      .then(() => (items.length === 0 ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(items))))
      .catch(() => {});
    return last;
  };
  return {
    save,
    /** Reads from the definition which params are secret, and stores the posts again without those that contain such params. */
    learn({ text }) {
      definition = JSON.parse(text);
      if (newest.length > 0) save(newest);
    },
    /** Reads stored posts. Invalid text counts as an empty list, because otherwise the page could not start. */
    async load() {
      try {
        const items = JSON.parse(await storage.getItem(name));
        return Array.isArray(items) ? items : [];
      } catch {
        return [];
      }
    },
  };
}
