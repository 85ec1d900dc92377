/// Named expressions, ready to be worked out.
struct Recipe: Sendable {
  let expressions: [(name: String, expression: Expression)]
  /// Each takes the param of its own name, as most do: then the params can be passed on as they are.
  private let isCopy: Bool
  /// Whether it contains the authorize URL: the node that gets its value owns the OAuth state.
  let carriesAuthorizeURL: Bool

  init(_ expressions: [String: Expression]) {
    self.expressions = expressions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    isCopy = expressions.allSatisfy { name, expression in
      if case .reference(.param(name)) = expression { true } else { false }
    }
    carriesAuthorizeURL = expressions.values.contains { $0.references.contains(.authorizeURL) }
  }

  /// The params that come out if they are those that went in; nil: each is to be worked out.
  func copy(of params: [String: Value]) -> [String: Value]? {
    guard isCopy, params.count == expressions.count else { return nil }
    for name in params.keys where !expressions.contains(where: { $0.name == name }) { return nil }
    return params
  }
}
