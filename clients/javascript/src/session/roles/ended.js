import { Role } from "./role.js";

/** The role of a page in which the session has ended, or was closed. */
export class EndedSession extends Role {
  #core;
  #problem;
  #isLocal;

  /**
   * @param {import("../core.js").SessionCore} core @param {Error} problem the problem of later posts
   * @param {boolean} isLocal whether the service never had the session
   */
  constructor(core, problem, isLocal) {
    super();
    this.#core = core;
    this.#problem = problem;
    this.#isLocal = isLocal;
  }

  get isLocal() {
    return this.#isLocal;
  }

  /** @returns {Promise<never>} */
  async post() {
    throw this.#problem;
  }

  /** Ends the session in the service, which may still have it after `close`. */
  async end(options) {
    if (!this.#isLocal) await this.#core.delete(options);
  }
}
