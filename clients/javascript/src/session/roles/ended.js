import { Role } from "./role.js";

/** The role of a page in which the session has ended, or was closed. The service may still have a closed session. */
export class EndedSession extends Role {
  #problem;
  #isLocal;

  /** @param {import("../core.js").SessionCore} core @param {import("../../problem.js").CairnProblem} problem the problem of later posts */
  constructor(core, problem, isLocal) {
    super(core);
    this.#problem = problem;
    this.#isLocal = isLocal;
  }

  get isLocal() { return this.#isLocal; }

  /** @returns {Promise<never>} */
  async post() {
    throw this.#problem;
  }

  /** @returns {Promise<never>} */
  async retry() {
    throw this.#problem;
  }

  /** Deletes a group of a session that has ended. Another page may still have a closed session. */
  async discard(id) {
    if (this.#problem.code !== "over") throw this.#problem;
    await this.core.groups.discard(id);
  }
}
