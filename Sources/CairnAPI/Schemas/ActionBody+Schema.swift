import CairnCore

extension ActionBody {
  /// The members of each action's response. The response to a single action also contains the view.
  static let members = [
    Property("outcome", .shared(.outcome), "pending: a link is held, or a token is asked for."),
    .maybe("reason", .text, "Why nothing changed, or what is waited for: a stable word."),
    .maybe("link", .one(of: [.shared(.linkID), .shared(.takenLink)]), "The link that was held; of a plan the one that takes the URL."),
    Property("events", .list(of: .shared(.event))), Property("changes", .list(of: .shared(.change))),
    Property("revision", .shared(.revision)),
  ]

  static let schema = Schema.object(
    members + [
      .maybe("plan", .onlyTrue, "Asked for with ?plan: nothing of it was kept."),
      .maybe("visible", .orNull(.shared(.route))), .maybe("stack", .shared(.stack)), .maybe("tree", .shared(.node)),
    ] + SessionBody.included
  ).about(
    "What one action did. With Prefer: return=minimal without stack and tree; with Prefer: include=\"facts accepts pending\" with these "
      + "members of the session.")

  static let eventSchema = Schema.object([
    Property("type", .words(Event.Kind.self)), .maybe("flow", .text, "The flow that handled the step."), .maybe("node", .shared(.nodeID)),
    .maybe("step", .text), .maybe("params", .shared(.params)), .maybe("reason", .text), .maybe("url", .text), .maybe("category", .text),
    .maybe("link", .shared(.linkID)),
  ]).about("Something that happened while an action ran.")
}

extension ActionsBody {
  static let schema = Schema.object(
    [
      Property("answers", .list(of: .object(ActionBody.members + [ReplicaBody.ofEntry])), "Each action's own."),
      Property("revision", .shared(.revision)),
      .maybe("plan", .onlyTrue, "Asked for with ?plan: nothing of it was kept."),
      Property("visible", .orNull(.shared(.route))), .maybe("stack", .shared(.stack)), .maybe("tree", .shared(.node)),
    ] + SessionBody.included
  ).about("The outcomes of an array of actions.")
}
