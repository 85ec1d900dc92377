import CairnCore

/// Reads the operations that write facts and content.
struct WriteReader: PartReader {
  let context: ReaderContext

  /// Reads `write: { FACT: VALUE, … }`, in which `null` resets a fact. Facts with errors are reported and omitted.
  func write(_ value: Element, in scope: Surroundings) -> [Operation] {
    guard let members = value.members, !members.isEmpty else {
      report("`write` must be a map of facts, like `{ onBoarded: true }`, not \(described(value))", at: value.position)
      return []
    }
    var writes: [String: Expression] = [:]
    var resets: [String] = []
    for member in members {
      guard let fact = writable(member.name, at: member.position, in: scope) else { continue }
      let name = fact.name
      if member.element.isNull {
        resets.append(name)
        continue
      }
      let reading = fact.type?.isSecret == true ? scope.readingSecrets : scope
      guard let expression = expressions.expression(member.element, in: reading) else { continue }
      if let type = fact.type {
        var strict = type
        strict.isOptional = false
        expressions.check(expression, fits: strict, "the fact `\(name)`", at: member.element.position, in: scope)
      }
      writes[name] = expression
    }
    return (writes.isEmpty ? [] : [.write(writes)]) + (resets.isEmpty ? [] : [.clear(resets.sorted())])
  }

  private func writable(_ name: String, at position: Position, in scope: Surroundings) -> FactUse? {
    if let variable = names.fact(name)?.environment {
      reportUnlessStored(
        "the fact `\(name)` is read from the environment variable `\(variable)`, so no operation can change it; remove it here",
        at: position)
    }
    if names.fact(name)?.shares.isEmpty == false {
      report("the fact `\(name)` is assigned once by the service, so no operation can change it; remove it here", at: position)
    }
    if FactDefinition.ofApp[name] != nil, names.fact(name).map({ $0 == FactDefinition.ofApp[name] }) ?? true {
      report("only the action `appState` writes `\(name)`", at: position)
      return nil
    }
    guard name == FactDefinition.accessToken else { return facts.use(of: name, at: position, in: scope) }
    report("only a login, a logout and the action `token` can write `accessToken`", at: position)
    return nil
  }

  /// Reads `{ "a.b": VALUE | { add: NUMBER } | { remove: true } }`, and the member `of: PLACE` of the same map. Returns `nil` after reporting an error.
  func content(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    let place = fields["of"].flatMap { places.place($0, "`of`", in: scope) }
    guard let members = value.members, !members.isEmpty else {
      report("`content` must be a map of paths, like `{ count: 1 }`, not \(described(value))", at: value.position)
      return nil
    }
    // The edits have the order of the canonical form, because the order in the file is not part of the definition. A value precedes the parts inside it.
    let edits = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.compactMap { member -> ContentEdit? in
      guard let path = path(member, in: scope) else { return nil }
      if let inner = member.element.members, inner.count == 1, inner[0].name == "add" {
        let amount = inner[0].element
        guard let expression = expressions.expression(amount, in: scope) else { return nil }
        expressions.check(expression, fits: ParameterDefinition(.number), "`add`", at: amount.position, in: scope)
        return ContentEdit(path: path, change: .add(expression))
      }
      if let inner = member.element.members, inner.count == 1, inner[0].name == "remove" {
        if inner[0].element.value != .bool(true) {
          report("`remove` must be true, not \(described(inner[0].element))", at: inner[0].element.position)
        }
        return ContentEdit(path: path, change: .remove)
      }
      return expressions.expression(member.element, in: scope).map { ContentEdit(path: path, change: .set($0)) }
    }
    return .content(edits, of: place)
  }

  private func path(_ member: Element.Member, in scope: Surroundings) -> [Expression]? {
    let parts = member.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains("") else {
      report("a path must be names joined by dots, like `a.b`, not `\(member.name)`", at: member.position)
      return nil
    }
    let path = ReferenceReader.members(parts).map { part -> Expression? in
      guard part.hasPrefix("$") else { return .literal(.string(part)) }
      return references.member(part, at: member.position, in: scope).map { .reference($0) }
    }
    let whole = path.compactMap(\.self)
    return whole.count == path.count ? whole : nil
  }
}
