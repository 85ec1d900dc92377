import { reasonOf } from "../machine.js";
import { details } from "../picture.js";
import { tagOf } from "../tags.js";

/** The preference of a post with which nothing has to be read behind it. */
const includesDetails = `include="${details.join(" ")}"`;

/** The posts of a session in this page: how each is written, predicted and sent. */
export class Posting {
  #given;

  /**
   * @param {{ transport, identity, picture, outbox, engine, hasDetails: boolean, asks, onRefused }} given `engine`: the predictions. `hasDetails`: whether a response is to have
   * what no change contains. `asks()`: the headers by which it has predictions, or what an engine needs. `onRefused({ action, problem })`: called with an action that
   * the engine has refused at once
   */
  constructor(given) {
    this.#given = given;
  }

  /** The headers of a post: what its response is to have. */
  get headers() {
    const { hasDetails, asks } = this.#given;
    const { Prefer: added } = asks();
    return { Prefer: ["return=minimal", ...(hasDetails ? [includesDetails] : []), ...(added ? [added] : [])].join(", ") };
  }

  /** The header that makes a request one for a revision; true: for the one that is known. */
  condition(ifMatch) {
    const { picture } = this.#given;
    if (ifMatch === undefined) return {};
    return { "If-Match": tagOf(ifMatch === true ? (picture.ownEventId ?? picture.now.revision) : ifMatch) };
  }

  /** Asks the service for the effect of a post, which is not performed. */
  plan(path, body, { ifMatch, signal }) {
    const { transport, identity } = this.#given;
    const where = `${identity.path}${path}${path.includes("?") ? "&" : "?"}plan`;
    return transport.call({ method: "POST", path: where, body, headers: this.condition(ifMatch) }, { signal });
  }

  /** Shows a post, if an engine can run it, and sends it. Resolves to its answer. */
  async post(path, body, { ifMatch, signal, key, speaker, isBound, uid, definition, queue = false }) {
    // Before the engine shows it.
    if (signal?.aborted) throw reasonOf(signal);
    const { identity, picture, outbox, engine, onRefused } = this.#given;
    const post = { path: identity.path + path, body, headers: { ...this.condition(ifMatch), ...this.headers }, key, speaker, isBound, uid, definition };
    // The prediction and the higher count of waiting posts are one change for subscribers.
    let end;
    const answered = picture.batch(() => {
      end = engine.take(post, queue);
      const answer = end === undefined ? outbox.post(post, { signal }) : undefined;
      engine.show();
      return answer;
    });
    if (end === undefined) return answered;
    if (end.isRefused) onRefused({ uid, action: post.body, problem: end.problem, definition: post.definition });
    if (end.problem) throw end.problem;
    return end.answer;
  }
}
