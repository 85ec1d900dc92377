/** Maximum number of events that are kept for pages that request the events after a revision. */
const most = 100;

/**
 * The events that the leading page shares with the pages that have readers of events. Each reader receives each event once and in order, whichever page leads.
 * A page that requests events that are no longer kept receives a `reset`.
 */
export class EventFeed {
  #picture;
  #put;
  #ask;
  /** @type {import("../types").FeedEvent[]} the newest events: all events after the revision #after */
  #recent = [];
  #after = Infinity;
  /** @type {import("../types").Position | undefined} while another page leads, the newest event that the readers of this page have received */
  #position;

  /**
   * @param {{ picture: import("../picture.js").Picture, put: (event: import("../types").SessionEvent) => void, ask: () => void }} given
   * `put`: delivers an event to this page's readers. `ask`: asks the leading page for the events after `after`
   */
  constructor({ picture, put, ask }) {
    this.#picture = picture;
    this.#put = put;
    this.#ask = ask;
  }

  // MARK: The leading page

  /** Begins to keep events, which this page receives from now on. Returns the position after which it needs them. */
  begin() {
    const position = this.#position ?? this.#picture.newest;
    this.#position = undefined;
    [this.#recent, this.#after] = [[], position.revision];
    return position;
  }

  add(event, id) {
    if (event.type === "reset") [this.#recent, this.#after] = [[], event.revision];
    else if (this.#recent.push({ event, id }) > most) this.#after = this.#recent.shift().event.revision;
  }

  /** Returns the events after a revision. If these are no longer kept, returns a `reset` instead. */
  since(revision) {
    const { confirmed, newest: { id } } = this.#picture;
    if (revision >= this.#after) return this.#recent.filter(({ event }) => event.revision > revision);
    return revision === confirmed.revision ? [] : [{ event: { type: "reset", revision: confirmed.revision, session: confirmed }, id }];
  }

  // MARK: Other pages

  /** The revision after which the readers of this page need events; undefined if this page has no readers. */
  get after() { return this.#position?.revision; }

  /** Notes whether this page has readers. `position` is the event after which they need events. */
  listen(hasReaders, position = this.#picture.newest) {
    if (hasReaders === (this.#position !== undefined)) return;
    this.#position = hasReaders ? position : undefined;
    this.#ask();
  }

  /** Delivers events of the leading page to the readers. If an event is missing, requests the events again. */
  take(events) {
    for (const { event, id } of events) {
      if (this.#position === undefined) return;
      const { revision } = this.#position;
      if (event.type === "reset" || event.revision === revision + 1) {
        this.#position = { id, revision: event.revision };
        this.#put(event);
      } else if (event.revision > revision) return this.#ask();
    }
  }
}
