extension LinkDefinition: Coded {
  package static var blank: LinkDefinition { LinkDefinition(path: [], steps: []) }

  package static func members<C: Coder & ~Copyable>(_ it: inout LinkDefinition, _ coder: inout C) throws(C.Failure) {
    try coder.list("hosts", &it.hosts)
    try coder.list("schemes", &it.schemes)
    try coder.list("path", &it.path)
    try coder.list("query", &it.query)
    try coder.list("steps", &it.steps)
    try coder.member("when", &it.when)
    try coder.member("requires", &it.requires)
    try coder.member("hold", &it.hold)
    try coder.member("else", &it.otherwise)
  }
}

/// A segment is a list of two texts. The first is its kind, and the second is its name or its literal text.
extension LinkDefinition.Segment: CodedValue {
  package static var blank: LinkDefinition.Segment { .literal("") }

  package static func code<C: Coder & ~Copyable>(_ it: inout LinkDefinition.Segment, _ coder: inout C) throws(C.Failure) {
    var parts = [it.word, it.name ?? it.text]
    try coder.code(&parts)
    guard C.reads else { return }
    guard parts.count == 2 else { return try coder.reject("not a segment") }
    switch parts[0] {
    case "literal": it = .literal(parts[1])
    case "capture": it = .capture(parts[1])
    case "optional": it = .optional(parts[1])
    case "rest": it = .rest(parts[1])
    default: try coder.reject("not a segment")
    }
  }

  private var word: String {
    switch self {
    case .literal: "literal"
    case .capture: "capture"
    case .optional: "optional"
    case .rest: "rest"
    }
  }
}
