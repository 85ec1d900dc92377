// For bundlers that do not read `exports` in package.json.
export * from "./src/testing.js";
