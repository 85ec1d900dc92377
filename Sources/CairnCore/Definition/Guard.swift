/// A condition on facts, params, content, flows and what is visible.
public indirect enum Guard: Hashable, Sendable, Codable {
  case fact(String, Test)
  case param(String, Test)
  /// A path in the content of the emitting node, or of the nearest one of a screen or flow.
  case content([String], Test, of: String? = nil)
  case status(ContentStatus, of: String? = nil)
  /// In what a request brought: in `until` alone.
  case result([String], Test)
  /// The visible screen is one of these, and its params are those named.
  case visible([String], with: [String: Expression])
  /// An instance of the flow is alive (not ended).
  case flow(String)
  case all([Guard])
  case any([Guard])
  case not(Guard)

  public enum Test: Hashable, Sendable, Codable {
    case isTrue, present, absent
    case equals(Expression)
  }

  /// The facts it names: a rule is judged when one of them is written.
  public var facts: Set<String> {
    switch self {
    case .fact(let name, _): [name]
    case .all(let guards), .any(let guards): guards.reduce(into: []) { $0.formUnion($1.facts) }
    case .not(let inner): inner.facts
    case .param, .content, .status, .result, .visible, .flow: []
    }
  }
}
