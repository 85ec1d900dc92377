import { hasExit } from "../../exit.js";
import { Role } from "./role.js";

/**
 * The role of a page of a kept session while another page leads, or while the leading page is not known yet. The leading page performs this page's posts, and
 * sends it the snapshot and the refusals. If this page has readers, it also sends the events.
 */
export class FollowingSession extends Role {
  get isLocal() { return this.pages.creation !== undefined; }
  get isUpToDate() { return this.pages.keeping.waiting === 0; }

  /** Has the leading page perform a post. */
  async post(path, given, options) {
    const { body, ifMatch, key, queue, isBound, seen, signal, onExit } = this.core.bound(path, given, options);
    const revision = ifMatch === true ? this.core.picture.now.revision : ifMatch;
    const answer = await this.pages.keeping.post({ path, body, ifMatch: revision, key, queue, isBound, seen }, { signal });
    if (hasExit(answer)) onExit();
    return answer;
  }

  retry(id) {
    return this.pages.keeping.post({ retried: id }, {});
  }

  discard(id) {
    return this.pages.keeping.post({ discarded: id }, {});
  }

  /** Notes whether this page has readers of events. `position` is the event after which they need events. */
  listen(position = undefined) {
    this.pages.events.listen(this.core.audience.hasReaders, position);
  }

  async end(options) {
    if (!this.isLocal) return super.end(options);
    try {
      await this.pages.keeping.post({ isEnd: true }, { signal: options.signal });
    } catch (problem) {
      // The leading page ends the session in all pages before it answers.
      if (problem.code !== "over") throw problem;
    }
  }
}
