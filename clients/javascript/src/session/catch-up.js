/**
 * Reads the changes that the snapshot lacks, and the details that no change contains: facts, accepted steps, timers and effects. It makes one read at a time,
 * however many changes arrive. If a read fails, the next change starts another read.
 */
export class CatchUp {
  #core;
  #hasDetails;
  /** @type {Promise<void> | undefined} */
  #reading;

  /** @param {import("./core.js").SessionCore} core @param {boolean} hasDetails whether the details are read too */
  constructor(core, hasDetails) {
    this.#core = core;
    this.#hasDetails = hasDetails;
  }

  /**
   * Resolves when nothing is missing, or when the missing changes cannot be read. With `isPatient`, details are not read while a post is being sent, because
   * the post's answer contains them.
   */
  run({ isPatient = false } = {}) {
    const isAwaiting = isPatient && this.#core.outbox.size > 0 && !this.#core.connection.isInTrouble;
    const read = async () => {
      for (let turn = 0; turn < 5 && this.#isNeeded(isAwaiting); turn += 1) await this.#core.refresh();
    };
    if (this.#reading === undefined && this.#isNeeded(isAwaiting)) this.#reading = read().catch(() => {}).finally(() => { this.#reading = undefined; });
    return this.#reading;
  }

  #isNeeded(isAwaiting) {
    const { picture, role } = this.#core;
    if (picture.now.over || role.isHeld) return false;
    return picture.hasGap || (this.#hasDetails && !isAwaiting && picture.isBehind);
  }
}
