#if !CLIENT_ENGINE
  extension ParameterDefinition {
    /// Values at the bounds of this type, each once, for explorations and examples. For numbers, these are the least and the greatest
    /// value. For strings, they are texts that match the pattern or, without a pattern, `texts` lengthened or cut to an allowed length.
    /// Empty if the type has no bounds.
    package func samples(from texts: [String]) -> [Value] {
      guard let bounds else { return [] }
      var values: [Value] = [bounds.min, bounds.max].compactMap { $0 }
      if values.count == 1 { values += neighbours(of: values[0]) }
      if let pattern = bounds.pattern {
        let least = Self.length(bounds.minLength) ?? 0
        values += [pattern.sample(atLeast: least) { first, _ in first }, pattern.sample(atLeast: least) { _, last in last }].compactMap {
          $0.map(Value.string)
        }
      } else if kind == .string {
        let (least, most) = (Self.length(bounds.minLength) ?? 0, Self.length(bounds.maxLength))
        for text in texts {
          let scalars = text.unicodeScalars.prefix(most ?? .max)
          values.append(.string(String(scalars) + String(repeating: "x", count: Swift.max(0, least - scalars.count))))
        }
        if let most, most <= Self.longest { values.append(.string(String(repeating: "x", count: most))) }
      }
      return values.enumerated().filter { fits($1) && !values[..<$0].contains($1) }.map { $0.element }
    }

    /// Maximum length of a sample in Unicode scalars.
    private static let longest = 100

    private static func length(_ value: Value?) -> Int? {
      guard case .integer(let length)? = value else { return nil }
      return Swift.min(Int(length), longest)
    }

    private func neighbours(of value: Value) -> [Value] { [value.adding(1), value.adding(-1)].compactMap { $0 } }
  }
#endif
