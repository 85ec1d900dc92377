import { createRequire, Module, register } from "node:module";

// Debian's packages (scripts/install-needed) are in a folder that only Debian's own Node searches, and there only by `require`.
process.env.NODE_PATH = [process.env.NODE_PATH, "/usr/share/nodejs"].filter(Boolean).join(":");
Module._initPaths();
const require = createRequire(import.meta.url);
const files = Object.fromEntries(["react", "react/jsx-runtime", "react-dom/client"].map((name) => [name, `file://${require.resolve(name)}`]));
register(`data:text/javascript,${encodeURIComponent(`
  const files = ${JSON.stringify(files)};
  export const resolve = (name, context, next) =>
    next(files[name] ?? name, name.startsWith("cairn-client") ? { ...context, parentURL: ${JSON.stringify(import.meta.url)} } : context);
`)}`);

/** Returns the window of a page at a URL, without a browser. */
export function pageAt(url) {
  return new (require("jsdom").JSDOM)('<div id="root"></div>', { url }).window;
}

/** The window for React DOM, which reads the global window when it is loaded. */
export const window = pageAt("http://127.0.0.1/");
for (const [name, value] of Object.entries({ window, document: window.document, navigator: window.navigator, IS_REACT_ACT_ENVIRONMENT: true })) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
export const React = require("react");
export const { createRoot, hydrateRoot } = require("react-dom/client");
export const { renderToString } = require("react-dom/server");
export const { act } = require("react-dom/test-utils");

/** Returns the JavaScript of a module with JSX. */
export function withoutJSX(text) {
  const { transpileModule, JsxEmit, ModuleKind, ScriptTarget } = require("typescript");
  return transpileModule(text, { compilerOptions: { jsx: JsxEmit.ReactJSX, module: ModuleKind.ES2022, target: ScriptTarget.ES2022 } }).outputText;
}
