import CairnCore

extension MigrationReader {
  /// Reports each change that requires a line, if the document has no line for it or the line is incomplete.
  mutating func reportOpenChanges(from old: DefinitionDiff.Source, to new: DefinitionDiff.Source) {
    var changes = DefinitionDiff(from: old, to: new).changes.filter { change in
      // The params of a renamed part are compared by `renamedParams`.
      change.param == nil || isOfKeptPart(change)
    }
    for section in [Section.screens, .flows, .steps] { changes += renamedParams(section, old, new) }
    var reported: Set<String> = []
    for change in changes where change.effect == .migration {
      guard let (section, message) = open(change), !unreadable.contains(section) else { continue }
      let place = lines[section]?[owner(of: change)]?.position ?? places[section] ?? Position(line: 1, column: 1)
      // Several changes of one flow need only one line, so they are reported once.
      if change.param != nil || reported.insert("\(section) \(change.name)").inserted { report(message, at: place) }
    }
  }

  /// The changes of the params of parts that are kept under another name.
  private func renamedParams(_ section: Section, _ old: DefinitionDiff.Source, _ new: DefinitionDiff.Source) -> [DefinitionChange] {
    var comparison = DefinitionComparison(old, new)
    for name in (lines[section] ?? [:]).keys.sorted() {
      guard let target = keptName(name, section), target != name else { continue }
      comparison.compareParams(
        params(of: section.kind, name, in: self.old) ?? [:], params(of: section.kind, target, in: self.new) ?? [:], of: name,
        section.subject, at: [section.rawValue, name], [section.rawValue, target])
    }
    return comparison.changes
  }

  /// The new name of a screen, flow or step that the document keeps; `nil` if no line keeps it.
  private func keptName(_ name: String, _ section: Section) -> String? {
    if section == .screens, case .keep(let target, _, _)? = migration.screens[name] { return target }
    if section == .flows, case .keep(let target, _, _)? = migration.flows[name] { return target }
    if section == .steps, case .keep(let target, _)? = migration.steps[name] { return target }
    return nil
  }

  /// The section with the line for a change of a param.
  private func section(ofParam change: DefinitionChange) -> Section {
    [Section.screens, .flows].first { $0.subject == change.subject } ?? .steps
  }

  /// The part of a change, or the part whose param has changed.
  private func owner(of change: DefinitionChange) -> String {
    change.param.map { String(change.name.dropLast($0.count + 1)) } ?? change.name
  }

  /// Whether a change of a param concerns a part that keeps its name.
  private func isOfKeptPart(_ change: DefinitionChange) -> Bool {
    let (name, section) = (owner(of: change), section(ofParam: change))
    return lines[section]?[name] == nil || keptName(name, section) == name
  }

  /// The section whose line for a change is missing or incomplete, and the message about it; `nil` if nothing is missing.
  private func open(_ change: DefinitionChange) -> (Section, String)? {
    let name = change.name
    let hint = change.successor.map { "; its new name may be `\($0)`" } ?? ""
    func gone(_ section: Section, _ rest: String) -> (Section, String)? {
      lines[section]?[name] == nil
        ? (
          section,
          "the \(change.subject.rawValue) `\(name)`\(place(change)) does not exist in \(files.new): specify how to migrate \(rest)\(hint)"
        )
        : nil
    }
    if change.param != nil { return openParam(change) }
    switch (change.subject, change.kind) {
    case (.screen, .removed): return gone(.screens, "its open nodes: \(Self.forms(.screen))")
    case (.flow, .removed): return gone(.flows, "its open nodes: \(Self.forms(.flow))")
    case (.step, .removed): return gone(.steps, "posts, timers and calls with it: \(Self.forms(.step))")
    case (.fact, .removed):
      return isRead(name) ? nil : gone(.facts, "its value: \(Self.forms(.fact)), or read it as `$fact.\(name)` in `values`")
    case (.fact, _):
      guard lines[.facts]?[name] == nil, lines[.values]?[name] == nil else { return nil }
      return (
        .values,
        "the fact `\(name)`\(place(change)) is \(change.text): \(change.consequence); write `values: { \(name): VALUE }`, or `facts: "
          + "{ \(name): remove }` to drop the old value"
      )
    case (.flow, _):
      guard lines[.flows]?[name] == nil else { return nil }
      let isSame = old.flows[name]?.container == new.flows[name]?.container
      let forms = isSame ? "`{ to: \(name) }` to keep its open nodes, \(Self.leavingForms)" : Self.leavingForms
      return (.flows, "the flow `\(name)`\(place(change)) has \(change.text): \(change.consequence); write \(forms)")
    case (.screen, _), (.step, _), (.setting, _), (.rule, _), (.link, _):
      return (.screens, "\(change.subject.rawValue) \(name)\(place(change)): \(change.consequence)")
    }
  }

  /// Whether a value reads a fact, or may read it in an expression that could not be parsed.
  private func isRead(_ fact: String) -> Bool {
    unreadable.contains(.values) || (lines[.values] ?? [:]).values.contains { !$0.isWhole || $0.spent.contains(fact) }
  }

  private func openParam(_ change: DefinitionChange) -> (Section, String)? {
    guard let param = change.param else { return nil }
    let (section, name) = (section(ofParam: change), owner(of: change))
    let line = lines[section]?[name]
    guard line?.isWhole != false else { return nil }
    let part = "param `\(param)` of the \(change.subject.rawValue) `\(keptName(name, section) ?? name)`"
    switch change.kind {
    case .removed:
      if line?.spent.contains(param) == true { return nil }
      return (
        section,
        "param `\(param)` of the \(change.subject.rawValue) `\(name)`\(place(change)) does not exist in \(files.new): \(change.consequence); read it as "
          + "`$\(param)` in `params` of `\(name)`, or write `\(name): { drop: [\(param)] }`"
      )
    case .added:
      if line?.given.contains(param) == true { return nil }
      return (section, "\(part)\(place(change)) is new: \(change.consequence); write `\(name): { params: { \(param): VALUE } }`")
    case .changed:
      if line?.given.contains(param) == true { return nil }
      let text = change.text.dropFirst("param \(param), ".count)
      return (section, "\(part)\(place(change)) is \(text): \(change.consequence); write `\(name): { params: { \(param): VALUE } }`")
    }
  }

  /// The positions of a change, such as ` (old.yaml:4:3, new.yaml:4:3)`.
  private func place(_ change: DefinitionChange) -> String {
    let places = [(files.old, change.old), (files.new, change.new)].compactMap { file, place in
      place?.text(in: file)
    }
    return places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
  }
}
