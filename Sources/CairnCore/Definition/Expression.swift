/// A value that is worked out when it is needed: a literal, a `$reference`, or a template with `{references}`.
public indirect enum Expression: Hashable, Sendable, Codable {
  case literal(Value)
  case reference(Reference)
  /// A URL with values inserted, each percent-encoded.
  case template([Part])
  case array([Expression])
  case object([String: Expression])

  public enum Part: Hashable, Sendable, Codable {
    case text(String)
    /// Percent-encoded when it stands after the start of a URL; a leading one (a base URL) is taken as it is.
    case reference(Reference)
  }

  /// Every reference in it.
  public var references: [Reference] {
    switch self {
    case .literal: []
    case .reference(let reference): [reference]
    case .template(let parts):
      parts.compactMap { if case .reference(let reference) = $0 { reference } else { nil } }
    case .array(let elements): elements.flatMap(\.references)
    case .object(let members): members.values.flatMap(\.references)
    }
  }
}

/// What an expression can read.
public enum Reference: Hashable, Sendable, Codable {
  /// `$name`: a param of the step, or of the link.
  case param(String)
  /// `$content.a.b`: in the content value of the emitting (or leaving) node; `$content(list).a`: of the nearest `list`.
  /// A member `$row` stands for what the param holds.
  case content([String], of: String? = nil)
  /// `$fact.name`.
  case fact(String)
  /// `$result.a.b`: what a load brought.
  case result([String])
  /// `$oauth.authorizeUrl`: the authorize URL with a fresh state; the node that carries it owns that state.
  case authorizeURL
}

/// A step still to be made: its name and how its params are worked out.
public struct StepTemplate: Hashable, Sendable, Codable {
  public var step: String
  public var with: [String: Expression]

  public init(_ step: String, with: [String: Expression] = [:]) {
    self.step = step
    self.with = with
  }
}

/// A condition on facts, params, content, flows and what is visible.
public indirect enum Guard: Hashable, Sendable {
  case fact(String, Test)
  case param(String, Test)
  /// Of the emitting node: `status`, `error`, or a path below `value`.
  case content([String], Test)
  case status(ContentStatus)
  /// The visible screen is one of these, and its params are those named.
  case visible([String], with: [String: Expression])
  /// An instance of the flow is alive (not ended).
  case flow(String)
  case all([Guard])
  case any([Guard])
  case not(Guard)

  public enum Test: Hashable, Sendable {
    case isTrue, present, absent
    case equals(Expression)
  }

  /// The facts it names: a rule is judged when one of them is written.
  public var facts: Set<String> {
    switch self {
    case .fact(let name, _): [name]
    case .all(let guards), .any(let guards): guards.reduce(into: []) { $0.formUnion($1.facts) }
    case .not(let inner): inner.facts
    case .param, .content, .status, .visible, .flow: []
    }
  }
}
