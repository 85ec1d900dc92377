import { create } from "../../creation.js";
import { lastWord } from "../../problem.js";
import { LeadingSession } from "./leading.js";

/**
 * The role of a page that leads a session that the service does not have yet, because it began without a network. Actions run in the engine, and their posts
 * wait until the service has created the session. Then the role changes to `LeadingSession`.
 */
export class LocalSession extends LeadingSession {
  get isLocal() { return true; }
  get isHeld() { return true; }

  /** Does nothing: the service has no events of this session yet. */
  listen() {}

  /** Has the service create the session, as soon as there is a network. */
  async continue() {
    const { creator, onNotice } = this.core;
    const { signal } = this;
    try {
      const whole = await create(this.pages.creation, { transport: creator, signal, onGone: (request) => this.pages.createAnew(request) });
      if (!signal.aborted) this.pages.created(whole);
    } catch (problem) {
      if (signal.aborted) return;
      onNotice("the session that began offline was refused", problem);
      this.core.end(lastWord(problem) ?? "refused");
    }
  }
}
