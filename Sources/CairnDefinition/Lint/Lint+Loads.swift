import CairnCore

extension Lint {
  /// A step for a token that is not good, where nothing goes with the token.
  func unauthorizedForNothing() -> [Finding] {
    guard definition.unauthorized != nil, !definition.loads.contains(where: { $0.request?.bearer ?? false }) else { return [] }
    return [
      Finding(
        position: places.name("loadDefaults", "unauthorized"),
        message: "unauthorized is never sent: no load has bearer: accessToken")
    ]
  }
}
