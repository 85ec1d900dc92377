/// A condition on facts, params, content, flows and what is visible.
public indirect enum Guard: Hashable, Sendable {
  case fact(String, Test)
  case param(String, Test)
  /// A path in the content of the emitting node, or of the nearest one of a screen or flow. A member `$row` stands for what the param holds.
  case content([String], Test, of: String? = nil)
  case status(ContentStatus, of: String? = nil)
  /// In the response of a request: only in `until`.
  case result([String], Test)
  /// The visible screen is one of these, and its params are those named.
  case visible([String], with: [String: Expression])
  /// One of these screens exists, visible or not, and has the named params.
  case screen([String], with: [String: Expression])
  /// An instance of the flow is alive (not ended).
  case flow(String)
  case all([Guard])
  case any([Guard])
  case not(Guard)

  public enum Test: Hashable, Sendable {
    case isTrue, present, absent
    case equals(Expression)
    /// It is one of these.
    case among([Value])
    /// A number that is greater, or less.
    case over(Expression)
    case under(Expression)

    /// The expressions that it evaluates.
    public var expressions: [Expression] {
      switch self {
      case .equals(let value), .over(let value), .under(let value): [value]
      case .isTrue, .present, .absent, .among: []
      }
    }
  }

  /// The facts it names: a rule is judged when one of them is written.
  public var facts: Set<String> {
    switch self {
    case .fact(let name, _): [name]
    case .all(let guards), .any(let guards): guards.reduce(into: []) { $0.formUnion($1.facts) }
    case .not(let inner): inner.facts
    case .param, .content, .status, .result, .visible, .screen, .flow: []
    }
  }
}
