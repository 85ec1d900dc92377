extension Expression: Coded {
  package static var blank: Expression { .literal(.null) }

  private static let words: [StaticString] = ["literal", "reference", "template", "array", "object", "sum", "difference", "count"]
  private static let cases: [Expression] = [
    .literal(.null), .reference(.authorizeURL), .template([]), .array([]), .object([:]), .calculation(.sum, []),
    .calculation(.difference, []), .calculation(.count, []),
  ]

  package static func members<C: Coder & ~Copyable>(_ it: inout Expression, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, words, cases)
    switch it {
    case .literal(let value): it = try .literal(coder.coded("literal", value))
    case .reference(let reference): it = try .reference(coder.coded("reference", reference))
    case .template(let parts): it = try .template(coder.coded("template", parts))
    case .array(let elements): it = try .array(coder.coded("array", elements))
    case .object(let members): it = try .object(coder.coded("object", members))
    case .calculation(let kind, let elements):
      let word: StaticString =
        switch kind {
        case .sum: "sum"
        case .difference: "difference"
        case .count: "count"
        }
      it = try .calculation(kind, coder.coded(word, elements))
    }
  }
}

extension Expression.Part: Coded {
  package static var blank: Expression.Part { .text("") }

  package static func members<C: Coder & ~Copyable>(_ it: inout Expression.Part, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, ["text", "reference"], [.text(""), .reference(.authorizeURL)])
    switch it {
    case .text(let text): it = try .text(coder.coded("text", text))
    case .reference(let reference): it = try .reference(coder.coded("reference", reference))
    }
  }
}

extension Reference: Coded {
  package static var blank: Reference { .authorizeURL }

  private static let words: [StaticString] = [
    "param", "fact", "flowFact", "flow", "screen", "result", "error", "content", "authorizeURL", "isFirstSight",
  ]
  private static let cases: [Reference] = [
    .param(""), .fact(""), .flowFact(""), .flow([]), .screen([]), .result([]), .error(""), .content([]), .authorizeURL, .isFirstSight,
  ]

  package static func members<C: Coder & ~Copyable>(_ it: inout Reference, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, words, cases)
    switch it {
    case .param(let name): it = try .param(coder.coded("param", name))
    case .fact(let name): it = try .fact(coder.coded("fact", name))
    case .flowFact(let name): it = try .flowFact(coder.coded("flowFact", name))
    case .flow(let path): it = try .flow(coder.coded("flow", path))
    case .screen(let path): it = try .screen(coder.coded("screen", path))
    case .result(let path): it = try .result(coder.coded("result", path))
    case .error(let member): it = try .error(coder.coded("error", member))
    case .content(let path, let place): it = try .content(coder.coded("content", path), of: coder.coded("of", place))
    case .authorizeURL: try coder.mark("authorizeURL")
    case .isFirstSight: try coder.mark("isFirstSight")
    }
  }
}
