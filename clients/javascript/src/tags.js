/**
 * The id of the event that made a revision: the entity tag of the session without its quotes. Both are opaque; where a response has no tag, the
 * bare revision stands in for it, which the service accepts too.
 */
export function eventIdOf(response, body) {
  const tag = /^(?:W\/)?"([^"]*)"$/.exec(response.headers.get("ETag") ?? "");
  return tag ? tag[1] : String(body.revision);
}

/** The entity tag of an event's id, for `If-Match` and `If-None-Match`. */
export function tagOf(eventId) {
  return `"${eventId}"`;
}
