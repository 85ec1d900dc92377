import { layersOf, leavesOf, routesOf } from "./routes.js";
import { play } from "./play.js";
import { share } from "./share.js";

/** What is known of a session, as one object that is another one after each change, and whose unchanged parts stay the very same. */
export class Picture {
  /** The newest; never changed in place. */
  now;
  /** The revision that facts, `accepts` and `pending` are of. */
  #detailed;
  /** A revision that was heard of and is not here. */
  #missing = 0;

  /** @param {() => void} onChange called after each change */
  constructor(body, onChange) {
    this.now = { ...known(body), connection: "idle", waiting: 0, over: undefined };
    this.#detailed = body.revision;
    this.onChange = onChange;
  }

  /** Whether something happened that is not in the tree. */
  get hasGap() {
    return this.now.revision < this.#missing;
  }

  /** Whether something happened since the details were read. */
  get isBehind() {
    return this.#detailed < this.now.revision;
  }

  /** Takes a whole session; one that is older than what is known says nothing. */
  adopt(body) {
    if (body.revision < this.now.revision) return;
    this.#detailed = body.revision;
    this.set(known(body));
  }

  /** Takes what an answer or an event tells, of which a part may be known. Where something between is missing, or does not fit, there is a gap. */
  absorb(answer) {
    let { tree, revision } = this.now;
    for (const one of answer.answers ?? [answer]) {
      if (one.revision === undefined || one.revision <= revision) continue;
      const played = one.revision === revision + 1 ? attempt(() => play(tree, one.changes)) : undefined;
      if (played === undefined) {
        this.#missing = Math.max(this.#missing, answer.revision);
        return;
      }
      [tree, revision] = [played, one.revision];
    }
    this.set({ tree, revision, ...shown(tree) });
  }

  set(members) {
    const next = share(this.now, { ...this.now, ...members });
    if (next === this.now) return;
    this.now = Object.freeze(next);
    this.onChange();
  }
}

function known(body) {
  const { id, secret, opened, stack, visible, ...rest } = body;
  return { ...rest, ...shown(body.tree) };
}

function shown(tree) {
  const stack = routesOf(tree);
  const front = leavesOf(layersOf(tree).at(-1)).at(-1);
  return { stack, visible: stack.find((route) => route.id === front?.id) };
}

function attempt(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}
