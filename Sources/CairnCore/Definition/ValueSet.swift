/// The values that a type allows, or with which a condition compares: a list, or a set with a name in the definition. All uses of a named
/// set share its storage, and `DefinitionFormat` writes its values once.
public struct ValueSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The name and the values of a set, in one shared object. A type is copied for each check of a value, and the copy only adds a reference to the
  /// object.
  private final class Contents: Sendable {
    let name: String?
    let values: [Value]
    #if !CLIENT_ENGINE
      /// All values, for a fast lookup, because a request may be checked against a list many times; `nil` for a list of at most 16 values.
      let lookup: Set<Value>?
    #endif

    init(_ values: [Value], name: String?) {
      self.name = name
      self.values = values
      #if !CLIENT_ENGINE
        lookup = values.count > 16 ? Set(values) : nil
      #endif
    }
  }

  private let contents: Contents

  /// The name of a named set; `nil` for a list without a name, which is used only once.
  public var name: String? { contents.name }
  public var values: [Value] { contents.values }

  public init(_ values: [Value], name: String? = nil) { contents = Contents(values, name: name) }

  public init(arrayLiteral values: Value...) { self.init(values) }

  /// Whether one of the values equals `value`.
  public func contains(_ value: Value) -> Bool {
    #if !CLIENT_ENGINE
      if let lookup = contents.lookup { return lookup.contains(value) }
    #endif
    return values.contains(value)
  }

  /// Whether the values are the same, in the same order. The names may differ.
  public static func == (one: ValueSet, other: ValueSet) -> Bool { one.values == other.values }

  /// Hashes only the number of values and the first value. It takes constant time, because a definition may use a large set many times.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values.count)
    hasher.combine(values.first)
  }

  /// The values as text for a message, such as `new, old`. If the list is long, the text contains only the first values.
  public var shortText: String {
    var text = ""
    for (count, value) in values.enumerated() {
      let next = value.shortText
      guard count < 20, count == 0 || text.utf8.count + next.utf8.count <= 400 else { return "\(text), … (\(values.count) in all)" }
      let cut = next.utf8.count <= 400 ? next : "\(next.prefix(100))…"
      text += count == 0 ? cut : ", \(cut)"
    }
    return text
  }
}
