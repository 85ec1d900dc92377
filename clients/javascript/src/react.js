"use client";
import { Screens } from "./react-screens.js";
import { SessionProvider, useActions, useSession, useStep } from "./react-session.js";

/** A session of Cairn in React, 18 or newer: its tree as components, its snapshot and its steps as hooks. */
export { Screens, SessionProvider, useActions, useSession, useStep };

const cairn = { Screens, SessionProvider, useActions, useSession, useStep };

/** The same functions. In TypeScript they are those of one app: `createCairn<App>()`. */
export function createCairn() {
  return cairn;
}
