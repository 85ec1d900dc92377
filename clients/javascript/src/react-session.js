"use client";
import { createContext, createElement, useCallback, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { actions, gestures, isGesture as isGestureAction } from "./actions.js";

const SessionContext = createContext(undefined);

/**
 * The nodes that the user sees where a component is rendered, as `{ screen, front }`, both `{ id, name }`. Steps are sent by `screen`, which within a container
 * is undefined if two panes are visible. Gestures act on `front`, which within a container is the node in front.
 */
export const ScreenContext = createContext(undefined);

export function SessionProvider({ session, onProblem, onExit, serverSnapshot, children }) {
  const handler = useRef(onProblem);
  const exit = useRef(onExit);
  useEffect(() => {
    handler.current = onProblem;
    exit.current = onExit;
  });
  useEffect(() => session.onExit(() => exit.current?.()), [session]);
  // Without this listener, the stream would end and begin again between the last component that unmounts and the next component that mounts.
  useEffect(() => session.subscribe(() => {}), [session]);
  const value = useMemo(() => {
    const report = (problem) => {
      if (!handler.current) throw problem;
      handler.current(problem);
    };
    return { session, report, getServerSnapshot: () => serverSnapshot ?? session.getSnapshot() };
  }, [session, serverSnapshot]);
  return createElement(SessionContext.Provider, { value }, children);
}

export function useSession(selector = itself, isEqual = Object.is) {
  const { session, getServerSnapshot } = useProvided();
  const committed = useRef(undefined);
  const [get, getOfServer] = useMemo(() => {
    const select = (getSnapshot) => selection(getSnapshot, selector, isEqual, committed);
    return [select(session.getSnapshot), select(getServerSnapshot)];
  }, [session, getServerSnapshot, selector, isEqual]);
  const value = useSyncExternalStore(session.subscribe, get, getOfServer);
  useEffect(() => {
    committed.current = { value };
  }, [value]);
  return value;
}

export function useStep(name) {
  const { session, report } = useProvided();
  const screen = useContext(ScreenContext)?.screen;
  return useCallback((...given) => {
    const [params, options] = withoutEvents(given);
    return session.step(name, params, { ...(screen ? { from: screen } : {}), ...options }).catch(report);
  }, [session, report, screen, name]);
}

export function useActions() {
  const { session, report } = useProvided();
  const front = useContext(ScreenContext)?.front;
  return useMemo(() => {
    const bound = (action) => (...given) => session[action](...seeing(front, action, withoutEvents(given))).catch(report);
    return Object.fromEntries(Object.keys(actions).map((action) => [action, bound(action)]));
  }, [session, report, front]);
}

/** Returns the arguments of an action; the arguments of a gesture contain the node that the user saw. */
function seeing(front, action, given) {
  const isGesture = Object.hasOwn(gestures, action) || (action === "act" && isGestureAction(given[0]));
  if (front === undefined || !isGesture) return given;
  const place = gestures[action] ?? 1;
  const made = [...given];
  while (made.length < place) made.push(undefined);
  made[place] = { from: front, ...made[place] };
  return made;
}

/** Returns a function from a node's id to the key of its view, which stays the same when a predicted node gets its id from the service. */
export function useKeys() {
  const { session } = useProvided();
  return useMemo(() => (id) => session.keyOf?.(id) ?? id, [session]);
}

function useProvided() {
  const provided = useContext(SessionContext);
  if (!provided) throw new Error("a component uses a Cairn session outside of <SessionProvider>: put one around it");
  return provided;
}

/**
 * Returns a snapshot function that calls the selector once per snapshot. If the value equals the previous or the rendered value, the function returns that
 * earlier object.
 */
function selection(getSnapshot, selector, isEqual, committed) {
  let last;
  return () => {
    const snapshot = getSnapshot();
    if (last?.snapshot === snapshot) return last.value;
    const made = selector(snapshot);
    const before = last ?? committed.current;
    last = { snapshot, value: before && isEqual(before.value, made) ? before.value : made };
    return last.value;
  };
}

/** Returns the arguments of a step or action without events: `onClick={step}` calls the step with an event, which is neither params nor options. */
function withoutEvents(given) {
  return given.filter((one) => typeof one?.preventDefault !== "function");
}

function itself(snapshot) {
  return snapshot;
}
