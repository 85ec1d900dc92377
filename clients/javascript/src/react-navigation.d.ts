import type { CairnProblem, Session, TreeNode } from "./index.js";

/** A state of React Navigation, partial or complete. */
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

/** A node of the tree that a state shows. The node of a route without a key has no id. */
export interface ShownNode {
  readonly id?: string;
  readonly kind: "stack" | "tabs" | "screen";
  readonly name: string;
  readonly params?: object;
  readonly children?: readonly ShownNode[];
  readonly selected?: number;
  readonly presented?: ShownNode;
}

/** A gesture. In an array, only the first gesture has `from`, the id of the node that the user saw. */
export type Gesture = { from?: string } & (
  | { type: "pop"; node: string }
  | { type: "dismiss"; node: string }
  | { type: "select"; tab: number; node: string }
);

/** The source of a tree. Route keys are the keys of views for a session, and the ids of nodes for a snapshot or a tree. */
type Source = { readonly tree: TreeNode<any>; readonly keyOf?: (id: string) => string; readonly idOf?: (key: string) => string } | TreeNode<any>;

/**
 * Returns a state of a container: by default a partial state, for `initialState` and `resetRoot`. The state is complete if `routeNames` contains the names of
 * each navigator's routes, with `root` for the outermost navigator.
 */
export function toNavigationState(source: Source, options?: { routeNames?: { readonly [navigator: string]: string[] } }): NavigationStateLike;

/** Returns the tree that a state shows. The ids are those of the session or, without one, the keys of the routes. */
export function fromNavigationState(state: NavigationStateLike, session?: { readonly idOf: (key: string) => string }): ShownNode;

/** Returns the gestures between Cairn's tree and a state that a container reached by itself; undefined if no gestures produce that state. */
export function gesturesBetween(source: Source, state: NavigationStateLike): Gesture[] | undefined;

/** An action of React Navigation 7, for the navigator with the key `target` only. */
export type NavigationActionLike = { readonly target: string } & (
  | { readonly type: "POP"; readonly source: string; readonly payload: { readonly count: number } }
  | { readonly type: "JUMP_TO"; readonly payload: { readonly name: string; readonly params?: object } }
  | { readonly type: "SET_PARAMS"; readonly source: string; readonly payload: { readonly params: object } }
  | { readonly type: "RESET"; readonly payload: NavigationStateLike }
);

/**
 * Returns the action that brings a container to Cairn's tree; undefined if it already shows the tree. `state` is the container's complete state:
 * `ref.getRootState()`.
 */
export function navigationActionBetween(state: NavigationStateLike, source: Source): NavigationActionLike | undefined;

/** A container, as `createNavigationContainerRef()` of React Navigation returns it. */
export interface NavigationContainerLike {
  isReady(): boolean;
  getRootState(): NavigationStateLike | undefined;
  dispatch(action: NavigationActionLike): void;
  resetRoot(state: NavigationStateLike): void;
  addListener(event: "state" | "ready", then: () => void): () => void;
}

export interface FollowOptions {
  /** Receives the refusal of a gesture, or `not-shown` if the container cannot show the tree. */
  onProblem?: (problem: CairnProblem) => void;
}

/** Keeps the container at the session's tree and posts its gestures, until the returned function is called. */
export function followNavigation(session: Session<any>, ref: NavigationContainerLike, options?: FollowOptions): () => void;
