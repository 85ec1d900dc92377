import CairnCore

/// The schemas of the data of live events.
enum HeardSchema {
  static let change = Schema.object(
    [
      Property("cause", .shared(.cause)), Property("at", .shared(.time)), .maybe("by", .text, "The operator who asked."),
      .maybe("request", .text, "The id of the request that led to it."), EntrySchema.sender,
    ] + origin + ActionBody.members + [PredictionBody.included, ReplicaBody.ofEntry]
  ).about("An entry of the history, under cause what it calls action.")

  static let start = Schema.object(
    [
      Property("cause", .shared(.cause)), Property("at", .shared(.time)), .maybe("by", .text), .maybe("definition", .text),
      .maybe("request", .text),
    ] + origin + ActionBody.members
  ).about("A session was started.")

  static let migrated = Schema.object(
    [Property("definition", .text, "Its hash."), Property("revision", .shared(.revision))] + origin
  ).about("The session has another definition from this revision on, whose change follows. Read the app again.")

  static let reset = Schema(["type": "object"]).about("The feed restarts: read the list of sessions.")

  /// The members that identify the session in the feed of all sessions.
  private static let origin: [Property] = [
    .maybe("session", .shared(.sessionID)), .maybe("app", .text), .maybe("label", .text),
  ]
}
