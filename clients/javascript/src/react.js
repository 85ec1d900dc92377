"use client";
import { Screens } from "./react-screens.js";
import { SessionProvider, useActions, useSession, useStep } from "./react-session.js";

/** A session of Cairn in React, 18 or newer. Components show its tree; hooks provide its snapshot and its steps. */
export { Screens, SessionProvider, useActions, useSession, useStep };

const cairn = { Screens, SessionProvider, useActions, useSession, useStep };

/** Returns the same functions. In TypeScript they have the types of one app: `createCairn<App>()`. */
export function createCairn() {
  return cairn;
}
