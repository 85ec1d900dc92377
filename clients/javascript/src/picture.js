import { coversOf, leavesOf, routesOf } from "./routes.js";
import { play } from "./play.js";
import { share } from "./share.js";

/** The members of a session that no change contains. The response to a post contains them if it is requested with `Prefer: include="…"`. */
export const details = ["accepts", "definition", "expiresAt", "facts", "login", "now", "pending", "updatedAt"];

/** The state of a session as one object, replaced at each change; unchanged parts stay the same objects. */
export class Picture {
  /** @type {import("./types").Shown} the newest snapshot, which is never changed in place */
  now;
  /** The revision to which facts, `accepts` and `pending` belong. */
  #detailed = 0;
  /** The highest revision that is known to exist and that this picture may lack. */
  #missing = 0;
  /** Whether the service sent a lower revision, or the same revision with another id. It may then have been restored from a backup. */
  #isDoubted = false;
  /** @type {import("./types").Position} the newest event whose id is known, and its revision */
  #newest;
  /** @type {import("./types").Node} the tree that the service confirmed: also `now.tree`, unless something is predicted */
  #tree;
  /** @type {import("./types").View | undefined} the session that is shown instead of the confirmed one; undefined if nothing is predicted */
  #predicted;
  /** The confirmed members that do not depend on the tree. */
  #members;
  /** The snapshot before the batch in progress. */
  #before;
  #batches = 0;
  #hasChanged = false;

  /** @param {import("./types").Whole} whole @param {() => void} onChange called after each change */
  constructor({ body, id }, onChange) {
    this.#tree = body.tree;
    this.#members = { ...this.#whole(body), connection: "idle", predicts: false, waiting: 0, over: undefined };
    this.now = { ...this.#members, ...shown(body.tree) };
    this.#newest = { id, revision: body.revision };
    this.onChange = onChange;
  }

  /** Whether the session has to be read again, because the tree lacks a change or the service may have been restored from a backup. */
  get hasGap() { return this.#isDoubted || this.now.revision < this.#missing; }
  /** The newest known event, as `{ id, revision }`. Every event that this picture lacks follows it. Events that the picture contains may follow it too. */
  get newest() { return this.#newest; }
  /** The id of the event that made the present tree; undefined if the response to a post made the tree, because such a response has no id. */
  get ownEventId() { return this.#newest.revision === this.now.revision ? this.#newest.id : undefined; }
  /** Whether the session has changed since the details were read. */
  get isBehind() { return this.#detailed < this.now.revision; }

  /**
   * Replaces the state by a whole session. Ignores a session that is older than the present state. But if the session is also older than `since`, the revision
   * at the time of the request, the service has lost changes, so the session is adopted.
   */
  adopt(/** @type {import("./types").Whole} */ { body, id }, /** @type {{ since?: number }} */ { since } = {}) {
    if (body.revision < this.now.revision) {
      if (since === undefined) this.#isDoubted = true;
      if (since === undefined || body.revision >= since) return;
      this.#missing = 0;
    }
    if (this.#isDoubted) this.#predicted = undefined;
    this.#isDoubted = false;
    this.#newest = { id, revision: body.revision };
    this.set(this.#whole(body));
  }

  /** Returns the members of a whole session that a snapshot has. If an earlier page stored the session, its details may belong to an older revision. */
  #whole(body) {
    const { id, secret, opened, stack, visible, predictions, replica, detailed = body.accepts !== undefined, ...known } = body;
    if (detailed) this.#detailed = body.revision;
    return { ...known, detailed };
  }

  /**
   * Applies the changes of an answer or an event, some of which may be known. Also takes over the details if the answer contains them. If a change is missing
   * or does not fit, `hasGap` becomes true.
   */
  absorb(answer, id) {
    let [tree, { revision }] = [this.#tree, this.now];
    // The same revision has another id: the service was restored from a backup, and another change made the revision.
    if (id !== undefined && answer.revision === this.#newest.revision && id !== this.#newest.id) this.#isDoubted = true;
    for (const one of answer.answers ?? [answer]) {
      if (one.revision === undefined || one.revision <= revision) continue;
      // An action without effect makes no revision, so another client made this revision.
      const isNext = one.revision === revision + 1 && (id !== undefined || one.outcome !== "unchanged");
      const played = isNext ? attempt(() => play(tree, one.changes)) : undefined;
      if (played === undefined) {
        this.#missing = Math.max(this.#missing, answer.revision);
        return;
      }
      [tree, revision] = [played, one.revision];
    }
    if (id !== undefined && answer.revision === revision) this.#newest = { id, revision };
    const newer = this.#newer(answer);
    this.set({ tree, revision, ...newer, detailed: this.#detailed === revision });
  }

  /** Returns the details of an answer. The result has no members if the answer has no details, or if the picture has newer details. */
  #newer(answer) {
    if (answer.accepts === undefined || answer.revision < this.#detailed) return {};
    this.#detailed = answer.revision;
    return Object.fromEntries(details.filter((name) => name in answer).map((name) => [name, answer[name]]));
  }

  /** Notes the revision in a refusal, which this picture may lack. */
  expect(revision) {
    this.#missing = Math.max(this.#missing, revision);
  }

  /** Shows the tree with these changes, if they fit, until the next revision or call. Without `changes` it shows the confirmed tree. */
  predict(changes) {
    const tree = changes && attempt(() => play(this.#tree, changes));
    this.show(tree && { tree });
  }

  /** Shows a view, which has a `tree` and may have `facts` and `accepts`, until the next revision, or until the next call. */
  show(view) {
    this.#predicted = view;
    this.set({});
  }

  /** The session in a form that can be sent to another page: `confirmed`, and `view` if something else is shown. */
  get shared() {
    const { stack, visible, ...confirmed } = this.confirmed;
    return { confirmed, view: this.predicted, newest: this.#newest };
  }

  /** Shows the state of the leading page, in the form of its `shared`. */
  mirror(/** @type {import("./types").SharedSession["picture"]} */ { confirmed, view, newest }) {
    this.batch(() => {
      this.#newest = newest;
      this.set(confirmed);
      this.show(view);
    });
  }

  /** The view that is shown instead of the confirmed session, in the same form; undefined if nothing is predicted. */
  get predicted() {
    if (this.#predicted === undefined) return undefined;
    const { tree, facts, accepts } = this.#predicted;
    return { tree, facts, accepts };
  }

  /** Whether `now` shows the tree after an unanswered post. */
  get isPredicted() { return this.#predicted !== undefined; }

  /** The newest snapshot without predictions. */
  get confirmed() { return this.#predicted ? { ...this.#members, tree: this.#tree, ...shown(this.#tree) } : this.now; }

  /** Runs several changes as one. Returns the result of `run`. */
  batch(run) {
    if (this.#batches === 0) this.#before = this.now;
    this.#batches += 1;
    try {
      return run();
    } finally {
      this.#batches -= 1;
      if (this.#batches === 0 && this.#hasChanged) this.#finishBatch();
    }
  }

  /** Restores the earlier object of each part that equals the part before the batch. Calls `onChange` if a part has changed. */
  #finishBatch() {
    this.#hasChanged = false;
    this.now = Object.freeze(share(this.#before, this.now));
    if (this.now !== this.#before) this.onChange();
  }

  set(members) {
    const { tree: confirmed, ...others } = members;
    if (confirmed !== undefined) {
      if (members.revision !== this.#members.revision) this.#predicted = undefined;
      this.#tree = share(this.now.tree, confirmed);
    }
    this.#members = { ...this.#members, ...others, tree: this.#tree };
    const { tree, facts = this.#members.facts, accepts = this.#members.accepts } = this.#predicted ?? this.#members;
    const { stack, visible } = this.now;
    const detailed = this.#predicted ? this.#predicted.accepts !== undefined : this.#members.detailed;
    const next = share(this.now, { ...this.#members, facts, accepts, detailed, tree, ...(tree === this.now.tree ? { stack, visible } : shown(tree)) });
    if (next === this.now) return;
    this.now = Object.freeze(next);
    if (this.#batches > 0) this.#hasChanged = true;
    else this.onChange();
  }
}

function shown(tree) {
  const stack = routesOf(tree);
  const front = leavesOf(coversOf(tree).at(-1)).at(-1);
  return { stack, visible: stack.find((route) => route.id === front?.id) };
}

function attempt(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}
