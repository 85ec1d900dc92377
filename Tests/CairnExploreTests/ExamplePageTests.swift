import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Foundation
import Testing

/// The example of docs/explore.md, with the definition of docs/scenarios.md.
@Suite struct ExamplePageTests {
  private func blocks(of page: String) throws -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/\(page)").standardized
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```yaml\n").dropFirst()
    return parts.map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
  }

  @Test func `the claims on the page hold`() throws {
    let text = try #require(try blocks(of: "scenarios.md").first { $0.hasPrefix("app: notes\n") })
    let definition = try DefinitionLoader.load(file: "notes.yaml", text: text).definition
    let file = try ScenarioReader.read(file: "page", text: try #require(try blocks(of: "explore.md").first))
    let claims = try DefinitionLoader.claims(try #require(file.claims), about: definition, file: "page")
    #expect(claims.count == 2)
    let found = try Exploration.of(definition, claims: claims, given: Start(environment: ["NOTES_SERVER": "http://127.0.0.1:9000"]))
    #expect(found.findings.filter { $0.kind == .claim }.map(\.text) == [])
    #expect(found.end == nil)
  }

  @Test func `a claim that does not hold is reported with its shortest path`() throws {
    let text = try #require(try blocks(of: "scenarios.md").first { $0.hasPrefix("app: notes\n") })
    let definition = try DefinitionLoader.load(file: "notes.yaml", text: text).definition
    let claim = Claim(
      name: "nobody reads notes logged out",
      .always(when: .visible(["note"], with: [:]), then: .fact("accessToken", .present)))
    let found = try Exploration.of(definition, claims: [claim])
    let finding = try #require(found.findings.first { $0.kind == .claim })
    #expect(finding.scenario?.contains("- when: { step: notePicked, params: { id: 701 } }") == true)
  }
}
