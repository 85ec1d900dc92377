/**
 * The role of a page in its session: `LeadingSession`, `LocalSession` (it leads a session that the service does not have yet), `FollowingSession` or
 * `EndedSession`. A session has one role at a time, which is swapped when the lock moves to another page.
 */
export class Role {
  /**
   * @param {import("../core.js").SessionCore} core
   * @param {import("../pages.js").Pages} [pages] the browser's pages of the session; undefined if the session is not kept
   */
  constructor(core, pages) {
    this.core = core;
    this.pages = pages;
  }

  /** Whether the service does not have the session yet. */
  get isLocal() { return false; }
  /** Whether this page neither sends posts nor reads the session. */
  get isHeld() { return true; }
  /** Whether the picture contains the user's earlier actions. */
  get isUpToDate() { return true; }
  /** @returns {import("../pages.js").Pages | undefined} the browser's pages, if this page leads them */
  get led() { return undefined; }

  /**
   * Performs a post, and resolves to its answer.
   * @param {string} path @param {unknown} given @param {import("../../types").PostOptions} options @returns {Promise<import("../../types").Reply>}
   */
  async post(path, given, options) { return {}; }

  /** Posts the actions of a group again. Resolves to their answers. @returns {Promise<import("../../types").Reply[]>} */
  async retry(id) { return []; }

  /** Deletes a group of refused actions. */
  async discard(id) {}

  /** Follows the events for as long as listeners, readers or other pages need them. */
  listen() {}

  /** Ends the session in the service, if the service has it. */
  async end(/** @type {import("../../types").EndOptions} */ options) {
    if (!this.isLocal) await this.core.delete(options);
  }
}
