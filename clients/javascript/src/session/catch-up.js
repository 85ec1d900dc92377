/**
 * Reads the changes that the snapshot lacks, and the details that no change contains: facts, accepted steps, timers and effects. It makes one read at a time,
 * however many changes arrive. If a read fails, the next change starts another read.
 */
export class CatchUp {
  #given;
  #reading;

  /**
   * @param {{ picture, hasDetails: boolean, isHeld, isPosting, read }} given `hasDetails`: whether the details are read too. `isHeld()`: returns whether this
   * page does not read the session. `isPosting()`: returns whether a post is being sent. `read()`: reads the session
   */
  constructor(given) {
    this.#given = given;
  }

  /**
   * Resolves when nothing is missing, or when the missing changes cannot be read. With `isPatient`, details are not read while a post is being sent, because
   * the post's answer contains them.
   */
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
