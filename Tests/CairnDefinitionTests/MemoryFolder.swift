import CairnDefinition

/// The folder of a definition in memory. `files` maps paths to texts, and `links` maps a path to another path, or to `nil` for a target outside the folder.
struct MemoryFolder: DefinitionFolder {
  var files: [String: String]
  var links: [String: String?] = [:]
  let mainFile = "app.yaml"

  func entries(of path: String) throws(IncludeFault) -> [FolderEntry] {
    if case .some(.none) = links[path] { throw .outside(path, byLink: true) }
    let prefix = path.isEmpty ? "" : path + "/"
    var entries: Set<FolderEntry> = []
    for file in Array(files.keys) + Array(links.keys) where file.hasPrefix(prefix) {
      let names = file.dropFirst(prefix.count).split(separator: "/").map(String.init)
      // A name without a dot is that of a folder.
      if let name = names.first { entries.insert(FolderEntry(name, isFolder: names.count > 1 || !name.contains("."))) }
    }
    return entries.sorted { $0.name > $1.name }
  }

  func text(of path: String) throws(IncludeFault) -> String { files[try identity(of: path)] ?? "" }

  func identity(of path: String) throws(IncludeFault) -> String {
    guard let link = links[path] else { return path }
    guard let target = link else { throw .outside(path, byLink: true) }
    return target
  }

  /// The definition whose main file is `app.yaml`, as if the folder were `shop`.
  var source: DefinitionSource { DefinitionSource(file: "shop/app.yaml", text: files["app.yaml"] ?? "", in: self) }

  /// The diagnostics as `cairn check` prints them; empty for a definition without mistakes.
  var complaints: [String] {
    do throws(InvalidDefinition) {
      return try DefinitionLoader.check(source).warnings.map(\.description)
    } catch {
      return error.diagnostics.map(\.description)
    }
  }
}
