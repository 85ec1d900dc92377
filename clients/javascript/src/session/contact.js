/** The client posts a contact this many milliseconds after its last contact, or after the last answer to a numbered action. */
const halfDay = 43_200_000;

/**
 * Reports to the service that this client has sent all actions of its user. An app that works offline declares `offlineFor`. Its sessions do not expire
 * while a client may have unsent actions. An action with `deliver: settled` is held until each client has reported.
 */
export class Contact {
  #core;
  /** The time of the last answer to a numbered action, or of the last post of a contact; undefined before the first one. */
  #last;
  /** @type {Set<string>} the ids of the known held actions for which a report is missing */
  #held = new Set();
  /** @type {Set<string>} the ids of the held actions for which this client has reported */
  #reported = new Set();
  #isPosting = false;

  /** @param {import("./core.js").SessionCore} core */
  constructor(core) {
    this.#core = core;
  }

  /** Notes the posts that have ended. */
  posted(/** @type {import("../types").Ended[]} */ ended) {
    if (ended.some(({ item, answer }) => item.number !== undefined && answer !== undefined)) this.#last = this.#core.transport.machine.now();
    this.check();
  }

  /** Notes the actions that the service has held in an entry. */
  heard(/** @type {{ events?: readonly { type: string, held?: string }[] }} */ { events = [] }) {
    for (const { type, held } of events) if (type === "actionHeld") this.#hold(held);
    this.check();
  }

  /** Posts the action `contact` if it is due, and nothing else waits to be sent. */
  check() {
    const { outbox, predictions, connection, picture, role } = this.#core;
    if (this.#isPosting || role.isHeld || outbox.size > 0 || connection.isOffline || !picture.now.predicts || picture.now.over) return;
    const pending = /** @type {{ kind: string, held?: string }[]} */ (picture.now.pending ?? []);
    for (const { kind, held } of pending) if (kind === "action") this.#hold(held);
    const isLate = predictions.offlineFor !== undefined && !(this.#core.transport.machine.now() - this.#last < halfDay);
    if (isLate || this.#held.size > 0) this.#post();
  }

  #hold(/** @type {string} */ id) {
    if (!this.#reported.has(id)) this.#held.add(id);
  }

  async #post() {
    this.#isPosting = true;
    this.#last = this.#core.transport.machine.now();
    const held = [...this.#held];
    try {
      await this.#core.posting.post("/actions", { type: "contact" }, {});
      for (const id of held) {
        this.#held.delete(id);
        this.#reported.add(id);
      }
    } catch {
      // The held actions stay in `#held`, so the contact is posted again after the next response or event.
    } finally {
      this.#isPosting = false;
    }
  }
}
