import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Testing

@Suite struct ClaimTests {
  private func problems(_ claims: String) throws -> [String] {
    do {
      _ = try DefinitionLoader.claims(Document.read(file: "c", text: claims), about: try SeededApp.definition(), file: "c")
      return []
    } catch let error as InvalidDefinition {
      return error.diagnostics.map(\.description)
    }
  }

  @Test func `a scenario file may contain claims without cases`() throws {
    let file = try ScenarioReader.read(file: "c", text: "app: seeded.yaml\nclaims:\n" + SeededApp.claims.indented)
    let element = try #require(file.claims)
    let claims = try DefinitionLoader.claims(element, about: try SeededApp.definition(), file: "c")
    #expect(claims.map(\.name) == ["the lock covers everything", "there is a way home"])
    #expect(file.scenarios.isEmpty)
  }

  @Test func `a file without cases is read`() throws {
    let file = try ScenarioReader.read(file: "w", text: ScenarioText.file(app: "seeded.yaml", cases: []))
    #expect(file.app == "seeded.yaml" && file.scenarios.isEmpty)
  }

  @Test func `an unknown name is reported with its position and the nearest known name`() throws {
    #expect(
      try problems("- { name: a, always: { then: { visible: hom } } }") == ["c:1:41: error: there is no screen `hom`; did you mean `home`?"]
    )
  }

  @Test func `a claim has exactly one kind`() throws {
    #expect(try problems("- { name: a }") == ["c:1:3: error: a claim must have either `always` or `reachable`"])
  }

  @Test func `a claim cannot refer to params of a step`() throws {
    #expect(try problems("- { name: a, always: { then: { param: id } } }").count == 1)
  }
}

extension String {
  /// The text with each line indented by two spaces.
  fileprivate var indented: String { split(separator: "\n").map { "  \($0)\n" }.joined() }
}
