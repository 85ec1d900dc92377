import { hasExit } from "../exit.js";
import { reasonOf } from "../machine.js";
import { details } from "../picture.js";
import { tagOf } from "../tags.js";

/** The preference of a post whose response contains everything, so that nothing has to be read after it. */
const includesDetails = `include="${details.join(" ")}"`;

/** Posts the actions of a session in this page: writes each body, shows its prediction and sends it. */
export class Posting {
  #given;

  /**
   * @param {{ transport, identity, picture, outbox, engine, hasDetails: boolean, asks, onRefused }} given `engine`: the predictions. `hasDetails`: whether
   * responses are to contain the details that no change contains. `asks()`: returns the headers that request predictions, or the content that an engine needs.
   * `onRefused({ action, problem })`: called with an action that the engine has refused at once
   */
  constructor(given) {
    this.#given = given;
  }

  /** The headers of a post, which request the members of its response. */
  get headers() {
    const { hasDetails, asks } = this.#given;
    const { Prefer: added } = asks();
    return { Prefer: ["return=minimal", ...(hasDetails ? [includesDetails] : []), ...(added ? [added] : [])].join(", ") };
  }

  /** Returns the header that limits a request to a revision; `true` stands for the revision that the client knows. */
  condition(ifMatch) {
    const { picture } = this.#given;
    if (ifMatch === undefined) return {};
    return { "If-Match": tagOf(ifMatch === true ? (picture.ownEventId ?? picture.now.revision) : ifMatch) };
  }

  /** Asks the service for the effect of a post, without performing it. */
  plan(path, body, { ifMatch, signal }) {
    const { transport, identity } = this.#given;
    const where = `${identity.path}${path}${path.includes("?") ? "&" : "?"}plan`;
    return transport.call({ method: "POST", path: where, body, headers: this.condition(ifMatch) }, { signal });
  }

  /** Shows a post, if an engine can run it, and sends it. Resolves to its answer. */
  async post(path, body, { ifMatch, signal, key, speaker, isBound, uid, definition, queue = false, onExit = () => {} }) {
    // An aborted post must be rejected before the engine shows it.
    if (signal?.aborted) throw reasonOf(signal);
    const { identity, picture, outbox, engine, onRefused } = this.#given;
    const post = { path: identity.path + path, body, headers: { ...this.condition(ifMatch), ...this.headers }, key, speaker, isBound, uid, definition };
    // The prediction and the higher number of waiting posts are one change for subscribers.
    let end;
    const answered = picture.batch(() => {
      end = engine.take(post, queue);
      const answer = end === undefined ? outbox.post(post, { signal }) : undefined;
      engine.show();
      return answer;
    });
    if (post.exits) onExit();
    if (end === undefined) return this.#noteExit(answered, post, onExit);
    if (end.isRefused) onRefused({ uid, action: post.body, problem: end.problem, definition: post.definition });
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
