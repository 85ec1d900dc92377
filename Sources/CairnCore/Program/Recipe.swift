/// Compiled named expressions.
struct Recipe: Sendable {
  let expressions: [(name: String, expression: Expression)]
  /// Whether each expression is the param of its own name, which is the usual case. The params can then be passed on unchanged.
  private let isCopy: Bool
  /// Whether an expression contains the authorize URL. The node that receives its value owns the OAuth state.
  let carriesAuthorizeURL: Bool

  init(_ expressions: [String: Expression]) {
    self.expressions = expressions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    isCopy = expressions.allSatisfy { name, expression in
      if case .reference(.param(name)) = expression { true } else { false }
    }
    carriesAuthorizeURL = expressions.values.contains { $0.references.contains(.authorizeURL) }
  }

  /// The given params if they are the result; `nil` if the expressions must be evaluated.
  func copy(of params: [String: Value]) -> [String: Value]? {
    guard isCopy, params.count == expressions.count else { return nil }
    for name in params.keys where !expressions.contains(where: { $0.name == name }) { return nil }
    return params
  }
}
