import CairnCore

/// The schemas of a history entry.
package enum EntrySchema {
  static let entry = Schema.object(
    [
      Property("action", .shared(.cause)), Property("at", .shared(.time)), .maybe("by", .text, "The operator who asked."),
      .maybe("request", .text, "The id of the request that led to it."), sender,
    ] + ActionBody.members
  ).about("An action that was taken, and what it did.")

  /// The member of an entry, in the history and in streams.
  static let sender = Property.maybe(
    "sender", .object([Property("action", .whole(from: 1)), Property("client", .text)]),
    "The client that posted a numbered action, and its number.")

  /// The action as it was posted, with `true` instead of a secret, or the end of one of the session's effects.
  static let cause = Schema.object([
    .maybe("type", .text, "The action's; a step has none. create, open, notification and effect beside those that are posted."),
    .maybe("step", .text), .maybe("params", .shared(.params)),
  ]).with("additionalProperties", true).about("The cause of the revision, as it was posted, with true instead of a secret.")
}
