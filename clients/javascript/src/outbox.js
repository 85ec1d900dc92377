import { CairnProblem } from "./problem.js";
import { reasonOf } from "./machine.js";
import { Numbering } from "./numbering.js";
import { Post } from "./post.js";
import { isStale, staleAnswer } from "./stale.js";
import { limits } from "./storage/kept.js";
import { hasSecret } from "./storage/secrecy.js";

/** @typedef {import("./types").End} End @typedef {import("./types").OutboxStore} OutboxStore @typedef {import("./types").Reply} Reply */

/**
 * Sends posts, one request after the other, in the order in which they were made. Each post has a separate key, so that a post without a response is sent again
 * and still runs only once. Actions that are posted during a request are sent together in the next request, with numbers instead of keys. Without a network,
 * posts wait, up to a maximum number.
 */
export class Outbox {
  /** @type {Post[]} */
  #waiting = [];
  #isSending = false;
  /** Number of posts that were queued. */
  #count = 0;
  /** @type {CairnProblem | undefined} */
  #closing;
  #core;
  #machine;
  #bound;
  #onRefused;
  #before;

  /**
   * @param {import("./session/core.js").SessionCore} core
   * @param {{ bound: number, store?: OutboxStore, before?: () => Promise<unknown>, onRefused?: (...refused: any[]) => void }} given
   * `bound`: maximum number of waiting posts. `before`: awaited before each attempt
   */
  constructor(core, { bound, store, onRefused, before }) {
    this.#core = core;
    this.#machine = core.transport.machine;
    this.#bound = bound;
    this.store = store;
    this.#onRefused = onRefused;
    this.#before = before;
    /** Numbers this client's actions. */
    this.numbering = new Numbering(this.#machine);
  }

  /** The unanswered posts, in order. */
  get waiting() { return this.#waiting; }
  /** Number of waiting posts, including the post that is being sent. */
  get size() { return this.#waiting.length; }

  /** Returns a problem if `count` further posts cannot wait, because the queue is full or its oldest post is too old; undefined if they can wait. */
  overflow(count = 1) {
    const isOld = this.#waiting.length > 0 && this.#machine.now() - this.#waiting[0].at > limits.milliseconds;
    if (this.#waiting.length + count <= this.#bound && !isOld) return undefined;
    const days = limits.milliseconds / 86_400_000;
    const detail = isOld ? `a post has waited for the network for ${days} days` : `at most ${this.#bound} posts wait for the network (option outbox)`;
    return new CairnProblem({ code: "outbox-full", detail });
  }

  /**
   * Sends a post after those that wait. Resolves to the answer's body. Rejects with a problem, or with the signal's reason. A post that was already sent may
   * have run.
   * @param {Post} post @param {AbortSignal} [signal] @returns {Promise<Reply>}
   */
  post(post, signal) {
    const problem = this.#closing ?? (signal?.aborted ? reasonOf(signal) : this.overflow());
    return problem ? Promise.reject(problem) : this.#add(post, signal);
  }

  #add(/** @type {Post} */ post, /** @type {AbortSignal} */ signal) {
    if (this.#closing) return Promise.reject(this.#closing);
    this.#count += 1;
    post.place = this.#count;
    post.queue(signal, () => this.#finish([post], { problem: reasonOf(signal) }, reasonOf(signal)));
    this.#waiting.push(post);
    this.#note();
    this.send();
    return post.promise;
  }

  /** Redirects waiting posts to a session that now has another path. Also changes their definition if `definition` is given. */
  move(from, to, definition) {
    for (const post of this.#waiting) {
      post.path = post.path.replace(from, to);
      if (definition !== undefined && post.definition !== undefined) post.definition = definition;
    }
  }

  /** Queues the posts that an earlier page left in the store. Called before anything else is posted. */
  async restoreStored() {
    const left = (await this.store?.posts?.()) ?? [];
    return this.restore(left.map((post) => new Post(post, this.#machine)));
  }

  /** Queues the posts that an earlier page left. Called before anything else is posted. */
  restore(/** @type {Post[]} */ left) {
    // All posts are queued before the first is sent, so that the posts of one request are repeated in one request.
    this.#isSending = true;
    for (const post of left) {
      const { path, body } = post;
      post.isReported = this.#onRefused !== undefined;
      this.#add(post).catch((problem) => problem.code !== "aborted" && this.#onRefused?.(problem, { path, body }));
    }
    this.#isSending = false;
    this.send();
  }

  /** Rejects all waiting and later posts with a problem. Stored posts stay in the store for the next page. */
  close(problem) {
    this.#closing = problem;
    for (const post of this.#waiting.splice(0)) post.end({ problem }, problem);
    this.#core.posted();
  }

  /** Rejects the posts that are not sent yet and fulfill a condition. */
  refuseUnsent(/** @type {(post: Post) => boolean} */ isMeant, /** @type {CairnProblem} */ problem) {
    const refused = this.#waiting.filter((post) => !post.isSent && isMeant(post));
    if (refused.length > 0) this.#finish(refused, { problem }, problem);
  }

  /** @param {(post: Post) => Promise<Reply>} send hands a waiting post over to another page, and resolves to the answer */
  handOver(send) {
    for (const post of this.#waiting.splice(0)) post.handOver(send(post));
  }

  async send() {
    if (this.#isSending || this.#core.role.isHeld) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const problem = this.#core.binding.refusal(this.#waiting[0]);
      if (problem) this.#finish([this.#waiting[0]], { problem });
      else await this.#sendNext();
    }
    this.#isSending = false;
  }

  #sendNext() {
    const batch = this.numbering.batch(this.#waiting, (post) => this.#core.binding.refusal(post) === undefined);
    this.#core.predictions.turn(this.#waiting[0]);
    return batch === undefined ? this.#deliver(this.#waiting[0]) : this.#deliverNumbered(batch);
  }

  async #deliver(/** @type {Post} */ post) {
    const { path, headers, key, stop: { signal } } = post;
    try {
      // With a network the request is sent during the call.
      if (!this.#machine.network.isOnline) await this.#online(signal);
      post.send();
      const answer = await this.#call({ path, body: defined(post), headers: { ...headers, "Idempotency-Key": `"${key}"` } }, signal, [post]);
      this.#settle(new Map([[post, { answer }]]), { answer });
    } catch (problem) {
      if (!signal.aborted) this.#finish(this.#refusedWith(problem, [post]), { problem });
    }
  }

  /** Sends several actions in one request. If the service does not support numbers, or the body is too large, each action is sent in a separate request. */
  async #deliverNumbered(/** @type {Post[]} */ batch) {
    // The numbers are stored before they are used.
    this.#note();
    const stop = new AbortController();
    const left = () => batch.filter((post) => this.#waiting.includes(post));
    for (const post of batch) post.stop.signal.addEventListener("abort", () => left().length === 0 && stop.abort(reasonOf(post.stop.signal)));
    try {
      await this.store?.flush?.();
      if (!this.#machine.network.isOnline) await this.#online(stop.signal);
      // Some posts may have been rejected while there was no network. The others are then sent in another request.
      if (left().length < batch.length) return;
      for (const post of batch) post.send();
      const answer = await this.#call(this.numbering.request(batch), stop.signal, batch);
      this.#settle(this.numbering.ends(batch, answer), { answer });
    } catch (problem) {
      if (stop.signal.aborted) return;
      const isDivided = (problem.status === 413 || problem.status === 422) && this.numbering.release(batch);
      const isPatient = this.store?.isPatient === true && problem.isPassing;
      if (!isDivided) this.#finish(this.#refusedWith(problem, left().filter((post) => !isPatient || post.needsNetwork)), { problem });
    }
  }

  /**
   * Returns the posts to reject after the request for `posts` failed: all waiting posts if the service refuses the secret or does not have the session,
   * otherwise `posts`.
   */
  #refusedWith(/** @type {CairnProblem} */ problem, /** @type {Post[]} */ posts) {
    return problem.status === 401 || problem.code === "unknown-session" ? this.#waiting : posts;
  }

  #online(signal) {
    return this.#core.transport.online(signal, () => this.#core.connection.fail());
  }

  async #call(/** @type {import("./types").Request} */ request, /** @type {AbortSignal} */ signal, /** @type {Post[]} */ posts) {
    const isPatient = this.store?.isPatient === true && !posts.some(({ needsNetwork }) => needsNetwork);
    const onTrouble = (problem) => problem.isUnanswered && this.#core.connection.fail();
    const isAway = () => !this.#machine.network.isOnline;
    for (;;) {
      try {
        return await this.#core.transport.call({ method: "POST", ...request }, { signal, onTrouble, before: this.#before, isAway });
      } catch (problem) {
        if (isAway() && problem.isUnanswered) await this.#online(signal);
        else if (isPatient && problem.isPassing) await this.#core.transport.rest(problem, signal);
        else throw problem;
      }
    }
  }

  /** Removes posts from the queue, with the same result for each. */
  #finish(/** @type {Post[]} */ posts, /** @type {End} */ end, /** @type {Error} */ reason) {
    this.#settle(new Map(posts.map((post) => [post, end])), { reason });
  }

  /**
   * Removes posts from the queue as one change, and settles each.
   * @param {Map<Post, End>} ends the results
   * @param {{ answer?: Reply, reason?: Error }} given `answer`: the response. `reason`: aborts running requests
   */
  #settle(ends, { answer, reason }) {
    const ended = this.#waiting.filter((post) => ends.has(post)).map((item) => ({ item, ...endOf(item, ends.get(item)) }));
    if (ended.length === 0 && answer === undefined) return;
    this.#waiting = this.#waiting.filter((post) => !ends.has(post));
    for (const { item, answer: own } of ended) {
      if (item.number === undefined && own?.revision !== undefined) for (const post of this.#waiting) post.raise(own.revision);
    }
    this.#note(answer, ended);
    for (const { item, ...end } of ended) item.end(end, reason);
  }

  #note(/** @type {Reply} */ answer, /** @type {import("./types").Ended[]} */ ended = []) {
    this.store?.save(() => this.#waiting.map((post) => post.stored));
    this.#core.posted(answer, ended);
  }
}

/**
 * Returns a post's result for its caller. If an action is refused because the user no longer saw its screen, the result is a stale answer instead of the
 * refusal.
 */
function endOf(post, end) {
  return isStale(post, end.problem) ? { answer: staleAnswer(end.problem) } : end;
}

/**
 * Returns the body of a post that is sent in a separate request. Its actions name the definition that the user saw, unless one of them already names a
 * definition.
 */
function defined({ path, body, definition }) {
  const isOpen = (action) => action !== null && typeof action === "object" && action.definition === undefined;
  if (definition === undefined || !path.endsWith("/actions") || ![body].flat().every(isOpen)) return body;
  return Array.isArray(body) ? body.map((action) => ({ ...action, definition })) : { ...body, definition };
}

/**
 * Returns a store that keeps an outbox over a reload. `storage` is localStorage, React Native's AsyncStorage, or an object with the same three functions. Posts
 * that are known to contain a secret are left out. The others keep their order, keys and numbers.
 * @returns {OutboxStore}
 */
export function storeIn(storage, name) {
  let last = Promise.resolve();
  let [newest, definition] = [[], undefined];
  const save = (collect) => {
    newest = collect();
    const items = newest.filter(({ body }) => !hasSecret(body, definition));
    last = last.then(() => (items.length === 0 ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(items)))).catch(() => {});
    return last;
  };
  return {
    save,
    /** Reads from the definition which params are secret, and stores the posts again without those that contain such params. */
    learn({ text }) {
      definition = JSON.parse(text);
      if (newest.length > 0) save(() => newest);
    },
    /** Reads stored posts. Invalid text counts as an empty list, because otherwise the page could not start. */
    async posts() {
      try {
        const items = JSON.parse(await storage.getItem(name));
        return Array.isArray(items) ? items : [];
      } catch {
        return [];
      }
    },
  };
}
