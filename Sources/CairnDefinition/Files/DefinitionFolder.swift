/// The folder of a definition's main file. `include` can read only files in this folder and its subfolders: an implementation rejects a
/// path or symbolic link that leads out of the folder. Paths are relative to the folder, with `/` between their names; the empty path is
/// the folder itself.
package protocol DefinitionFolder {
  /// The name of the main file.
  var mainFile: String { get }

  /// Returns the entries of a folder; an empty list if there is no readable folder at the path. Throws if the path leads out of the main file's folder.
  func entries(of path: String) throws(IncludeFault) -> [FolderEntry]

  /// Returns the text of a file, of at most `Document.sizeLimit` bytes. Throws if the file is outside of the folder, is larger, or cannot be read.
  func text(of path: String) throws(IncludeFault) -> String

  /// Returns a text that identifies a file: all paths to the same file have the same identity. Throws if the file is outside of the folder, or cannot be read.
  func identity(of path: String) throws(IncludeFault) -> String
}

/// An entry of a folder.
package struct FolderEntry: Hashable, Sendable {
  package let name: String
  package let isFolder: Bool

  package init(_ name: String, isFolder: Bool = false) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// The reason why a pattern of `include` cannot be used.
package struct IncludeFault: Error, Hashable, Sendable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  /// The fault of a path that leads out of the folder of the main file.
  package static func outside(_ path: String, byLink: Bool) -> IncludeFault {
    let way = byLink ? " by a symbolic link" : ""
    return IncludeFault("\(path) leaves the folder of the main file\(way); include only files in this folder or below it")
  }
}
