import type { TreeNode } from "./index.js";

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

export type Gesture =
  | { type: "pop"; node: string }
  | { type: "dismiss"; node: string }
  | { type: "select"; tab: number; node: string };

type Source = { readonly tree: TreeNode<any> } | TreeNode<any>;

/** Partial, for `initialState` and `resetRoot`; complete with the names of each navigator, and `root` for the outermost. */
export function toNavigationState(source: Source, options?: { routeNames?: { readonly [navigator: string]: string[] } }): NavigationStateLike;

export function fromNavigationState(state: NavigationStateLike): ShownNode;

/** The gestures between Cairn's tree and a state that a container came to by itself; undefined: no gesture leads there. */
export function gesturesBetween(source: Source, state: NavigationStateLike): Gesture[] | undefined;
