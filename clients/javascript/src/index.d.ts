/** An app of what `cairn types FILE --language typescript` writes: `start<AppOf<Step, Screen, Facts>>(…)`. */
export interface AppOf<
  Step extends { step: string; params?: object },
  Screen extends { screen: string; params?: object },
  Facts extends object = { [fact: string]: unknown },
> {
  steps: { [Name in Step["step"]]: NonNullable<Extract<Step, { step: Name }>["params"]> };
  screens: { [Name in Screen["screen"]]: NonNullable<Extract<Screen, { screen: Name }>["params"]> };
  facts: Facts;
}

/** An app of which nothing is known. */
export interface AnyApp {
  steps: { [step: string]: object };
  screens: { [screen: string]: object };
  facts: { [fact: string]: unknown };
}

/** Any interface with these three. */
export interface AppTypes {
  steps: object;
  screens: object;
  facts: object;
}

export type Kind = "stack" | "tabs" | "switch" | "split" | "screen" | "alert";
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A screen of an app with its params; `name` tells which. */
export type ScreenNode<App extends AppTypes = AnyApp> = {
  [Name in keyof App["screens"] & string]: NodeMembers<App> & {
    readonly kind: "screen" | "alert";
    readonly name: Name;
    readonly params?: Readonly<App["screens"][Name]>;
  };
}[keyof App["screens"] & string];

/** A flow with what it holds. */
export interface FlowNode<App extends AppTypes = AnyApp> extends NodeMembers<App> {
  readonly kind: Exclude<Kind, "screen" | "alert">;
  readonly name: string;
  readonly params?: { readonly [name: string]: Json };
  readonly children: readonly TreeNode<App>[];
  /** Of tabs: which child is in front, from 0. */
  readonly selected?: number;
  /** A split that is laid out as a stack. */
  readonly collapsed?: boolean;
}

export type TreeNode<App extends AppTypes = AnyApp> = ScreenNode<App> | FlowNode<App>;

interface NodeMembers<App extends AppTypes> {
  readonly id: string;
  /** Only where a flow is one screen: the flow's name. */
  readonly flow?: string;
  readonly presented?: TreeNode<App>;
  readonly style?: string;
  readonly level?: number;
  /** Of the root: the modals on levels, the lowest first. */
  readonly levels?: readonly TreeNode<App>[];
  readonly on?: string;
  readonly content?: { readonly status: "idle" | "loading" | "loaded" | "failed"; readonly value?: Json; readonly error?: string };
  readonly ended?: boolean;
  /** It is asked before a gesture takes it away. */
  readonly guarded?: boolean;
  readonly meta?: Json;
}

/** A visible screen. */
export type Route<App extends AppTypes = AnyApp> = {
  [Name in keyof App["screens"] & string]: {
    readonly id: string;
    readonly screen: Name;
    readonly params?: Readonly<App["screens"][Name]>;
    /** The first one of a modal. */
    readonly presented?: true;
  };
}[keyof App["screens"] & string];

export interface Accepts<App extends AppTypes = AnyApp> {
  readonly steps: readonly { readonly step: keyof App["steps"] & string; readonly params: { readonly [name: string]: Json } }[];
  readonly primitives: readonly string[];
  readonly guarded?: Json;
}

export interface Pending {
  readonly kind: string;
  readonly [name: string]: Json | undefined;
}

/** One of docs/changes.md. */
export interface Change {
  readonly op: "dismiss" | "select" | "pop" | "remove" | "push" | "replace" | "set" | "present" | "update";
  readonly [name: string]: unknown;
}

export interface Answer {
  /** `known`: it ran, and its response has expired. The session has been read since. */
  readonly outcome: "performed" | "unchanged" | "pending" | "known";
  readonly reason?: string;
  /** Not there: nothing was written, and nothing is new. */
  readonly revision?: number;
  readonly events: readonly { readonly type: string; readonly [name: string]: unknown }[];
  readonly changes: readonly Change[];
  /** It was a plan: nothing was kept. */
  readonly plan?: true;
  readonly [name: string]: unknown;
}

/**
 * The node that a step or gesture was bound to had been covered or taken away when it arrived, as by a double tap. Nothing was done, and nothing of it was shown: an action
 * that was shown is rejected instead.
 */
export interface StaleAnswer {
  readonly outcome: "stale";
  readonly reason: "hidden" | "dismissed";
  readonly revision?: undefined;
  readonly events: readonly [];
  readonly changes: readonly [];
  /** The refusal. */
  readonly problem: CairnProblem;
}

/** The effect that an action would have, or the reason for its refusal. */
export interface Prediction {
  readonly outcome?: Answer["outcome"];
  readonly reason?: string;
  readonly changes?: readonly Change[];
  readonly error?: { readonly code: string; readonly [name: string]: unknown };
  readonly [name: string]: unknown;
}

export interface ArrayAnswer {
  readonly revision: number;
  readonly answers: readonly Answer[];
}

/** The state of a session. The same object until something changes, and unchanged parts stay the same objects. */
export interface Snapshot<App extends AppTypes = AnyApp> {
  readonly app: string;
  readonly definition: string;
  readonly revision: number;
  /** May be ahead of `revision`: with an engine by all actions that wait, otherwise, with `predict: true`, by the one whose turn it is. */
  readonly tree: TreeNode<App>;
  /** The visible routes from the root to the leaf, modals included. */
  readonly stack: readonly Route<App>[];
  readonly visible: Route<App> | undefined;
  /** These and `accepts` and `pending` come with the answer of a post. Behind a change by another client they follow by one read. */
  readonly facts: Readonly<App["facts"]> & { readonly accessToken?: boolean };
  readonly accepts: Accepts<App>;
  readonly pending: readonly Pending[];
  readonly login: { readonly status: "loggedOut" | "requesting" | "failed" | "loggedIn"; readonly reason?: string };
  /** `idle`: without a subscriber, nothing is followed. */
  readonly connection: "idle" | "connecting" | "live" | "offline" | "over";
  /** Whether an engine runs the next action at once. */
  readonly predicts: boolean;
  /** How many posts wait, the one on its way counted. */
  readonly waiting: number;
  /**
   * Why there will be no more: `deleted`, `expired`, `credential`, `closed`, or `refused`: the service did not create a session that began without the network. Nothing of
   * a kept session is stored any more when it says another one than `closed`.
   */
  readonly over: string | undefined;
  readonly label?: string;
  readonly clock: "system" | "manual";
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type SessionEvent<App extends AppTypes = AnyApp> =
  | ({ readonly type: "change"; readonly revision: number; readonly at: string; readonly cause: { readonly [name: string]: unknown } } & Answer)
  | { readonly type: "reset"; readonly revision: number; readonly session: Pick<Snapshot<App>, "revision" | "tree" | "facts" | "accepts" | "pending"> };

export interface Limits {
  /** Aborting rejects with the signal's reason; where signals have none, as in React Native, with the code `aborted`. A request that was already sent may be performed. */
  signal?: AbortSignal;
}

export interface PostOptions extends Limits {
  /** The revision that the post is for; true: the one that is known. Another one: `revision-mismatch`. */
  ifMatch?: number | true;
  /** The post's Idempotency-Key; a new one if it is left out. */
  key?: string;
  /**
   * true: without a network the action waits, also if the engine does not know what it does. Otherwise it is rejected with the code `offline`, or with `unreachable`
   * if it was sent.
   */
  queue?: boolean;
}

/** A node of a session's tree; its id and name suffice. */
export type SeenNode = { readonly id: string; readonly name: string };

export interface StepOptions extends PostOptions {
  /**
   * The node that sends the step. Left out: the screen that is visible at the call, unless two panes are visible. null: the screen that is visible
   * when the step arrives, for steps that no screen sends. A screen's node instead of its id: the step is bound to it, and may resolve to `stale`.
   */
  from?: string | SeenNode | null;
}

export interface GestureOptions extends PostOptions {
  /**
   * The node that was visible when the user acted. Left out: what is visible at the call; of a tap on another tab, the tabs. null: what is visible when the gesture arrives. A node: the gesture is bound to it, and
   * may resolve to `stale`. Its id: the gesture is rejected if the node is no longer visible.
   */
  from?: string | SeenNode | null;
}

/** A node by its id, as a node of the tree, or as a route of React Navigation. */
export type NodeReference = string | { readonly id: string } | { readonly key: string; readonly name: string };

export interface EndOptions extends Limits {
  /** As that of a post. */
  ifMatch?: number | true;
}

export interface EventsOptions {
  /** How many events wait for a reader at most: 1,000. A reader that is further behind gets a `reset` in place of them. */
  limit?: number;
}

export interface OpenOptions extends PostOptions {
  /** Returns what the action would do, without performing it. */
  plan?: boolean;
}

export interface NotifyOptions extends OpenOptions {
  state?: "foreground" | "background" | "killed";
  /** false: it only arrives. */
  tap?: boolean;
  /** The button that was tapped. */
  action?: string;
  reply?: string;
}

type Params<App extends AppTypes, Name extends keyof App["steps"]> = {} extends App["steps"][Name]
  ? [params?: App["steps"][Name], options?: StepOptions]
  : [params: App["steps"][Name], options?: StepOptions];

export type Step<App extends AppTypes = AnyApp> = {
  [Name in keyof App["steps"] & string]: { step: Name; from?: string } & ({} extends App["steps"][Name]
    ? { params?: App["steps"][Name] }
    : { params: App["steps"][Name] });
}[keyof App["steps"] & string];

/** A screen by its name, or a node by its id; not both. */
export type PopToTarget<App extends AppTypes = AnyApp> =
  | { screen: keyof App["screens"] & string; node?: never }
  | { node: NodeReference; screen?: never };

/** A gesture may name what was visible when the user acted; `act` adds it where it is left out. */
type Seen = { from?: NodeReference };

export type Action<App extends AppTypes = AnyApp> =
  | Step<App>
  | ({ type: "back" | "popToRoot" } & Seen)
  | { type: "logout" }
  | ({ type: "pop"; count?: number; node?: never } & Seen)
  | ({ type: "pop"; node: NodeReference; count?: never } & Seen)
  | ({ type: "popTo" } & PopToTarget<App> & Seen)
  | ({ type: "dismiss"; node?: NodeReference } & Seen)
  | ({ type: "select"; tab: number; flow?: never; node?: NodeReference } & Seen)
  | ({ type: "select"; flow: string; tab?: never; node?: NodeReference } & Seen)
  | { type: "login"; code: string; state?: string }
  | { type: "token"; accessToken: string }
  | { type: "appState"; state: "background" | "inactive" | "foreground" }
  | { type: "facts"; set: Partial<App["facts"]> }
  | { type: "cancel"; link: string }
  | { type: "advance"; by: string }
  | { type: "answer"; [name: string]: unknown }
  | { type: "push" | "present" | "set" | "remove"; [name: string]: unknown };

/** A session as its client knows it. Made by `connect` and `start`. */
export class Session<App extends AppTypes = AnyApp> {
  private constructor();
  /** Of a session that began offline it is a name that only this browser knows, until the service has created the session. */
  readonly id: string;
  readonly secret: string | undefined;
  /** Whether the service has not created the session yet: with `keep` it began without the network. */
  readonly isLocal: boolean;
  /** The answer to the link or the notification that it was started with. */
  readonly opened: unknown;

  readonly tree: TreeNode<App>;
  readonly stack: readonly Route<App>[];
  readonly visible: Route<App> | undefined;
  readonly revision: number;
  readonly facts: Snapshot<App>["facts"];
  readonly accepts: Accepts<App>;
  readonly pending: readonly Pending[];

  /** Both are bound: `useSyncExternalStore(session.subscribe, session.getSnapshot)`. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Snapshot<App>;
  /** The key of a node's view: it stays when a predicted node gets its id from the service. Bound, as those two. */
  readonly keyOf: (id: string) => string;
  /** The id of the node whose view has this key, such as `route.key` of React Navigation. Bound too. */
  readonly idOf: (key: string) => string;
  /** Calls with each action that the service has refused, with `keep` also those of the browser's other pages. Returns what takes that back. */
  onRejected(listener: (rejected: Rejected<App>) => void): () => void;
  /** What happens from now on: each change once, or a `reset`. Leaving the loop leaves the stream. */
  events(options?: EventsOptions): AsyncIterableIterator<SessionEvent<App>>;

  refresh(limits?: Limits): Promise<void>;
  at(revision: number, limits?: Limits): Promise<{ readonly revision: number; readonly tree: TreeNode<App>; readonly [name: string]: unknown }>;
  history(page?: { after?: number; limit?: number } & Limits): Promise<{ readonly entries: readonly { readonly [name: string]: unknown }[]; readonly next?: string }>;

  act(actions: readonly Action<App>[], options?: PostOptions): Promise<ArrayAnswer>;
  act(action: Action<App>, options?: GestureOptions): Promise<Answer | StaleAnswer>;
  plan(action: Action<App> | readonly Action<App>[], options?: Limits & Pick<PostOptions, "ifMatch">): Promise<Answer | ArrayAnswer>;
  /**
   * Asks for predictions of actions, at most 32, each from the present state. With `predict`, the one of them that is posted next is shown at once: for steps with
   * params. Nothing is performed.
   */
  prepare(actions: readonly Action<App>[], limits?: Limits): Promise<readonly Prediction[]>;
  step<Name extends keyof App["steps"] & string>(name: Name, ...given: Params<App, Name>): Promise<Answer | StaleAnswer>;
  back(options?: GestureOptions): Promise<Answer | StaleAnswer>;
  pop(what?: number | NodeReference, options?: GestureOptions): Promise<Answer | StaleAnswer>;
  popTo(target: (keyof App["screens"] & string) | PopToTarget<App>, options?: GestureOptions): Promise<Answer | StaleAnswer>;
  popToRoot(options?: GestureOptions): Promise<Answer | StaleAnswer>;
  dismiss(node?: NodeReference, options?: GestureOptions): Promise<Answer | StaleAnswer>;
  select(tab: number | string, options?: GestureOptions): Promise<Answer | StaleAnswer>;
  open(url: string | URL, options?: OpenOptions): Promise<Answer>;
  notify(payload: object, options?: NotifyOptions): Promise<Answer>;
  login(code: string, state?: string, options?: PostOptions): Promise<Answer>;
  token(accessToken: string, options?: PostOptions): Promise<Answer>;
  logout(options?: PostOptions): Promise<Answer>;
  appState(state: "background" | "inactive" | "foreground", options?: PostOptions): Promise<Answer>;
  setFacts(facts: Partial<App["facts"]>, options?: PostOptions): Promise<Answer>;
  cancel(link: string, options?: PostOptions): Promise<Answer>;
  advance(by: string, options?: PostOptions): Promise<Answer>;

  /** Lets go of it; it goes on in the service. */
  close(): void;
  /** Ends it in the service. */
  end(options?: EndOptions): Promise<void>;
}

/** An action that the service has refused. If it was shown, it no longer is. */
export interface Rejected<App extends AppTypes = AnyApp> {
  readonly action: Action<App> | readonly Action<App>[];
  readonly code: string;
  readonly problem: CairnProblem;
}

/** localStorage, sessionStorage, React Native's AsyncStorage. */
export interface OutboxStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): void | Promise<void>;
  removeItem(name: string): void | Promise<void>;
}

export interface ClientOptions extends Limits {
  /** Where the service is: `https://nav.example`, or a path in front of it. */
  baseURL: string | URL;
  /** How long one attempt may take, in ms: 30,000. */
  timeout?: number;
  /** How often a request is sent at most: 14, which takes about 40 s. With `keep` a post is sent again after a rest. */
  attempts?: number;
  /** How many posts may wait: 100; 500 with an engine. */
  outbox?: number;
  /** Keeps waiting posts over a reload of the page, but none with a token or code, or with a param that is known to be secret; by default they are only in memory. */
  storage?: OutboxStorage;
  /**
   * true: the session is kept in IndexedDB, and shared with the browser's other pages that keep it. A new page shows the last screen without the network, and sends
   * what waited. Takes the place of `storage`.
   */
  keep?: boolean;
  /** true: with `keep` also the session's secret is stored, so that `resume` finds the session. */
  remember?: boolean;
  /** A post that an earlier page left was refused. */
  onRefused?: (problem: CairnProblem, post: { path: string; body: unknown }) => void;
  /** false: facts, `accepts` and `pending` are neither asked for with a post nor read after a change. */
  details?: boolean;
  /**
   * Whether an action is shown before it is answered. Left out: if the service has an engine for the app.
   * It is loaded in the background. true: without an engine, the service's predictions of gestures and of steps without params. false: never.
   * The answer confirms the change, or corrects it.
   */
  predict?: boolean;
  /** The engine could not be loaded, or failed; or stored content cannot be read, or nothing can be stored. Called once for each, by default `console.warn`. */
  onNotice?: (message: string, cause: unknown) => void;
  /** As the session's `onRejected`. */
  onRejected?: (rejected: Rejected) => void;
  /** How changes are heard of: `events` where the responses of fetch have a `body` that streams, `poll` (long polls) where they have none. */
  follow?: "events" | "poll";
  /** Another fetch, chance, time or network than the machine's. */
  fetch?: typeof fetch;
  /** Makes the Idempotency-Keys, also that of a creation: at least 22 characters of chance. */
  newKey?: () => string;
  random?: () => number;
  /** The time in ms since 1970, which predictions show. */
  now?: () => number;
  timers?: { set(then: () => void, milliseconds: number): unknown; clear(timer: unknown): void };
  network?: Network;
  /** With `keep`: the browser's storage; null: there is none, and all is in memory. */
  indexedDB?: IDBFactory | null;
  /** With `keep`: by which the pages of a browser find each other; null: each page is on its own, and all is in memory. */
  locks?: LockManager | null;
  channels?: ((name: string) => BroadcastChannel) | null;
}

/** The state of the network and the page; omitted members count as "always online" and "always visible". */
export interface Network {
  readonly isOnline?: boolean;
  /** Registers a listener that is called when the network comes back; returns what removes it, if it can be removed. */
  whenOnline?(then: () => void): Registration;
  /** The same for when the app is in front again. */
  whenVisible?(then: () => void): Registration;
}

export type Registration = (() => void) | { remove(): void } | void;

export interface StartOptions<App extends AppTypes = AnyApp> extends ClientOptions {
  app: string;
  accessToken?: string;
  open?: string;
  notification?: object;
  clock?: "manual";
  label?: string;
  facts?: Partial<App["facts"]>;
  environment?: { [name: string]: string };
  requests?: "manual";
  /** An operator's key, where sessions are an operator's to start. */
  credential?: string;
  /** The creation's Idempotency-Key, at least 22 characters of chance. Without it and `newKey`, a UUID where the platform has `crypto`; otherwise none. */
  key?: string;
}

export interface ConnectOptions extends ClientOptions {
  id: string;
  /** The session's secret, or an operator's key. A kept session has none as long as the service has not created it. */
  secret?: string | undefined;
  /** An operator's key, for the creation of a kept session that began without the network. */
  credential?: string;
}

export function start<App extends AppTypes = AnyApp>(options: StartOptions<App>): Promise<Session<App>>;
export function connect<App extends AppTypes = AnyApp>(options: ConnectOptions): Promise<Session<App>>;
/** Opens the session with an id, or else the newest one, that the browser remembers for a service, without the network; undefined: there is none. */
export function resume<App extends AppTypes = AnyApp>(options: ClientOptions & { id?: string; credential?: string }): Promise<Session<App> | undefined>;
/** The sessions that the browser keeps for a service, the one that was stored last first. Needs no network. */
export function sessions(options: ClientOptions): Promise<KeptSession[]>;

/** A session that the browser keeps. */
export interface KeptSession {
  readonly id: string;
  readonly app: string;
  readonly label?: string;
  /** When it was stored, as an ISO 8601 time. */
  readonly at: string;
  /** How many of its actions wait. */
  readonly waiting: number;
  /** Whether the service has not created it yet. */
  readonly isLocal: boolean;
  /** Whether `resume` can open it: its secret is stored, or it needs none yet. */
  readonly isRemembered: boolean;
}

/** An error with a code: the service's, or `unreachable`, `timeout`, `offline`, `outbox-full`, `closed`, `over`, `aborted`, `not-shown` with status 0. */
export class CairnProblem extends Error {
  constructor(body: { readonly [name: string]: unknown }, more?: { retryAfter?: number; cause?: unknown });
  readonly name: "CairnProblem";
  readonly code: string;
  readonly status: number;
  readonly detail: string | undefined;
  readonly accepts: Accepts | undefined;
  readonly errors: readonly { readonly detail: string; readonly pointer?: string }[];
  /** Of an array: which action was refused. */
  readonly index: number | undefined;
  readonly revision: number | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;
  readonly body: { readonly [name: string]: unknown };
  /** The same request may be sent again. */
  readonly isPassing: boolean;
  /** No response, or a gateway's error response in front of the service. */
  readonly isUnanswered: boolean;
}

/** The tree after the changes; the given one stays as it is. Throws if they do not fit. */
export function play<Tree extends object>(tree: Tree, changes: readonly Change[]): Tree;
/** The visible routes of a tree. */
export function routesOf<App extends AppTypes = AnyApp>(tree: TreeNode<App>): Route<App>[];

/** The layers of a session: the root, and each modal over it. */
export function layersOf<App extends AppTypes = AnyApp>(tree: TreeNode<App>): TreeNode<App>[];

/** Reads server-sent events as the HTML standard says. */
export class EventStreamParser {
  constructor(lastEventId?: string);
  readonly lastEventId: string;
  readonly retry: number | undefined;
  push(bytes: Uint8Array): { type: string; data: string; lastEventId: string }[];
}
