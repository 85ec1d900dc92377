import { Follow } from "../follow.js";
import { polling } from "../polling.js";
import { streaming } from "../streaming.js";

/** The connection by which a session's events are heard, and what the snapshot says of it. */
export class Connection {
  #given;
  #follow;
  #state = "idle";
  /** The newest event that was heard, as `{ id, revision }`: a new connection begins behind it, wherever the picture is. */
  #cursor;
  #isInTrouble = false;
  /** Whether the last attempt to hear the events did not reach the service. */
  #isAway = false;

  /**
   * @param {{ transport, picture, follow?: "events" | "poll", headers, position, onMessage, onOffline, onOver }} given `headers()`: those of a connection.
   * `position()`: behind which event a new start begins. `onMessage(type, data, id)`: called with each message. `onOffline()`: called when the network
   * turns out to be away. `onOver(reason)`: called once if there will be no more
   */
  constructor(given) {
    this.#given = given;
  }

  /** Events are heard from this path from now on. `streams`: whether they can be read as a stream. */
  begin({ streams }, path) {
    const { transport, follow, headers, position, onOver } = this.#given;
    const heard = { transport, headers, after: () => this.#cursor.id, onMessage: (type, data, id) => this.#hear(type, data, id) };
    const isStream = follow === undefined ? streams : follow === "events";
    this.#follow = new Follow({
      transport, connection: isStream ? streaming({ ...heard, path: `${path}/events` }) : polling({ ...heard, path }),
      onStart: () => { this.#cursor = position(); },
      onState: (state, isAway) => this.#hearState(state, isAway),
      onOver,
    });
  }

  /** The newest event that was heard; undefined: none was. */
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
    return this.#given.transport.machine.network.isOnline === false || this.#isInTrouble || this.#isAway;
  }

  /** A post did not reach the service. */
  fail() {
    this.#note({ isInTrouble: true });
    this.#given.onOffline();
  }

  #hearState(state, isAway = state !== "live" && this.#isAway) {
    this.#isAway = isAway;
    this.#note({ state });
    if (isAway) this.#given.onOffline();
  }

  /** Another number of posts waits; `isAnswered`: a post was answered. */
  posted(waiting, isAnswered) {
    if (isAnswered) this.#isAway = false;
    this.#note({ waiting, ...(isAnswered ? { isInTrouble: false } : {}) });
  }

  /** Events may arrive while a post's response is pending, and the other way round. */
  #note({ state = this.#state, waiting = this.#given.picture.now.waiting, isInTrouble = this.#isInTrouble }) {
    const { picture } = this.#given;
    this.#state = state;
    this.#isInTrouble = isInTrouble && waiting > 0;
    const connection = this.#isInTrouble ? "offline" : state;
    picture.set({ waiting, connection: picture.now.over === undefined ? connection : "over" });
  }

  #hear(type, data, id) {
    if (type === "reset" || type === "change") this.#cursor = { id, revision: data.revision };
    this.#given.onMessage(type, data, id);
  }
}
