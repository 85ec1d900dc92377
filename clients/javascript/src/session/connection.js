import { Follow } from "../follow.js";
import { polling } from "../polling.js";
import { streaming } from "../streaming.js";

/**
 * The connection that receives a session's events, and the state that the snapshot shows for it.
 * @implements {FollowOwner} @implements {Receiver} @typedef {import("../parts").FollowOwner} FollowOwner @typedef {import("../parts").Receiver} Receiver
 */
export class Connection {
  #transport;
  #picture;
  #kind;
  #listener;
  /** @type {Follow} */
  #follow;
  #state = "idle";
  /**
   * The newest received event. A new connection begins after this event, even if the picture is at another revision.
   * @type {import("../types").Position | undefined}
   */
  #cursor;
  #isInTrouble = false;
  /** Whether the last attempt to receive events did not reach the service. */
  #isAway = false;

  /**
   * @param {import("../transport.js").Transport} transport @param {import("../picture.js").Picture} picture @param {import("../parts").Listener} listener
   * @param {"events" | "poll"} [kind] the way in which events are received; by default it depends on the platform
   */
  constructor(transport, picture, listener, kind) {
    this.#transport = transport;
    this.#picture = picture;
    this.#kind = kind;
    this.#listener = listener;
  }

  /**
   * Sets the path from which events are received from now on. `streams` says whether they can be read as a stream.
   * @param {{ streams?: boolean }} means
   */
  begin({ streams }, path) {
    const isStream = this.#kind === undefined ? streams : this.#kind === "events";
    const receive = isStream ? streaming(this.#transport, `${path}/events`, this) : polling(this.#transport, path, this);
    this.#follow = new Follow(this.#transport, receive, this);
  }

  get headers() {
    return this.#listener.headers;
  }

  /** The newest received event; undefined if no event was received. */
  get position() {
    return this.#cursor;
  }

  start() {
    this.#follow.start();
  }

  /** Ends the connection, which can start again. */
  stop() {
    this.close();
    this.#note({ state: "idle" });
  }

  /** Ends the connection of a session that has ended, or that another page follows. */
  close() {
    this.#follow.stop();
    this.#isAway = false;
  }

  /** Whether the last post did not reach the service. */
  get isInTrouble() {
    return this.#isInTrouble;
  }

  get isOffline() {
    return this.#transport.machine.network.isOnline === false || this.#isInTrouble || this.#isAway;
  }

  /** Notes that a post did not reach the service. */
  fail() {
    this.#note({ isInTrouble: true });
    this.#listener.noteOffline();
  }

  started() {
    this.#cursor = this.#listener.startOfEvents;
  }

  ended(reason) {
    this.#listener.end(reason);
  }

  changed(state, isAway = state !== "live" && this.#isAway) {
    this.#isAway = isAway;
    this.#note({ state });
    if (isAway) this.#listener.noteOffline();
  }

  /** Shows another number of waiting posts. `isAnswered` says whether a post was answered. */
  posted(waiting, isAnswered) {
    if (isAnswered) this.#isAway = false;
    this.#note({ waiting, ...(isAnswered ? { isInTrouble: false } : {}) });
  }

  /** Shows the connection's state. Events may arrive while a post's response is pending, and the other way round. */
  #note({ state = this.#state, waiting = this.#picture.now.waiting, isInTrouble = this.#isInTrouble }) {
    const picture = this.#picture;
    this.#state = state;
    this.#isInTrouble = isInTrouble && waiting > 0;
    const connection = this.#isInTrouble ? "offline" : state;
    picture.set({ waiting, connection: picture.now.over === undefined ? connection : "over" });
  }

  hear(type, data, id) {
    if (type === "reset" || type === "change") this.#cursor = { id, revision: data.revision };
    this.#listener.hear(type, data, id);
  }
}
