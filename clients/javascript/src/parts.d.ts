/** The collaborators of the parts of a session, and the interfaces by which one part calls another. */
import type { Outbox } from "./outbox.js";
import type { Picture } from "./picture.js";
import type { Post } from "./post.js";
import type { CairnProblem } from "./problem.js";
import type { Replica } from "./replica.js";
import type { Session } from "./session.js";
import type { Connection } from "./session/connection.js";
import type { EnginePredictions } from "./session/engine-predictions.js";
import type { EventFeed } from "./session/event-feed.js";
import type { Identity } from "./session/identity.js";
import type { ServicePredictions } from "./session/service-predictions.js";
import type { Transport } from "./transport.js";
import type { ViewKeys } from "./view-keys.js";
import type {
  Action, Beginning, Ended, Failure, Headers, Kept, KeptReplica, OutboxStore, Position, Rejection, Reply, SessionEvent, SharedPost, SharedSession, Timers,
} from "./types";

/** The collaborators of the entries of a page's history. */
export interface HistoryParts {
  session: Session;
  window: Window;
  addressOf: (snapshot: object) => string;
  onExit?: () => void;
  /** Removes a node and all pages above it; undefined if the app has its own `back`. */
  pop?: (node: string) => Promise<Reply | undefined>;
  back: () => Promise<Reply | undefined>;
  /** Opens another address. */
  open: (url: URL) => void;
}

/** The part that follows a session over successive connections. */
export interface FollowOwner {
  /** Called before the first connection of a new start. */
  started: () => void;
  /** Called with `connecting`, `live` or `offline`. With `offline`, `isAway` is whether the service could not be reached. */
  changed: (state: string, isAway?: boolean) => void;
  /** Called once, with the reason why no more connections follow. */
  ended: (reason: string) => void;
}

/** The part that receives the events of a connection. */
export interface Receiver {
  /** The headers of the requests. */
  headers: Headers;
  /** The newest received event. */
  position: Position;
  /** Called with each message. */
  hear: (type: string, data: any, id?: string) => void;
}

/** A session that is kept, as `Keeping` uses it. */
export interface KeptSession {
  /** Returns the parts to store, and the waiting `posts`. */
  collect: () => { posts: Post[] };
  /** Returns the content that other pages show. */
  snapshot: () => SharedSession;
  /** Called with the content of the leading page. */
  show: (shared: SharedSession) => void;
  /** Called when this page leads, with the stored content. */
  lead: (kept?: Kept) => Promise<void>;
  /** Called when another page leads. */
  lose: () => void;
  /** Performs a post of another page. */
  own: (uid: string, post: SharedPost) => Promise<Reply | void>;
  /** Cancels a post of another page. */
  drop: (uid: string) => void;
  /** Returns the members with which a later leader has to repeat a post. */
  sentAs: (uid: string) => object | undefined;
  /** Receives a refused action of the leading page. */
  rejected: (rejected: Rejection) => void;
  /** Called when pages open or close. */
  onPeers: () => void;
  /** Called when another page has ended the session. */
  onOver: (reason: string) => void;
  events: EventFeed;
}

/** The session for which an outbox sends posts. */
export interface Sender {
  /** Whether nothing may be sent yet; `send` is called afterwards. */
  isHeld: boolean;
  /** Called before a post is sent; returns a problem if the post must not be sent. */
  refusal: (post: Post) => CairnProblem | undefined;
  /** Called with the first post of a request, before the request is sent. */
  turn: (post: Post) => void;
  /** Called when the number of waiting posts has changed: with the response's body if a response arrived, and with the posts that have ended. */
  posted: (answer?: Reply, ended?: Ended[]) => void;
  /** Called when a post did not reach the service. */
  lostNetwork: () => void;
}

/** The collaborators of an outbox. */
export interface OutboxParts {
  transport: Transport;
  sender: Sender;
  /** Maximum number of waiting posts. */
  bound: number;
  store?: OutboxStore;
  /** Called with each refused post of an earlier page. */
  onRefused?: (problem: CairnProblem, post: { path: string; body: unknown }) => void;
  /** Awaited before each attempt. */
  before?: () => Promise<unknown>;
}

/** The members with which a post begins. */
export interface PostMembers {
  path: string;
  /** An action, an array of actions, or the body of another request. */
  body: any;
  headers?: Headers;
  /** A key that the caller chose. */
  key?: string;
  /** The name among the browser's pages; by default the key. */
  uid?: string;
  /** The client of `number`. */
  client?: string;
  /** The number under which an earlier page has sent or stored the post. */
  number?: number;
  /** The number in the engine. */
  order?: number;
  /** The action that the engine runs. */
  action?: Action;
  /** The time of the call, in milliseconds since 1970. */
  at?: number;
  /** The hash of the definition that the user saw. */
  definition?: string;
  /** The predicted node that sends the action. */
  speaker?: { id: string; name: string };
  /** Whether the action is bound to the node that the user saw. */
  isBound?: boolean;
}

/** The collaborators of a replica. */
export interface ReplicaParts {
  transport: Transport;
  /** The session's path. */
  path: string;
  /** The path of the engine. */
  engine: string;
  /** This client's id. */
  client: string;
  /** The keys of the views. */
  keys: ViewKeys;
  /** Has the unanswered posts, in order. */
  outbox: { readonly waiting: { order?: number; action?: Action; body: any; at: number }[] };
  picture: { readonly confirmed: { definition: string } };
  /** The content that an earlier page kept, or the beginning of a session that the service has not created yet. */
  kept?: KeptReplica & Partial<Beginning>;
  fetchEngine?: typeof fetch;
  owner: ReplicaOwner;
}

/** The predictions that a replica makes possible. */
export interface ReplicaOwner {
  /** Called when the view changes, but not after a call of the replica. */
  changed: (replica: Replica) => void;
  /** Called when the session has another definition. */
  moved: () => void;
  /** Called with the definition, and with the path of the engine that runs it. */
  learn: (hash: string, text: string, engine: string) => void;
  /** Called when the kept content has become shorter. */
  keep: () => void;
  /** Called if the engine cannot be used any longer. */
  lose: (problem: Error) => void;
}

/** The session whose events a connection receives. */
export interface Listener {
  /** The event after which a new start begins. */
  startOfEvents: Position;
  /** The headers of a connection. */
  headers: Headers;
  /** Called with each message. */
  hear: (type: string, data: any, id?: string) => void;
  /** Called when the network turns out to be unavailable. */
  noteOffline: () => void;
  /** Called once if there will be no more events. */
  end: (reason: string) => void;
}

/** A session as its predictions use it. */
export interface PredictedSession {
  transport: Transport;
  identity: Identity;
  picture: Picture;
  outbox: Outbox;
  connection: Connection;
  /** The predictions without an engine. */
  served: ServicePredictions;
  /** Called once if the session continues without the engine. */
  onNotice: (message: string, cause?: unknown) => void;
}

/** A session as `Posting` uses it. */
export interface PostingSession {
  transport: Transport;
  identity: Identity;
  picture: Picture;
  outbox: Outbox;
  predictions: EnginePredictions;
  /** Called with a post that the engine has refused at once. */
  report: (post: Post, problem: Failure) => void;
}

/** A page as `Tabs` uses it. */
export interface PageOfTabs {
  locks: LockManager;
  channels: (name: string) => BroadcastChannel;
  timers?: Timers;
  now: () => number;
  /** The name of the lock and the channel. */
  name: string;
  /** A name that no other page has. */
  page: string;
  /** Called when this page begins to lead, which it does until the signal is aborted; resolves when it can perform posts. */
  lead: (signal: AbortSignal) => Promise<void>;
  /** Called when this page stops leading. */
  lose: () => void;
  /** Performs a post; resolves to its answer. */
  post: (uid: string, post: SharedPost) => Promise<Reply | void>;
  /** Cancels a post, unless it is sent. */
  drop?: (uid: string) => void;
  /** Returns the members with which a later leader has to repeat a post. */
  sentAs: (uid: string) => object | undefined;
  /** Called with an action that the service has refused. */
  rejected?: (rejected: { action: unknown; problem: { code: string } }) => void;
  /** Returns the snapshot for the other pages. */
  shown: () => SharedSession;
  /** Called with the leader's snapshot. */
  show: (snapshot: SharedSession) => void;
  /** Called with the number of other pages. */
  onPeers?: (count: number) => void;
  /** Called when another page has ended the session. */
  onOver?: (reason: string) => void;
  events?: EventFeed;
}

/** The collaborators of a feed of events. */
export interface FeedParts {
  picture: Picture;
  /** Delivers an event to this page's readers. */
  put: (event: SessionEvent) => void;
  /** Asks the leading page for the events after `after`. */
  ask: () => void;
}
