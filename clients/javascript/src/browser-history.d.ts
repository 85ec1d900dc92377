import type { CairnProblem, Session, Snapshot } from "./index.js";

export interface HistoryOptions {
  /** Posts what the browser's Back means: `session.back()`. */
  back?: () => unknown;
  /**
   * The addresses of screens, by their names: `{ restaurant: "r/{restaurantId}" }` gives `#/r/4`. Params are those of the screen, or of one below it. A screen
   * without a link, or without one of its params, has the names of the stack's screens as its address.
   */
  links?: Record<string, string>;
  /** The address of a snapshot, relative to the page's: `#/restaurantList/restaurant`. Replaces `links`. */
  addressOf?: (snapshot: Snapshot<any>) => string;
  /** Receives each address that is not the session's: one that was typed, that of a link in the page, or that with which the page was loaded. */
  onAddress?: (url: URL) => unknown;
  /** Receives refusals, and other errors of `back` and `onAddress`. Without it they are written to the console. */
  onProblem?: (problem: CairnProblem) => void;
  /** Another window than the page's. */
  window?: Window;
}

/**
 * Ties the history of a page to a session: Back posts `back`, the history has one entry for each `back` that is possible, and the address shows the
 * screens of the stack. Returns a function that unties them.
 */
export function syncHistory(session: Session<any>, options?: HistoryOptions): () => void;
