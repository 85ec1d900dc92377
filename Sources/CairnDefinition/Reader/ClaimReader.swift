package import CairnCore

extension DefinitionLoader {
  /// Reads a list of claims about a definition. Throws all errors together.
  package static func claims(_ element: Element, about definition: Definition, file: String) throws(InvalidDefinition) -> [Claim] {
    let context = ReaderContext(names: DeclaredNames(of: definition))
    let claims = ClaimReader(context: context).claims(element)
    let diagnostics = context.problems.diagnostics(file: file)
    guard diagnostics.isEmpty else { throw InvalidDefinition(diagnostics: diagnostics) }
    return claims
  }
}

/// Reads claims about a definition.
struct ClaimReader: PartReader {
  let context: ReaderContext

  /// Reads a list of claims. Claims with errors are reported and omitted.
  func claims(_ element: Element) -> [Claim] {
    list(element, "`claims`").compactMap { claim($0) }
  }

  private func claim(_ element: Element) -> Claim? {
    guard let fields = fields(of: element, "a claim", .claim) else { return nil }
    let name = fields["name"].flatMap { text($0, "`name`") } ?? ""
    guard (fields["always"] == nil) != (fields["reachable"] == nil) else {
      report("a claim must have either `always` or `reachable`", at: element.position)
      return nil
    }
    let scope = Surroundings("a claim cannot read params")
    if let always = fields["always"] {
      guard let parts = self.fields(of: always, "`always`", .always) else { return nil }
      let when = parts["when"].flatMap { conditions.condition($0, in: scope) }
      guard let then = parts["then"].flatMap({ conditions.condition($0, in: scope) }) else { return nil }
      return Claim(name: name, .always(when: when, then: then), line: element.position.line)
    }
    guard let element = fields["reachable"], let parts = self.fields(of: element, "`reachable`", .reachable) else { return nil }
    let from = parts["from"].flatMap { $0.text == "any" ? nil : conditions.condition($0, in: scope) }
    guard let to = parts["to"].flatMap({ conditions.condition($0, in: scope) }) else { return nil }
    return Claim(name: name, .reachable(from: from, to: to), line: element.position.line)
  }
}
