import { Outbox, storeIn } from "../outbox.js";
import { Picture } from "../picture.js";
import { CairnProblem, lastWord, sessionOver, warn } from "../problem.js";
import { Sealer } from "../sealing.js";
import { limits } from "../storage/kept.js";
import { readWhole } from "../transport.js";
import { Audience } from "./audience.js";
import { Binding } from "./binding.js";
import { CatchUp } from "./catch-up.js";
import { Connection } from "./connection.js";
import { Contact } from "./contact.js";
import { EnginePredictions } from "./engine-predictions.js";
import { Groups } from "./groups.js";
import { Identity } from "./identity.js";
import { Pages } from "./pages.js";
import { Posting } from "./posting.js";
import { EndedSession } from "./roles/ended.js";
import { FollowingSession } from "./roles/following.js";
import { LeadingSession } from "./roles/leading.js";
import { ServicePredictions } from "./service-predictions.js";

/** Maximum number of waiting posts: `predicted` with an engine or `keep`, otherwise `plain`. */
const mostWaiting = { predicted: limits.actions, plain: 100 };

/**
 * Connects the parts of a session: responses and events change the picture, and the picture's changes reach listeners and pages. The role contains the behavior
 * that depends on whether this page leads.
 */
export class SessionCore {
  /** @type {import("./roles/role.js").Role} the role of this page, which is swapped when the lock moves */
  role;
  #pages;
  /** @type {Promise<void> | undefined} settles when the end of the session is stored; undefined before it has ended */
  #ending;

  /**
   * @param {import("../types").Whole} whole the session in the form that `readWhole` returns
   * @param {import("../transport.js").Transport} transport @param {import("../types").SessionOptions} options
   */
  constructor(whole, transport, options) {
    const { keeping, predict, storage, onRefused, details: hasDetails = true, onNotice = warn } = options;
    this.onNotice = onNotice;
    this.transport = transport;
    this.creator = options.creator;
    this.picture = new Picture(whole, () => this.#tell());
    this.identity = new Identity(whole.body.id, transport);
    this.audience = new Audience(() => this.role.listen());
    if (options.onRejected) this.audience.onRejected(options.onRejected);
    if (options.onExit) this.audience.onExit(options.onExit);
    this.served = new ServicePredictions(this.picture, predict === true);
    this.served.note(whole.body);
    this.outbox = new Outbox(this, {
      bound: options.outbox ?? (keeping || (predict !== false && whole.engine !== undefined) ? mostWaiting.predicted : mostWaiting.plain),
      store: keeping ?? (storage && storeIn(storage, `cairn-outbox:${whole.body.id}`)), before: keeping && (() => keeping.isStillLeading()), onRefused,
    });
    this.connection = new Connection(this, options.follow);
    this.connection.begin(whole, this.identity.path);
    this.predictions = new EnginePredictions(this, predict !== false, keeping);
    this.groups = new Groups(this, keeping);
    this.binding = new Binding(this);
    this.contact = new Contact(this);
    this.catchUp = new CatchUp(this, hasDetails);
    this.posting = new Posting(this, hasDetails);
    this.sealer = new Sealer(this, whole);
    this.#pages = keeping && new Pages(this, keeping, whole, options);
    this.role = this.#pages ? new FollowingSession(this, this.#pages) : new LeadingSession(this);
    if (!keeping) this.predictions.begin(whole.engine);
  }

  /** Begins to keep the session, or sends the posts that an earlier page left in the storage. */
  attach() {
    return this.#pages ? this.#pages.attach() : this.outbox.restoreStored();
  }

  get isOver() { return this.role instanceof EndedSession; }

  // MARK: Requests

  /** Returns the body and the options of a post. An action is bound to the nodes that the user saw. */
  bound(path, given, /** @type {import("../types").PostOptions} */ { from, ...options }) {
    const bound = path === "/actions" ? this.binding.bind(given, from) : { body: given };
    // A post with a `uid` belongs to another page, or is a post of this page whose own call handles the answer.
    const onExit = options.uid === undefined ? () => this.audience.exit() : () => {};
    // With `from: null`, the action is for the node that is visible when it arrives, so the service judges it by the session at that time.
    const seen = from === null ? undefined : this.predictions.seen;
    return { seen, ...options, ...bound, onExit };
  }

  async refresh(/** @type {{ signal?: AbortSignal }} */ { signal } = {}) {
    const since = this.picture.now.revision;
    // The replica is read in a separate request, with the number of this client's newest action.
    const headers = this.predictions.isThere ? {} : this.predictions.headers;
    const whole = await this.transport.call({ path: this.identity.path, headers }, { signal, read: readWhole });
    this.served.note(whole.body);
    this.sealer.note(whole);
    this.#adopt(whole, { since });
    this.role.led?.meet(whole);
  }

  /**
   * Has the service end the session. If the service does not have the session, or no longer accepts the secret, the session ends here, and the problem is
   * thrown.
   */
  async delete(/** @type {import("../types").EndOptions} */ { ifMatch, signal }) {
    let isRepeated = false;
    const onTrouble = (problem) => { isRepeated ||= problem.isUnanswered; };
    try {
      await this.transport.call({ method: "DELETE", path: this.identity.path, headers: this.posting.condition(ifMatch) }, { signal, onTrouble });
    } catch (problem) {
      const reason = lastWord(problem);
      // 403 forbids the request, not the session.
      if (reason === undefined || problem.status === 403) throw problem;
      // An earlier attempt, whose response was lost, has ended the session.
      if (isRepeated) return;
      await this.end(reason);
      throw problem;
    }
  }

  /** Ends the session in the service, or discards a session that the service does not have yet. */
  async finish(/** @type {import("../types").EndOptions} */ options = {}) {
    await this.role.end(options);
    await this.end("deleted");
  }

  // MARK: The outbox

  /** Shows the number of waiting posts, and the effect of the posts that have ended, as one change. */
  posted(/** @type {import("../types").Reply} */ answer, /** @type {import("../types").Ended[]} */ ended = []) {
    if (answer) this.served.note(answer);
    // The groups are stored before a refusal deletes the session's content.
    this.groups.add(ended);
    this.role.led?.ended(ended);
    this.picture.batch(() => {
      if (answer) this.picture.absorb(answer);
      for (const { answer: own } of ended) if (own?.problem?.revision !== undefined) this.picture.expect(own.problem.revision);
      this.predictions.answered(ended);
      this.connection.posted(this.outbox.size, answer !== undefined);
    });
    for (const { item, problem } of ended) if (problem instanceof CairnProblem && problem.code !== "aborted") this.report(item, problem);
    if (ended.length > 0) this.predictions.loadAgain();
    this.contact.posted(ended);
    this.catchUp.run({ isPatient: true });
  }

  /** Reports a refused post to the listeners in all pages. With `isReported`, `onRefused` receives it instead of this page's listeners. */
  report(post, problem) {
    this.role.led?.keeping.reject(post, problem);
    if (!post.isReported) this.reject({ action: post.body, problem, group: post.group });
  }

  /** Reports a refused action to the listeners in this page. */
  reject({ action, problem, group }) {
    this.audience.reject({ action, code: problem.code, problem, ...(group === undefined ? {} : { group }) });
  }

  // MARK: The events

  /** The position from which the connection reads the events of the session when it starts. */
  get startOfEvents() { return this.#pages?.events.begin() ?? this.picture.newest; }

  /** Handles events that have arrived together. Successive changes are shown as one. */
  hear(/** @type {import("../types").Heard[]} */ events) {
    const changes = [];
    for (const event of events) {
      if (event.type === "change") {
        changes.push(event);
        continue;
      }
      this.#absorb(changes.splice(0));
      if (event.type === "migrated") this.predictions.moved(event.data.definition);
      if (event.type === "reset") this.#reset(event);
    }
    this.#absorb(changes);
  }

  #reset({ data, id }) {
    this.served.note(data);
    this.#adopt({ body: data, id });
    this.#pass([{ event: { type: "reset", revision: data.revision, session: data }, id }]);
  }

  /** Handles changes, which actions of this client may have caused. */
  #absorb(/** @type {import("../types").Heard[]} */ changes) {
    if (changes.length === 0) return;
    this.picture.batch(() => {
      for (const { data, id } of changes) {
        this.served.note(data);
        this.picture.absorb(data, id);
        this.predictions.heard(data);
      }
      this.predictions.show();
    });
    this.#pass(changes.map(({ type, data, id }) => ({ event: { type, ...data }, id })));
  }

  /** Passes events to the readers in all pages. */
  #pass(events) {
    this.catchUp.run({ isPatient: true });
    for (const { event } of events) this.contact.heard(event);
    for (const { event } of events) this.put(event);
    this.role.led?.share(events);
  }

  put(event) {
    this.audience.put(event, this.picture.confirmed);
  }

  /** Replaces the snapshot by a whole session. */
  #adopt(whole, since = undefined) {
    this.picture.batch(() => {
      this.picture.adopt(whole, since);
      this.predictions.expect(this.picture.now.revision, whole.body.replica);
      this.predictions.show();
    });
  }

  #tell() {
    this.audience.recover(this.picture.confirmed);
    this.role.led?.changed();
    this.audience.notify();
  }

  // MARK: The end

  /** Ends the session in this page. Resolves when the stored content has been deleted, or stored for the next page. */
  end(reason) {
    if (this.isOver) return this.#ending;
    const isOver = reason !== "closed";
    const problem = isOver ? sessionOver(reason) : new CairnProblem({ code: "closed", detail: "this page has closed the session" });
    const role = this.role;
    if (isOver && role instanceof LeadingSession) this.groups.leave(problem);
    this.role = new EndedSession(this, problem, role.isLocal);
    this.#ending = this.#finish(reason, { isOver, problem, role });
    return this.#ending;
  }

  async #finish(reason, { isOver, problem, role }) {
    const show = () => {
      this.picture.set({ over: reason, connection: "over" });
      this.audience.finish();
    };
    this.connection.close();
    // The pages store the engine's content, so they end before the engine is closed.
    const stored = this.#pages?.keeping.end({ problem, over: isOver ? reason : undefined, isOverForAll: reason === "deleted" });
    if (role instanceof LeadingSession) role.stop(problem);
    const isShownLater = isOver && stored !== undefined;
    if (!isShownLater) show();
    this.predictions.close();
    this.outbox.close(problem);
    try {
      await stored;
    } finally {
      // A page that is loaded after the end is shown must not find the session in the storage.
      if (isShownLater) show();
    }
  }
}
