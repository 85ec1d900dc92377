/** The client of Cairn for browsers. Node uses node.js, which adds a source of randomness that Node 18 does not have as a global. */
export { CairnProblem } from "./problem.js";
export { EventStreamParser } from "./event-stream.js";
export { play } from "./play.js";
export { layersOf, routesOf } from "./routes.js";
export { Session } from "./session.js";
export { connect, discardGroup, resume, sessions, start } from "./starting.js";
