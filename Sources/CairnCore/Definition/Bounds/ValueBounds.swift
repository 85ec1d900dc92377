/// The bounds of a type's values: the range of numbers, the length and the pattern of texts, or the length of lists and the type of their
/// items. It is a class, because a type is copied for each check of a value. The instances are immutable and shared.
public final class ValueBounds: Hashable, Sendable {
  /// The least and the greatest allowed number; `nil` if there is no such bound.
  public let min, max: Value?
  /// The least and the greatest allowed length of a text in Unicode scalars, or of a list in items; `nil` if there is no such bound.
  public let minLength, maxLength: Value?
  /// The pattern that a text must match as a whole; `nil` if there is none.
  public let pattern: TextPattern?
  /// The type of the items of a list; `nil` for numbers and texts.
  public let item: ParameterDefinition?

  public init(
    min: Value? = nil, max: Value? = nil, minLength: Value? = nil, maxLength: Value? = nil, pattern: TextPattern? = nil,
    item: ParameterDefinition? = nil
  ) {
    self.min = min
    self.max = max
    self.minLength = minLength
    self.maxLength = maxLength
    self.pattern = pattern
    self.item = item
  }

  /// Whether a number or text is within the bounds; true for any other value.
  package func allows(_ value: Value) -> Bool {
    guard case .string(let text) = value else { return !value.isLess(than: min) && !value.isMore(than: max) }
    return hasLength(of: text) && pattern?.matches(text) ?? true
  }

  /// Whether the number of a list's items is within the bounds, and each item fits the item type.
  @inline(never)
  func allows(items: [Value]) -> Bool {
    guard hasLength(items.count) else { return false }
    guard let item else { return true }
    for value in items where !item.fits(value) { return false }
    return true
  }

  /// Whether the length of a text, in Unicode scalars, is within the bounds.
  func hasLength(of text: String) -> Bool {
    guard minLength != nil || maxLength != nil else { return true }
    return hasLength(text.unicodeScalars.count)
  }

  func hasLength(_ count: Int) -> Bool {
    let length = Value.integer(WideInt(count))
    return !length.isLess(than: minLength) && !length.isMore(than: maxLength)
  }

  public static func == (one: ValueBounds, other: ValueBounds) -> Bool {
    one.min == other.min && one.max == other.max && one.minLength == other.minLength && one.maxLength == other.maxLength
      && one.pattern == other.pattern && one.item == other.item
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
  /// The bounds as one object, without the type of a list's items. `init(stored:item:)` reads such an object; it returns `nil` for any
  /// other value, and for an invalid pattern.
  var stored: Value {
    var members: [String: Value] = [:]
    members["min"] = min
    members["max"] = max
    members["minLength"] = minLength
    members["maxLength"] = maxLength
    members["pattern"] = pattern.map { .string($0.text) }
    return .object(members)
  }

  convenience init?(stored: Value, item: ParameterDefinition?) {
    guard case .object = stored else { return nil }
    var pattern: TextPattern?
    if case .string(let text)? = stored["pattern"] {
      guard let compiled = try? TextPattern(text) else { return nil }
      pattern = compiled
    }
    self.init(
      min: stored["min"], max: stored["max"], minLength: stored["minLength"], maxLength: stored["maxLength"], pattern: pattern,
      item: item)
  }
}
