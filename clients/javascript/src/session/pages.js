import { CairnProblem } from "../problem.js";
import { EventFeed } from "./event-feed.js";
import { FollowingSession } from "./roles/following.js";
import { LeadingSession } from "./roles/leading.js";
import { LocalSession } from "./roles/local.js";

/** A session in several pages of a browser: its stored content, and the page's role, which is swapped when the lock moves. */
export class Pages {
  #core;
  #kept;
  /** The content with which the engine begins a session that the service does not have yet. */
  #beginning;
  /** @type {import("../types").Creation | undefined} the request by which the service creates the session; undefined if the service has the session */
  #creation;
  /** The service's capabilities, which the body does not contain. */
  #means;

  /**
   * @param {import("./core.js").SessionCore} core @param {import("../keeping.js").Keeping} keeping @param {import("../types").Whole} whole
   * @param {import("../types").SessionOptions} options
   */
  constructor(core, keeping, whole, { kept, beginning }) {
    this.#core = core;
    this.keeping = keeping;
    this.#kept = kept;
    this.#beginning = beginning;
    this.#creation = kept?.creation;
    this.#means = { streams: whole.streams, engine: whole.engine };
    /** The feed of events among the pages. */
    this.events = new EventFeed({ picture: core.picture, put: (event) => core.put(event), ask: () => keeping.listen() });
  }

  get creation() { return this.#creation; }
  /** Whether actions wait for the service. */
  get hasWaiting() { return this.#core.outbox.size > 0; }

  /**
   * Begins to keep the session, and to share it with the browser's other pages. Until this page leads, or receives the leading page's snapshot, it shows the
   * last view of an earlier page, because the browser may release the lock of a reloaded page late.
   */
  attach() {
    const { identity, picture } = this.#core;
    const kept = this.#kept;
    if (kept?.pending !== undefined) picture.set({ waiting: kept.pending.length });
    if (kept?.shown !== undefined) picture.show(kept.shown);
    return this.keeping.attach(identity.id, identity.secret, this);
  }

  collect() {
    const { identity, picture, outbox: { numbering, waiting: posts }, predictions, sealer } = this.#core;
    const { stack, visible, connection, waiting, over, predicts, ...body } = picture.confirmed;
    return {
      whole: { body: { ...body, id: identity.id }, id: picture.newest.id, ...this.#means, ...(sealer.keepable ? { sealing: sealer.keepable } : {}) },
      ...(picture.isPredicted ? { shown: picture.predicted } : {}),
      client: numbering.client, next: numbering.next, posts, ...predictions.keepable, creation: this.#creation,
    };
  }

  // MARK: The lock

  /** Makes this page the leading page, with the content that an earlier leader left. */
  async lead(/** @type {import("../types").Kept} */ kept, /** @type {import("../types").KeptGroup[]} */ groups) {
    const { picture, outbox, posting, predictions, sealer } = this.#core;
    this.#core.groups.adopt(groups);
    const body = kept?.whole?.body;
    sealer.note(kept?.whole);
    if (kept?.creation) this.#creation = kept.creation;
    const role = this.#creation === undefined ? new LeadingSession(this.#core, this) : new LocalSession(this.#core, this);
    this.#core.role = role;
    // One change for subscribers, who must not see some of the waiting actions without the others.
    await picture.batch(() => {
      if (body?.revision >= picture.now.revision) picture.adopt(kept.whole);
      const shown = kept?.shown ?? picture.shared.view;
      if (shown) predictions.showEarlier(shown);
      outbox.numbering.resume(kept ?? {});
      const left = (kept?.pending ?? []).filter(({ uid }) => !this.keeping.isDropped(uid));
      const posts = left.map((post) => posting.restored({ ...post, client: kept.client }));
      predictions.begin(this.#means.engine, kept?.replica ?? kept?.beginning ?? this.#beginning);
      picture.set({ waiting: posts.length });
      return outbox.restore(posts);
    });
    this.#core.role.listen();
    if (!role.signal.aborted) role.continue(body !== undefined);
  }

  /** Makes this page follow the page that has taken the lock while this page was frozen. */
  lose() {
    const { role, connection } = this.#core;
    const following = new FollowingSession(this.#core, this);
    this.#core.role = following;
    if (role instanceof LeadingSession) role.leave();
    following.listen(connection.position);
  }

  onPeers() {
    this.#core.role.listen();
  }

  onOver(reason) {
    this.#core.end(reason);
  }

  // MARK: Showing

  /** The content that the other pages show: the session as this page shows it. */
  snapshot() {
    const { identity, picture, predictions, groups: { kept: groups } } = this.#core;
    // A page that followed a local session has no secret yet.
    const secret = this.keeping.isRenamed ? identity.secret : undefined;
    const { isSecretForgotten } = this.keeping;
    const keys = predictions.keys.shared(picture.now.tree);
    return { picture: picture.shared, keys, id: identity.id, secret, creation: this.#creation, isSecretForgotten, groups };
  }

  /** Shows the content of the leading page. */
  show(/** @type {import("../types").SharedSession} */ { picture: shared, keys, id, secret, creation, isSecretForgotten, groups }) {
    if (isSecretForgotten) this.keeping.forgetSecret();
    const { identity, picture, predictions } = this.#core;
    this.#creation = creation;
    if (id !== identity.id) {
      identity.change(id, secret);
      this.keeping.follow(id, secret);
    }
    predictions.keys.adopt(keys);
    this.#core.groups.adopt(groups);
    picture.mirror(shared);
  }

  share(/** @type {import("../types").FeedEvent[]} */ events) {
    for (const { event, id } of events) this.events.add(event, id);
    this.keeping.share(events);
  }

  rejected(rejected) {
    this.#core.reject(rejected);
  }

  // MARK: The posts of other pages

  /**
   * Performs a post of another page, unless it is already among the waiting posts. Resolves to its answer. An earlier leader may have sent it under the number
   * in `sent`.
   */
  own(uid, /** @type {import("../types").SharedPost} */ { path, body, sent, isEnd, retried, discarded, ...options }) {
    const { role, posting, sealer } = this.#core;
    if (isEnd) return this.#core.finish();
    if (retried !== undefined) return role.retry(retried);
    if (discarded !== undefined) return role.discard(discarded);
    const sealing = sealer.pending(uid);
    if (sealing !== undefined) return sealing.then(() => this.own(uid, { path, body, sent, isEnd, ...options }));
    const waiting = this.#waiting(uid);
    if (waiting !== undefined) return waiting.promise;
    if (sent !== undefined) return posting.repeat(path, body, { isBound: options.isBound, sent, uid });
    // The page in which the user acted has bound the action to the node that the user saw.
    return role.post(path, body, { ...options, from: null, uid });
  }

  /** Cancels a post, because the page that posted it has cancelled it. */
  drop(uid) {
    this.#core.outbox.refuseUnsent((post) => post.uid === uid, new CairnProblem({ code: "aborted", detail: "the page that posted the action aborted it" }));
  }

  /**
   * Returns the members by which a later leader repeats a post under its key; undefined for a post with a number, because such a post is stored with its
   * number.
   */
  sentAs(uid) {
    const post = this.#waiting(uid);
    return post?.isKeyed ? { key: post.key, definition: post.definition, queue: true } : undefined;
  }

  #waiting(uid) {
    return this.#core.outbox.waiting.find((post) => post.uid === uid);
  }

  // MARK: Creation

  /** Resolves to the next request for the creation. It names no definition, so the service creates the session with its current definition. */
  async createAnew({ body: { definition, ...body } }) {
    this.#creation = { ...this.#creation, body, key: this.#core.transport.machine.newKey() };
    await this.keeping.save();
    return this.#creation;
  }

  /** Notes that the service has created the session. Subscribers are notified once. */
  created(/** @type {import("../types").Whole} */ whole) {
    const { identity, picture, outbox, predictions, connection, sealer } = this.#core;
    const { body } = whole;
    const before = identity.path;
    sealer.note(whole);
    const isMoved = body.definition !== picture.now.definition;
    this.#creation = undefined;
    this.#core.role = new LeadingSession(this.#core, this);
    identity.change(body.id, body.secret);
    outbox.move(before, identity.path, isMoved ? body.definition : undefined);
    this.#means = { streams: whole.streams, engine: whole.engine ?? this.#means.engine };
    connection.begin(whole, identity.path);
    // Renamed first, because otherwise the next save would store the session under the local name again.
    this.keeping.rename(body.id, body.secret);
    picture.batch(() => {
      picture.adopt(whole);
      predictions.created(body.replica);
      predictions.show();
    });
    outbox.send();
    this.#core.role.listen();
  }

  // MARK: The service's answers

  /** Notes the engine of the service, which may differ from the kept engine. */
  meet(/** @type {import("../types").Whole} */ { engine, streams }) {
    const isOther = engine !== undefined && engine !== this.#means.engine;
    if (isOther) this.#means = { engine, streams };
    this.#core.predictions.meet(engine, isOther);
  }

  ended(/** @type {import("../types").Ended[]} */ posts) {
    this.keeping.settle(posts);
    const isLogout = posts.some(({ item, problem }) => item.body?.type === "logout" && problem === undefined);
    if (isLogout) {
      this.#core.predictions.rebase();
      this.keeping.forget();
    }
    if (posts.some(({ problem }) => problem?.status === 401)) this.keeping.forget({ isLast: true });
  }

  /** Stores the changed snapshot, and shows it in other pages. */
  changed() {
    const { picture, predictions } = this.#core;
    if (this.keeping.changed(picture.confirmed.facts)) predictions.rebase();
  }
}
