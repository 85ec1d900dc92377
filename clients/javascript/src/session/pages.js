import { create, readUntilAnswered } from "../creation.js";
import { lastWord } from "../follow.js";
import { CairnProblem, sessionOver } from "../problem.js";
import { EventFeed } from "./event-feed.js";

/** A session in several pages of a browser: its stored content, the page that leads, and its creation if it began without a network. */
export class Pages {
  #given;
  #keeping;
  /** The request by which the service creates the session: `{ key, body, time }`; undefined if the service has the session. */
  #creation;
  /** The service's capabilities, which the body does not contain: `{ streams, engine }`. */
  #means;
  #feed;
  /** Aborted when this page no longer leads. */
  #term = new AbortController();

  /**
   * @param {{ keeping, whole, transport, creator, kept?, beginning?, identity, picture, outbox, engine, put, reject, post, refresh, finish, headers, begin,
   * leave, tend, end, onNotice }} given `creator`: the transport of the session's creation. `kept`: the content that an earlier page kept. `beginning`: the engine's beginning of a session that the service
   * does not have yet. `engine`: the predictions. `put(event)`: delivers an event to this page's readers, and `reject({ action, problem })` a refused action to
   * its listeners. `headers()`: returns the headers of a post. `finish()`: ends the session for good. `begin(whole)`: begins to receive events from the service
   * that sent this session. `leave()`: stops that. `tend()`: called when this page may have to follow the events
   */
  constructor(given) {
    this.#given = given;
    this.#keeping = given.keeping;
    this.#creation = given.kept?.creation;
    this.#means = { streams: given.whole.streams, engine: given.whole.engine };
    this.#feed = new EventFeed({ picture: given.picture, put: given.put, ask: () => this.#keeping.listen() });
  }

  /** Whether the service does not have the session yet, because it began without a network. */
  get isLocal() {
    return this.#creation !== undefined;
  }

  /** Whether another page leads. */
  get isFollowing() {
    return this.#keeping.isFollowing;
  }

  /** Whether posts of this page wait for the leading one. */
  get isWaiting() {
    return this.#keeping.waiting > 0;
  }

  /** Whether the session is open in other pages. */
  get hasPeers() {
    return this.#keeping.hasPeers;
  }

  /**
   * Begins to keep the session, and to share it with the browser's other pages. Until this page leads, or receives the leading page's snapshot, it shows the
   * last view of an earlier page, because the browser may release the lock of a reloaded page late.
   */
  attach() {
    const { identity, picture, kept, reject: rejected, tend, end } = this.#given;
    if (kept?.pending !== undefined) picture.set({ waiting: kept.pending.length });
    if (kept?.shown !== undefined) picture.show(kept.shown);
    return this.#keeping.attach(identity.id, identity.secret, {
      collect: () => this.#collect(), lead: (kept) => this.#lead(kept), lose: () => this.#lose(), show: (shared) => this.#mirror(shared),
      own: (uid, post) => this.#postOnce(uid, post), drop: (uid) => this.#drop(uid), sentAs: (uid) => this.#sentAs(uid), rejected, snapshot: () => this.#shared, onPeers: tend, onOver: end, events: this.#feed,
    });
  }

  /** The parts of the session to store. */
  #collect() {
    const { identity, picture, outbox: { numbering, waiting: posts }, engine } = this.#given;
    const { stack, visible, connection, waiting, over, predicts, ...body } = picture.confirmed;
    return {
      whole: { body: { ...body, id: identity.id }, id: picture.newest.id, ...this.#means },
      ...(picture.isPredicted ? { shown: picture.predicted } : {}),
      client: numbering.client, next: numbering.next, posts, ...engine.keepable, creation: this.#creation,
    };
  }

  // MARK: Several pages

  /** Makes this page the leading page, with the content that an earlier leader left. */
  async #lead(kept) {
    const { identity, picture, outbox, engine, beginning, headers, tend } = this.#given;
    const body = kept?.whole?.body;
    const { signal } = this.#term = new AbortController();
    // One change for subscribers, who must not see some of the waiting actions without the others.
    await picture.batch(() => {
      if (body?.revision >= picture.now.revision) picture.adopt(kept.whole);
      const shown = kept?.shown ?? picture.shared.view;
      if (shown) engine.showEarlier(shown);
      if (kept?.creation) this.#creation = kept.creation;
      outbox.numbering.resume(kept ?? {});
      const left = (kept?.pending ?? []).filter(({ uid }) => !this.#keeping.isDropped(uid)).map(({ uid, number, body: action, at, definition }) => (
        { path: `${identity.path}/actions`, body: action, headers: headers(), client: kept.client, number, order: number, action, at, uid, definition }));
      engine.begin(this.#means.engine, kept?.replica ?? kept?.beginning ?? beginning);
      picture.set({ waiting: left.length });
      return outbox.restore(left);
    });
    tend();
    if (signal.aborted) return;
    if (this.isLocal) this.#create(signal);
    else if (body) this.#readAgain(signal);
  }

  /** Notes that another page has taken the lead, because this page was frozen. That page sends the waiting posts. */
  #lose() {
    const { identity, outbox, engine, leave } = this.#given;
    this.#term.abort(new CairnProblem({ code: "closed", detail: "another page has become the leading page of the session" }));
    engine.close();
    leave();
    outbox.handOver(({ path, body, headers, key, uid, isBound, isNumberable, isSent, client, number, definition, action, at, signal }) => {
      const ifMatch = headers["If-Match"]?.slice(1, -1);
      // A post that may have reached the service is repeated under the client and number that the service knows.
      const sent = isSent && number !== undefined ? { client, number, order: number, definition, action, at } : undefined;
      const own = isNumberable && !isSent ? undefined : key;
      return this.#keeping.post({ path: path.slice(identity.path.length), body, ifMatch, queue: true, key: own, definition, isBound, sent }, { uid, signal });
    });
  }

  /** Reads the session until the service answers, because the shown session was stored by an earlier page and may be outdated. */
  async #readAgain(signal) {
    const { transport, refresh, end } = this.#given;
    const reason = await readUntilAnswered(() => refresh({ signal }), { transport, signal });
    if (reason !== undefined) end(reason);
  }

  /** The content that the other pages show: the session as this page shows it. */
  get #shared() {
    const { identity, picture, engine } = this.#given;
    // A page that followed a local session has no secret yet.
    const secret = this.#keeping.isRenamed ? identity.secret : undefined;
    const { isSecretForgotten } = this.#keeping;
    return { picture: picture.shared, keys: engine.keys.shared(picture.now.tree), id: identity.id, secret, creation: this.#creation, isSecretForgotten };
  }

  /** Shows the content of the leading page. */
  #mirror({ picture: shared, keys, id, secret, creation, isSecretForgotten }) {
    if (isSecretForgotten) this.#keeping.forgetSecret();
    const { identity, picture, engine } = this.#given;
    this.#creation = creation;
    if (id !== identity.id) {
      identity.change(id, secret);
      this.#keeping.follow(id, secret);
    }
    engine.keys.adopt(keys);
    picture.mirror(shared);
  }

  /** Notes, while another page leads, whether this page has readers of events. */
  listen(hasReaders, position) {
    this.#feed.listen(hasReaders, position);
  }

  /** Begins to receive events in this page. Returns the position after which this page needs events. */
  beginEvents() {
    return this.#feed.begin();
  }

  /** Sends an event of the service to the other pages. */
  share(event, id) {
    this.#feed.add(event, id);
    this.#keeping.share([{ event, id }]);
  }

  /** Sends a refused action to the other pages. */
  reject(rejected) {
    this.#keeping.reject(rejected);
  }

  /** Has the leading page perform a post. */
  post(path, body, { ifMatch, key, queue, isBound, signal }) {
    const revision = ifMatch === true ? this.#given.picture.now.revision : ifMatch;
    return this.#keeping.post({ path, body, ifMatch: revision, key, queue, isBound }, { signal });
  }

  /** Has the leading page end a session that the service may not have yet. */
  async endElsewhere({ signal }) {
    try {
      await this.#keeping.post({ isEnd: true }, { signal });
    } catch (problem) {
      // The leading page ends the session in all pages before it answers.
      if (problem.code !== "over") throw problem;
    }
  }

  /**
   * Performs a post of another page, or finds it among the waiting posts. `sent` has the number and the client under which an earlier leader may have sent the
   * post.
   */
  #postOnce(uid, { path, body, sent, isEnd, ...options }) {
    if (isEnd) return this.#given.finish();
    const { identity, outbox, headers } = this.#given;
    const waiting = this.#waiting(uid);
    if (waiting !== undefined) return waiting.promise;
    if (sent !== undefined) return outbox.post({ path: identity.path + path, body, headers: headers(), isBound: options.isBound, ...sent, uid });
    // The page in which the user acted has bound the action to the node that the user saw.
    return this.#given.post(path, body, { ...options, from: null, uid });
  }

  /** Cancels a post, because the page that posted it has cancelled it. */
  #drop(uid) {
    this.#given.outbox.refuseUnsent((item) => item.uid === uid, new CairnProblem({ code: "aborted", detail: "the page that posted the action aborted it" }));
  }

  /**
   * Returns the members by which a later leader repeats a post under its present key. Returns undefined for a post with a number, because the number is stored
   * with the post.
   */
  #sentAs(uid) {
    const post = this.#waiting(uid);
    return post?.isNumberable === false ? { key: post.key, definition: post.definition, queue: true } : undefined;
  }

  #waiting(uid) {
    return this.#given.outbox.waiting.find((item) => item.uid === uid);
  }

  // MARK: Creation

  /** Has the service create the session that began here, as soon as there is a network. */
  async #create(signal) {
    const { creator, transport: { machine }, outbox, onNotice, end } = this.#given;
    // Without a definition in the request, the service creates the session with its current definition.
    const onGone = async ({ body: { definition, ...body } }) => {
      this.#creation = { ...this.#creation, body, key: machine.newKey() };
      await this.#keeping.save();
      return this.#creation;
    };
    try {
      const whole = await create(this.#creation, { transport: creator, signal, onGone });
      if (!signal.aborted) this.#created(whole);
    } catch (problem) {
      if (signal.aborted) return;
      onNotice("the session that began offline was refused", problem);
      const reason = lastWord(problem) ?? "refused";
      outbox.refuse(sessionOver(reason));
      end(reason);
    }
  }

  /** Notes that the service has created the session. Subscribers are notified once. */
  #created(whole) {
    const { identity, picture, outbox, engine, begin, tend } = this.#given;
    const { body } = whole;
    const before = identity.path;
    const isMoved = body.definition !== picture.now.definition;
    this.#creation = undefined;
    identity.change(body.id, body.secret);
    outbox.move(before, identity.path, isMoved ? body.definition : undefined);
    this.#means = { streams: whole.streams, engine: whole.engine ?? this.#means.engine };
    begin(whole);
    // Renamed first, because otherwise the next save would store the session under the local name again.
    this.#keeping.rename(body.id, body.secret);
    picture.batch(() => {
      picture.adopt(whole);
      engine.created(body.replica);
      engine.show();
    });
    outbox.send();
    tend();
  }

  // MARK: The service's answers

  /** Notes that the session was read. The service may now have an engine that differs from the kept engine. */
  read({ engine, streams }) {
    if (this.isFollowing) return;
    const isOther = engine !== undefined && engine !== this.#means.engine;
    if (isOther) this.#means = { engine, streams };
    this.#given.engine.meet(engine, isOther);
  }

  /** Handles the results of ended posts, each an answer or a problem. */
  ended(posts) {
    this.#keeping.settle(posts);
    const isLogout = posts.some(({ item, problem }) => item.body?.type === "logout" && problem === undefined);
    if (isLogout) {
      this.#given.engine.rebase();
      this.#keeping.forget();
    }
    if (posts.some(({ problem }) => problem?.status === 401)) this.#keeping.forget({ isLast: true });
  }

  /** Stores the changed snapshot, and shows it in other pages. */
  changed() {
    const { picture, engine } = this.#given;
    if (this.#keeping.changed(picture.confirmed.facts)) engine.rebase();
  }

  /**
   * Ends the session in this page, for this reason. With `isOver` the session has ended in the service too, and the stored content is deleted. Resolves when
   * the content is deleted, or stored. A session that was deleted ends in all pages, and so does a session that ends in the leading page.
   */
  end({ isOver, problem, reason }) {
    const ended = this.#keeping.end({ problem, over: isOver ? reason : undefined, isOverForAll: reason === "deleted" });
    this.#term.abort(problem);
    return ended;
  }
}
