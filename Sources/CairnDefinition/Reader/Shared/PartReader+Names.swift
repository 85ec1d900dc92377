import CairnCore

extension PartReader {
  /// Reads a name that must be declared. Reports an undeclared name and returns `nil`.
  func name(_ element: Element, of kind: NameKind) -> String? {
    guard let name = text(element, "the name of a \(kind.rawValue)") else { return nil }
    if names.isKnown(kind, name) || names.isUnreadable(kind) { return name }
    let known = names.known(kind)
    // If nothing of this kind is declared, all unknown names are reported as one error.
    let hasNone = known.sorted.isEmpty || kind == .node && names.screens.isEmpty
    reportUnknown(kind, hasNone ? "" : name, at: element.position) { unknown(kind, name, known) }
    return nil
  }

  /// Reads the name of a fact that conditions and expressions may use: a declared fact or a built-in fact. Returns `nil` after reporting
  /// any other name.
  func factName(_ name: String, at position: Position) -> String? {
    if name == FactDefinition.accessToken || names.facts.keys.contains(name) || names.unreadable.contains(.fact) { return name }
    if FactDefinition.ofApp[name] != nil {
      // A definition that uses one of the built-in facts about the app gets all of them.
      for (name, fact) in FactDefinition.ofApp { names.facts[name] = .some(fact) }
      return name
    }
    let known = names.known(.fact)
    reportUnknown(.fact, name, at: position) { unknown(.fact, name, known) }
    return nil
  }

  private func unknown(_ kind: NameKind, _ name: String, _ known: KnownNames) -> String {
    let built = kind == .fact ? NearestName.of(name, among: FactDefinition.ofApp.keys.sorted()) : nil
    if let meant = known.nearest(to: name) ?? built { return "there is no \(kind.rawValue) `\(name)`; did you mean `\(meant)`?" }
    if kind == .screen, names.flows.keys.contains(name) { return "`\(name)` is a flow, not a screen; use `{ flow: \(name) }`" }
    if kind == .flow, names.screens.keys.contains(name) {
      return "`\(name)` is a screen, not a flow; use `{ screen: \(name) }`"
    }
    if known.sorted.isEmpty { return "there is no \(kind.rawValue) `\(name)`; the definition declares none" }
    let some = known.sorted.prefix(8)
    let more = known.sorted.count > some.count ? ", …" : ""
    return "there is no \(kind.rawValue) `\(name)`; the definition declares \(some.map { "`\($0)`" }.joined(separator: ", "))\(more)"
  }

  /// Whether a declared name is valid: a letter, then letters, digits, `_` and `-`; names of steps may contain dots. Reports an invalid name.
  func isName(_ member: Element.Member, _ kind: NameKind) -> Bool {
    if kind.allows(member.name) { return true }
    let dots = kind == .step ? ", with dots between them" : ""
    report(
      "`\(member.name)` is not a valid name: a name must begin with a letter, followed by letters, digits, `_` and `-`\(dots)",
      at: member.position)
    return false
  }
}
