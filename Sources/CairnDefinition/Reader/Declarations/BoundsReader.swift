import CairnCore

/// Reads the bounds of a type: `min`, `max`, `minLength`, `maxLength` and `pattern`, and `minItems` and `maxItems` of a list.
struct BoundsReader: PartReader {
  let context: ReaderContext

  /// The members that are bounds, in the order of the documentation.
  static let words = ["min", "max", "minLength", "maxLength", "minItems", "maxItems", "pattern"]

  /// The greatest magnitude of a bound. JavaScript and other readers of JSON do not represent all integers beyond it (RFC 8259, 6).
  private static let most = 9_007_199_254_740_992

  /// Reads the bounds of a type. Returns `nil` if there are none. Bounds with errors are reported and omitted.
  func read(_ fields: Fields, of type: ParameterDefinition, _ what: String) -> ValueBounds? {
    guard Self.words.contains(where: { fields[$0] != nil }) else { return nil }
    let bounds = ValueBounds(
      min: number("min", fields, type, what), max: number("max", fields, type, what), minLength: length("minLength", fields, type, what),
      maxLength: length("maxLength", fields, type, what), pattern: pattern(fields, type, what))
    checkOrder("min", bounds.min, "max", bounds.max, fields)
    checkOrder("minLength", bounds.minLength, "maxLength", bounds.maxLength, fields)
    for word in ["minItems", "maxItems"] { _ = length(word, fields, type, what) }
    return bounds
  }

  /// Reads the bounds of a list whose items have this type. Reports bounds that a list cannot have.
  func ofList(_ fields: Fields, _ item: ParameterDefinition, _ type: ParameterDefinition, _ what: String) -> ValueBounds {
    let (least, most) = (length("minItems", fields, type, what), length("maxItems", fields, type, what))
    for word in ["min", "max"] { _ = number(word, fields, type, what) }
    for word in ["minLength", "maxLength"] { _ = length(word, fields, type, what) }
    _ = pattern(fields, type, what)
    checkOrder("minItems", least, "maxItems", most, fields)
    return ValueBounds(minLength: least, maxLength: most, item: item)
  }

  private func number(_ word: String, _ fields: Fields, _ type: ParameterDefinition, _ what: String) -> Value? {
    guard let element = fields[word] else { return nil }
    guard type.kind == .integer || type.kind == .number else {
      report("`\(word)` is for numbers, but \(what) is of type \(type.kind.rawValue)\(remedy(word, type))", at: fields.position(of: word))
      return nil
    }
    guard ParameterDefinition(type.kind).fault(of: element.value) == nil, let magnitude = element.value.magnitude else {
      report("`\(word)` must be of type \(type.kind.rawValue), not \(described(element))", at: element.position)
      return nil
    }
    guard magnitude <= Double(Self.most), element.value != .integer(Self.most + 1), element.value != .integer(-Self.most - 1) else {
      report("`\(word)` must be from -\(Self.most) to \(Self.most), because larger numbers are not exact in JSON", at: element.position)
      return nil
    }
    return element.value
  }

  private func pattern(_ fields: Fields, _ type: ParameterDefinition, _ what: String) -> TextPattern? {
    guard let element = fields["pattern"] else { return nil }
    guard type.kind == .string else {
      report("`pattern` is for strings, but \(what) is of type \(type.kind.rawValue)", at: fields.position(of: "pattern"))
      return nil
    }
    guard let text = text(element, "`pattern`") else { return nil }
    do throws(TextPattern.Fault) {
      return try TextPattern(text)
    } catch {
      report("`pattern` \(error.reason)", at: element.position)
      return nil
    }
  }

  private func length(_ word: String, _ fields: Fields, _ type: ParameterDefinition, _ what: String) -> Value? {
    guard let element = fields[word] else { return nil }
    let (kind, noun): (ParameterDefinition.Kind, String) = word.hasSuffix("Items") ? (.list, "lists") : (.string, "strings")
    guard type.kind == kind else {
      report("`\(word)` is for \(noun), but \(what) is of type \(type.kind.rawValue)\(remedy(word, type))", at: fields.position(of: word))
      return nil
    }
    guard case .integer(let length) = element.value, (0...Self.most).contains(length) else {
      report("`\(word)` must be a whole number from 0 to \(Self.most), not \(described(element))", at: element.position)
      return nil
    }
    return element.value
  }

  /// The end of a message: the bound that values of this type have, if the author has probably used the bound of another type; otherwise
  /// empty.
  private func remedy(_ word: String, _ type: ParameterDefinition) -> String {
    switch (type.kind, word) {
    case (.string, _): "; the bound of a length is `\(word.prefix(3))Length`"
    case (.list, "min"), (.list, "max"), (.list, "minLength"), (.list, "maxLength"):
      "; the bound of the number of items is `\(word.prefix(3))Items`, and bounds of each item belong into `of`"
    case (.integer, _), (.number, _): "; the bound of a number is `\(word.prefix(3))`"
    default: ""
    }
  }

  private func checkOrder(_ low: String, _ least: Value?, _ high: String, _ most: Value?, _ fields: Fields) {
    guard let least, let most, most.isLess(than: least) else { return }
    report("`\(low)` is \(least.shortText), but `\(high)` is \(most.shortText), so no value is allowed", at: fields.position(of: low))
  }
}

extension Value {
  /// The magnitude of a number; `nil` for other values.
  fileprivate var magnitude: Double? {
    switch self {
    case .integer(let value): Double(value.magnitude)
    case .number(let value): value.magnitude
    default: nil
    }
  }
}

extension TextPattern.Fault {
  /// The reason, as the end of a sentence that begins with the name of the member.
  fileprivate var reason: String {
    switch self {
    case .anchor: "must not contain `^` or `$`, because a text must match as a whole; write `\\^` or `\\$` for the character"
    case .group: "may contain only groups like `(…)` and `(?:…)`; a text is matched without looking back or ahead"
    case .quantifier: "must have at most one of `?`, `*`, `+` and `{n,m}` after each character, class or group"
    case .count: "may contain repetitions like `{2}`, `{2,}` and `{2,9}`, with numbers up to 100"
    case .tooLarge: "is too large: with its repetitions written out it may have at most \(TextPattern.most) states"
    case .tooDeep: "has too many groups in each other; at most 8 are possible"
    case .escape: "may contain `\\d`, `\\w`, and `\\` before a character with a special meaning; list other characters in `[…]`"
    case .range: "has an empty class, or a range whose ends are in the wrong order; write classes like `[a-z0-9]`"
    case .unclosed: "is incomplete: a group or class is not closed, or closed without being opened"
    case .unescaped: "has a bracket without a meaning here; write `\\` before it"
    }
  }
}
