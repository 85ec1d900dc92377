import type { CairnProblem, Session, TreeNode } from "./index.js";

/** A state as React Navigation has it, partial or complete. */
export interface NavigationStateLike {
  readonly type?: string;
  readonly key?: string;
  readonly index?: number;
  readonly routeNames?: string[];
  readonly routes: NavigationRouteLike[];
  readonly stale?: boolean;
  readonly history?: unknown[];
}

export interface NavigationRouteLike {
  readonly key?: string;
  readonly name: string;
  readonly params?: object;
  readonly state?: NavigationStateLike;
}

/** A tree that has no ids where routes have no keys. */
export interface ShownNode {
  readonly id?: string;
  readonly kind: "stack" | "tabs" | "screen";
  readonly name: string;
  readonly params?: object;
  readonly children?: readonly ShownNode[];
  readonly selected?: number;
  readonly presented?: ShownNode;
}

/** The first of several has `from`: what the user saw. */
export type Gesture = { from?: string } & (
  | { type: "pop"; node: string }
  | { type: "dismiss"; node: string }
  | { type: "select"; tab: number; node: string }
);

/** Of a session keys are those of its views; of a snapshot or a tree they are ids. */
type Source = { readonly tree: TreeNode<any>; readonly keyOf?: (id: string) => string; readonly idOf?: (key: string) => string } | TreeNode<any>;

/** Partial, for `initialState` and `resetRoot`; complete with the names of each navigator, and `root` for the outermost. */
export function toNavigationState(source: Source, options?: { routeNames?: { readonly [navigator: string]: string[] } }): NavigationStateLike;

/** The ids are those of the session, or without one the keys of the routes. */
export function fromNavigationState(state: NavigationStateLike, session?: { readonly idOf: (key: string) => string }): ShownNode;

/** The gestures between Cairn's tree and a state that a container came to by itself; undefined: no gesture leads there. */
export function gesturesBetween(source: Source, state: NavigationStateLike): Gesture[] | undefined;

/** An action as React Navigation 7 dispatches it, for the navigator with the key `target` only. */
export type NavigationActionLike = { readonly target: string } & (
  | { readonly type: "POP"; readonly source: string; readonly payload: { readonly count: number } }
  | { readonly type: "JUMP_TO"; readonly payload: { readonly name: string; readonly params?: object } }
  | { readonly type: "SET_PARAMS"; readonly source: string; readonly payload: { readonly params: object } }
  | { readonly type: "RESET"; readonly payload: NavigationStateLike }
);

/**
 * The action that brings a container to Cairn's tree; undefined: it shows the tree. The state is the container's, complete: `ref.getRootState()`.
 */
export function navigationActionBetween(state: NavigationStateLike, source: Source): NavigationActionLike | undefined;

/** As `createNavigationContainerRef()` of React Navigation returns it. */
export interface NavigationContainerLike {
  isReady(): boolean;
  getRootState(): NavigationStateLike | undefined;
  dispatch(action: NavigationActionLike): void;
  resetRoot(state: NavigationStateLike): void;
  addListener(event: "state" | "ready", then: () => void): () => void;
}

export interface FollowOptions {
  /** A gesture was refused, or the container cannot show the tree: `not-shown`. */
  onProblem?: (problem: CairnProblem) => void;
}

/** Keeps the container at the session's tree and posts its gestures, until the returned function is called. */
export function followNavigation(session: Session<any>, ref: NavigationContainerLike, options?: FollowOptions): () => void;
