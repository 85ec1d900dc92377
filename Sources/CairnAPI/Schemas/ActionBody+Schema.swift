import CairnCore

extension ActionBody {
  /// The members of each action's response. The response to a single action also contains the view.
  static let members = [
    Property(
      "outcome", .shared(.outcome),
      "The outcome of the action. pending: a link is held, the selection of a tab waits for its condition, an action is held for the clients, "
        + "or a token is requested."
    ),
    .maybe("reason", .text, "A stable word that explains the outcome, such as at-root."),
    .maybe(
      "link", .one(of: [.shared(.linkID), .shared(.takenLink)]), "The id of the held link; in a plan, the link that matches the URL."),
    Property("events", .list(of: .shared(.event))), Property("changes", .list(of: .shared(.change))),
    Property("revision", .shared(.revision)),
  ]

  static let schema = Schema.object(
    members + [
      .maybe("plan", .onlyTrue, "true with ?plan: the action was not performed."),
      .maybe("visible", .orNull(.shared(.route))), .maybe("stack", .shared(.stack)), .maybe("tree", .shared(.node)),
    ] + SessionBody.included
  ).about(
    "The response to one action. Prefer: return=minimal omits stack and tree; Prefer: include=\"facts accepts pending\" adds these "
      + "members of the session.")

  static let eventSchema = Schema.object([
    Property("type", .words(Event.Kind.self)), .maybe("flow", .text, "The flow that handled the step."), .maybe("node", .shared(.nodeID)),
    .maybe("step", .text), .maybe("params", .shared(.params)), .maybe("reason", .text), .maybe("url", .text), .maybe("category", .text),
    .maybe("key", .text, "Key of the message; only in events of messages."), .maybe("link", .shared(.linkID)),
    .maybe("question", .shared(.questionID)), .maybe("held", .shared(.heldID), "Id of the held action."),
    .maybe("first", .flag, "Whether the user sees the node for the first time; only in the event `seen`."), EntrySchema.sender,
  ]).about("An event during an action, such as a dropped step or a finished load.")
}

extension ActionsBody {
  static let schema = Schema.object(
    [
      Property(
        "answers", .list(of: .object(ActionBody.members + [ReplicaBody.ofEntry])), "The responses, in the order of the actions."),
      Property("revision", .shared(.revision)),
      .maybe("plan", .onlyTrue, "true with ?plan: the actions were not performed."),
      Property("visible", .orNull(.shared(.route))), .maybe("stack", .shared(.stack)), .maybe("tree", .shared(.node)),
    ] + SessionBody.included
  ).about("The response to an array of actions.")
}
