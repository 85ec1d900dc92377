import { randomUUID } from "node:crypto";
import { defaults } from "./machine.js";

defaults.newKey = randomUUID;

export * from "./index.js";
