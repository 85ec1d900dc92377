import { rehydrated } from "./rehydrate.js";
import { answered } from "./routers.js";

/**
 * A model of a container of React Navigation 7 without views, with the functions of the container's ref. `navigators` has a navigator,
 * `{ type, routeNames }`, for the name of each route that contains one; the outermost navigator is `root`. As in React Navigation, an action changes the
 * state immediately, and screens are mounted later, when the container is drawn. A stack mounts all of its screens, and tabs mount those that have been
 * in front. An unmounted navigator reports no state.
 */
export class ModelContainer {
  /** The dispatched actions. A reset of the whole container is `root`. */
  dispatched = [];
  /** The number of mounts of each route, by its key. */
  mounts = new Map();
  /** The keys of the routes that were swiped away, with the routes in them. A refusal can restore these routes. */
  swiped = new Set();
  #navigators;
  #store;
  #mounted = new Set();
  /** The last drawn state of each mounted navigator, by the key of its route. */
  #drawn = new Map();
  #listeners = { state: new Set(), ready: new Set() };
  #isReady = false;
  #isDue = false;
  #made = 0;

  constructor(navigators, initialState) {
    this.#navigators = navigators;
    this.#store = initialState;
    this.#change(() => {});
  }

  // MARK: The ref

  isReady() {
    return this.#isReady;
  }

  getRootState() {
    return this.#isReady ? this.#told("root") : undefined;
  }

  dispatch(action) {
    this.dispatched.push(action);
    this.apply(action);
  }

  resetRoot(state) {
    this.dispatched.push("root");
    this.apply({ type: "RESET", payload: state, target: this.#state("root").key });
  }

  addListener(event, then) {
    this.#listeners[event].add(then);
    return () => this.#listeners[event].delete(then);
  }

  // MARK: For tests

  /** Performs an action of the container itself, such as a user's gesture. Returns false if no navigator has handled it. */
  apply(action) {
    const route = [...this.#drawn.keys()].find((one) => this.#state(one)?.key === action.target);
    const next = route && answered(this.#state(route), action);
    if (next) this.#change(() => this.#set(route, next));
    return Boolean(next);
  }

  /** Swipes away the top route of a stack. `route` is the key of the route that contains the stack. */
  swipe(route = "root") {
    const { key, routes } = this.#state(route);
    for (const gone of [routes.at(-1), ...routesIn(routes.at(-1).state)]) this.swiped.add(gone.key);
    return this.apply({ type: "POP", payload: { count: 1 }, source: routes.at(-1).key, target: key });
  }

  tap(name, route) {
    return this.apply({ type: "JUMP_TO", payload: { name }, target: this.#state(route).key });
  }

  push(name, route) {
    return this.apply({ type: "PUSH", payload: { name }, target: this.#state(route).key });
  }

  get listeners() {
    return this.#listeners.state.size + this.#listeners.ready.size;
  }

  /** The state, including the states of navigators that are not mounted. */
  get whole() {
    return this.#store;
  }

  // MARK: Its states

  #change(change) {
    change();
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.#draw());
  }

  #state(route) {
    const current = this.#kept(route);
    return current?.stale === false ? current : this.#drawn.get(route);
  }

  #kept(key) {
    return key === "root" ? this.#store : routesIn(this.#store).find((route) => route.key === key)?.state;
  }

  #told(key) {
    const state = this.#state(key);
    const routes = state.routes.map((route) => ({ ...route, state: this.#drawn.has(route.key) ? this.#told(route.key) : undefined }));
    return { ...state, routes };
  }

  #set(key, next) {
    if (key === "root") {
      this.#store = next;
      return;
    }
    const placed = (state) => ({
      ...state,
      routes: state.routes.map((route) => (route.key === key ? { ...route, state: next } : route.state ? { ...route, state: placed(route.state) } : route)),
    });
    this.#store = placed(this.#store);
  }

  #draw() {
    this.#isDue = false;
    const seen = new Set();
    const drawn = new Map();
    this.#drawNavigator("root", "root", seen, drawn);
    for (const path of seen) if (!this.#mounted.has(path)) this.#count(path);
    [this.#mounted, this.#drawn] = [seen, drawn];
    const event = this.#isReady ? "state" : "ready";
    this.#isReady = true;
    for (const then of [...this.#listeners[event]]) then();
  }

  #count(path) {
    const key = path.split("/").at(-1);
    this.mounts.set(key, (this.mounts.get(key) ?? 0) + 1);
  }

  #drawNavigator(key, path, seen, drawn) {
    const name = key === "root" ? "root" : routesIn(this.#store).find((route) => route.key === key).name;
    if (!(name in this.#navigators)) return;
    const state = this.#completed(this.#kept(key), this.#navigators[name]);
    this.#set(key, state);
    drawn.set(key, state);
    for (const [index, route] of state.routes.entries()) {
      const inner = `${path}/${route.key}`;
      if (state.type === "tab" && index !== state.index && !this.#mounted.has(inner)) continue;
      seen.add(inner);
      this.#drawNavigator(route.key, inner, seen, drawn);
    }
  }

  #completed(state, { type, routeNames }) {
    if (state?.stale === false) return state;
    const partial = state && (state.type ?? type) === type ? state : { routes: [] };
    return { ...rehydrated(partial, { type, routeNames }), key: `${type}-${(this.#made += 1)}` };
  }
}

function routesIn(state) {
  return state === undefined ? [] : state.routes.flatMap((route) => [route, ...routesIn(route.state)]);
}
