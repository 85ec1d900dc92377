import { backoff } from "../backoff.js";
import { pause } from "../machine.js";
import { polling } from "../polling.js";
import { CairnProblem, lastWord } from "../problem.js";
import { streaming } from "../streaming.js";

/** The connection that receives a session's events, and the state that the snapshot shows for it. */
export class Connection {
  #core;
  #kind;
  /** @type {(signal: AbortSignal, heard: any) => Promise<string | undefined>} receives events until it ends; resolves to the reason of a final end */
  #receive;
  /** @type {AbortController | undefined} ends the present connection */
  #stop;
  #state = "idle";
  /** @type {import("../types").Position | undefined} the newest received event, after which a new connection begins, whatever the picture shows */
  #cursor;
  #isInTrouble = false;
  /** Whether the last attempt to receive events did not reach the service. */
  #isAway = false;

  /**
   * @param {import("./core.js").SessionCore} core
   * @param {"events" | "poll"} [kind] the way in which events are received; by default it depends on the platform
   */
  constructor(core, kind) {
    this.#core = core;
    this.#kind = kind;
  }

  /** Sets the path from which events are received from now on. `streams` says whether they can be read as a stream. */
  begin(/** @type {{ streams?: boolean }} */ { streams }, path) {
    const isStream = this.#kind === undefined ? streams : this.#kind === "events";
    this.#receive = isStream ? streaming(this.#core.transport, `${path}/events`, this) : polling(this.#core.transport, path, this);
  }

  get headers() { return this.#core.predictions.headers; }
  /** The newest received event; undefined if no event was received. */
  get position() { return this.#cursor; }

  start() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#cursor = this.#core.startOfEvents;
    this.#follow(this.#stop.signal).catch(() => {});
  }

  /** Ends the connection, which can start again. */
  stop() {
    this.close();
    this.#note({ state: "idle" });
  }

  /** Ends the connection of a session that has ended, or whose events another page receives now. */
  close() {
    this.#stop?.abort(new CairnProblem({ code: "closed" }));
    this.#stop = undefined;
    this.#isAway = false;
  }

  /** Whether the last post did not reach the service. */
  get isInTrouble() { return this.#isInTrouble; }

  get isOffline() { return this.#core.transport.machine.network.isOnline === false || this.#isInTrouble || this.#isAway; }

  /** Notes that a post did not reach the service. */
  fail() {
    this.#note({ isInTrouble: true });
    this.#core.predictions.giveUp();
  }

  #change(state, isAway = state !== "live" && this.#isAway) {
    this.#isAway = isAway;
    this.#note({ state });
    if (isAway) this.#core.predictions.giveUp();
  }

  /** Receives events over successive connections, until the signal is aborted or the session ends. */
  async #follow(signal) {
    const { machine } = this.#core.transport;
    for (let failures = 0; !signal.aborted; ) {
      let [isRefused, isAway] = [false, false];
      const isLive = () => {
        heard.wasLive = true;
        if (signal.aborted) return;
        this.#change("live");
        this.#core.contact.check();
      };
      const heard = { any: false, retry: 0, isLive, wasLive: false, isRenewed: false };
      this.#change("connecting");
      try {
        const end = await this.#receive(signal, heard);
        if (end !== undefined) return this.#end(signal, end);
      } catch (problem) {
        const end = lastWord(problem);
        if (end !== undefined) return this.#end(signal, end);
        isRefused = problem.isUnanswered === false;
        // If a live connection breaks off, a proxy may have closed it, so the network counts as available. With `isRenewed`, the client itself ended it,
        // because the network is back.
        isAway = problem.isUnanswered === true && !heard.isRenewed && (!heard.wasLive || problem.code === "timeout");
        if (problem.retryAfter !== undefined) heard.retry = problem.retryAfter * 1000;
      }
      if (signal.aborted) return;
      this.#change("offline", isAway);
      failures = heard.any ? 1 : failures + 1;
      const delay = Math.max(heard.retry, backoff(failures, machine.random));
      await (isRefused ? pause(machine, delay, { signal }) : this.#core.transport.sleep(delay, signal));
    }
  }

  #end(signal, reason) {
    if (signal.aborted) return;
    this.#stop = undefined;
    this.#core.end(reason);
  }

  /** Shows the new number of waiting posts. `isAnswered` says whether a post was answered. */
  posted(waiting, isAnswered) {
    if (isAnswered) this.#isAway = false;
    this.#note({ waiting, ...(isAnswered ? { isInTrouble: false } : {}) });
  }

  /**
   * Updates `waiting` and `connection` in the snapshot. `connection` is `over` after the end of the session, `offline` while posts do not reach the service
   * (even if events arrive), and otherwise the state of the event stream.
   */
  #note({ state = this.#state, waiting = this.#core.picture.now.waiting, isInTrouble = this.#isInTrouble }) {
    const { picture } = this.#core;
    this.#state = state;
    this.#isInTrouble = isInTrouble && waiting > 0;
    const connection = this.#isInTrouble ? "offline" : state;
    picture.set({ waiting, connection: picture.now.over === undefined ? connection : "over" });
  }

  /** Handles events that have arrived together. */
  hear(/** @type {import("../types").Heard[]} */ events) {
    const newest = events.filter(({ type }) => type === "reset" || type === "change").at(-1);
    if (newest) this.#cursor = { id: newest.id, revision: newest.data.revision };
    this.#core.hear(events);
  }
}
