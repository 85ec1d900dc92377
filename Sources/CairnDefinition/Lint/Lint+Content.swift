import CairnCore

extension Lint {
  /// Reports conditions on `content: error` in an app that writes a member `error`, because such a condition tests the error of a load, not
  /// the member.
  func mistakenErrors() -> [Finding] {
    guard writesMember("error") else { return [] }
    return places.conditions(on: "content", "error").map { position in
      Finding(
        position: position,
        message: "`content: error` tests the error of a load, not the member `error` that this app writes; rename the app's member")
    }
  }

  /// Whether an expression or operation of the definition writes a top-level member of content with this name.
  func writesMember(_ name: String) -> Bool {
    makings.contains { $0.contribution.content?.hasMember(name) == true || $0.contribution.load?.brings(name) == true }
      || operations.contains { site in
        if case .content(let edits, _) = site.operation { return edits.contains { $0.path.first?.isMember(name) == true } }
        return site.parts.loads.contains { $0.brings(name) }
      }
  }

  /// Whether any node is created with content or a load, or an operation creates content. An operation that only adds to content creates no
  /// content.
  var createsContent: Bool {
    makings.contains { $0.contribution.content != nil || $0.contribution.load != nil }
      || operations.contains { site in
        if case .content(let edits, _) = site.operation { return edits.contains { if case .set = $0.change { true } else { false } } }
        return !site.parts.loads.isEmpty
      }
  }
}

extension Load {
  /// Whether the load has `value`, and this value contains the member. The members of a response are unknown.
  fileprivate func brings(_ name: String) -> Bool { if case .value(let value) = source { value.hasMember(name) } else { false } }
}

extension Expression {
  fileprivate func hasMember(_ name: String) -> Bool {
    switch self {
    case .literal(let value): value[name] != nil
    case .object(let members): members[name] != nil
    case .reference, .template, .array, .calculation: false
    }
  }

  /// Whether the path segment is this literal name.
  fileprivate func isMember(_ name: String) -> Bool { self == .literal(.string(name)) }
}
