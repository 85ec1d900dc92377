import CairnCore

/// Reads the files that the patterns of `include` match.
struct Inclusion<Folder: DefinitionFolder> {
  /// The folder of the main file, as a prefix of paths for diagnostics.
  private let prefix: String
  private let folder: Folder
  private(set) var parts: [(part: DefinitionSource.Part, root: Element?)] = []
  private(set) var problems: [DefinitionSource.Problem] = []
  /// Whether all patterns and files could be read.
  private(set) var isWhole = true
  /// The position of the pattern that has matched a file, by the file's identity.
  private var seen: [String: Position] = [:]
  private var size = 0

  /// The maximum number of included files.
  private static var fileLimit: Int { 1_000 }

  init(_ prefix: String, _ folder: Folder) {
    self.prefix = prefix
    self.folder = folder
  }

  /// Reads the files that the value of `include` selects. The value is a pattern, or a list of patterns.
  mutating func read(_ include: Element) {
    let patterns = include.list ?? [include]
    if patterns.isEmpty { report("`include` must have at least one path; list the files, or omit `include`", at: include.position) }
    for pattern in patterns {
      guard let text = pattern.text else {
        report("`include` must be a list of paths such as `flows/*.yaml`, not \(article(pattern.kindName))", at: pattern.position)
        continue
      }
      do throws(IncludeFault) {
        let read = try IncludePattern(text)
        for path in try read.paths(in: folder) { try add(path, of: read, at: pattern.position) }
      } catch {
        report(error.reason, at: pattern.position)
      }
    }
  }

  private mutating func add(_ path: String, of pattern: IncludePattern, at position: Position) throws(IncludeFault) {
    let identity = try folder.identity(of: path)
    if path == folder.mainFile || identity == (try? folder.identity(of: folder.mainFile)) {
      // A wildcard that also matches the main file skips it.
      if pattern.isPlain { throw IncludeFault("`\(path)` is the main file, which cannot include itself") }
      return
    }
    if let first = seen[identity] {
      throw IncludeFault("`\(path)` is included twice; the pattern at \(first.text(in: "")) also matches it")
    }
    seen[identity] = position
    guard Document.kind(of: path) == .definition else {
      throw IncludeFault("`\(path)` has the name of a scenario or migration file; include only files with sections of the definition")
    }
    guard parts.count < Self.fileLimit else { throw IncludeFault("`include` matches more than the maximum of \(Self.fileLimit) files") }
    let text = try folder.text(of: path)
    size += text.utf8.count
    guard size <= Document.sizeLimit else {
      throw IncludeFault("the included files together have more than the maximum of \(Document.sizeLimit) bytes")
    }
    let file = prefix + path
    let (root, problems) = DefinitionSource.parsed(text)
    if root == nil { isWhole = false }
    self.problems += problems.map { problem -> DefinitionSource.Problem in
      let isEmpty = problem.message == ElementReader.empty
      return (
        problem.position.placed(in: file),
        isEmpty ? "the file is empty; remove it, or add sections such as `flows`" : problem.message
      )
    }
    parts.append((DefinitionSource.Part(file: file, text: text), root?.placed(in: file)))
  }

  private mutating func report(_ message: String, at position: Position) {
    problems.append((position, message))
    isWhole = false
  }
}
