/**
 * Reads the changes that the snapshot lacks, and the details that no change contains: facts, accepted steps, timers and effects. It makes one read at a time,
 * however many changes arrive. If a read fails, the next change starts another read.
 */
export class CatchUp {
  #picture;
  #connection;
  #outbox;
  #reader;
  #hasDetails;
  /** @type {Promise<void> | undefined} */
  #reading;

  /**
   * Reads the session through `reader`, unless that is held. `hasDetails` determines whether the details are read too.
   * @param {import("../picture.js").Picture} picture @param {import("./connection.js").Connection} connection @param {import("../outbox.js").Outbox} outbox
   * @param {{ isHeld: boolean, refresh: () => Promise<void> }} reader
   */
  constructor(picture, connection, outbox, reader, hasDetails) {
    this.#picture = picture;
    this.#connection = connection;
    this.#outbox = outbox;
    this.#reader = reader;
    this.#hasDetails = hasDetails;
  }

  /**
   * Resolves when nothing is missing, or when the missing changes cannot be read. With `isPatient`, details are not read while a post is being sent, because
   * the post's answer contains them.
   */
  run({ isPatient = false } = {}) {
    const isAwaiting = isPatient && this.#outbox.size > 0 && !this.#connection.isInTrouble;
    const read = async () => {
      for (let turn = 0; turn < 5 && this.#isNeeded(isAwaiting); turn += 1) await this.#reader.refresh();
    };
    if (this.#reading === undefined && this.#isNeeded(isAwaiting)) this.#reading = read().catch(() => {}).finally(() => { this.#reading = undefined; });
    return this.#reading;
  }

  #isNeeded(isAwaiting) {
    if (this.#picture.now.over || this.#reader.isHeld) return false;
    return this.#picture.hasGap || (this.#hasDetails && !isAwaiting && this.#picture.isBehind);
  }
}
