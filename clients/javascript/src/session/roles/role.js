/**
 * The role of a page in its session: `LeadingSession`, `LocalSession` (it leads a session that the service does not have yet), `FollowingSession` or
 * `EndedSession`. A session has one role at a time, which is swapped when the lock moves to another page. This class ignores everything.
 */
export class Role {
  /** Whether the service does not have the session yet. */
  get isLocal() {
    return false;
  }

  /** Whether this page neither sends posts nor reads the session. */
  get isHeld() {
    return true;
  }

  /** Whether the picture contains the user's earlier actions. */
  get isUpToDate() {
    return true;
  }

  /**
   * Performs a post, and resolves to its answer.
   * @param {import("../../types").PostOptions} options @returns {Promise<import("../../types").Reply>}
   */
  async post(path, given, options) {
    return {};
  }

  /** Follows the events for as long as listeners, readers or other pages need them. */
  listen() {}

  /**
   * Ends the session in the service.
   * @param {import("../../types").EndOptions} options
   */
  async end(options) {}

  /**
   * Notes that the session was read.
   * @param {import("../../types").Whole} whole
   */
  read(whole) {}

  /** Notes that the snapshot has changed. */
  changed() {}

  /**
   * Handles the results of ended posts.
   * @param {import("../../types").Ended[]} posts
   */
  ended(posts) {}

  /**
   * Sends an event of the service to the other pages.
   * @param {import("../../types").SessionEvent} event
   */
  share(event, id) {}

  /**
   * Sends a refused post to the other pages.
   * @param {import("../../post.js").Post} post @param {import("../../types").Failure} problem
   */
  reject(post, problem) {}
}
