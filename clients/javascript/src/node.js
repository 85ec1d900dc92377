import { randomUUID } from "node:crypto";
import { chance } from "./machine.js";

// Node 18 has no global `crypto`.
chance.newUUID = randomUUID;

export * from "./index.js";
