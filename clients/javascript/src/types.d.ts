/** The types that the modules of this client share. The public types are in index.d.ts. */
import type { ClientOptions } from "./index";
import type { CairnProblem } from "./problem.js";
import type { Post } from "./post.js";
import type { StoredPost } from "./outbox.js";

/** The client's dependencies on its platform, completed by `machineOf`. */
export interface Machine {
  fetch: typeof fetch;
  timers?: Timers;
  random(): number;
  now(): number;
  newKey(): string;
  network: MachineNetwork;
  indexedDB?: IDBFactory | null;
  locks?: LockManager | null;
  channels?: ((name: string) => BroadcastChannel) | null;
}

export interface Timers {
  set(then: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

/** The network as the client uses it: `networkOf` completes what the platform gives. */
export interface MachineNetwork {
  readonly isOnline: boolean;
  noteReached(): boolean;
  noteLost(): void;
  whenOnline: Waker;
  whenVisible: Waker;
}

/** Registers a listener. Returns a function that removes it. */
export type Waker = (then: () => void) => () => void;

export interface Request {
  method?: string;
  path: string;
  body?: unknown;
  headers?: Headers;
}

export interface Headers {
  readonly [name: string]: string | undefined;
}

/** Options of a call: `read` returns the call's result for its response. */
export interface CallOptions<Result = any> {
  signal?: AbortSignal;
  read?: (response: Response, isThere: () => void) => Result | Promise<Result>;
  onTrouble?: (problem: CairnProblem) => void;
  before?: () => Promise<unknown>;
  isAway?: () => boolean;
}

/** A session as the service sends it, with the members of its response. */
export interface Whole {
  body: Body;
  /** The id of the event that made this state. */
  id?: string;
  /** Whether the service's events can be read as a stream. */
  streams?: boolean;
  /** The path of the engine. */
  engine?: string;
}

export interface Node {
  id: string;
  name: string;
  kind: string;
  children?: Node[];
  presented?: Node;
  levels?: Node[];
  overlays?: Node[];
  selected?: number;
  flow?: string;
  slot?: string;
  level?: number;
  params?: object;
}

/** The session of a response. A session that an earlier page stored has `detailed`. */
export interface Body {
  id: string;
  app: string;
  definition: string;
  revision: number;
  tree: Node;
  facts?: Facts;
  accepts?: Accepts;
  pending?: object[];
  predictions?: Prediction[];
  replica?: ReplicaState;
  detailed?: boolean;
  secret?: string;
  label?: string;
  opened?: unknown;
}

/** A problem of the service or of this client, or the reason with which a caller has aborted a post. */
export interface Failure extends Error {
  code?: string;
  status?: number;
  revision?: number;
  body?: { code?: string };
}

export interface Accepts {
  primitives: string[];
  guarded?: string[];
}

export interface Facts {
  accessToken?: boolean;
  [name: string]: unknown;
}

/** The snapshot of a session (`Snapshot` in index.d.ts). */
export interface Shown extends Body {
  stack: { id: string; screen: string }[];
  visible?: { id: string; screen: string };
  connection: string;
  predicts: boolean;
  waiting: number;
  over?: string;
}

/** A session that is shown instead of the confirmed one. */
export interface View {
  tree: Node;
  facts?: Facts;
  accepts?: Accepts;
}

/** The state that a service sends to an engine. `last` is the number of this client's newest action in it. */
export interface ReplicaState {
  definition: string;
  revision: number;
  state?: string;
  last?: number;
  format?: number;
  engine?: number;
  difference?: string;
}

/** An action as it is posted. */
export interface Action {
  type?: string;
  step?: string;
  from?: NodeName;
  node?: NodeName;
  definition?: string;
  [name: string]: unknown;
}

/** A node by its id, or by the action that creates it and the node's index among its nodes. */
export type NodeName = string | { action: number; node: number };

/** The changes of an action that the service predicts; without changes the action would be refused. */
export interface Prediction {
  action?: object;
  changes?: object[];
}

/** The response to a post, or to one action of a request. */
export interface Reply {
  outcome?: string;
  reason?: string;
  revision?: number;
  events?: { type: string }[];
  changes?: object[];
  answers?: (Reply & { error?: { code: string; status: number } })[];
  replica?: ReplicaState;
  created?: string[];
  accepts?: Accepts;
  predictions?: Prediction[];
  problem?: CairnProblem;
}

/** The result of a post: a reply, or a problem. `isRefused` says that the engine has refused it. */
export interface End {
  answer?: Reply;
  problem?: Failure;
  isRefused?: boolean;
}

/** A post that has ended, with its result. */
export interface Ended extends End {
  item: Post;
}

/** An action that was refused. */
export interface Rejection {
  action: unknown;
  problem: Failure;
}

/** An event of a session, as its readers get it. */
export interface SessionEvent {
  type: string;
  revision: number;
  [name: string]: unknown;
}

/** An event with its id. */
export interface FeedEvent {
  event: SessionEvent;
  id?: string;
}

/** A position among the events. */
export interface Position {
  id?: string;
  revision: number;
}

/** A store in which the outbox keeps waiting posts. With `isPatient`, a post is sent again after each failure. */
export interface OutboxStore {
  isPatient?: boolean;
  save(posts: StoredPost[]): Promise<unknown>;
  posts?(): Promise<StoredPost[]>;
  flush?(): Promise<unknown>;
  learn?(definition: { app: string; hash: string; text: string; engine: string }): void;
}

/** The request by which the service creates a session that began without a network. */
export interface Creation {
  key: string;
  body: { definition?: string; [name: string]: unknown };
  time: number;
}

/** The content with which an engine begins a session that the service does not have. */
export interface Beginning {
  definition: string;
  text: string;
  time: number;
  engine?: string;
}

/** The replica that an earlier page kept. */
export interface KeptReplica extends ReplicaState {
  text?: string;
  log?: string[];
  created?: [number, string[]][];
}

/** The content of a session that a page stored. */
export interface Kept {
  id?: string;
  service?: string;
  at?: number;
  whole?: Whole;
  shown?: View;
  replica?: KeptReplica;
  beginning?: Beginning;
  definition?: string;
  secret?: string;
  isSecretForgotten?: boolean;
  creation?: Creation;
  settled?: Settled[];
  place?: string;
  client?: string;
  next?: number;
  pending?: { uid: string; number: number; body: Action; at: number; definition?: string }[];
}

/** The result of an ended post, in a form that can be stored. */
export interface Settled {
  uid: string;
  answer?: Reply;
  problem?: { code: string };
}

/** The content that the leading page shows in the other pages. */
export interface SharedSession {
  picture: { confirmed: Shown; view?: View; newest: Position };
  keys: { keys: { [id: string]: string }; made: number };
  id: string;
  secret?: string;
  creation?: Creation;
  isSecretForgotten: boolean;
}

/** A post that a page sends to the leading page. `sent` has the number under which an earlier leading page may have sent it. */
export interface SharedPost {
  path?: string;
  body?: unknown;
  ifMatch?: number | string | true;
  queue?: boolean;
  key?: string;
  definition?: string;
  isBound?: boolean;
  isEnd?: boolean;
  sent?: { client: string; number: number; order: number; definition?: string; action?: Action; at: number };
}

/** The options of a post below `Session.post`. */
export interface PostOptions {
  ifMatch?: number | string | true;
  signal?: AbortSignal;
  key?: string;
  queue?: boolean;
  uid?: string;
  definition?: string;
  isBound?: boolean;
  speaker?: { id: string; name: string };
  onExit?: () => void;
  /** The node that the user saw. */
  from?: string | { id: string; name: string } | null;
}

export interface EndOptions {
  ifMatch?: number | true;
  signal?: AbortSignal;
}

/** The options of a session, with its keeping and the content that an earlier page stored if it is kept. */
export interface SessionOptions extends Omit<ClientOptions, "baseURL" | "onRefused"> {
  onRefused?: (problem: CairnProblem, post: { path: string; body: unknown }) => void;
  keeping?: import("./keeping.js").Keeping;
  creator?: import("./transport.js").Transport;
  kept?: Kept;
  beginning?: Beginning;
}
