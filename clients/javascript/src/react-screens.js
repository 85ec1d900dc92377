"use client";
import { createElement, memo, useEffect, useMemo } from "react";
import { ScreenContext, useKeys, useSession } from "./react-session.js";
import { frontIn, layersOf, speakerIn } from "./routes.js";

/** Renders a session's tree. The key of each view is that of `session.keyOf`, so a screen stays mounted for as long as its node is in the tree and shown. */
export function Screens({ of, fallback = Missing, containers, keepMounted = false }) {
  const layers = layersOf(useSession(treeOf));
  const keyOf = useKeys();
  const look = useMemo(() => ({ of, fallback, containers, keepMounted, keyOf }), [of, fallback, containers, keepMounted, keyOf]);
  const [root, ...others] = layers.map((node) => createElement(NodeView, { key: keyOf(node.id), node, look }));
  const top = layers.findLast(({ slot }) => slot === undefined);
  return [root, ...others.map((view) => {
    const { key, props: { node } } = view;
    if (node.slot !== undefined) return createElement(Seen, { key, node }, createElement(containerOf("overlay", look), { node, slot: node.slot }, view));
    return createElement(Seen, { key, node }, createElement(containerOf("modal", look), { node, isTop: node === top }, view));
  })];
}

const NodeView = memo(function NodeView({ node, look }) {
  if (node.kind === "screen" || node.kind === "alert") {
    return createElement(ScreenView, { node, component: Object.hasOwn(look.of, node.name) ? look.of[node.name] : look.fallback });
  }
  // A split that is laid out as a stack keeps its container, so that its screens stay mounted.
  const container = containerOf(node.collapsed ? "split" : node.kind, look);
  return createElement(Seen, { node }, createElement(container, { node }, childrenOf(node, look)));
});

/** Renders a container's content. The context has the nodes that the user sees in the container. */
function Seen({ node, children }) {
  const { id, name } = frontIn(node);
  const isOne = speakerIn(node) === id;
  const seen = useMemo(() => ({ screen: isOne ? { id, name } : undefined, front: { id, name } }), [id, name, isOne]);
  return createElement(ScreenContext.Provider, { value: seen }, children);
}

/** Renders a screen. The screen is rendered again if one of its own members changed, but not if a modal over it changed. */
const ScreenView = memo(function ScreenView({ node, component }) {
  const { id, name, params = noParams, content } = node;
  const seen = useMemo(() => ({ screen: { id, name }, front: { id, name } }), [id, name]);
  return createElement(ScreenContext.Provider, { value: seen }, createElement(component, { node, params, content }));
}, (before, after) => before.component === after.component && isSameScreen(before.node, after.node));

function childrenOf(node, look) {
  const shown = shownIn(node);
  const view = (child, more) => createElement(NodeView, { ...more, node: child, look });
  if (!look.keepMounted) return shown.map((child) => view(child, { key: look.keyOf(child.id) }));
  const pane = containerOf("pane", look);
  return (node.children ?? []).map((child) => createElement(pane, { key: look.keyOf(child.id), node: child, isHidden: !shown.includes(child) }, view(child)));
}

/** Returns the app's container of a kind, or the default container. */
function containerOf(name, { containers }) {
  return containers?.[name] ?? (name === "pane" ? Pane : Plain);
}

/** Returns the children of a flow that are shown. */
function shownIn({ kind, children = [], selected = 0 }) {
  if (kind === "tabs") return children.slice(selected, selected + 1);
  return kind === "split" ? children : children.slice(-1);
}

function isSameScreen(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].every((name) => name === "presented" || name === "levels" || name === "overlays" || before[name] === after[name]);
}

function Plain({ children }) {
  return children;
}

/** Renders a child of a flow with `keepMounted`. */
function Pane({ isHidden, children }) {
  return createElement("div", { hidden: isHidden }, children);
}

function Missing({ node: { name } }) {
  useEffect(() => {
    console.error(`<Screens> has no component for the screen "${name}": add it to "of", or give a "fallback"`);
  }, [name]);
  return null;
}

function treeOf({ tree }) {
  return tree;
}

const noParams = Object.freeze({});
