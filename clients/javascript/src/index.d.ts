/** The types of an app, made from the output of `cairn types FILE --language typescript`: `start<AppOf<Step, Screen, Facts>>(…)`. */
export interface AppOf<
  Step extends { step: string; params?: object },
  Screen extends { screen: string; params?: object },
  Facts extends object = { [fact: string]: unknown },
> {
  steps: { [Name in Step["step"]]: NonNullable<Extract<Step, { step: Name }>["params"]> };
  screens: { [Name in Screen["screen"]]: NonNullable<Extract<Screen, { screen: Name }>["params"]> };
  facts: Facts;
}

/** The types of an app about which nothing is known. */
export interface AnyApp {
  steps: { [step: string]: object };
  screens: { [screen: string]: object };
  facts: { [fact: string]: unknown };
}

/** The constraint on the types of an app: an interface with these three members. */
export interface AppTypes {
  steps: object;
  screens: object;
  facts: object;
}

export type Kind = "stack" | "tabs" | "switch" | "split" | "screen" | "alert";
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A screen node of an app, with its params. `name` identifies the screen. */
export type ScreenNode<App extends AppTypes = AnyApp> = {
  [Name in keyof App["screens"] & string]: NodeMembers<App> & {
    readonly kind: "screen" | "alert";
    readonly name: Name;
    readonly params?: Readonly<App["screens"][Name]>;
  };
}[keyof App["screens"] & string];

/** A node of a flow, with its children. */
export interface FlowNode<App extends AppTypes = AnyApp> extends NodeMembers<App> {
  readonly kind: Exclude<Kind, "screen" | "alert">;
  readonly name: string;
  readonly params?: { readonly [name: string]: Json };
  readonly children: readonly TreeNode<App>[];
  /** The index of the selected tab, from 0; present only for tabs. */
  readonly selected?: number;
  /** Whether a split is laid out as a stack. */
  readonly collapsed?: boolean;
}

export type TreeNode<App extends AppTypes = AnyApp> = ScreenNode<App> | FlowNode<App>;

interface NodeMembers<App extends AppTypes> {
  readonly id: string;
  /** The flow's name; present only if the flow is a single screen. */
  readonly flow?: string;
  readonly presented?: TreeNode<App>;
  readonly style?: string;
  readonly level?: number;
  /** The modals on levels, the lowest first; present only in the root. */
  readonly levels?: readonly TreeNode<App>[];
  /** The slot of an overlay. */
  readonly slot?: string;
  /** The overlays, which cover nothing, the oldest first; present only in the root. */
  readonly overlays?: readonly TreeNode<App>[];
  readonly on?: string;
  /** The order of a modal among the modals over the same layer; the modal with the highest order is in front. If missing, the order is the number in the id. */
  readonly order?: number;
  /** The facts of a flow that have a value. A secret is `true`. */
  readonly facts?: Readonly<Record<string, Json>>;
  readonly content?: { readonly status: "idle" | "loading" | "loaded" | "failed"; readonly value?: Json; readonly error?: string };
  readonly ended?: boolean;
  /** Whether a guard runs before a gesture removes the node. */
  readonly guarded?: boolean;
  readonly meta?: Json;
}

/** A visible screen. */
export type Route<App extends AppTypes = AnyApp> = {
  [Name in keyof App["screens"] & string]: {
    readonly id: string;
    readonly screen: Name;
    readonly params?: Readonly<App["screens"][Name]>;
    /** `true` for the first route of a modal. */
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

/** A change as docs/changes.md describes it. */
export interface Change {
  readonly op: "dismiss" | "select" | "pop" | "remove" | "push" | "replace" | "set" | "present" | "overlay" | "update";
  readonly [name: string]: unknown;
}

export interface Answer {
  /** The outcome. `known` means that the action ran, but its response has expired; the client has read the session since. */
  readonly outcome: "performed" | "unchanged" | "pending" | "known";
  readonly reason?: string;
  /** The session's revision after the action; missing if the client did not post the action, because it has no effect. */
  readonly revision?: number;
  readonly events: readonly { readonly type: string; readonly [name: string]: unknown }[];
  readonly changes: readonly Change[];
  /** `true` for the response to a plan, which performs nothing. */
  readonly plan?: true;
  readonly [name: string]: unknown;
}

/**
 * The response to a step or gesture whose node was covered or removed when it arrived, as in a double tap. The action had no effect, and none was shown. An
 * action whose effect was shown is rejected instead.
 */
export interface StaleAnswer {
  readonly outcome: "stale";
  readonly reason: "hidden" | "dismissed";
  readonly revision?: undefined;
  readonly events: readonly [];
  readonly changes: readonly [];
  /** The service's refusal. */
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

/** The state of a session. The object is replaced at each change; unchanged parts remain the same objects. */
export interface Snapshot<App extends AppTypes = AnyApp> {
  readonly app: string;
  readonly definition: string;
  readonly revision: number;
  /**
   * The tree. It may be ahead of `revision`. With an engine, it shows the effects of all waiting actions. Without an engine but with `predict: true`, it shows
   * the effect of the first waiting action.
   */
  readonly tree: TreeNode<App>;
  /** The visible routes from the root to the leaf, including modals. */
  readonly stack: readonly Route<App>[];
  readonly visible: Route<App> | undefined;
  /** The facts. The response to a post updates `facts`, `accepts` and `pending`. After a change by another client, the client reads them again. */
  readonly facts: Readonly<App["facts"]> & { readonly accessToken?: boolean };
  readonly accepts: Accepts<App>;
  /** Whether facts and `accepts` belong to this tree. After a change, they belong to an earlier tree until they are read again. */
  readonly detailed: boolean;
  readonly pending: readonly Pending[];
  readonly login: { readonly status: "loggedOut" | "requesting" | "failed" | "loggedIn"; readonly reason?: string };
  /** The state of the connection. `idle` means that there is no subscriber, so changes are not followed. */
  readonly connection: "idle" | "connecting" | "live" | "offline" | "over";
  /** Whether an engine predicts the next action at once. */
  readonly predicts: boolean;
  /** The number of waiting posts, including the one that is being sent. */
  readonly waiting: number;
  /**
   * The reason why no more changes will arrive: `deleted`, `expired`, `credential`, `closed`, or `refused` if the service did not create a session that began
   * offline. For each reason but `closed`, the stored content of a kept session has been deleted, and its waiting actions form a group. Undefined while the
   * session continues.
   */
  readonly over: string | undefined;
  readonly label?: string;
  readonly clock: "system" | "manual";
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type SessionEvent<App extends AppTypes = AnyApp> =
  | (Answer & {
    readonly type: "change";
    readonly revision: number;
    /** The time of the change. With `receivedAt`, this is the time at which the user acted, according to the client. */
    readonly at: string;
    /** The time at which the service received the action; missing unless the client gave a time of its own. */
    readonly receivedAt?: string;
    readonly cause: { readonly [name: string]: unknown };
  })
  | { readonly type: "reset"; readonly revision: number; readonly session: Pick<Snapshot<App>, "revision" | "tree" | "facts" | "accepts" | "pending"> };

/** The options of `history`, which reads a page of the session's history. */
export interface HistoryOptions extends Limits {
  /** The page begins after this revision. */
  after?: number;
  /** Maximum number of entries, up to 1,000; default 100. */
  limit?: number;
  /** Only entries of this time or later: a time in milliseconds since 1970, a UTC time such as `2026-03-01T12:00:00Z`, a day, or an age such as `30d`. */
  since?: Date | number | string;
  /** Only entries before this time. */
  until?: Date | number | string;
  /**
   * The time of an entry to which `since` and `until` apply: `receivedAt` (default), the service's own time, or `at`, the time at which the user acted,
   * according to the client.
   */
  by?: "at" | "receivedAt";
}

export interface Limits {
  /**
   * A signal that aborts the call. The call rejects with the signal's reason or, if the platform's signals have none, as in React Native, with the code
   * `aborted`. A request that was already sent may be performed.
   */
  signal?: AbortSignal;
}

export interface PostOptions extends Limits {
  /** The revision for which the post is made; `true` for the newest known revision. At any other revision, the post is refused with `revision-mismatch`. */
  ifMatch?: number | true;
  /** The post's Idempotency-Key; by default a new one. */
  key?: string;
  /**
   * Whether the action waits while the network is unavailable, even if the engine cannot predict it. Otherwise an action that the engine cannot predict is
   * rejected with the code `offline` or, if it was already sent, with `unreachable`.
   */
  queue?: boolean;
}

/** A node of a session's tree. Only its id and name are used. */
export type SeenNode = { readonly id: string; readonly name: string };

export interface StepOptions extends PostOptions {
  /**
   * The node that sends the step. By default, the screen that is visible at the call, unless two panes are visible. `null` means the screen that is visible
   * when the step arrives, for steps that no screen sends. If you pass a screen's node instead of its id, the step is bound to the screen, and may resolve to
   * `stale`.
   */
  from?: string | SeenNode | null;
}

export interface GestureOptions extends PostOptions {
  /**
   * The node that was visible when the user acted. By default, the node that is visible at the call; for a tap on another tab, the tabs. `null` means the node
   * that is visible when the gesture arrives. If you pass a node, the gesture is bound to it, and may resolve to `stale`. If you pass an id, the gesture is
   * rejected if the node is no longer visible.
   */
  from?: string | SeenNode | null;
}

/** A node by its id, as a node of the tree, or as a route of React Navigation. */
export type NodeReference = string | { readonly id: string } | { readonly key: string; readonly name: string };

export interface EndOptions extends Limits {
  /** The revision for which the request is made, as in `PostOptions`. */
  ifMatch?: number | true;
}

export interface EventsOptions {
  /** Maximum number of events that wait for the reader. (default: 1000) A reader that falls further behind gets a `reset` instead of them. */
  limit?: number;
}

export interface OpenOptions extends PostOptions {
  /** Whether to return the effect of the action without performing it. */
  plan?: boolean;
}

export interface NotifyOptions extends OpenOptions {
  state?: "foreground" | "background" | "killed";
  /** Whether the user tapped the notification. `false` means that the app has only received it. */
  tap?: boolean;
  /** The identifier of the button that the user pressed. */
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

/** A gesture may name the node that was visible when the user acted; `act` adds it if it is missing. */
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
  | { type: "cancel"; question: string }
  | { type: "contact" }
  | { type: "advance"; by: string }
  | { type: "answer"; [name: string]: unknown }
  /** Only with an operator's key. */
  | { type: "push" | "present" | "set" | "remove"; [name: string]: unknown }
  /** Only with an operator's key. */
  | { type: "retry"; key: string };

/** A client's copy of a session, and the actions on it. Created by `connect`, `start` and `resume`. */
export class Session<App extends AppTypes = AnyApp> {
  private constructor();
  /** The session's id. A session that began offline has a local id, which only this browser uses, until the service has created the session. */
  readonly id: string;
  readonly secret: string | undefined;
  /** Whether the service has not created the session yet. With `keep`, a session can begin offline. */
  readonly isLocal: boolean;
  /** The response to the link or notification with which the session was started. */
  readonly opened: unknown;

  readonly tree: TreeNode<App>;
  readonly stack: readonly Route<App>[];
  readonly visible: Route<App> | undefined;
  readonly revision: number;
  readonly facts: Snapshot<App>["facts"];
  readonly accepts: Accepts<App>;
  readonly pending: readonly Pending[];

  /** Calls the listener after each change. `subscribe` and `getSnapshot` are bound: `useSyncExternalStore(session.subscribe, session.getSnapshot)`. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Snapshot<App>;
  /** Returns the key of a node's view. The key does not change when a predicted node gets its id from the service. The function is bound. */
  readonly keyOf: (id: string) => string;
  /** Returns the id of the node whose view has this key, such as `route.key` of React Navigation. The function is bound. */
  readonly idOf: (key: string) => string;
  /**
   * Calls the listener with each action that the service has refused; with `keep`, also with each refused action of the browser's other pages. Returns a
   * function that removes the listener.
   */
  onRejected(listener: (rejected: Rejected<App>) => void): () => void;
  /**
   * The groups of refused actions that the app has neither retried nor discarded, the oldest first. With `keep`, they are those of all pages, and outlive a
   * reload and the end of the session.
   */
  groups(): readonly Group<App>[];
  /**
   * Posts the actions of a group again, in order and under new numbers, and removes the group. If an action names a node that an earlier action of the group
   * creates, its repetition names the node that the repeated earlier action creates; other names stay the same. When all actions have ended, resolves to the
   * responses, or rejects with the first refusal. Actions that are refused again are in a new group. Rejects with `group-gone` if there is no such group.
   */
  retry(id: string): Promise<readonly Answer[]>;
  /** Deletes a group of refused actions. */
  discard(id: string): Promise<void>;
  /**
   * Calls the listener when a guard has asked before Back leaves the app, and the user has agreed in this page. The listener closes the app, or goes back to
   * the address before it. Other pages and clients stay open. Returns a function that removes the listener.
   */
  onExit(listener: () => void): () => void;
  /** Returns the events from now on: each change once, or a `reset` instead of changes. Leaving the loop ends them. */
  events(options?: EventsOptions): AsyncIterableIterator<SessionEvent<App>>;

  refresh(limits?: Limits): Promise<void>;
  at(revision: number, limits?: Limits): Promise<{ readonly revision: number; readonly tree: TreeNode<App>; readonly [name: string]: unknown }>;
  history(page?: HistoryOptions): Promise<{ readonly entries: readonly { readonly [name: string]: unknown }[]; readonly next?: string }>;

  act(actions: readonly Action<App>[], options?: PostOptions): Promise<ArrayAnswer>;
  act(action: Action<App>, options?: GestureOptions): Promise<Answer | StaleAnswer>;
  plan(action: Action<App> | readonly Action<App>[], options?: Limits & Pick<PostOptions, "ifMatch">): Promise<Answer | ArrayAnswer>;
  /**
   * Requests predictions of at most 32 actions, each from the current state, without performing them. With `predict: true`, the prediction of the action that
   * is posted next is shown at once. Use this method for steps with params.
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
  cancel(id: string, options?: PostOptions): Promise<Answer>;
  contact(options?: PostOptions): Promise<Answer>;
  advance(by: string, options?: PostOptions): Promise<Answer>;

  /** Closes the session in this client. It continues in the service. */
  close(): void;
  /** Ends the session in the service. */
  end(options?: EndOptions): Promise<void>;
}

/**
 * The actions that were refused together: the first one, and the later waiting actions that needed what it would have created or uncovered. If the session has
 * ended, the code is `over`, and these are the actions that were waiting.
 */
export interface Group<App extends AppTypes = AnyApp> {
  readonly id: string;
  /** The time of the first refusal, in ISO 8601. */
  readonly at: string;
  /** The code of the first refusal. */
  readonly code: string;
  readonly detail?: string;
  /** The actions as they were posted, in order. An action that may have a secret is left out. */
  readonly actions: readonly RefusedAction<App>[];
}

export interface RefusedAction<App extends AppTypes = AnyApp> {
  readonly action: Action<App>;
  /** The time at which the user acted, in ISO 8601. */
  readonly at: string;
  /** Whether the page in which the session ended had sent the action, and had no response to it. The action may have run. */
  readonly mayHaveRun?: true;
}

/** An action that was refused, usually by the service, or rejected, for example with `offline`. If its effect was shown, the effect has been undone. */
export interface Rejected<App extends AppTypes = AnyApp> {
  readonly action: Action<App> | readonly Action<App>[];
  readonly code: string;
  readonly problem: CairnProblem;
  /** The id of the group that contains the action; missing if the action may have a secret, or was not refused by the service. */
  readonly group?: string;
}

/** A storage such as localStorage, sessionStorage, or React Native's AsyncStorage. */
export interface OutboxStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): void | Promise<void>;
  removeItem(name: string): void | Promise<void>;
}

export interface ClientOptions extends Limits {
  /** The service's address, such as `https://nav.example`, which may include a path. */
  baseURL: string | URL;
  /** Timeout of one attempt, in milliseconds. (default: 30000) */
  timeout?: number;
  /** Maximum number of attempts of a request. The default is 14, which takes about 40 s. With `keep`, a post is then sent again after a pause. */
  attempts?: number;
  /** Maximum number of waiting posts. (default: 100; 2000 with an engine or `keep`) */
  outbox?: number;
  /**
   * A storage in which waiting posts outlive a reload of the page. Posts with a token, a code or a param that is known to be secret are not stored. By default,
   * posts are only in memory.
   */
  storage?: OutboxStorage;
  /**
   * Whether the session is stored in IndexedDB and shared with the browser's other pages that keep it. A new page shows the last screen without the network,
   * and sends the waiting posts. Replaces `storage`.
   */
  keep?: boolean;
  /** Whether the session's secret is stored too, so that `resume` finds the session. Only with `keep`. */
  remember?: boolean;
  /** Called when the service refuses a post that an earlier page had stored. Without it, `onRejected` is called. */
  onRefused?: (problem: CairnProblem, post: { path: string; body: unknown }) => void;
  /** Whether facts, `accepts` and `pending` are requested with each post and read after each change. (default: true) */
  details?: boolean;
  /**
   * Whether the effect of an action is shown before the service responds. By default, it is shown if the service has an engine for the app, which the client
   * loads in the background. `true`: without an engine, the service's predictions of gestures and of steps without params are shown. `false`: never. The
   * response confirms or corrects the change.
   */
  predict?: boolean;
  /**
   * Receives notices: the engine could not be loaded or has failed, stored content cannot be read, or nothing can be stored. Called once for each; by default
   * `console.warn`.
   */
  onNotice?: (message: string, cause: unknown) => void;
  /** A listener as for the session's `onRejected`. */
  onRejected?: (rejected: Rejected) => void;
  /** A listener as for the session's `onExit`. */
  onExit?: () => void;
  /**
   * The way in which changes are received: `events`, the default if the responses of fetch have a `body` that streams, or `poll` (long polls), the default
   * otherwise.
   */
  follow?: "events" | "poll";
  /** Replaces the platform's `fetch`. The following options replace the platform's randomness, time, network and storage. */
  fetch?: typeof fetch;
  /** Returns a new Idempotency-Key, also for a creation: at least 22 random characters. */
  newKey?: () => string;
  random?: () => number;
  /** Returns the time in milliseconds since 1970, such as the time at which the user acts. */
  now?: () => number;
  timers?: { set(then: () => void, milliseconds: number): unknown; clear(timer: unknown): void };
  network?: Network;
  /** The browser's storage for `keep`; `null` if there is none, so that everything is only in memory. */
  indexedDB?: IDBFactory | null;
  /** The platform's WebAssembly, which runs the engine; `null` if there is none, so that no engine is requested. */
  webAssembly?: object | null;
  /** The browser's locks for `keep`, by which pages coordinate; `null` if there are none, so that each page is independent and everything is only in memory. */
  locks?: LockManager | null;
  channels?: ((name: string) => BroadcastChannel) | null;
}

/** The state of the network and the page; omitted members count as "always online" and "always visible". */
export interface Network {
  readonly isOnline?: boolean;
  /** Registers a listener that is called when the network is available again. May return a function or an object that removes the listener. */
  whenOnline?(then: () => void): Registration;
  /** Registers a listener that is called when the app is in the foreground again. May return a function or an object that removes the listener. */
  whenVisible?(then: () => void): Registration;
}

export type Registration = (() => void) | { remove(): void } | void;

export interface StartOptions<App extends AppTypes = AnyApp> extends ClientOptions {
  app: string;
  accessToken?: string;
  open?: string;
  notification?: object;
  /** `"manual"`, or an ISO 8601 time with a time zone at which a manual clock starts. */
  clock?: "manual" | (string & {});
  label?: string;
  facts?: Partial<App["facts"]>;
  environment?: { [name: string]: string };
  requests?: "manual";
  /** An operator's key, for services where only operators start sessions. */
  credential?: string;
  /**
   * The creation's Idempotency-Key, at least 22 random characters. By default it comes from `newKey`, otherwise it is a UUID if the platform has `crypto`;
   * without either, none is sent.
   */
  key?: string;
}

export interface ConnectOptions extends ClientOptions {
  id: string;
  /** The session's secret, or an operator's key. A kept session that began offline has none until the service has created it. */
  secret?: string | undefined;
  /** An operator's key, for the creation of a kept session that began offline. */
  credential?: string;
}

export function start<App extends AppTypes = AnyApp>(options: StartOptions<App>): Promise<Session<App>>;
export function connect<App extends AppTypes = AnyApp>(options: ConnectOptions): Promise<Session<App>>;
/**
 * Opens a session that the browser has stored for a service: the session with the given id or, without an id, the newest one. Needs no network. Resolves to
 * undefined if there is no such session.
 */
export function resume<App extends AppTypes = AnyApp>(options: ClientOptions & { id?: string; credential?: string }): Promise<Session<App> | undefined>;
/**
 * Resolves to the sessions that the browser has stored for a service, the most recently stored first. Includes sessions of which only groups of refused actions
 * are stored. Needs no network.
 */
export function sessions(options: ClientOptions): Promise<KeptSession[]>;
/** Deletes a group of a session that is not open, such as one that has ended. Needs no network. */
export function discardGroup(options: ClientOptions & { id: string }): Promise<void>;

/** A session that the browser has stored. */
export interface KeptSession {
  readonly id: string;
  readonly app: string;
  readonly label?: string;
  /** The time at which the session was stored, in ISO 8601. */
  readonly at: string;
  /** The number of actions that wait to be sent. */
  readonly waiting: number;
  /** Whether the service has not created the session yet. */
  readonly isLocal: boolean;
  /** Whether `resume` can open the session: its secret is stored, or it does not need one yet. */
  readonly isRemembered: boolean;
  /** Whether only the session's groups are stored, because the session has ended, or because the service has refused its secret. */
  readonly isOver: boolean;
  readonly groups: readonly Group[];
}

/**
 * An error with a code of the service or with one of the client's own codes: `unreachable`, `timeout`, `offline`, `outbox-full`, `closed`, `over`, `aborted`,
 * `group-gone` or `not-shown`. The status is 0 if the error does not come from a response.
 */
export class CairnProblem extends Error {
  constructor(body: { readonly [name: string]: unknown }, more?: { retryAfter?: number; cause?: unknown });
  readonly name: "CairnProblem";
  readonly code: string;
  readonly status: number;
  readonly detail: string | undefined;
  readonly accepts: Accepts | undefined;
  readonly errors: readonly { readonly detail: string; readonly pointer?: string }[];
  /** The index of the refused action in an array, from 0. */
  readonly index: number | undefined;
  readonly revision: number | undefined;
  /** The response's `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;
  readonly body: { readonly [name: string]: unknown };
  /** Whether the same request may be sent again: there was no response, or its status was 429 or 503. */
  readonly isPassing: boolean;
  /** Whether there was no response, or only the error response of a gateway in front of the service. */
  readonly isUnanswered: boolean;
}

/** Returns the tree after the changes. The given tree is not changed. Throws if a change cannot be applied. */
export function play<Tree extends object>(tree: Tree, changes: readonly Change[]): Tree;
/** Returns the visible routes of a tree, from the root to the leaf. */
export function routesOf<App extends AppTypes = AnyApp>(tree: TreeNode<App>): Route<App>[];

/** Returns the layers of a tree from the back to the front: the root, the modals over it, the overlays, and the modals on levels. */
export function layersOf<App extends AppTypes = AnyApp>(tree: TreeNode<App>): TreeNode<App>[];

/** Parses server-sent events according to the HTML standard. */
export class EventStreamParser {
  constructor(lastEventId?: string);
  readonly lastEventId: string;
  readonly retry: number | undefined;
  push(bytes: Uint8Array): { type: string; data: string; lastEventId: string }[];
}
