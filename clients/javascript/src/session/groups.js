import { CairnProblem, sessionOver } from "../problem.js";
import { mapped } from "../replica.js";
import { format, limits } from "../storage/kept.js";

/** @typedef {import("../types").KeptGroup} KeptGroup @typedef {import("../types").Ended} Ended */

/**
 * The codes with which an action is refused because its place in the tree is missing or covered. If an earlier action of the queue was refused too, that action
 * may be the one that would have created or uncovered the place.
 */
const ofPlace = new Set([
  "hidden", "dismissed", "flow-gone", "screen-not-found", "no-stack", "no-tabs", "no-switch", "already-presenting", "question-gone",
]);

/**
 * The refused actions of a session, in groups: each with the later waiting actions that needed it. The leading page stores each group until the app has retried
 * or discarded it; without `keep`, groups are in memory.
 */
export class Groups {
  /** @type {KeptGroup[]} the oldest first */
  #groups = [];
  #hasWarned = false;
  #core;
  #keeping;

  /** @param {import("./core.js").SessionCore} core @param {import("../keeping.js").Keeping} [keeping] */
  constructor(core, keeping) {
    this.#core = core;
    this.#keeping = keeping;
  }

  /** The groups that an app can retry or discard, as they are stored. An action that may not be stored is missing in its group. */
  get kept() { return this.#groups.filter(hasContent); }

  /** Adopts the groups that an earlier page has stored, or that the leading page shows. */
  adopt(/** @type {KeptGroup[]} */ groups) {
    this.#groups = groups;
  }

  // MARK: Refusals

  /**
   * Adds each refused post to a group, an existing or a new one. `ended` are posts that ended together, in order. A post that was not refused gets no group.
   */
  add(/** @type {Ended[]} */ ended) {
    /** @type {{ item: import("../post.js").Post, problem: CairnProblem, group: KeptGroup } | undefined} */
    let last;
    const changed = new Set();
    for (const { item, problem } of ended) {
      if (!isRefusal(problem)) {
        item.group = undefined;
        continue;
      }
      const group = this.#groupOf(item, problem, last) ?? this.#begin(item, problem);
      this.#join(group, item, problem);
      changed.add(group);
      last = { item, problem, group };
    }
    const { waiting } = this.#core.outbox;
    // Later actions in the queue may need the last refused action.
    if (last) for (const post of waiting) if (post.place > last.item.place) post.group = last.group.id;
    if (waiting.length === 0) this.#groups = this.kept;
    this.#keep([...changed].filter(hasContent));
  }

  /**
   * Returns the group of a refused action; undefined if the action begins a group. `last` is the previous refused action in the same response. A request that
   * is refused as a whole has one problem, and so one group.
   */
  #groupOf(/** @type {import("../post.js").Post} */ item, /** @type {CairnProblem} */ problem, last) {
    const named = [item.body?.from, item.body?.node].map((node) => node?.action).filter((number) => number !== undefined);
    const isNamed = (/** @type {KeptGroup} */ { client, actions }) => client === item.client && actions.some(({ number }) => named.includes(number));
    const group = this.#groups.find(isNamed);
    if (group !== undefined) return group;
    if (last?.problem === problem) return last.group;
    return ofPlace.has(problem.code) ? last?.group ?? this.#groups.find(({ id }) => id === item.group) : undefined;
  }

  #begin(/** @type {import("../post.js").Post} */ item, /** @type {CairnProblem} */ { code, detail }) {
    const { identity, picture, transport: { machine } } = this.#core;
    const { app, label } = picture.now;
    const group = {
      format, session: identity.id, app, ...(label === undefined ? {} : { label }), id: machine.newKey(), at: machine.now(), code,
      // The detail may quote a value of the action.
      ...(detail === undefined || !this.#mayKeep(item) ? {} : { detail }), actions: [],
    };
    this.#groups.push(group);
    return group;
  }

  #join(/** @type {KeptGroup} */ group, item, problem) {
    const { client, number, body, at, definition } = item;
    if (number !== undefined) group.client ??= client;
    const content = this.#mayKeep(item) ? { action: body, ...(definition === undefined ? {} : { definition }) } : {};
    // When a session ends, its last requests may have no response yet.
    const mayHaveRun = problem.status === 0 && item.isSent;
    group.actions.push({ ...(number === undefined ? {} : { number }), at, ...content, ...(mayHaveRun ? { mayHaveRun } : {}) });
    item.group = content.action === undefined ? undefined : group.id;
  }

  /** Returns whether a group may contain a post: it is a single action without a condition, and without a secret. */
  #mayKeep({ path, body, headers, definition, number }) {
    if (!path.endsWith("/actions") || Array.isArray(body) || headers["If-Match"] !== undefined) return false;
    if (this.#keeping === undefined) return !this.#core.predictions.hasSecret(body);
    // Only an action that may be stored has a number.
    return number !== undefined || this.#keeping.mayStore(body, definition);
  }

  /** Adds the waiting actions to groups, because the session has ended, and reports each of them as refused. */
  leave(problem) {
    const ended = this.#core.outbox.waiting.map((item) => ({ item, problem }));
    this.add(ended);
    for (const { item } of ended) this.#core.report(item, problem);
  }

  // MARK: The app

  /** Posts the actions of a group again, under new numbers and in order. When all have ended, resolves to their answers, or rejects with the first refusal. */
  async retry(id) {
    const group = this.kept.find((one) => one.id === id);
    const obstacle = this.#obstacle(id, group);
    if (obstacle) throw obstacle;
    const { audience, catchUp, outbox, picture, posting, predictions: { seen } } = this.#core;
    const numbers = new Map();
    const post = (/** @type {KeptGroup["actions"][0]} */ { number, action, definition }) => {
      const body = mapped(action, (node) => (numbers.has(node.action) ? { ...node, action: numbers.get(node.action) } : node));
      const answer = posting.post("/actions", body, { queue: true, isRetried: true, definition, seen, onExit: () => audience.exit() });
      if (number !== undefined) numbers.set(number, outbox.waiting.at(-1).number ?? number);
      return answer;
    };
    const answers = picture.batch(() => withContent(group).map(post));
    // One transaction stores the actions and deletes their group.
    this.#remove(group);
    await Promise.allSettled(answers);
    await catchUp.run();
    return Promise.all(answers);
  }

  /** Returns the problem that prevents the actions of a group from being posted again; undefined if they can be posted. */
  #obstacle(id, /** @type {KeptGroup | undefined} */ group) {
    if (group === undefined) return new CairnProblem({ code: "group-gone", detail: `no group has the id ${JSON.stringify(id)}: it was retried or discarded` });
    if (this.#keeping?.isForgotten) return sessionOver("credential");
    const numbers = new Set(group.actions.map(({ number }) => number));
    const named = withContent(group).flatMap(({ action: { from, node } }) => [from, node]);
    const isOther = (node) => node?.action !== undefined && !numbers.has(node.action);
    const isForeign = group.client !== this.#core.outbox.numbering.client && named.some(isOther);
    if (isForeign) return new CairnProblem({ code: "dismissed", detail: "an action of the group names a node by the number of another client's action" });
    return this.#core.outbox.overflow(withContent(group).length);
  }

  /** Deletes a group. Does nothing if there is no group with this id. */
  async discard(id) {
    const group = this.#groups.find((one) => one.id === id);
    if (group !== undefined) await this.#remove(group);
  }

  // MARK: Storage

  #keep(/** @type {KeptGroup[]} */ groups) {
    if (groups.length === 0) return;
    for (const group of groups) this.#keeping?.saveGroup(group.id, group);
    this.#keeping?.show();
    const surplus = this.kept.slice(0, -limits.groups);
    if (surplus.length > 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#core.onNotice(`there are more than ${limits.groups} groups of refused actions: the oldest are discarded`, undefined);
    }
    for (const group of surplus) this.#remove(group);
  }

  #remove(/** @type {KeptGroup} */ group) {
    this.#groups = this.#groups.filter((one) => one !== group);
    const saved = this.#keeping?.saveGroup(group.id, undefined);
    this.#keeping?.show();
    return saved;
  }
}

/** Returns a group as the app receives it. */
export function publicGroup(/** @type {KeptGroup} */ group) {
  const { id, at, code, detail } = group;
  const actions = withContent(group).map(({ action, at: time, mayHaveRun }) => ({ action, at: textOf(time), ...(mayHaveRun ? { mayHaveRun } : {}) }));
  return { id, at: textOf(at), code, ...(detail === undefined ? {} : { detail }), actions };
}

function withContent(/** @type {KeptGroup} */ { actions }) {
  return actions.filter(({ action }) => action !== undefined);
}

function hasContent(/** @type {KeptGroup} */ group) {
  return withContent(group).length > 0;
}

function textOf(time) {
  return new Date(time).toISOString();
}

/**
 * Returns whether a problem is a refusal: by the service, of an action whose screen was only predicted, or by the end of the session.
 * @returns {problem is CairnProblem}
 */
function isRefusal(problem) {
  if (!(problem instanceof CairnProblem) || problem.isPassing) return false;
  return problem.status > 0 || problem.code === "over" || problem.code === "dismissed";
}
