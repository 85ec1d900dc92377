import CairnCore

/// The schemas of the data of live events.
enum HeardSchema {
  static let change = Schema.object(
    [
      Property("cause", .shared(.cause)), EntrySchema.at, EntrySchema.receivedAt,
      .maybe("by", .text, "The operator who sent the request; missing if no operator did."),
      .maybe("request", .text, "The id of the request that caused the entry; missing if no request caused it."), EntrySchema.sender,
    ] + origin + ActionBody.members + [PredictionBody.included, ReplicaBody.ofEntry]
  ).about("An entry of the history as an event. Its member cause contains the action.")

  static let start = Schema.object(
    [
      Property("cause", .shared(.cause)), EntrySchema.at, EntrySchema.receivedAt, .maybe("by", .text), .maybe("definition", .text),
      .maybe("request", .text),
    ] + origin + ActionBody.members
  ).about("The start of a session.")

  static let reset = Schema(["type": "object"]).about("The stream starts again, and events may have been lost: read the list of sessions.")

  /// The members that identify the session in the feed of all sessions.
  private static let origin: [Property] = [
    .maybe("session", .shared(.sessionID)), .maybe("app", .text), .maybe("label", .text),
  ]
}
