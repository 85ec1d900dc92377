import { reasonOf } from "./machine.js";
import { CairnProblem, warn } from "./problem.js";
import { answerFrom } from "./stale.js";
import { format, readGroup, readKept } from "./storage/kept.js";
import { mayBeStored } from "./storage/secrecy.js";
import { Store, unchanged } from "./storage/store.js";
import { Tabs } from "./tabs.js";

/** Maximum number of ended posts whose results are kept, for pages that request them again. */
const mostSettled = 200;

/** The keys of the stored values. */
const names = {
  session: (service, id) => `session ${service} ${id}`,
  remembered: (service) => `remembered ${service}`,
  app: (service, app) => `app ${service} ${app}`,
  definition: (hash) => `definition ${hash}`,
  engine: (service) => `engine ${service}`,
  group: (service, id) => `group ${service} ${id}`,
};

/**
 * Keeps a session's content beyond its page, and determines which of the browser's pages leads. The session provides its content through `attach`; in the
 * leading page, this class stores the content after each change.
 */
export class Keeping {
  /** The newest known definition, as `{ hash, content }`; undefined if none is known. */
  #definition;
  /** @type {Store} */
  #store;
  #service;
  #machine;
  #onNotice;
  #isRemembered;
  #secret;
  #id;
  /** @type {import("./session/pages.js").Pages} */
  #session;
  /** @type {Tabs | undefined} */
  #tabs;
  /** @type {AbortSignal | undefined} aborted when another page takes the lock from this page; undefined while this page does not lead */
  #term;
  /** Whether the session's content is no longer stored, because the session has ended or the service refuses its secret. */
  #isForgotten = false;
  /** Whether this page has stopped keeping the session. It may still receive the lock while it leaves. */
  #hasEnded = false;
  #settled = [];
  /** The name of the session's lock and channel: the session's first id, even after the service gave the session another id. */
  #place;
  #hadToken = false;
  /** Whether a page has deleted the secret, after a logout or a refusal; then no page stores it again. */
  #isSecretForgotten = false;
  #notices = new Set();

  constructor({ store, service, machine, onNotice, remember = false }) {
    this.#store = store;
    this.#service = service;
    this.#machine = machine;
    this.#onNotice = onNotice;
    this.#isRemembered = remember;
  }

  /**
   * Opens the browser's storage for the sessions of a service.
   * @param {{ baseURL: string | URL, onNotice?: (message: string, cause?: unknown) => void, remember?: boolean }} options
   * @param {import("./types").Machine} machine
   */
  static async open({ baseURL, onNotice = warn, remember }, machine) {
    // Without locks two pages would write the same record, and post as the same client under the same numbers.
    const store = await Store.open("cairn", { indexedDB: machine.indexedDB, isShareable: Tabs.areThere(machine), onNotice });
    return new Keeping({ store, service: String(baseURL).replace(/\/+$/, ""), machine, onNotice, remember });
  }

  // MARK: Reading

  /** Resolves to the session's content that an earlier page or the leading page stored; to undefined if no stored content can be used. */
  async load(id) {
    const { kept, notice } = readKept(await this.#store.load(names.session(this.#service, id)), { service: this.#service, id });
    this.#warn(notice);
    if (kept?.place) this.#place = kept.place;
    if (kept?.isSecretForgotten) this.forgetSecret();
    return kept && this.#withDefinition(kept);
  }

  /** Reports a notice once. */
  #warn(notice) {
    if (notice === undefined || this.#notices.has(notice)) return;
    this.#notices.add(notice);
    this.#onNotice(notice);
  }

  /**
   * Resolves to the stored groups of refused actions of the service, the oldest first. A group outlives the stored content of its session.
   * @returns {Promise<import("./types").KeptGroup[]>}
   */
  async groups() {
    const prefix = names.group(this.#service, "");
    const ids = (await this.#store.keys(prefix)).map((key) => key.slice(prefix.length)).filter((id) => !id.includes(" "));
    const read = await Promise.all(ids.map(async (id) => readGroup(await this.#store.load(prefix + id), { id })));
    for (const { notice } of read) this.#warn(notice);
    return read.flatMap(({ group }) => (group === undefined ? [] : [group])).sort((one, other) => one.at - other.at);
  }

  /** Deletes a group of a session that is not open. */
  async discardGroup(id) {
    await this.#store.delete([names.group(this.#service, id)]);
  }

  /**
   * Resolves to the content with the definition's text, which is added to the replica or, for a session that began offline, to `beginning`. Without a stored
   * text, leaves out the replica.
   */
  async #withDefinition(/** @type {import("./types").Kept} */ { replica, ...kept }) {
    const { creation } = kept;
    const hash = replica?.definition ?? creation?.body.definition;
    const text = hash && await this.#store.load(names.definition(hash));
    if (typeof text !== "string") return kept;
    if (this.#definition === undefined) this.know(hash, text);
    if (replica) return { ...kept, replica: { ...replica, text } };
    return { ...kept, beginning: { definition: hash, text, time: creation.time } };
  }

  /** Resolves to the id of the remembered session; to undefined if none is remembered. */
  async remembered() {
    const id = await this.#store.load(names.remembered(this.#service));
    return typeof id === "string" ? id : undefined;
  }

  /** Resolves to the stored content of each session of the service, the most recently stored first. */
  async all() {
    const prefix = names.session(this.#service, "");
    const ids = (await this.#store.keys(prefix)).map((key) => key.slice(prefix.length)).filter((id) => !id.includes(" "));
    const service = this.#service;
    const kept = await Promise.all(ids.map(async (id) => readKept(await this.#store.load(names.session(service, id)), { service, id }).kept));
    return kept.filter((one) => one?.whole !== undefined).sort((one, other) => other.at - one.at);
  }

  /** Resolves to the content that a session of an app needs to begin offline: `{ definition, text, engine }`; to undefined if the definition is not stored. */
  async beginning(app) {
    const known = await this.#store.load(names.app(this.#service, app));
    const text = known && await this.#store.load(names.definition(known.definition));
    return typeof text === "string" ? { ...known, text } : undefined;
  }

  /** Adopts the definition with this hash, which determines which params are secret. */
  know(hash, text) {
    this.#definition = { hash, content: JSON.parse(text) };
  }

  /** Stores a definition, which all its sessions share. Also stores the session's state, which depends on the definition. */
  learn({ app, hash, text, engine }) {
    this.know(hash, text);
    this.#store.save({ [names.definition(hash)]: text, [names.app(this.#service, app)]: { definition: hash, engine } });
    this.save();
  }

  /** Fetches the engine. Stores the file if it is WebAssembly, and later returns the stored file, because the file of an address never changes. */
  fetchEngine = async (address, options) => {
    const name = names.engine(this.#service);
    const kept = await this.#store.load(name);
    if (kept?.address === address) return new Response(kept.bytes);
    const response = await this.#machine.fetch(address, options);
    if (!response.ok) return response;
    const bytes = await response.arrayBuffer();
    // A login page of a network in front of the service also has status 200.
    if (globalThis.WebAssembly?.validate(bytes)) this.#store.save({ [name]: { address, bytes } });
    return new Response(bytes);
  };

  // MARK: Leading

  async attach(id, secret, /** @type {import("./session/pages.js").Pages} */ session) {
    [this.#id, this.#secret, this.#session, this.#place] = [id, secret, session, this.#place ?? id];
    const { locks, channels, timers, now } = this.#machine;
    if (!Tabs.areThere({ locks, channels })) return this.#lead(new AbortController().signal);
    this.#tabs = new Tabs({
      locks, channels, timers, now, name: names.session(this.#service, this.#place), page: this.#machine.newKey(), events: session.events,
      lead: (signal) => this.#lead(signal), lose: () => this.#lose(), post: (uid, post) => this.#do(uid, post),
      drop: (uid) => session.drop(uid), sentAs: (uid) => session.sentAs(uid), shown: () => session.snapshot(), show: (shared) => session.show(shared),
      rejected: ({ action, problem, group }) => session.rejected({ action, problem: new CairnProblem(problem), group }),
      onPeers: () => session.onPeers(), onOver: (reason) => session.onOver(reason),
    });
    await this.#tabs.join();
  }

  async #lead(signal) {
    // If this page led before, another page has led since, and may have written newer content.
    await this.#store.settled();
    const [kept, groups] = await Promise.all([this.load(this.#id), this.groups()]);
    if (signal.aborted || this.#hasEnded) return;
    this.#settled = kept?.settled ?? [];
    this.#secret ??= kept?.secret;
    this.#term = signal;
    // The user may have been logged out since.
    this.#hadToken = hasToken(kept?.whole?.body.facts);
    await this.#session.lead(kept, groups.filter(({ session }) => session === this.#id));
    this.save();
  }

  /** Called when another page has taken the lock, and leads. */
  #lose() {
    const wasLeading = this.#isLeading;
    this.#term = undefined;
    if (wasLeading) this.#session.lose();
  }

  /** Resolves to whether this page may still write and post. Another page may lead by now, if this page was frozen. */
  async isStillLeading() {
    return this.#tabs === undefined || this.#tabs.isStillLeading();
  }

  /** Whether this page leads, and stores the session. */
  get #isLeading() { return this.#term !== undefined; }

  /** Returns whether the page that posted an action has cancelled it. */
  isDropped(uid) {
    return this.#tabs?.isDropped(uid) === true;
  }

  get hasPeers() { return this.#tabs?.hasPeers === true; }

  /**
   * Has the leading page perform a post, under the name `uid` or a new name. Resolves to the answer, or rejects with the problem. Aborting rejects with the
   * signal's reason, and cancels the post unless it is already sent.
   */
  async post(/** @type {import("./types").SharedPost} */ post, /** @type {{ signal?: AbortSignal, uid?: string }} */ { signal, uid = this.#tabs.newName() }) {
    if (signal?.aborted) throw reasonOf(signal);
    let abort;
    const aborted = new Promise((_, reject) => {
      abort = () => {
        this.#tabs.drop(uid);
        reject(reasonOf(signal));
      };
    });
    signal?.addEventListener("abort", abort);
    try {
      return answerFrom(await Promise.race([this.#tabs.post(post, uid), aborted]));
    } catch (problem) {
      throw problem instanceof Error || problem.code === undefined ? problem : new CairnProblem(problem);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Sends events to the other pages that have readers. */
  share(events) {
    this.#tabs?.share(events);
  }

  /**
   * Sends a refused action to the other pages. An action that may have a secret is sent without its content, and is reported only by the page that posted it.
   */
  reject({ uid, body, definition, group }, problem) {
    this.#tabs?.reject({ uid, action: this.mayStore(body, definition) ? body : undefined, problem, group });
  }

  /** Asks the leading page to send events, or to stop sending them. */
  listen() {
    this.#tabs?.listen();
  }

  /** Number of posts of this page that wait for the leading page. */
  get waiting() { return this.#tabs?.size ?? 0; }

  /** Performs a post as the leading page, once per `uid`, however often a page requests it. */
  #do(uid, post) {
    const settled = this.#settled.find((one) => one.uid === uid);
    if (settled === undefined) return this.#session.own(uid, post);
    return settled.problem ? Promise.reject(new CairnProblem(settled.problem)) : Promise.resolve(settled.answer);
  }

  // MARK: Saving

  /** Whether a post is sent again after each temporary failure, because it stays stored. */
  get isPatient() { return true; }

  /** Stores the session with its waiting posts, if this page leads. Resolves when the session's present content is stored. */
  save() {
    if (!this.#isLeading || this.#isForgotten) return Promise.resolve();
    return this.#store.save({ [names.session(this.#service, this.#id)]: this.#owned(() => this.#record()), ...this.#pointer() });
  }

  /** Stores a group of refused actions, or deletes it if `group` is undefined. The change is in the same transaction as a `save` right before it. */
  saveGroup(id, /** @type {import("./types").KeptGroup | undefined} */ group) {
    return this.#store.save({ [names.group(this.#service, id)]: this.#isLeading ? this.#owned(() => group) : group });
  }

  /** Shows the session in the other pages. */
  show() {
    if (this.#isLeading && this.hasPeers) this.#tabs.show(this.#session.snapshot());
  }

  /** Whether the session is no longer stored, because it has ended or the service refuses its secret. */
  get isForgotten() { return this.#isForgotten; }

  /** Stores the numbers of waiting posts before they are used. */
  flush() {
    return this.save();
  }

  /**
   * Returns a function that computes the value of a record. The function leaves the record unchanged if another page leads now, or has led since this call.
   */
  #owned(record) {
    const term = this.#term;
    return async () => ((await this.isStillLeading()) && !term.aborted ? record() : unchanged);
  }

  /** Shows a change in the other pages, and stores it. If the change logged the user out, deletes the earlier content first, and returns true. */
  changed(facts) {
    if (!this.#isLeading) return false;
    const isLogout = this.#hadToken && !hasToken(facts);
    this.#hadToken = hasToken(facts);
    if (isLogout) this.forget();
    this.show();
    this.save();
    return isLogout;
  }

  /** Keeps the results of ended posts, for pages that request them again. */
  settle(ended) {
    const plain = ({ item: { uid }, answer, problem }) => (problem
      ? { uid, problem: problem.body ?? { code: "aborted", detail: problem.message } }
      : { uid, answer: { outcome: answer?.outcome ?? "known", reason: answer?.reason, revision: answer?.revision, events: [], changes: [] } });
    this.#settled = [...this.#settled, ...ended.map(plain)].slice(-mostSettled);
  }

  #record() {
    const { posts, ...others } = this.#session.collect();
    // Only an action that may be stored has a number.
    const pending = posts.filter(({ number, uid }) => number !== undefined && uid !== undefined);
    return {
      format, service: this.#service, id: this.#id, place: this.#place, at: this.#machine.now(), ...others, settled: this.#settled,
      pending: pending.map(({ uid, number, body, at, definition, seen, group }) => (
        { uid, number, body, at, ...(definition ? { definition } : {}), ...(seen ? { seen } : {}), ...(group ? { group } : {}) })),
      ...(this.#isRemembered && this.#secret ? { secret: this.#secret } : {}), ...(this.#isSecretForgotten ? { isSecretForgotten: true } : {}),
    };
  }

  #pointer() {
    return this.#isRemembered ? { [names.remembered(this.#service)]: this.#id } : {};
  }

  /**
   * Returns whether an action, posted under the definition with this hash, may be written to a disk. If this is not the known definition, only an action that
   * cannot have a secret may be written.
   */
  mayStore(action, hash) {
    const known = this.#definition;
    return mayBeStored(action, hash === known?.hash ? known?.content : undefined);
  }

  /** Whether the session began offline and has the service's id now. */
  get isRenamed() { return this.#place !== this.#id; }

  /** Adopts the service's id and secret, which the leading page's session has now. */
  follow(id, secret) {
    [this.#id, this.#secret] = [id, secret];
  }

  /** Adopts the service's id and secret for a session that began offline, and moves its stored content to that id. */
  async rename(id, secret) {
    const old = names.session(this.#service, this.#id);
    [this.#id, this.#secret] = [id, secret];
    await this.#store.save({ [old]: undefined, [names.session(this.#service, id)]: this.#owned(() => this.#record()), ...this.#pointer() });
  }

  /** Stops storing the secret. The snapshot notifies the other open pages of this, and the stored record notifies later pages. */
  forgetSecret() {
    this.#isRemembered = false;
    this.#isSecretForgotten = true;
  }

  get isSecretForgotten() { return this.#isSecretForgotten; }

  /**
   * Deletes the stored content and the secret, which is not stored again. Unless `isLast` is true, later changes of the session are stored again. If actions
   * wait, the new content replaces the old one in one transaction, so that the waiting actions are stored at all times.
   */
  forget({ isLast = false } = {}) {
    this.#settled = [];
    this.#isForgotten ||= isLast;
    this.#hadToken = false;
    const pointer = this.#isRemembered ? [names.remembered(this.#service)] : [];
    this.forgetSecret();
    const name = names.session(this.#service, this.#id);
    if (isLast || !this.#session.hasWaiting) return this.#store.delete([name, ...pointer]);
    return this.#store.save({ [name]: this.#owned(() => this.#record()), ...Object.fromEntries(pointer.map((key) => [key, undefined])) });
  }

  /**
   * Stops keeping the session. The stored content stays for the next page, unless the session has ended: `over` is the reason for its end, and `isOverForAll`
   * determines whether the other pages are notified. The leading page always notifies them.
   */
  async end({ problem, over, isOverForAll }) {
    const wasLeading = this.#isLeading;
    const record = wasLeading ? this.#record() : undefined;
    const owned = this.#owned(() => record);
    this.#term = undefined;
    this.#hasEnded = true;
    if (over !== undefined) await this.forget({ isLast: true });
    else if (wasLeading && !this.#isForgotten) await this.#store.save({ [names.session(this.#service, this.#id)]: owned });
    this.#tabs?.leave(problem, wasLeading || isOverForAll ? over : undefined);
  }
}

function hasToken(facts) {
  return facts?.accessToken === true;
}
