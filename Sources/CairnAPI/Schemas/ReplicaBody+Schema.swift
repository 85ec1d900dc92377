import CairnCore

extension ReplicaBody {
  private static let format = Property("format", .whole(from: 1), "The number of the state's form. An engine accepts no other.")

  static let schema = Schema.object([
    Property("definition", .text, "The hash of the definition."),
    Property("engine", .whole(from: 1), "The number of the service's engine. Another one may predict something else."),
    format,
    .maybe("last", .whole(from: 0), "The highest number of the client's actions that the state contains."),
    Property("revision", .shared(.revision)),
    Property("state", .text, "The state, as JSON in a string, for the functions begin and adopt of an engine."),
    Property(
      "withheld", .list(of: .text),
      "The omitted values: hidden facts, secret params as STEP.NAME or SCREEN.NAME, oauth.state, environment.*."
    ),
  ]).about("The state of a session for an engine in a client (docs/engine.md).")

  /// The member of a session, if the client asks for it.
  static let ofSession = Property.maybe("replica", .shared(.replica), "Asked for with Prefer: replica.")

  /// The member of a response to a post and of an event, if the client asks for it.
  static let ofEntry = Property.maybe(
    "replica",
    .object([Property("difference", .text, "JSON in a string, for the function confirm of an engine."), format]),
    "Asked for with Prefer: replica: the difference of the state. Missing if the definition changed, and in repeats.")
}
