/** How many events are kept for pages that ask for those behind a revision. */
const most = 100;

/**
 * The events that the leading page shares with pages that have readers of them, so that each reader gets each event once and in order, whichever page leads. A page that
 * asks for events that are not here any more gets a `reset`.
 */
export class EventFeed {
  #given;
  /** The newest events, each as `{ event, id }`: all behind the revision #after. */
  #recent = [];
  #after = Infinity;
  /** The newest event that the readers of this page have, as `{ id, revision }`, while another page leads; undefined: there are no readers. */
  #position;

  /** @param {{ picture, put, ask }} given `put(event)`: gives an event to this page's readers. `ask()`: asks the leading page for the events behind `after` */
  constructor(given) {
    this.#given = given;
  }

  // MARK: The leading page

  /** Events are heard from now on. Returns the position behind which this page needs them. */
  begin() {
    const position = this.#position ?? this.#given.picture.newest;
    this.#position = undefined;
    [this.#recent, this.#after] = [[], position.revision];
    return position;
  }

  /** Takes an event of the service. */
  add(event, id) {
    if (event.type === "reset") [this.#recent, this.#after] = [[], event.revision];
    else if (this.#recent.push({ event, id }) > most) this.#after = this.#recent.shift().event.revision;
  }

  /** The events behind a revision, or a `reset` in place of them. */
  since(revision) {
    const { confirmed, newest: { id } } = this.#given.picture;
    if (revision >= this.#after) return this.#recent.filter(({ event }) => event.revision > revision);
    return revision === confirmed.revision ? [] : [{ event: { type: "reset", revision: confirmed.revision, session: confirmed }, id }];
  }

  // MARK: Other pages

  /** The revision behind which the readers of this page need events; undefined: there are no readers. */
  get after() {
    return this.#position?.revision;
  }

  /** This page has readers, or has none any more; `position`: behind which they need events. */
  listen(hasReaders, position = this.#given.picture.newest) {
    if (hasReaders === (this.#position !== undefined)) return;
    this.#position = hasReaders ? position : undefined;
    this.#given.ask();
  }

  /** Takes events of the leading page. */
  take(events) {
    const { put, ask } = this.#given;
    for (const { event, id } of events) {
      if (this.#position === undefined) return;
      const { revision } = this.#position;
      if (event.type === "reset" || event.revision === revision + 1) {
        this.#position = { id, revision: event.revision };
        put(event);
      } else if (event.revision > revision) return ask();
    }
  }
}
