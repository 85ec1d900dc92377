import { hasExit } from "../exit.js";
import { reasonOf } from "../machine.js";
import { details } from "../picture.js";
import { Post } from "../post.js";
import { tagOf } from "../tags.js";

/** The preference that a post's response contains the details, so that they do not have to be read after it. */
const includesDetails = `include="${details.join(" ")}"`;

/** Posts the actions of a session in this page: creates each post, shows its prediction and sends it. */
export class Posting {
  #core;
  #hasDetails;

  /** @param {import("./core.js").SessionCore} core @param {boolean} hasDetails whether responses are to contain the details that no change contains */
  constructor(core, hasDetails) {
    this.#core = core;
    this.#hasDetails = hasDetails;
  }

  /** The headers of a post, which request the members of its response. */
  get headers() {
    const { Prefer: added } = this.#core.predictions.headers;
    return { Prefer: ["return=minimal", ...(this.#hasDetails ? [includesDetails] : []), ...(added ? [added] : [])].join(", ") };
  }

  /** Returns the headers that limit a request to a revision, none if `ifMatch` is undefined; `true` stands for the newest revision that the client knows. */
  condition(ifMatch) {
    if (ifMatch === undefined) return {};
    return { "If-Match": tagOf(ifMatch === true ? (this.#core.picture.ownEventId ?? this.#core.picture.now.revision) : ifMatch) };
  }

  /** Asks the service for the effect of a post, without performing it. */
  plan(path, body, /** @type {import("../types").PostOptions} */ { ifMatch, signal }) {
    const where = `${this.#core.identity.path}${path}${path.includes("?") ? "&" : "?"}plan`;
    return this.#core.transport.call({ method: "POST", path: where, body, headers: this.condition(ifMatch) }, { signal });
  }

  /** Repeats a post of another page, which an earlier leading page may have sent under this number. */
  repeat(path, body, { isBound, sent, uid }) {
    return this.#core.outbox.post(this.#made(path, body, { ...sent, isBound, uid }));
  }

  /** Returns the post of an action that an earlier page stored. */
  restored({ body: action, ...given }) {
    return this.#made("/actions", action, { ...given, order: given.number, action });
  }

  #made(path, body, given) {
    return new Post({ ...given, path: this.#core.identity.path + path, body, headers: { ...given.headers, ...this.headers } }, this.#core.transport.machine);
  }

  /** Shows the effect of a post, if an engine can predict it, and sends the post. Resolves to its answer. */
  async post(path, body, /** @type {import("../types").PostOptions} */ { ifMatch, signal, queue = false, onExit = () => {}, ...options }) {
    // An aborted post must be rejected before the engine shows it.
    if (signal?.aborted) throw reasonOf(signal);
    if (body?.type !== "tick") this.#core.predictions.tick();
    const post = this.#made(path, body, { ...options, headers: this.condition(ifMatch) });
    /** @type {import("../types").End | undefined} */
    let end;
    // The prediction and the higher number of waiting posts are one change for subscribers.
    const answered = this.#core.picture.batch(() => {
      end = this.#core.predictions.take(post, queue);
      const answer = end === undefined ? this.#core.outbox.post(post, signal) : undefined;
      this.#core.predictions.show();
      return answer;
    });
    if (post.exits) onExit();
    if (end === undefined) return this.#noteExit(answered, post, onExit);
    if (end.isRefused) this.#core.report(post, end.problem);
    if (end.problem) throw end.problem;
    return end.answer;
  }

  /** Resolves to the answer. Calls `onExit` if the answer contains an exit from the app that the engine has not reported before. */
  async #noteExit(answered, post, onExit) {
    const answer = await answered;
    if (!post.exits && hasExit(answer)) onExit();
    return answer;
  }
}
