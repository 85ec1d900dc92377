/**
 * The role of a page in which the session has ended, or was closed.
 *
 * @implements {Role}
 * @typedef {import("../types").Role} Role
 */
export class EndedSession {
  #core;
  #problem;
  #isLocal;

  /**
   * @param {import("./core.js").SessionCore} core
   * @param {Error} problem the problem of later posts
   * @param {boolean} isLocal whether the service never had the session
   */
  constructor(core, problem, isLocal) {
    this.#core = core;
    this.#problem = problem;
    this.#isLocal = isLocal;
  }

  get isLocal() {
    return this.#isLocal;
  }

  get isHeld() {
    return true;
  }

  get isUpToDate() {
    return true;
  }

  /** @returns {Promise<never>} */
  async post() {
    throw this.#problem;
  }

  listen() {}

  /** Ends the session in the service, which may still have it after `close`. */
  async end(options) {
    if (!this.#isLocal) await this.#core.delete(options);
  }

  read() {}

  changed() {}

  ended() {}

  share() {}

  reject() {}
}
