import CairnCore

extension Lint {
  /// Conditions on `content: error` where content has a member of that name: it is the load's error that they look at.
  func mistakenErrors() -> [Finding] {
    guard writesMember("error") else { return [] }
    return places.conditions(on: "content", "error").map { position in
      Finding(
        position: position,
        message: "content: error is the error of a load, not the member error that this app writes; give that another name")
    }
  }

  /// Whether content that the definition itself makes has a member, at its top.
  func writesMember(_ name: String) -> Bool { writesMember(name) { _ in true } }

  /// Whether content that the definition itself makes has a member, at its top, that is set and not only added to.
  func setsMember(_ name: String) -> Bool {
    writesMember(name) { edit in if case .set = edit.change { true } else { false } }
  }

  private func writesMember(_ name: String, _ counts: (ContentEdit) -> Bool) -> Bool {
    makings.contains { $0.contribution.content?.hasMember(name) == true || $0.contribution.load?.brings(name) == true }
      || operations.contains { site in
        if case .content(let edits, _) = site.operation { return edits.contains { counts($0) && $0.path.first?.isMember(name) == true } }
        return site.parts.loads.contains { $0.brings(name) }
      }
  }
}

extension Load {
  /// Whether the value that it brings is known, and has a member.
  fileprivate func brings(_ name: String) -> Bool { if case .value(let value) = source { value.hasMember(name) } else { false } }
}

extension Expression {
  fileprivate func hasMember(_ name: String) -> Bool {
    switch self {
    case .literal(let value): value[name] != nil
    case .object(let members): members[name] != nil
    case .reference, .template, .array: false
    }
  }

  /// Whether it is a path's member of that name, or one that is not known yet.
  fileprivate func isMember(_ name: String) -> Bool { self == .literal(.string(name)) }
}
