/// A condition is an object whose first member is its subject.
extension Guard: Coded {
  package static var blank: Guard { .all([]) }

  private static let words: [StaticString] = [
    "result", "fact", "flowFact", "all", "any", "not", "param", "content", "status", "visible", "screen", "flow", "passed", "between",
  ]
  private static let cases: [Guard] = [
    .result([], .isTrue), .fact("", .isTrue), .flowFact("", .isTrue), .all([]), .any([]), .not(.all([])), .param("", .isTrue),
    .content([], .isTrue),
    .status(.idle),
    .visible([], with: [:]), .screen([], with: [:]), .flow(""), .passed(.blank, before: 0), .between(0, 0, zone: .blank),
  ]

  package static func members<C: Coder & ~Copyable>(_ it: inout Guard, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, words, cases)
    switch it {
    case .result(let path, let test): it = try .result(coder.coded("result", path), test.coded(by: &coder))
    case .fact(let name, let test): it = try .fact(coder.coded("fact", name), test.coded(by: &coder))
    case .flowFact(let name, let test): it = try .flowFact(coder.coded("flowFact", name), test.coded(by: &coder))
    case .all(let guards): it = try .all(coder.coded("all", guards))
    case .any(let guards): it = try .any(coder.coded("any", guards))
    case .not(let inner): it = try .not(coder.coded("not", inner))
    case .param(let name, let test): it = try .param(coder.coded("param", name), test.coded(by: &coder))
    case .content(var path, var test, var place):
      try coder.member("content", &path)
      try coder.member("of", &place)
      try Test.members(&test, &coder)
      it = .content(path, test, of: place)
    case .status(let status, let place): it = try .status(coder.coded("status", status), of: coder.coded("of", place))
    case .visible(let screens, let params):
      it = try .visible(coder.coded("visible", screens), with: coder.coded("with", params, unless: [:]))
    case .screen(let screens, let params): it = try .screen(coder.coded("screen", screens), with: coder.coded("with", params, unless: [:]))
    case .flow(let name, let params): it = try .flow(coder.coded("flow", name), with: coder.coded("with", params, unless: [:]))
    case .between(let start, let end, let zone):
      it = try .between(coder.coded("between", start), coder.coded("end", end), zone: coder.coded("zone", zone))
    case .passed(let value, let before): it = try .passed(coder.coded("passed", value), before: coder.coded("before", before))
    }
  }
}

/// A test is a member of its condition. A condition without such a member has the test `isTrue`.
extension Guard.Test: Coded {
  package static var blank: Guard.Test { .isTrue }

  private static let words: [StaticString] = ["is", "equals", "over", "under", "in"]
  private static let cases: [Guard.Test] = [.present, .equals(.blank), .over(.blank), .under(.blank), .among([])]

  package static func members<C: Coder & ~Copyable>(_ it: inout Guard.Test, _ coder: inout C) throws(C.Failure) {
    coder.chooseIfAny(&it, words, cases)
    switch it {
    case .isTrue: break
    case .present, .absent:
      var word = it == .absent ? "absent" : "present"
      try coder.member("is", &word)
      it = word == "absent" ? .absent : .present
    case .equals(let value): it = try .equals(coder.coded("equals", value))
    case .over(let value): it = try .over(coder.coded("over", value))
    case .under(let value): it = try .under(coder.coded("under", value))
    case .among(let values): it = try .among(coder.coded("in", values))
    }
  }
}

extension Guard.Test {
  /// Codes the test with `members`, and returns it.
  fileprivate func coded<C: Coder & ~Copyable>(by coder: inout C) throws(C.Failure) -> Guard.Test {
    var test = self
    try Self.members(&test, &coder)
    return test
  }
}

extension ContentStatus: CodedValue {
  package static var blank: ContentStatus { .idle }

  package static func code<C: Coder & ~Copyable>(_ it: inout ContentStatus, _ coder: inout C) throws(C.Failure) {
    var word = NodeFormat.word(it)
    try coder.code(&word)
    if let known = NodeFormat.contentStatus(word) { it = known } else { try coder.reject("an unknown status") }
  }
}
