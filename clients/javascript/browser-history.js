// For bundlers that do not read `exports` in package.json.
export * from "./src/browser-history.js";
