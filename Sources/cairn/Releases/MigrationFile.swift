import CairnCore
import CairnDefinition
import Foundation

/// A migration document, which may be missing, and the two definitions between which it migrates sessions.
struct MigrationFile {
  let old: DefinitionDiff.Source
  let new: DefinitionDiff.Source
  let loaded: LoadedMigration

  /// Reads a migration document and its two definitions. All arguments are paths. If `document` is `nil`, throws if the definitions differ
  /// in a way that requires a document.
  init(_ document: String?, from old: String, to new: String) throws(StartFailure) {
    self.old = try AppFolder.source(old)
    self.new = try AppFolder.source(new)
    let text = try document.map { path throws(StartFailure) in try AppFolder.text(of: path) } ?? "{}"
    do {
      loaded = try MigrationLoader.load(
        file: document ?? "\(new): the migration", text: text, from: self.old, to: self.new, names: (old: old, new: new))
    } catch {
      throw .definitions([error])
    }
  }

  /// Reads a document with the definitions that it names. `old` replaces the path in `from`.
  init(_ document: String, old: String? = nil) throws(StartFailure) {
    let paths = try Self.paths(of: document)
    let from: String = if let old { old } else { try Self.path("from", paths.from, in: document) }
    try self.init(document, from: from, to: try Self.path("to", paths.to, in: document))
  }

  /// Returns the path of the new definition that a document names.
  static func target(of document: String) throws(StartFailure) -> String {
    try path("to", try paths(of: document).to, in: document)
  }

  /// Returns the path of a file relative to the folder of another file.
  static func path(of file: String, beside other: String) -> String {
    let folder = URL(filePath: other).standardizedFileURL.deletingLastPathComponent().pathComponents
    let target = URL(filePath: file).standardizedFileURL.pathComponents
    let common = zip(folder, target).prefix { $0 == $1 }.count
    return ([String](repeating: "..", count: folder.count - common) + target.dropFirst(common)).joined(separator: "/")
  }

  private static func paths(of document: String) throws(StartFailure) -> (from: String?, to: String?) {
    let text = try AppFolder.text(of: document)
    do {
      return try MigrationLoader.paths(file: document, text: text)
    } catch {
      throw .definitions([error])
    }
  }

  private static func path(_ name: String, _ value: String?, in document: String) throws(StartFailure) -> String {
    guard let value else {
      throw .tool("\(document): `\(name)` is missing; it must be the path of the \(name == "to" ? "new" : "old") definition")
    }
    return URL(filePath: document).deletingLastPathComponent().appending(path: value).relativePath
  }
}
