import { CairnProblem } from "./problem.js";

/**
 * The states of a post, each with the states that may follow.
 *
 * - `queued`: it waits, and has no number.
 * - `numbered`: it waits under a number of its client, which is stored before it is used.
 * - `sent`: the service may have received it, so it is only repeated in the same form.
 * - `divided`: the service has refused a request with this post and others, so the post is sent in a separate request.
 * - `ended`: its promise has settled, or another page sends it.
 * @typedef {"queued" | "numbered" | "sent" | "divided" | "ended"} PostState @type {Record<PostState, PostState[]>}
 */
const following = {
  queued: ["numbered", "sent", "ended"],
  numbered: ["sent", "ended"],
  sent: ["sent", "divided", "ended"],
  divided: ["divided", "ended"],
  ended: [],
};

/** A post from the call to its result: the request, and the form in which it was sent. Its state determines what may still happen to it. */
export class Post {
  /** @type {string | undefined} the client under whose number the post is sent */
  client;
  /** @type {number | undefined} */
  number;
  /** @type {AbortSignal | undefined} */
  signal;
  /** Whether the engine has shown the effect. */
  wasShown = false;
  /** Whether the effect was an exit from the app. */
  exits = false;
  /** Whether `onRefused` receives the refusal. */
  isReported = false;
  /** Whether the post is rejected instead of waiting for the network. */
  needsNetwork = false;
  /** The post's place in the order of all queued posts; a later post has a higher place. */
  place = 0;
  /** Aborts the post's own requests. */
  stop = new AbortController();
  /** @type {PostState} */
  #state = "queued";
  /** Whether the post is sent under its key instead of a number. */
  #isKeyed;
  #key;
  #uid;
  #machine;
  #resolve;
  #reject;
  /** Removes the listener of the caller's signal. */
  #forget = () => {};

  /** @param {import("./types").PostMembers} given @param {import("./types").Machine} machine */
  constructor(given, machine) {
    const { path, body, headers = {}, key, uid, client, number, order, action, at, definition, speaker, isBound, seen, group, isRetried = false } = given;
    this.path = path;
    this.body = body;
    this.headers = headers;
    this.at = at ?? machine.now();
    this.definition = definition;
    this.order = order;
    this.action = action;
    this.speaker = speaker;
    this.isBound = isBound;
    this.seen = seen;
    /** The id of the group of the last refused action before this post in the queue. Once this post is refused, the id of its own group. */
    this.group = group;
    /** Whether the post repeats an action of a group. The action is then known to have no secret, and is sent whatever the engine predicts. */
    this.isRetried = isRetried;
    this.#key = key;
    this.#uid = uid;
    this.#isKeyed = key !== undefined;
    this.#machine = machine;
    if (number !== undefined) this.take(client, number);
    /** @type {Promise<import("./types").Reply>} */
    this.promise = new Promise((resolve, reject) => { [this.#resolve, this.#reject] = [resolve, reject]; });
  }

  get state() { return this.#state; }

  /** The post's own key, which only this post has. */
  get key() {
    this.#key ??= this.#uid ?? this.#machine.newKey();
    return this.#key;
  }

  /** The post's name among the browser's pages. */
  get uid() { return this.#uid ?? this.key; }
  /** Whether the service may have received the post. */
  get isSent() { return this.#state === "sent" || this.#state === "divided"; }
  /** Whether the post is sent in a separate request, because the service has refused it together with others. */
  get isAlone() { return this.#state === "divided"; }
  /** Whether the post is sent with its idempotency key: its caller has chosen the key, or another page may repeat the post with it. */
  get isKeyed() { return this.#isKeyed; }

  /** Whether the post can have a number: it is a single action without a condition and without a key of its own. */
  get isNumberable() {
    return !this.#isKeyed && this.path.endsWith("/actions") && !Array.isArray(this.body) && this.headers["If-Match"] === undefined;
  }

  /** The members with which a later page can send the post. */
  get stored() {
    const { path, body, headers, key, client, number, definition, seen, at } = this;
    return { path, body, headers, key, client, number, definition, seen, at };
  }

  /** Has the post sent under its key, and never under a number. */
  keepKey() {
    this.#isKeyed = this.key !== undefined;
  }

  take(client, number) {
    this.#become("numbered");
    [this.client, this.number] = [client, number];
  }

  /** Raises `seen` to the revision of an earlier post without a number. The service cannot know that the user has seen that post's effect. */
  raise(/** @type {number} */ revision) {
    if (!this.isSent && this.seen < revision) this.seen = revision;
  }

  send() {
    this.#become(this.isAlone ? "divided" : "sent");
  }

  /** Notes that the service has refused a request of several posts. The post loses its number, unless other posts may refer to it. */
  divide() {
    this.#become("divided");
    if (this.order !== undefined) return;
    [this.client, this.number] = [undefined, undefined];
    this.keepKey();
  }

  /** Notes that the post is in the queue, where it has a key. Calls `abort` when the caller's signal is aborted, until the post ends. */
  queue(signal, abort) {
    this.#key = this.key;
    if (signal === undefined) return;
    signal.addEventListener("abort", abort);
    this.#forget = () => signal.removeEventListener("abort", abort);
    this.signal = signal;
  }

  /** Settles the promise. With a `reason`, a running request of the post is aborted. */
  end(/** @type {import("./types").End} */ { answer, problem }, /** @type {Error} */ reason) {
    this.#become("ended");
    this.#forget();
    if (problem === undefined) this.#resolve(answer);
    else this.#reject(problem);
    if (reason !== undefined) this.stop.abort(reason);
  }

  /** Hands the post over to another page: the promise settles with `answered`. */
  handOver(/** @type {Promise<import("./types").Reply>} */ answered) {
    this.#become("ended");
    this.#forget();
    this.stop.abort(new CairnProblem({ code: "closed" }));
    this.#resolve(answered);
  }

  #become(/** @type {PostState} */ state) {
    if (!following[this.#state].includes(state)) throw new Error(`a post that is ${this.#state} cannot become ${state}`);
    this.#state = state;
  }
}
