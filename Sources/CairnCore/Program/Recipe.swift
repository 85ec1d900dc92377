/// Named expressions, prepared for evaluation.
struct Recipe: Sendable {
  let expressions: [(name: String, expression: Expression)]
  /// Whether each expression is the param of the same name, which is the usual case. The params can then be passed on unchanged.
  private let isCopy: Bool
  /// Whether an expression contains the authorize URL, so that the node that receives the value owns the OAuth state.
  let carriesAuthorizeURL: Bool

  init(_ expressions: [String: Expression]) {
    self.expressions = expressions.sortedByKey.map { ($0.key, $0.value) }
    isCopy = expressions.allSatisfy { name, expression in
      if case .reference(.param(name)) = expression { true } else { false }
    }
    carriesAuthorizeURL = expressions.values.contains { $0.references.contains(.authorizeURL) }
  }

  /// The params themselves if evaluation would return them unchanged; otherwise `nil`.
  func copy(of params: [String: Value]) -> [String: Value]? {
    guard isCopy, params.count == expressions.count else { return nil }
    for name in params.keys where !expressions.contains(where: { $0.name == name }) { return nil }
    return params
  }
}
