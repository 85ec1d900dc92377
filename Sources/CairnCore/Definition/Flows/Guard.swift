/// A condition on facts, params, content, flows and visible screens.
public indirect enum Guard: Hashable, Sendable {
  case fact(String, Test)
  /// Tests a fact of the flow that handles the step, or of the nearest flow around it that has the fact.
  case flowFact(String, Test)
  case param(String, Test)
  /// Tests the value at a path in the content of the emitting node, or of the nearest node at the given place. A member `$row` of the path
  /// is replaced by the value of the param `row`.
  case content([String], Test, of: Place? = nil)
  case status(ContentStatus, of: Place? = nil)
  /// Tests the value at a path in the response of a request. Allowed only in `until`.
  case result([String], Test)
  /// One of these screens is visible, and the params of its node have the values in `with`.
  case visible([String], with: [String: Expression])
  /// One of these screens exists, visible or not, and the params of its node have the values in `with`.
  case screen([String], with: [String: Expression])
  /// An instance of the flow exists that has not ended, and its params have the values in `with`.
  case flow(String, with: [String: Expression] = [:])
  /// The moment that the expression names has passed, or at most `before` milliseconds are left until then. False if the value is not a
  /// moment.
  case passed(Expression, before: WideInt)
  /// The clock of the time zone that the expression names is between two times of day, in milliseconds since midnight (`ZoneWindow.isBetween`). False if the
  /// zone is unknown.
  case between(WideInt, WideInt, zone: Expression)
  case all([Guard])
  case any([Guard])
  case not(Guard)

  public enum Test: Hashable, Sendable {
    case isTrue, present, absent
    case equals(Expression)
    /// The value is in this set.
    case among(ValueSet)
    /// The value is a number greater than the expression's value (`over`), or less than it (`under`).
    case over(Expression)
    case under(Expression)

    /// The expressions that the test evaluates.
    public var expressions: [Expression] {
      switch self {
      case .equals(let value), .over(let value), .under(let value): [value]
      case .isTrue, .present, .absent, .among: []
      }
    }
  }

  /// The facts of the session that the condition reads. A rule is evaluated when one of these facts is written.
  public var facts: Set<String> {
    switch self {
    case .fact(let name, _): [name]
    case .all(let guards), .any(let guards): guards.reduce(into: []) { $0.formUnion($1.facts) }
    case .not(let inner): inner.facts
    case .passed(let value, _), .between(_, _, let value):
      value.references.reduce(into: []) { if case .fact(let name) = $1 { $0.insert(name) } }
    case .flowFact, .param, .content, .status, .result, .visible, .screen, .flow: []
    }
  }
}
