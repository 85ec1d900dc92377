import CairnCore
import CairnDefinition
import CairnScenario
import Foundation
import Testing

/// The examples of docs/scenarios.md. Each is run with the definition of the page.
@Suite struct PageTests {
  private struct Block {
    var kind: String
    var text = ""
  }

  private static let page: [Block] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/scenarios.md").standardized
    var blocks: [Block] = []
    var isInside = false
    for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isInside.toggle()
        if isInside { blocks.append(Block(kind: String(line.dropFirst(3)))) }
      } else if isInside {
        blocks[blocks.count - 1].text += line + "\n"
      }
    }
    return blocks
  }()

  private static let prose: String = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/scenarios.md").standardized
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  private func definition() throws -> Definition {
    let text = try #require(PageTests.page.first { $0.text.hasPrefix("app: notes\n") }).text
    let checked = try DefinitionLoader.check(file: "notes.yaml", text: text)
    #expect(checked.warnings == [])
    return checked.definition
  }

  /// Reads a scenario file. Completes a text that contains only cases to a whole file.
  private static func file(_ text: String) throws -> ScenarioFile {
    let whole = text.hasPrefix("- ") ? "app: notes.yaml\nscenarios:\n" + text.split(separator: "\n").map { "  \($0)\n" }.joined() : text
    return try ScenarioReader.read(file: "page", text: whole)
  }

  @Test func `every example passes, except for the one that shows a failure`() throws {
    let definition = try definition()
    let blocks = PageTests.page.filter { $0.kind == "yaml" && !$0.text.hasPrefix("app: notes\n") }
    var count = 0
    for block in blocks.dropLast() {
      for scenario in try PageTests.file(block.text).scenarios {
        count += 1
        #expect(ScenarioRun.run(scenario, on: definition)?.differences == nil, "\(scenario.name)")
      }
    }
    #expect(count >= 14)
    let last = try #require(blocks.last)
    let wrong = try #require(try PageTests.file(last.text).scenarios.first)
    let printed = try #require(PageTests.page.last { $0.kind == "text" }).text
    #expect(ScenarioRun.run(wrong, on: definition).map { $0.differences.joined(separator: "\n") + "\n" } == printed)
  }

  /// Checks that the page documents each member that a message of the parser lists.
  @Test(arguments: [
    "xyzzy: 1\napp: a\nscenarios: []", "app: a\nscenarios: [{ xyzzy: 1, name: n, then: {} }]", "app: a\ngiven: { xyzzy: 1 }\nscenarios: []",
    "app: a\nscenarios: [{ name: n, then: { xyzzy: 1 } }]",
  ]) func `the page documents every member`(text: String) throws {
    let said = #expect(throws: InvalidDefinition.self) { try ScenarioReader.read(file: "x", text: text) }
    let list = try #require(
      said?.diagnostics.map(\.message).first { $0.hasPrefix("`xyzzy` is unknown; use one of ") }?.components(separatedBy: "use one of ")
        .last)
    for member in list.components(separatedBy: ", ") { #expect(PageTests.prose.contains("| \(member)"), "\(member)") }
  }
}
