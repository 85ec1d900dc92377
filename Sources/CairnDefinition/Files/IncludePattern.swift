import CairnCore

/// A pattern of `include`: a path below the folder of the main file. In its names, `*` matches any characters, and `?` matches one
/// character.
struct IncludePattern {
  private let text: String
  private let names: [[Unicode.Scalar]]

  /// Parses a pattern. Throws if it is empty or absolute, or if it contains `..`.
  init(_ text: String) throws(IncludeFault) {
    let names = text.split(separator: "/").filter { $0 != "." }
    guard !text.hasPrefix("/"), !names.contains("..") else { throw .outside(text, byLink: false) }
    guard !names.isEmpty else { throw IncludeFault("`include` must name files such as `flows/*.yaml`, not \"\(text)\"") }
    self.text = text
    self.names = names.map { Array($0.unicodeScalars) }
  }

  /// Whether the pattern names a single file.
  var isPlain: Bool { !names.contains(where: Self.isWild) }

  /// The paths of the files that match, sorted. A wildcard matches definition files in YAML or JSON. It never matches hidden files,
  /// scenarios or migrations. Throws if no file matches.
  func paths(in folder: some DefinitionFolder) throws(IncludeFault) -> [String] {
    var folders = [""]
    for name in names.dropLast() {
      var next: [String] = []
      for path in folders { next += try matches(of: name, in: path, folder).filter(\.isFolder).map { Self.path(path, $0.name) } }
      folders = next
    }
    var found: [String] = []
    for path in folders {
      found += try matches(of: names[names.count - 1], in: path, folder).filter { !$0.isFolder }.map { Self.path(path, $0.name) }
    }
    guard !found.isEmpty else { throw IncludeFault(try missing(in: folder)) }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func matches(of name: [Unicode.Scalar], in path: String, _ folder: some DefinitionFolder) throws(IncludeFault) -> [FolderEntry] {
    let entries = try folder.entries(of: path)
    guard Self.isWild(name) else { return entries.filter { Array($0.name.unicodeScalars) == name } }
    return entries.filter { entry in
      !entry.name.hasPrefix(".") && (entry.isFolder || Self.isDefinition(entry.name))
        && Self.matches(Array(entry.name.unicodeScalars), name)
    }
  }

  /// The message for a pattern that matches no file. If the pattern names a single file, the message suggests the file with the most similar name.
  /// Throws if the pattern's path leads out of the folder.
  private func missing(in folder: some DefinitionFolder) throws(IncludeFault) -> String {
    let what = "no file matches `\(text)` in the folder of the main file"
    guard isPlain else { return "\(what); a wildcard matches only files that end in `.yaml`, `.yml` or `.json`" }
    let path = names.dropLast().map { String(String.UnicodeScalarView($0)) }.joined(separator: "/")
    let name = String(String.UnicodeScalarView(names[names.count - 1]))
    let files = try folder.entries(of: path).filter { !$0.isFolder && Self.isDefinition($0.name) }.map(\.name)
    return what + (NearestName.of(name, among: files).map { "; did you mean `\(Self.path(path, $0))`?" } ?? "")
  }

  private static func path(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

  private static func isWild(_ name: [Unicode.Scalar]) -> Bool { name.contains { $0 == "*" || $0 == "?" } }

  private static func isDefinition(_ name: String) -> Bool {
    [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) } && Document.kind(of: name) == .definition
  }

  /// Whether a name matches a pattern. Takes time proportional to the product of their lengths.
  private static func matches(_ name: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (index, place) = (0, 0)
    /// For the last `*` compared so far: the position after the `*` in the pattern, and the position in the name up to which the `*`
    /// matches. After a mismatch, the `*` matches one more character.
    var retry: (place: Int, index: Int)?
    while index < name.count {
      if place < pattern.count, pattern[place] == "*" {
        place += 1
        retry = (place, index)
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[index] {
        (index, place) = (index + 1, place + 1)
      } else if let last = retry {
        retry = (last.place, last.index + 1)
        (place, index) = (last.place, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
