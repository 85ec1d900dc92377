import CairnCore

extension PredictionBody {
  private static let members = [
    Property.maybe("outcome", .shared(.outcome)), .maybe("reason", .text, "Why nothing would change, or what would be waited for."),
    .maybe("changes", .list(of: .shared(.change)), "What would become of the tree."),
  ]

  static let schema = Schema.object(
    [
      .maybe(
        "action", Schema(["type": "object"]), "The action as the history would have it: without secrets. Missing if it could not be read.")
    ] + members + [.maybe("error", .shared(.problem), "Why it would be refused, instead of outcome and changes.")]
  ).about("What one action would do.")

  /// The predictions that a response or an event contains if the client asks for them.
  static let included = Property.maybe(
    "predictions", .list(of: .shared(.prediction), atMost: PredictionRequest.limit),
    "Asked for with predict: what each accepted gesture and each accepted step without params would do.")
}

extension PredictionsBody {
  static let schema = Schema.object([
    Property("revision", .shared(.revision)),
    Property("predictions", .list(of: .shared(.prediction)), "One for each action, in their order."),
  ]).about("The predictions of the posted actions, each from the same revision.")
}
