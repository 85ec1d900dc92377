/// The bounds of a type's values: the least and greatest number, and the least and greatest length and the pattern of a text. Immutable and shared,
/// because a type is copied for each check of a value.
public final class ValueBounds: Hashable, Sendable {
  /// The least and the greatest allowed number; `nil` if there is none.
  public let min, max: Value?
  /// The least and the greatest allowed length of a text, in Unicode scalars; `nil` if there is none.
  public let minLength, maxLength: Value?
  /// The pattern that a text must match as a whole; `nil` if there is none.
  public let pattern: TextPattern?

  public init(min: Value? = nil, max: Value? = nil, minLength: Value? = nil, maxLength: Value? = nil, pattern: TextPattern? = nil) {
    self.min = min
    self.max = max
    self.minLength = minLength
    self.maxLength = maxLength
    self.pattern = pattern
  }

  /// Whether a value is within the bounds. Values that are neither numbers nor texts always are.
  package func allows(_ value: Value) -> Bool {
    guard case .string(let text) = value else { return !value.isLess(than: min) && !value.isMore(than: max) }
    return hasLength(of: text) && pattern?.matches(text) ?? true
  }

  /// Whether the length of a text is within the bounds.
  func hasLength(of text: String) -> Bool {
    guard minLength != nil || maxLength != nil else { return true }
    let length = Value.integer(WideInt(text.unicodeScalars.count))
    return !length.isLess(than: minLength) && !length.isMore(than: maxLength)
  }

  public static func == (one: ValueBounds, other: ValueBounds) -> Bool {
    one.min == other.min && one.max == other.max && one.minLength == other.minLength && one.maxLength == other.maxLength
      && one.pattern == other.pattern
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(min)
    hasher.combine(max)
    hasher.combine(minLength)
    hasher.combine(maxLength)
    hasher.combine(pattern)
  }
}

extension ValueBounds {
  /// The bounds as one object, with the names that a definition uses. Creating bounds from any other value, or with an invalid pattern,
  /// returns `nil`.
  var stored: Value {
    var members: [String: Value] = [:]
    members["min"] = min
    members["max"] = max
    members["minLength"] = minLength
    members["maxLength"] = maxLength
    members["pattern"] = pattern.map { .string($0.text) }
    return .object(members)
  }

  convenience init?(stored: Value) {
    guard case .object = stored else { return nil }
    var pattern: TextPattern?
    if case .string(let text)? = stored["pattern"] {
      guard let compiled = try? TextPattern(text) else { return nil }
      pattern = compiled
    }
    self.init(
      min: stored["min"], max: stored["max"], minLength: stored["minLength"], maxLength: stored["maxLength"], pattern: pattern)
  }
}
