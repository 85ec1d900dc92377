/**
 * Returns the id of the event that made a revision: the session's entity tag without its quotes. Id and tag are opaque. If a response has no tag, the revision
 * itself is used instead, which the service also accepts.
 */
export function eventIdOf(response, body) {
  const tag = /^(?:W\/)?"([^"]*)"$/.exec(response.headers.get("ETag") ?? "");
  return tag ? tag[1] : String(body.revision);
}

/** Returns the entity tag of an event's id, for `If-Match` and `If-None-Match`. */
export function tagOf(eventId) {
  return `"${eventId}"`;
}
