import type { Action, ClientOptions, TreeNode } from "./index.js";

/** An event as in `when` of a scenario file: the name of a step, a gesture such as `back`, or one of these objects. `from` is an id, or the name of a node. */
export type Occurrence =
  | string
  | { step: string; params?: object; from?: string }
  | { open: string }
  | { advance: string }
  | { facts: object }
  | { appState: "background" | "inactive" | "foreground" }
  | { cancel: string }
  | { loaded: unknown; effect?: number }
  | { failed: string; effect?: number }
  | { notification: object; tap?: boolean; state?: "foreground" | "background" | "killed"; action?: string; reply?: string }
  | Action<any>;

/** The members that are checked. Other members of scenario files are rejected with a `TypeError`. */
export interface Expectation {
  /** The tree that the client shows, in one line. */
  tree?: string;
  /** The names of the visible route's screens. */
  stack?: readonly string[];
  visible?: string;
  facts?: { readonly [name: string]: unknown };
  /** In `online`, the refused actions of the user, each as `ACTION CODE` (default: none). In `then`, the code of the refusal of the last event. */
  refused?: string | readonly string[];
}

export interface ScenarioStep {
  /** Events that the service gets while the client has a network. */
  when?: Occurrence | readonly Occurrence[];
  then?: Expectation;
  /** Actions of the user without a network. */
  offline?: Occurrence | readonly Occurrence[];
  /** Events that the service gets before the actions of the user, in their order. */
  meanwhile?: Occurrence | readonly Occurrence[];
  /** The expected results after the actions of the user have arrived. */
  online?: Expectation;
}

/** A scenario in the form of scenario files, as JSON. */
export interface Scenario extends ScenarioStep {
  name?: string;
  case?: string;
  given?: { accessToken?: string; at?: string; facts?: object; environment?: { [name: string]: string }; open?: string; notification?: object; after?: string };
  steps?: readonly ScenarioStep[];
}

export interface OfflineScenario extends Scenario {
  /** The address of a running service that serves the app and an engine for it. */
  baseURL: string | URL;
  app: string;
  /** An operator's key of the service. It creates the session, and posts the events of `when` and `meanwhile`. */
  key: string;
  /** The other scenarios of the file, for `given: { after }`. */
  scenarios?: readonly Scenario[];
  /** Further options of the client, such as `now`. */
  client?: Partial<Omit<ClientOptions, "baseURL" | "network">>;
  /** The time limit for each wait, in milliseconds. (default: 10000) */
  within?: number;
}

/**
 * Runs a scenario on a session of its own, with this client and the service's engine. The client loses its network before `offline`, and has it again before
 * `online`. The session's clock and requests are manual. Resolves to the tree that the client shows at the end, and the refused actions of the last `online`.
 * Rejects with a `ScenarioDifference` if a result differs from the expected one.
 */
export function runOffline(scenario: OfflineScenario): Promise<{ readonly tree: string; readonly refused: readonly string[] }>;

/** The error of a scenario whose results differ from the expected ones. */
export class ScenarioDifference extends Error {
  readonly name: "ScenarioDifference";
  /** Lines such as `tree: expected main[home]`. */
  readonly differences: readonly string[];
  constructor(place: string, differences: string[]);
}

/** Returns a tree in one line, in the notation of scenario files. */
export function sketch(tree: TreeNode<any>): string;
