/// The type of one param, fact or value.
public struct ParameterDefinition: Hashable, Sendable {
  public var kind: Kind
  public var isOptional: Bool
  /// The only allowed values; `nil` if all values of the kind are allowed.
  public var allowed: ValueSet?
  /// The value that is used if the param is omitted; `nil` if there is none.
  public var defaultValue: Value?
  /// Whether the value is stored encrypted beside the journal. A secret has the type `string`, and its value must have been sealed by `Reducer.seal`.
  public var isSecret = false
  /// The bounds of numbers, texts and lists; `nil` if there are none. A secret has no bounds, because its text is not compared.
  public var bounds: ValueBounds?

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string, integer, number, boolean, list, any
  }

  public init(_ kind: Kind, isOptional: Bool = false, allowed: ValueSet? = nil, defaultValue: Value? = nil) {
    self.kind = kind
    self.isOptional = isOptional
    self.allowed = allowed
    self.defaultValue = defaultValue
  }

  /// Whether a value has this type.
  // Inlined, because the caller would otherwise copy the definition for each param of an action. Not inlined in the engine of a client, where the
  // size of the code matters more than speed.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  func fits(_ value: Value) -> Bool {
    switch (kind, value) {
    case (_, .sealed): isSecret
    case _ where isSecret: false
    case (.any, _), (.string, .string), (.integer, .integer), (.boolean, .bool), (.number, .integer), (.number, .number):
      (allowed?.contains(value) ?? true) && (bounds?.allows(value) ?? true)
    case (.list, .array(let items)): bounds?.allows(items: items) ?? true
    default: false
    }
  }

  /// The fault of a value, as the end of a sentence ("must be …"); `nil` if the value has this type. The fault of an item of a list begins
  /// with the index of the item in brackets.
  public func fault(of value: Value) -> String? {
    if fits(value) { return nil }
    if case .sealed = value { return "is not secret, so its value cannot be a secret" }
    if isSecret, case .string = value { return "is secret: its value must be posted by a client, or be another secret param" }
    guard ParameterDefinition(kind).fits(value) else { return "must be of type \(kind.rawValue), not \(value.kindName)" }
    if let allowed, !allowed.contains(value) { return "must be one of \(allowed.shortText)" }
    return bounds?.fault(of: value)
  }

  /// Parses the text of a link's path or query as this type. Returns the text itself if it cannot be parsed, so that `fault` reports it.
  public func read(_ text: String) -> Value {
    switch kind {
    // Each integer has only one valid spelling, so that +5 and 007 in a link do not mean 5 and 7.
    case .integer: WideInt(text).flatMap { String($0) == text ? Value.integer($0) : nil } ?? .string(text)
    case .number: Self.number(text) ?? .string(text)
    case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .string, .list, .any: .string(text)
    }
  }

  /// The number that a text represents in JSON's grammar (RFC 8259, 6); `nil` for other texts, such as `0x10` and `inf`.
  private static func number(_ text: String) -> Value? {
    guard !text.utf8.contains(where: { $0 <= 0x20 }) else { return nil }
    let value = try? JSONDocument.read(Array(text.utf8), depthLimit: 0) { $0.value }
    switch value {
    case .integer, .number: return value
    default: return nil
    }
  }

  /// Converts a value from outside to this type. A text is parsed. If the type is `string`, any other scalar becomes a text, except a
  /// number that is too large to have all its digits. A value that cannot be converted is returned unchanged.
  public func reading(_ value: Value) -> Value {
    switch value {
    case .string(let text): read(text)
    case .integer, .number, .bool: kind == .string ? value.word.map(Value.string) ?? value : value
    case .null, .array, .object, .sealed: value
    }
  }
}

extension Value {
  /// The text of a scalar as a name, a member of a path or a part of a URL; `nil` for null, an array, an object or a secret. Also `nil` for
  /// a floating-point number that is too large to have all its digits.
  package var word: String? {
    switch self {
    case .number(let number) where number.magnitude >= 9_007_199_254_740_992: nil
    case .bool, .integer, .number, .string: shortText
    case .null, .array, .object, .sealed: nil
    }
  }

  /// A short text for messages: the text of a scalar, the kind of an array or object, or `true` for a secret.
  public var shortText: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .string(let value): value
    case .array, .object: kindName
    case .sealed: "true"
    }
  }
}

extension ParameterDefinition {
  /// The params with defaults filled in, and all faults with the names of the params, sorted by name. Faults of unknown params come last.
  /// For an item of a list, the name has the form `tags[2]`.
  public static func check(
    _ given: [String: Value], against definitions: [String: ParameterDefinition]
  ) -> (params: [String: Value], faults: [(name: String, fault: String)]) {
    var params = given
    var faults: [(name: String, fault: String)] = []
    for (name, definition) in definitions.sortedByKey {
      if let value = given.value(exactly: name) {
        if value == .null && definition.isOptional {
          params[name] = nil
        } else if let misfit = definition.misfit(in: value) {
          faults.append(("\(name)[\(misfit.index)]", misfit.fault))
        } else if let fault = definition.fault(of: value) {
          faults.append((name, fault))
        }
      } else if let value = definition.defaultValue {
        params[name] = value
      } else if !definition.isOptional {
        faults.append((name, "is missing; it must be of type \(definition.kind.rawValue)"))
      }
    }
    let strangers = given.keys.filter { !definitions.contains(exactly: $0) }.sorted()
    guard !strangers.isEmpty else { return (params, faults) }
    let known = definitions.isEmpty ? "no params are allowed" : "the params are \(definitions.keys.sorted().joined(separator: ", "))"
    for name in strangers {
      faults.append((name, "is unknown; \(known)"))
    }
    return (params, faults)
  }
}
