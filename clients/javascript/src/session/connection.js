import { Follow } from "../follow.js";
import { polling } from "../polling.js";
import { streaming } from "../streaming.js";

/** The connection that receives a session's events, and the state that the snapshot shows for it. */
export class Connection {
  #given;
  #follow;
  #state = "idle";
  /** The newest received event, as `{ id, revision }`. A new connection begins after this event, even if the picture is at another revision. */
  #cursor;
  #isInTrouble = false;
  /** Whether the last attempt to receive events did not reach the service. */
  #isAway = false;

  /**
   * @param {{ transport, picture, follow?: "events" | "poll", headers, position, onMessage, onOffline, onOver }} given `headers()`: returns the headers of a
   * connection. `position()`: returns the event after which a new start begins. `onMessage(type, data, id)`: called with each message. `onOffline()`: called
   * when the network turns out to be unavailable. `onOver(reason)`: called once if there will be no more events
   */
  constructor(given) {
    this.#given = given;
  }

  /** Sets the path from which events are received from now on. `streams` says whether they can be read as a stream. */
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
    return this.#given.transport.machine.network.isOnline === false || this.#isInTrouble || this.#isAway;
  }

  /** Notes that a post did not reach the service. */
  fail() {
    this.#note({ isInTrouble: true });
    this.#given.onOffline();
  }

  #hearState(state, isAway = state !== "live" && this.#isAway) {
    this.#isAway = isAway;
    this.#note({ state });
    if (isAway) this.#given.onOffline();
  }

  /** Shows another number of waiting posts. `isAnswered` says whether a post was answered. */
  posted(waiting, isAnswered) {
    if (isAnswered) this.#isAway = false;
    this.#note({ waiting, ...(isAnswered ? { isInTrouble: false } : {}) });
  }

  /** Shows the connection's state. Events may arrive while a post's response is pending, and the other way round. */
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
