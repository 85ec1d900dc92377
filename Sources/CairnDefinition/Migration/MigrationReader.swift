import CairnCore

/// Reads a migration document between two definitions. Each fault is reported once, at its position. Parts that depend on a wrong part are skipped.
struct MigrationReader: PartReader {
  let old, new: Definition
  let files: Files
  /// The context of the old definition, with its declared names.
  let context: ReaderContext
  let newNames: DeclaredNames
  var migration = Migration()
  /// The positions of the document's sections.
  var places: [Section: Position] = [:]
  /// The sections that could not be read. No line of these sections is reported as missing.
  var unreadable: Set<Section> = []
  /// The lines by section and name, including those that could not be read.
  var lines: [Section: [String: Line]] = [:]

  /// The names of the definitions' files, for messages.
  struct Files {
    var old, new: String
  }

  enum Section: String {
    case screens, flows, steps, facts, values

    /// The subject of the changes for which the section has lines.
    var subject: DefinitionChange.Subject {
      switch self {
      case .screens: .screen
      case .flows: .flow
      case .steps: .step
      case .facts, .values: .fact
      }
    }

    /// The kind of the names that the section's lines have.
    var kind: NameKind {
      switch self {
      case .screens: .screen
      case .flows: .flow
      case .steps: .step
      case .facts, .values: .fact
      }
    }
  }

  /// A line of the document, with the params and facts that it sets and reads.
  struct Line {
    var position: Position
    /// The new params that have a value.
    var given: Set<String> = []
    /// The old params or facts that are dropped, or that an expression of the line reads.
    var spent: Set<String> = []
    /// Whether the whole line could be read. Missing parts are reported only for such a line.
    var isWhole = true
  }

  private enum Rules: String, CaseIterable { case run, none }

  init(from old: Definition, to new: Definition, files: Files, isStored: Bool = false) {
    self.old = old
    self.new = new
    self.files = files
    context = ReaderContext(isStored: isStored, names: DeclaredNames(of: old))
    newNames = DeclaredNames(of: new)
  }

  /// Reads the document into `migration`. `reportOpenChanges` reports the missing lines.
  mutating func read(_ root: Element) {
    guard let file = fields(of: root, "a migration", .migration) else { return }
    for name in ["from", "to"] { if let path = file[name] { _ = text(path, "`\(name)`") } }
    migration.runsRules = word(file["rules"], "`rules`") == Rules.run
    for section in [Section.screens, .flows] {
      for member in members(of: section, in: file) {
        let fate = read(member, section) { $0.nodeFate(member, section.kind, &$1) }
        if section == .screens { migration.screens[member.name] = fate } else { migration.flows[member.name] = fate }
      }
    }
    for member in members(of: .steps, in: file) { migration.steps[member.name] = read(member, .steps) { $0.stepFate(member, &$1) } }
    for member in members(of: .values, in: file) { migration.values[member.name] = read(member, .values) { $0.value(member, &$1) } }
    for member in members(of: .facts, in: file) {
      migration.facts[member.name] = read(member, .facts) { reader, _ in reader.factFate(member) }
    }
    checkSources()
  }

  /// Reads a line, and records it even if it is invalid. Returns the result of `body`, which is `nil` for an invalid line.
  private mutating func read<Fate>(
    _ member: Element.Member, _ section: Section, _ body: (inout MigrationReader, inout Line) -> Fate?
  ) -> Fate? {
    var line = Line(position: member.position)
    let fate = body(&self, &line)
    if fate == nil { line.isWhole = false }
    lines[section, default: [:]][member.name] = line
    return fate
  }

  /// The lines of a section. Lines with an unknown name are reported and omitted.
  private mutating func members(of section: Section, in file: Fields) -> [Element.Member] {
    guard let element = file[section.rawValue] else { return [] }
    places[section] = file.position(of: section.rawValue)
    if element.isNull { return [] }
    guard let members = element.members else {
      unreadable.insert(section)
      report(
        "`\(section.rawValue)` must be a map with a line for each \(section.kind.rawValue), not \(article(element.kindName))",
        at: element.position)
      return []
    }
    let side = section == .values ? Side.new : .old
    return members.filter { member in
      if section.kind == .fact, isBuiltIn(member.name, at: member.position) { return false }
      if isKnown(member.name, section.kind, side, at: member.position) { return true }
      // If the name was misspelled, the part with the similar name is not reported as missing.
      if let meant = meant(member.name, section.kind, side) {
        lines[section, default: [:]][meant] = lines[section]?[meant] ?? Line(position: member.position, isWhole: false)
      }
      return false
    }
  }
}
