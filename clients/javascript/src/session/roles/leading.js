import { readUntilAnswered } from "../../creation.js";
import { CairnProblem } from "../../problem.js";
import { Role } from "./role.js";

/** The role of a page that sends its posts and reads the events itself: the only page of a session, or the leading page. */
export class LeadingSession extends Role {
  /** Aborted when this page no longer leads. */
  #term = new AbortController();

  get isHeld() { return false; }

  get isUpToDate() {
    const { picture, outbox } = this.core;
    return picture.now.predicts || outbox.size === 0;
  }

  /** Aborted when this page no longer leads, or when the session has ended. */
  get signal() { return this.#term.signal; }
  get led() { return this.pages; }

  /** Sends a post, and resolves when the snapshot shows its effect. */
  async post(path, given, options) {
    const { body, ...bound } = this.core.bound(path, given, options);
    const sealing = this.core.sealer.sealed(path, body, options.uid);
    if (sealing !== undefined) return this.#postSealed(path, await sealing, bound);
    const answer = await this.core.posting.post(path, body, bound);
    await this.core.catchUp.run();
    return answer;
  }

  /** Posts an action that had to be sealed first. Another page may lead by now, or the session may have ended. */
  async #postSealed(path, body, bound) {
    if (this.core.role !== this) return this.core.role.post(path, body, { ...bound, from: null });
    const answer = await this.core.posting.post(path, body, bound);
    await this.core.catchUp.run();
    return answer;
  }

  retry(id) {
    return this.core.groups.retry(id);
  }

  discard(id) {
    return this.core.groups.discard(id);
  }

  /** Follows the events while there are listeners, readers or other pages. */
  listen() {
    const { audience, connection } = this.core;
    if (audience.isEmpty && !this.pages?.keeping.hasPeers) connection.stop();
    else connection.start();
  }

  // MARK: The lead

  /**
   * If the shown session was stored by an earlier page, it may be outdated: reads the session until the service answers. Ends it here if it has ended
   * in the service.
   */
  async continue(isStored) {
    if (!isStored) return;
    const { transport } = this.core;
    const reason = await readUntilAnswered(() => this.core.refresh({ signal: this.signal }), { transport, signal: this.signal });
    if (reason !== undefined) this.core.end(reason);
  }

  /** Gives up the lead, because another page has taken it while this page was frozen. That page sends the waiting posts. */
  leave() {
    const { identity, outbox, predictions, connection } = this.core;
    this.stop(new CairnProblem({ code: "closed" }));
    predictions.close();
    connection.close();
    outbox.handOver((post) => {
      const { path, body, headers, isBound, isSent, client, number, definition, action, at, seen, signal } = post;
      // A post that may have reached the service is repeated under the client and number that the service knows.
      const sent = isSent && number !== undefined ? { client, number, order: number, definition, action, at, seen } : undefined;
      return this.pages.keeping.post({
        path: path.slice(identity.path.length), body, ifMatch: headers["If-Match"]?.slice(1, -1), queue: true,
        key: post.isKeyed || isSent ? post.key : undefined, definition, isBound, seen, sent,
      }, { uid: post.uid, signal });
    });
  }

  /** Aborts the reads and requests of this page, because the session has ended in it. */
  stop(problem) {
    this.#term.abort(problem);
  }
}
