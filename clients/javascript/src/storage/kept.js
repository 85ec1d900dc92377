/** The version of the format in which a session is kept. */
export const format = 1;

/** The maximum number of waiting actions, the maximum time for which they wait, and the maximum number of groups of refused actions in a session. */
export const limits = { actions: 2_000, milliseconds: 14 * 86_400_000, groups: 200 };

/** The members of a kept session other than the pending actions, each with its check. A page discards a member that fails its check. */
const parts = {
  whole: (value, { id }) => isObject(value) && isObject(value.body) && value.body.id === id && Number.isSafeInteger(value.body.revision)
    && isObject(value.body.tree) && typeof value.body.tree.id === "string",
  replica: (value) => isObject(value) && typeof value.state === "string" && Number.isInteger(value.format) && Number.isSafeInteger(value.revision)
    && isHash(value.definition) && Array.isArray(value.log) && value.log.every((one) => typeof one === "string")
    && (value.created === undefined || isCreated(value.created)) && (value.covers === undefined || typeof value.covers === "string"),
  definition: (value) => isHash(value),
  secret: (value) => typeof value === "string",
  isSecretForgotten: (value) => value === true,
  creation: (value) => isObject(value) && typeof value.key === "string" && isObject(value.body),
  settled: (value) => Array.isArray(value) && value.every((one) => isObject(one) && typeof one.uid === "string"),
  place: (value) => typeof value === "string",
  shown: (value) => isObject(value) && isObject(value.tree),
};

/**
 * Returns the usable part of stored content: `{ kept, notice }`. The content may be cut off, of another version, or of another session. Wrong members are left
 * out, and the notice names them; the notice is undefined if nothing is wrong. `kept` is undefined if nothing can be used.
 */
export function readKept(content, { service, id }) {
  if (content === undefined) return {};
  const reason = refusal(content, { service, id });
  if (reason) return { notice: `stored content is discarded: ${reason}` };
  const kept = { id, service, at: content.at };
  const wrong = [];
  for (const [name, isRight] of Object.entries(parts)) {
    if (content[name] === undefined) continue;
    if (isRight(content[name], { id })) kept[name] = content[name];
    else wrong.push(`\`${name}\` cannot be read`);
  }
  Object.assign(kept, numbered(content, wrong));
  return wrong.length === 0 ? { kept } : { kept, notice: `stored content is discarded in part: ${wrong.join("; ")}` };
}

/**
 * Returns the usable part of a stored group of refused actions: `{ group, notice }`. Only the actions before the first wrong one are kept, because later
 * actions may depend on the wrong one. `group` is undefined if nothing can be used.
 */
export function readGroup(content, { id }) {
  // Another page may have discarded the group after its key was listed.
  if (content === undefined) return {};
  const reason = refusalOfGroup(content, { id });
  if (reason) return { notice: `a stored group of refused actions is discarded: ${reason}` };
  const wrong = content.actions.findIndex((action) => !isRefused(action));
  if (wrong === -1) return { group: content };
  const notice = `a stored group of refused actions is discarded in part: the actions from the ${ordinal(wrong)} on cannot be read`;
  return { group: { ...content, actions: content.actions.slice(0, wrong) }, notice };
}

function refusalOfGroup(content, { id }) {
  if (!isObject(content)) return "it was not stored by this client";
  if (content.format !== format) return `it has the format ${JSON.stringify(content.format)}, not ${format}`;
  const isTexts = [content.session, content.app, content.code].every((text) => typeof text === "string");
  const areOptional = [content.label, content.detail, content.client].every((text) => text === undefined || typeof text === "string");
  const isWhole = content.id === id && isTexts && areOptional && Number.isFinite(content.at) && Array.isArray(content.actions);
  return isWhole ? undefined : "a part of it is missing";
}

/** Returns whether a value is an action of a group. An action that may not be stored has only its number and time. */
function isRefused(action) {
  return isObject(action) && Number.isFinite(action.at) && (action.number === undefined || Number.isSafeInteger(action.number))
    && (action.action === undefined || isObject(action.action)) && (action.definition === undefined || typeof action.definition === "string");
}

function refusal(content, { service, id }) {
  if (!isObject(content)) return "it was not stored by this client";
  if (content.format !== format) return `it has the format ${JSON.stringify(content.format)}, not ${format}`;
  if (content.service !== service || content.id !== id) return "it belongs to another session or service";
  return Number.isFinite(content.at) ? undefined : "the time at which it was stored is missing";
}

/** Returns the client's id, its next number, and the pending actions before the first wrong one, because later actions may depend on the wrong one. */
function numbered({ client, next, pending = [] }, wrong) {
  if (client === undefined && Array.isArray(pending) && pending.length === 0) return { pending: [] };
  if (typeof client !== "string" || !/^[\w-]{22,64}$/.test(client) || !Array.isArray(pending)) {
    wrong.push("the pending actions cannot be read");
    return { pending: [] };
  }
  const right = [];
  let last = 0;
  for (const action of pending) {
    if (!isPending(action) || action.number <= last) break;
    last = action.number;
    right.push(action);
  }
  if (right.length < pending.length) {
    wrong.push(`the pending actions from the ${ordinal(right.length)} on cannot be read`);
    return { client, pending: right };
  }
  if (Number.isSafeInteger(next) && next > last) return { client, next, pending: right };
  wrong.push("the next number is not above that of the last action");
  return { client, pending: right };
}

function isPending(action) {
  return isObject(action) && typeof action.uid === "string" && Number.isSafeInteger(action.number) && action.number > 0
    && isObject(action.body) && Number.isFinite(action.at) && (action.seen === undefined || Number.isSafeInteger(action.seen))
    && (action.group === undefined || typeof action.group === "string");
}

/** Returns whether a value is a list of pairs: the number of an action, and the ids of the nodes that it created. */
function isCreated(value) {
  const isPair = (one) => Array.isArray(one) && Number.isSafeInteger(one[0]) && Array.isArray(one[1]);
  return Array.isArray(value) && value.every((one) => isPair(one) && one[1].every((id) => typeof id === "string"));
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isHash(value) {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function ordinal(index) {
  return ["first", "second", "third"][index] ?? `${index + 1}th`;
}
