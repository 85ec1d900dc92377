/**
 * Reads what is missing of a session, and what no change contains: facts, accepted steps, timers and effects. One read at a time, however many
 * changes arrive; after a failed read the next change reads again.
 */
export class CatchUp {
  #given;
  #reading;

  /**
   * @param {{ picture, hasDetails: boolean, isHeld, isPosting, read }} given `hasDetails`: whether what no change contains is read too. `isHeld()`: whether this page does not
   * read the session. `isPosting()`: whether a post is on its way. `read()`: reads the session
   */
  constructor(given) {
    this.#given = given;
  }

  /** Resolves when nothing is missing, or it cannot be read. `isPatient`: while a post is on its way, its answer is awaited instead, which has the details. */
  run({ isPatient = false } = {}) {
    const isAwaiting = isPatient && this.#given.isPosting();
    const read = async () => {
      for (let turn = 0; turn < 5 && this.#isNeeded(isAwaiting); turn += 1) await this.#given.read();
    };
    if (this.#reading === undefined && this.#isNeeded(isAwaiting)) this.#reading = read().catch(() => {}).finally(() => { this.#reading = undefined; });
    return this.#reading;
  }

  #isNeeded(isAwaiting) {
    const { picture, hasDetails, isHeld } = this.#given;
    if (picture.now.over || isHeld()) return false;
    return picture.hasGap || (hasDetails && !isAwaiting && picture.isBehind);
  }
}
