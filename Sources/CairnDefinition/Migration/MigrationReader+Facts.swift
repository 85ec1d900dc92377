import CairnCore

extension MigrationReader {
  /// Reads the line of an old fact. Returns `nil` after reporting a fault.
  mutating func factFate(_ member: Element.Member) -> Migration.FactFate? {
    if member.element.text == "remove" { return .remove }
    guard let fields = fields(of: member, .fact, .factFate), let element = fields["to"],
      !isBuiltIn(element.text ?? "", at: element.position),
      let name = newName(element, .fact, "`to`"), let before = old.facts[member.name], let after = new.facts[name],
      isWritable(name, from: member.name, at: element.position)
    else { return nil }
    if let narrowing = before.type.narrowing(to: after.type) {
      report(
        "the value of `\(member.name)` \(narrowing): replace this line with `values: { \(name): VALUE }`, where `$fact.\(member.name)` is the old value",
        at: element.position)
      return nil
    }
    return .keep(as: name)
  }

  /// Reads the value of a new fact. Returns `nil` after reporting an error.
  mutating func value(_ member: Element.Member, _ line: inout Line) -> Expression? {
    var scope = Surroundings("a value can read only facts, as `$fact.NAME`")
    scope.isMigration = true
    guard isWritable(member.name, from: nil, at: member.position), let type = new.facts[member.name]?.type,
      let expression = expressions.expression(member.element, in: scope)
    else { return nil }
    line.spent = Set(expression.references.compactMap { if case .fact(let name) = $0 { name } else { nil } })
    // If the expression is `null`, the fact gets its default.
    if expression != .literal(.null) {
      expressions.check(expression, fits: type, "the fact `\(member.name)`", at: member.element.position, in: scope)
    }
    return expression
  }

  /// Whether a migration may write a fact. Reports a fact whose values have another source. `old` is the old fact whose value the fact
  /// keeps; `nil` if the fact gets its value in `values`.
  private mutating func isWritable(_ name: String, from old: String?, at position: Position) -> Bool {
    if name != old, FactDefinition.ofApp[name] != nil {
      report("only the action `appState` writes `\(name)`", at: position)
      return false
    }
    if let variable = new.facts[name]?.environment, old.flatMap({ self.old.facts[$0]?.environment }) == nil {
      reportUnlessStored(
        "the fact `\(name)` is read from the environment variable `\(variable)`, so a migration cannot set it; remove this line",
        at: position)
    }
    return true
  }

  /// Reports new facts that would have two values: from two old facts, or from an old fact and an expression.
  mutating func checkSources() {
    let read = Set((lines[.values] ?? [:]).values.flatMap(\.spent))
    var sources: [String: String] = [:]
    let facts = (lines[.facts] ?? [:]).sorted { $0.value.position < $1.value.position }
    for (name, line) in facts {
      guard case .keep(let target)? = migration.facts[name] else { continue }
      if migration.values[target] != nil {
        report("`\(target)` gets a value from this line and in `values`; remove one of the two", at: line.position)
      } else if let first = sources[target] {
        report("`\(first)` is already migrated to `\(target)`; write `remove`, or `{ to: FACT }` with another fact", at: line.position)
      } else if target != name, lines[.facts]?[target] == nil, old.facts[target] != nil, !read.contains(target) {
        report(
          "\(files.old) also has a fact `\(target)`, whose value would be lost: add a line for `\(target)`, \(Self.forms(.fact))",
          at: line.position)
      }
      sources[target] = name
    }
  }
}
