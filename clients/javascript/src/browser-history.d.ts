import type { CairnProblem, Session, Snapshot } from "./index.js";

export interface HistoryOptions {
  /**
   * Handles the browser's Back button. It is called once for each history entry that a jump goes back over. (default: `session.back()`, and `session.pop(node)`
   * for a jump over several pages of a stack, so that guards ask once)
   */
  back?: () => unknown;
  /** Leaves the app, after a guard has asked and the user has agreed. (default: goes back to the address before that of the page) */
  onExit?: () => unknown;
  /**
   * The addresses of screens, by their names: `{ restaurant: "r/{restaurantId}" }` gives `#/r/4`. A placeholder is replaced by the param of the screen or of a
   * screen below it. The address of a screen without a link, or with a missing param, consists of the names of the stack's screens.
   */
  links?: Record<string, string>;
  /** Returns the address of a snapshot, relative to the page's: `#/restaurantList/restaurant`. Replaces `links`. */
  addressOf?: (snapshot: Snapshot<any>) => string;
  /** Receives each address that is not the session's: a typed address, the address of a followed link, or the address with which the page was loaded. */
  onAddress?: (url: URL) => unknown;
  /** Receives refusals, and other errors of `back` and `onAddress`. By default they are written to the console. */
  onProblem?: (problem: CairnProblem) => void;
  /** The window to use instead of the page's. */
  window?: Window;
}

/**
 * Connects the history of a page to a session: Back posts `back`, the history has one entry for each possible `back`, and the address shows the screens of the
 * stack. Returns a function that disconnects them.
 */
export function syncHistory(session: Session<any>, options?: HistoryOptions): () => void;
