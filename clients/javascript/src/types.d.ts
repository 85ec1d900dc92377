/** The types that the modules of this client share. The public types are in index.d.ts. */
import type { ClientOptions, EndOptions, PostOptions as PublicPostOptions, SeenNode } from "./index";
import type { CairnProblem } from "./problem.js";
import type { Post } from "./post.js";
import type { EventFeed } from "./session/event-feed.js";

export type { EndOptions };

/** The client's dependencies on its platform, completed by `machineOf`. */
export interface Machine extends Pick<ClientOptions, "timers" | "indexedDB" | "webAssembly" | "locks" | "channels"> {
  fetch: typeof fetch;
  random(): number;
  now(): number;
  newKey(): string;
  network: { readonly isOnline: boolean; noteReached(): boolean; noteLost(): void; whenOnline: Waker; whenVisible: Waker };
}

/** Registers a listener. Returns a function that removes it. */
export type Waker = (then: () => void) => () => void;

export interface Headers { readonly [name: string]: string | undefined }
export interface Request { method?: string; path: string; body?: unknown; headers?: Headers }

/** Options of a call: `read` returns the call's result for its response. */
export interface CallOptions<Result = any> {
  signal?: AbortSignal;
  read?: (response: Response, isThere: () => void) => Result | Promise<Result>;
  onTrouble?: (problem: CairnProblem) => void;
  before?: () => Promise<unknown>;
  isAway?: () => boolean;
}

/** A session as the service sends it, with the members of its response: the newest event's id, whether events can be read as a stream, and the engine's path. */
export interface Whole { body: Body; id?: string; streams?: boolean; engine?: string; sealingKey?: string; sealing?: SealingKey }

/** The service's key for sealed values, in base64url, and the time at which it was read, in milliseconds since 1970. */
export interface SealingKey { key: string; at: number }

export interface Content { status: string; value?: unknown }
interface NodeMembers {
  id: string; name: string; kind: string; flow?: string; slot?: string; level?: number; selected?: number; params?: object; content?: Content; facts?: object;
  order?: number;
}
export interface Node extends NodeMembers { children?: Node[]; presented?: Node; levels?: Node[]; overlays?: Node[] }

/** The session of a response. A session that an earlier page stored has `detailed`. */
export interface Body extends View {
  id: string;
  app: string;
  definition: string;
  revision: number;
  pending?: object[];
  predictions?: Prediction[];
  replica?: ReplicaState;
  detailed?: boolean;
  secret?: string;
  label?: string;
  opened?: unknown;
}

/** A session that is shown instead of the confirmed one. */
export interface View { tree: Node; facts?: Facts; accepts?: Accepts }
export interface Facts { accessToken?: boolean; [name: string]: unknown }
export interface Accepts { primitives: string[]; guarded?: string[] }
interface Route { id: string; screen: string }

/** The snapshot of a session (`Snapshot` in index.d.ts). */
export interface Shown extends Body {
  stack: Route[];
  visible?: Route;
  connection: string;
  predicts: boolean;
  waiting: number;
  over?: string;
}

/** The state that a service sends to an engine. `last` is the number of this client's newest action in it. */
export interface ReplicaState extends Position { definition: string; state?: string; last?: number; format?: number; engine?: number; difference?: string }

/** An action as it is posted. */
export interface Action { type?: string; step?: string; from?: NodeName; node?: NodeName; definition?: string; [name: string]: unknown }

/** A node by its id, or by the action that creates it and its index among the nodes that this action creates. */
export type NodeName = string | { action: number; node: number };

/** The changes that the service predicts for an action. If they are missing, the service would refuse the action. */
export interface Prediction { action?: object; changes?: object[] }

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

/** A problem of the service or of this client, or the reason with which a caller has aborted a post. */
export interface Failure extends Error { code?: string; status?: number; revision?: number; body?: { code?: string } }

/** The result of a post: a reply, or a problem. `isRefused` says that the engine has refused it. */
export interface End { answer?: Reply; problem?: Failure; isRefused?: boolean }
export interface Ended extends End { item: Post }

export interface SessionEvent { type: string; revision: number; [name: string]: unknown }
/** An event as the service sends it. */
export interface Heard { type: string; data: any; id: string | undefined }

export interface FeedEvent { event: SessionEvent; id?: string }
export interface Position { id?: string; revision: number }

/** A store in which the outbox keeps waiting posts. With `isPatient`, a post is sent again after each failure. */
export interface OutboxStore {
  isPatient?: boolean;
  save(collect: () => Post["stored"][]): Promise<unknown>;
  posts?(): Promise<Post["stored"][]>;
  flush?(): Promise<unknown>;
  learn?(definition: { app: string; hash: string; text: string; engine: string }): void;
}

/** The request by which the service creates a session that began without a network. */
export interface Creation { key: string; body: { definition?: string; [name: string]: unknown }; time: number }

/** The content with which an engine begins a session that the service does not have. */
export interface Beginning { definition: string; text: string; time: number; engine?: string }

/** The next tick of a timer that a waiting action has started: the step that it sends, its node, and when it is due by the client's clock. */
export interface Tick { due: number; node: string; send?: string }

/** The replica that an earlier page kept. */
export interface KeptReplica extends ReplicaState { text?: string; log?: string[]; created?: [number, string[]][]; covers?: string }

/** The content of a session that a page stored. */
export interface Kept extends Partial<Pick<SharedSession, "id" | "secret" | "creation" | "isSecretForgotten">> {
  service?: string;
  at?: number;
  whole?: Whole;
  shown?: View;
  replica?: KeptReplica;
  beginning?: Beginning;
  definition?: string;
  settled?: { uid: string; answer?: Reply; problem?: { code: string } }[];
  place?: string;
  client?: string;
  next?: number;
  pending?: (Numbers & { uid: string; body: Action; definition?: string; group?: string })[];
}

/** A group of refused actions as it is stored. `client` has given the actions their numbers. An action that may not be stored lacks its content. */
export interface KeptGroup {
  format: number;
  session: string;
  app: string;
  label?: string;
  id: string;
  at: number;
  code: string;
  detail?: string;
  client?: string;
  actions: { number?: number; at: number; action?: Action; definition?: string; mayHaveRun?: boolean }[];
}

/** The content that the leading page shows in the other pages. */
export interface SharedSession {
  picture: { confirmed: Shown; view?: View; newest: Position };
  keys: { keys: { [id: string]: string }; made: number };
  id: string;
  secret?: string;
  creation?: Creation;
  isSecretForgotten: boolean;
  groups: KeptGroup[];
}

/** A page as `Tabs` uses it. */
export interface PageOfTabs extends Pick<Machine, "locks" | "channels" | "timers" | "now"> {
  /** `name` is the name of the lock and the channel, and `page` a name that no other page has. */
  name: string;
  page: string;
  /** Called when this page begins to lead, which it does until the signal is aborted; resolves when it can perform posts. */
  lead: (signal: AbortSignal) => Promise<void>;
  lose: () => void;
  /** Performs a post; resolves to its answer. `drop` cancels it, unless it is sent, and `sentAs` returns the members with which a later leader repeats it. */
  post: (uid: string, post: SharedPost) => Promise<Reply | Reply[] | void>;
  drop?: (uid: string) => void;
  sentAs: (uid: string) => object | undefined;
  rejected?: (rejected: { action: unknown; problem: { code: string }; group?: string }) => void;
  /** Returns the snapshot for the other pages; `show` is called with the leader's snapshot. */
  shown: () => SharedSession;
  show: (snapshot: SharedSession) => void;
  onPeers?: (count: number) => void;
  onOver?: (reason: string) => void;
  events?: EventFeed;
}

/**
 * A post that a page sends to the leading page. `sent` has the number under which an earlier leading page may have sent it. `retried` and `discarded` are ids of
 * groups.
 */
export interface SharedPost extends Pick<PostOptions, "ifMatch" | "queue" | "key" | "definition" | "isBound" | "seen"> {
  path?: string;
  body?: unknown;
  isEnd?: boolean;
  retried?: string;
  discarded?: string;
  sent?: Numbers & { definition?: string };
}

/**
 * `number`: the post's number. `order`, `action`: its number and action in the engine. `at`: the time of the call, in milliseconds since 1970. `seen`: the
 * confirmed revision that was shown at that time.
 */
interface Numbers { client?: string; number?: number; order?: number; action?: Action; at?: number; seen?: number }

/** The members with which a post begins. The body is an action, an array of actions, or the body of another request. */
export interface PostMembers extends Numbers, Pick<PostOptions, "key" | "uid" | "definition" | "speaker" | "isBound" | "isRetried"> {
  path: string;
  body: any;
  headers?: Headers;
  group?: string;
}

/** The options of a post below `Session.post`. `definition`, `isBound` and `speaker` describe what the user saw; `uid` is the name among the browser's pages. */
export interface PostOptions extends Omit<PublicPostOptions, "ifMatch"> {
  ifMatch?: number | string | true;
  uid?: string;
  definition?: string;
  isBound?: boolean;
  speaker?: SeenNode;
  /** The confirmed revision that was shown when the user acted. */
  seen?: number;
  /** Whether the post repeats an action of a group. */
  isRetried?: boolean;
  onExit?: () => void;
  /** The node that the user saw. */
  from?: string | SeenNode | null;
}

/** The options of a session, with its keeping and the content that an earlier page stored if it is kept. */
export interface SessionOptions extends Omit<ClientOptions, "baseURL"> {
  keeping?: import("./keeping.js").Keeping;
  creator?: import("./transport.js").Transport;
  kept?: Kept;
  beginning?: Beginning;
}
