import CairnCore

/// Writes the first draft of a migration document.
struct MigrationDraft {
  private let old, new: Definition
  private let names: (old: String, new: String)
  private let changes: [DefinitionChange]
  private var sections: [MigrationReader.Section: [Line]] = [:]

  /// A line of the draft, with the decisions that its author must still make (`open`).
  private struct Line {
    var name: String
    var text: String
    var open: [String] = []
  }

  init(from old: DefinitionDiff.Source, to new: DefinitionDiff.Source, names: (old: String, new: String)) {
    self.old = old.loaded.definition
    self.new = new.loaded.definition
    self.names = names
    changes = DefinitionDiff(from: old, to: new).changes.filter { $0.effect == .migration }
    addParts(.screen, .screens)
    addParams(.screen, .screens)
    addParams(.flow, .flows)
    addFlows()
    addParts(.step, .steps)
    addParams(.step, .steps)
    addFacts()
  }

  /// The document in YAML.
  var text: String {
    var text = "# Migrates sessions from \(comment(names.old)) to \(comment(names.new))."
    text += " Paths are relative to this file.\n"
    if sections.values.contains(where: { $0.contains { !$0.open.isEmpty } }) { text += "# Replace each entry below a TODO.\n" }
    text += "from: \(scalar(names.old))\nto: \(scalar(names.new))\nrules: none # run: all rules of the new definition are evaluated once\n"
    for section in [MigrationReader.Section.screens, .flows, .steps, .facts, .values] {
      guard let lines = sections[section] else { continue }
      text += "\(section.rawValue):\n"
      for line in lines.sorted(by: { $0.name < $1.name }) {
        for open in line.open { text += "  # TODO: \(comment(open))\n" }
        text += "  \(scalar(line.name)): \(line.text)\n"
      }
    }
    return text
  }

  private mutating func add(_ section: MigrationReader.Section, _ name: String, _ text: String, _ open: [String] = []) {
    sections[section, default: []].append(Line(name: name, text: text, open: open))
  }

  /// The probable new name of a removed part; `nil` if there is none, or if another removed part has the same probable name.
  private func successor(of change: DefinitionChange, among changes: [DefinitionChange]) -> String? {
    change.successor.flatMap { name in changes.count { $0.successor == name } == 1 ? name : nil }
  }

  /// Adds lines for removed screens, flows or steps.
  private mutating func addParts(_ subject: DefinitionChange.Subject, _ section: MigrationReader.Section) {
    let removed = changes.filter { $0.subject == subject && $0.kind == .removed && $0.param == nil }
    for change in removed {
      if let successor = successor(of: change, among: removed) {
        add(section, change.name, "{ to: \(scalar(successor)) }")
      } else {
        add(section, change.name, "TODO", ["\(change.consequence): \(MigrationReader.forms(section.kind))"])
      }
    }
  }

  /// Adds lines for the changed params of screens, flows or steps that both definitions have. The placeholders `$TODO?` and `NAME?` are not valid
  /// names, so the document is rejected until they are replaced.
  private mutating func addParams(_ subject: DefinitionChange.Subject, _ section: MigrationReader.Section) {
    let changes = changes.filter { $0.subject == subject && $0.param != nil }
    let parts = Dictionary(grouping: changes) { String($0.name.dropLast(($0.param ?? "").count + 1)) }
    for (part, changes) in parts {
      let removed = changes.filter { $0.kind == .removed }
      var (params, drop, open): ([String: String], [String], [String]) = ([:], [], [])
      for change in removed {
        guard let param = change.param else { continue }
        if let successor = successor(of: change, among: removed) {
          params[successor] = "$\(param)"
        } else {
          drop.append("\(param)?")
          open.append("\(change.consequence): drop `\(param)`, or read it as `$\(param)` in `params`")
        }
      }
      for change in changes where change.kind != .removed {
        guard let param = change.param, params[param] == nil else { continue }
        params[param] = "$TODO?"
        open.append("\(change.text): \(change.consequence)")
      }
      var members: [String] = []
      if !params.isEmpty {
        members.append("params: { \(params.sortedByKey.map { "\(scalar($0.key)): \($0.value)" }.joined(separator: ", ")) }")
      }
      if !drop.isEmpty { members.append("drop: [\(drop.joined(separator: ", "))]") }
      add(section, part, "{ \(members.joined(separator: ", ")) }", open)
    }
  }

  private mutating func addFlows() {
    addParts(.flow, .flows)
    let removed = changes.filter { $0.subject == .flow && $0.kind == .removed }
    for (name, changes) in Dictionary(grouping: changes.filter { $0.subject == .flow && $0.kind == .changed }, by: \.name) {
      let hasLine = sections[.flows]?.contains { $0.name == name } ?? false
      guard !hasLine, let one = old.flows[name], let other = new.flows[name] else { continue }
      if one.container != other.container {
        add(.flows, name, "TODO", ["\(changes[0].text): \(changes[0].consequence): \(MigrationReader.leavingForms)"])
        continue
      }
      // Children that were only renamed require no decision.
      let gone = Set(one.children).subtracting(other.children).filter { child in
        let change = removed.first { $0.name == child }
        return change.flatMap { successor(of: $0, among: removed) }.map { !other.children.contains($0) } ?? true
      }
      let text =
        "\(changes[0].text): \(changes[0].consequence): `{ to: \(scalar(name)) }` to keep its open nodes, \(MigrationReader.leavingForms)"
      add(.flows, name, gone.isEmpty ? "{ to: \(scalar(name)) }" : "TODO", gone.isEmpty ? [] : [text])
    }
  }

  private mutating func addFacts() {
    let removed = changes.filter { $0.subject == .fact && $0.kind == .removed }
    for change in removed {
      if FactDefinition.ofApp[change.name] != nil {
        add(.facts, change.name, "remove")
      } else if let successor = successor(of: change, among: removed) {
        add(.facts, change.name, "{ to: \(scalar(successor)) }")
      } else {
        add(.facts, change.name, "TODO", ["\(change.consequence): \(MigrationReader.forms(.fact))"])
      }
    }
    for change in changes where change.subject == .fact && change.kind == .changed {
      add(.values, change.name, "$TODO?", ["\(change.text): \(change.consequence)"])
    }
  }

  // MARK: text

  /// A string as YAML: plain if YAML reads it as the same string, otherwise quoted.
  private func scalar(_ text: String) -> String {
    let isPlain =
      text.utf8.first != UInt8(ascii: "-")
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || "._-/".unicodeScalars.contains($0))
      }
    if isPlain, case .success(.string) = CoreScalar.value(of: text) { return text }
    return Value.string(text).canonicalText
  }

  /// The text with spaces instead of line breaks and control characters, so that it fits on one line.
  private func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isBreak($0) ? " " : $0 }))
  }

  private func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}
