/// A value that is evaluated when it is needed: a literal, a `$reference`, or a template with `{references}`.
public indirect enum Expression: Hashable, Sendable {
  case literal(Value)
  case reference(Reference)
  /// A URL into which values are inserted.
  case template([Part])
  case array([Expression])
  case object([String: Expression])
  /// A number that is calculated from the values of other expressions.
  case calculation(Calculation, [Expression])

  public enum Calculation: Hashable, Sendable {
    /// The sum of numbers.
    case sum
    /// The first number minus the others.
    case difference
    /// The number of elements of a list, or of members of an object.
    case count
  }

  public enum Part: Hashable, Sendable {
    case text(String)
    /// A reference. Its value is percent-encoded inside a URL, but not at the start of the URL, where it is a base URL.
    case reference(Reference)
  }

  /// All references in the expression.
  public var references: [Reference] {
    switch self {
    case .literal: []
    case .reference(let reference): reference.all
    case .template(let parts):
      parts.flatMap { if case .reference(let reference) = $0 { reference.all } else { [Reference]() } }
    case .array(let elements), .calculation(_, let elements): elements.flatMap { $0.references }
    case .object(let members): members.values.flatMap { $0.references }
    }
  }
}
