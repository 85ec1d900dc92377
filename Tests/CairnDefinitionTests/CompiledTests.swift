import CairnCore
import CairnDefinition
import CairnTesting
import Foundation
import Testing

/// The compiled form of each shipped definition, recorded as one digest per file. A change of the language's words must not change it. If
/// `CAIRN_RECORD_DRIVES` is set, the fixture is recorded again, which is right only for an intended change.
@Suite struct `Compiled definitions` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The texts of all definitions in files and in the cookbook, by their names.
  private static func texts() throws -> [(name: String, text: String)] {
    var found: [(String, String)] = []
    for folder in ["config/apps", "examples/releases", "Tests/Acceptance"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
      for file in files where file.hasSuffix(".yaml") && !file.dropLast(5).contains(".") {
        found.append(("\(folder)/\(file)", try String(contentsOf: root.appending(path: "\(folder)/\(file)"), encoding: .utf8)))
      }
    }
    let page = try String(contentsOf: root.appending(path: "docs/cookbook.md"), encoding: .utf8)
    for part in page.components(separatedBy: "\n## ").dropFirst() {
      let block = part.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "```").first
      if let block, block.contains("flows:") { found.append(("cookbook: \(part.prefix { $0 != "\n" })", block)) }
    }
    return found
  }

  @Test func `the shipped definitions are compiled as they were`() throws {
    let now = try Self.texts().map { name, text in
      "\(name) \(CompiledForms.digest(of: try DefinitionLoader.load(file: name, text: text).definition))"
    }
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil {
      try (now.joined(separator: "\n") + "\n").write(to: CompiledForms.file, atomically: true, encoding: .utf8)
    }
    #expect(now.count > 30)
    #expect(now == (try CompiledForms.recorded()))
  }
}

/// Digests of compiled definitions, and those that were recorded.
enum CompiledForms {
  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Compiled/digests.txt")

  static func digest(of definition: Definition) -> String { Trace.digest(of: described(definition)) }

  static func recorded() throws -> [String] { try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) }

  /// All parts of a value in a fixed order, without the names of its types.
  private static func described(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.map { ($0.label ?? "", $0.value) }
    switch mirror.displayStyle {
    case .dictionary:
      let members = children.map { Mirror(reflecting: $0.1).children.map { described($0.value) }.joined(separator: ":") }
      return "{\(members.sorted().joined(separator: ","))}"
    case .set: return "{\(children.map { described($0.1) }.sorted().joined(separator: ","))}"
    case .collection: return "[\(children.map { described($0.1) }.joined(separator: ","))]"
    case .optional: return children.first.map { described($0.1) } ?? "nil"
    case .struct, .class, .tuple, .enum:
      if children.isEmpty { return "\(value)" }
      return "(\(children.map { "\($0.0) \(described($0.1))" }.joined(separator: ",")))"
    default: return "\(value)"
    }
  }
}
