import CairnCore

extension ReplicaBody {
  private static let format = Property(
    "format", .whole(from: 1), "The version of the format of state or difference. An engine accepts only its own version.")

  static let schema = Schema.object([
    Property("definition", .text, "The hash of the definition."),
    Property(
      "engine", .whole(from: 1), "The version of the service's engine. An engine of another version may predict a different result."),
    format,
    .maybe(
      "last", .whole(from: 0),
      "The highest number among the client's actions that the state contains; missing if the request does not name a known client."),
    Property("revision", .shared(.revision)),
    Property("state", .text, "The session's state, as JSON in a string. It is the input of an engine's functions `begin` and `adopt`."),
    Property(
      "withheld", .list(of: .text),
      "The names of the omitted values: hidden facts; secret params and facts as STEP.NAME, SCREEN.NAME or FLOW.NAME; oauth.state; environment.*."
    ),
  ]).about("The state of a session for an engine in a client (docs/engine.md).")

  /// The member `replica` of a session; present if the client asks for it.
  static let ofSession = Property.maybe(
    "replica", .shared(.replica),
    "The session's state, as input for an engine in the client. Present if the request has `Prefer: replica`.")

  /// The member `replica` of an event and of the response to a post; present if the client asks for it.
  static let ofEntry = Property.maybe(
    "replica",
    .object([
      Property(
        "difference", .text,
        "The entry's changes to the session's state, as JSON in a string. It is the input of an engine's function `confirm`."), format,
    ]),
    "The entry's changes to the session's state, for an engine in the client. Present with `Prefer: replica`, but missing if the entry "
      + "changed the session's definition, and in a repeated response."
  )
}
