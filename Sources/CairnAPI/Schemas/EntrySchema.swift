import CairnCore

/// The schemas of a history entry.
package enum EntrySchema {
  static let entry = Schema.object(
    [
      Property("action", .shared(.cause)), at, receivedAt,
      .maybe("by", .text, "The operator who sent the request; missing if no operator did."),
      .maybe("request", .text, "The id of the request that caused the entry; missing if no request caused it."), sender,
    ] + ActionBody.members
  ).about("An entry of the history: its cause, such as an accepted action, and its effect.")

  /// The times of an entry, in the history and in streams.
  static let at = Property(
    "at", .shared(.time),
    "The time of the entry. If the entry has `receivedAt`, this is the time at which the user made the action, according to the client.")
  static let receivedAt = Property.maybe(
    "receivedAt", .shared(.time), "Time of arrival, by the service's clock. Missing unless the client posted its own time with the action.")

  /// The member `sender` of an entry, in the history and in streams.
  static let sender = Property.maybe(
    "sender", .object([Property("action", .whole(from: 1)), Property("client", .text)]),
    "The client that posted a numbered action, and the action's number.")

  /// The cause of an entry: the action as it was posted, with `true` instead of a secret, or the end of one of the session's effects.
  static let cause = Schema.object([
    .maybe(
      "type", .text,
      "The type of the action; missing for a step. Types that only the history has: create, notification, effect, migrated, undone, "
        + "forked, imported, scenario."),
    .maybe("step", .text), .maybe("params", .shared(.params)),
  ]).with("additionalProperties", true).about(
    "The cause of an entry: a posted action (each secret is replaced by true), or another cause, such as the end of a load.")
}
