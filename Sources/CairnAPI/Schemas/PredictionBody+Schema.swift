import CairnCore

extension PredictionBody {
  private static let members = [
    Property.maybe("outcome", .shared(.outcome)), .maybe("reason", .text, "A stable word that explains the outcome, such as at-root."),
    .maybe("changes", .list(of: .shared(.change)), "The changes that the action would make to the tree."),
  ]

  static let schema = Schema.object(
    [
      .maybe(
        "action", Schema(["type": "object"]),
        "The action as the history would store it, without secrets; missing if the action could not be read.")
    ] + members + [.maybe("error", .shared(.problem), "The problem, if the action would be refused; outcome and changes are then missing.")]
  ).about("The effect that one action would have.")

  /// The member `predictions` of a response or an event; present if the client asks for predictions.
  static let included = Property.maybe(
    "predictions", .list(of: .shared(.prediction), atMost: PredictionRequest.limit),
    "The predicted effects of the actions in accepts that need no params: gestures and steps. Present with `Prefer: predict`.")
}
