import CairnDefinition
import Foundation
import Glibc

/// The folder of a definition's main file on the disk.
struct DiskFolder: DefinitionFolder {
  let mainFile: String
  /// The path of the folder, as a prefix of paths; empty for the working directory.
  private let prefix: String
  /// The real path of the folder; `nil` if the folder does not exist.
  private let real: String?

  /// Creates the folder of a main file. `file` is the path of the file.
  init(of file: String) {
    prefix = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    mainFile = String(file.dropFirst(prefix.count))
    real = Self.realPath(prefix.isEmpty ? "." : prefix)
  }

  func entries(of path: String) throws(IncludeFault) -> [FolderEntry] {
    guard try isInside(path), let names = try? FileManager.default.contentsOfDirectory(atPath: diskPath(path)) else { return [] }
    return names.map { name in
      var status = stat()
      let isFolder = stat(diskPath(path.isEmpty ? name : "\(path)/\(name)"), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      return FolderEntry(name, isFolder: isFolder)
    }
  }

  func text(of path: String) throws(IncludeFault) -> String {
    _ = try identity(of: path)
    do throws(StartFailure) {
      return try AppFolder.text(of: diskPath(path))
    } catch {
      throw IncludeFault(error.text)
    }
  }

  func identity(of path: String) throws(IncludeFault) -> String {
    guard try isInside(path), let real = Self.realPath(diskPath(path)) else {
      throw IncludeFault("\(path) cannot be read: its symbolic link leads to no file, or its permissions deny access")
    }
    return real
  }

  /// Whether a path exists in the folder. Throws if a symbolic link leads out of the folder.
  private func isInside(_ path: String) throws(IncludeFault) -> Bool {
    guard let real, let target = Self.realPath(diskPath(path)) else { return false }
    guard target == real || target.hasPrefix(real == "/" ? "/" : real + "/") else { throw .outside(path, byLink: true) }
    return true
  }

  private func diskPath(_ path: String) -> String { prefix.isEmpty && path.isEmpty ? "." : prefix + path }

  /// Returns a path without symbolic links, `.` and `..`; `nil` if no file or folder exists at the path.
  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
