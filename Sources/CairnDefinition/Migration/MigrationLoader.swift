import CairnCore

/// Reads and validates migration documents in YAML, or in JSON of the same shape. Pure and thread-safe.
package enum MigrationLoader {
  /// Returns the paths of the definitions that a document names. The paths are relative to the document's file; a path is `nil` if it is
  /// missing. Throws only YAML errors and the faults of these two members.
  package static func paths(file: String, text: String) throws(InvalidDefinition) -> (from: String?, to: String?) {
    let root = try Document.read(file: file, text: text)
    let reader = DefinitionReader(context: ReaderContext())
    func path(_ name: String) -> String? {
      root.members?.first { $0.name == name }.flatMap { reader.text($0.element, "`\(name)`") }
    }
    let paths = (from: path("from"), to: path("to"))
    let diagnostics = reader.context.problems.diagnostics(file: file)
    guard diagnostics.isEmpty else { throw InvalidDefinition(diagnostics: diagnostics) }
    return paths
  }

  /// Parses and validates a document between two definitions of the same app. `file` and `names`, the names of the definitions' files, are
  /// used only in the diagnostics; nothing is read from disk. Throws all faults together. A change that requires a line, because running
  /// sessions depend on it, is a fault if the document has no line for it.
  package static func load(
    file: String, text: String, from old: DefinitionDiff.Source, to new: DefinitionDiff.Source, names: (old: String, new: String)
  ) throws(InvalidDefinition) -> LoadedMigration {
    let root = try Document.read(file: file, text: text)
    let (one, other) = (old.loaded.definition.app, new.loaded.definition.app)
    guard one == other else { throw fault("\(names.old) belongs to the app \(one), but \(names.new) to \(other)", in: file) }
    var reader = MigrationReader(from: old.loaded.definition, to: new.loaded.definition, files: .init(old: names.old, new: names.new))
    reader.read(root)
    reader.reportOpenChanges(from: old, to: new)
    let loaded = try loaded(reader, root, file, old.loaded, new.loaded)
    if let fault = DefinitionLoader.fault(ofWrittenOut: loaded.canonical, as: withoutPaths(root), from: text) {
      throw self.fault(fault, in: file)
    }
    return loaded
  }

  /// Loads a stored document from its canonical text. The document was accepted for these definitions before, so it remains readable even if the checks
  /// have become stricter since. Throws all remaining faults together.
  package static func load(
    canonical: String, from old: LoadedDefinition, to new: LoadedDefinition
  ) throws(InvalidDefinition) -> LoadedMigration {
    var source = ElementReader()
    let root = source.read(canonical, isStored: true)
    if let problem = source.problems.first { throw fault(problem.message, in: "migration") }
    guard let root else { throw fault("the migration cannot be read", in: "migration") }
    let files = MigrationReader.Files(old: "the old definition", new: "the new definition")
    var reader = MigrationReader(from: old.definition, to: new.definition, files: files, isStored: true)
    reader.read(root)
    return try loaded(reader, root, "migration", old, new)
  }

  /// Returns the migration between two definitions whose changes require no lines. Throws a fault for each change that requires a line.
  package static func empty(
    from old: DefinitionDiff.Source, to new: DefinitionDiff.Source, names: (old: String, new: String)
  ) throws(InvalidDefinition) -> LoadedMigration {
    try load(file: "migration", text: "{}", from: old, to: new, names: names)
  }

  /// Returns a first draft of a document in YAML, with a line for each change that requires one. The line of a part that has probably been
  /// renamed contains its probable new name. A line that needs a decision is marked with `TODO`, and the document is not accepted until all
  /// these lines are edited.
  package static func draft(
    from old: DefinitionDiff.Source, to new: DefinitionDiff.Source, names: (old: String, new: String)
  ) -> String {
    MigrationDraft(from: old, to: new, names: names).text
  }

  private static func loaded(
    _ reader: MigrationReader, _ root: Element, _ file: String, _ old: LoadedDefinition, _ new: LoadedDefinition
  ) throws(InvalidDefinition) -> LoadedMigration {
    let diagnostics = reader.context.problems.diagnostics(file: file)
    guard diagnostics.isEmpty else { throw InvalidDefinition(diagnostics: diagnostics) }
    return LoadedMigration(migration: reader.migration, canonical: withoutPaths(root).canonicalText, from: old.hash, to: new.hash)
  }

  /// The value of a document without `from` and `to`.
  private static func withoutPaths(_ root: Element) -> Value {
    guard case .object(var members) = root.value else { return .object([:]) }
    members["from"] = nil
    members["to"] = nil
    return .object(members)
  }

  private static func fault(_ message: String, in file: String) -> InvalidDefinition {
    InvalidDefinition(diagnostics: [Diagnostic(.error, file: file, line: 1, column: 1, message)])
  }
}
