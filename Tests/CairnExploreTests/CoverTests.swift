import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Foundation
import Testing

@Suite struct CoverTests {
  private func definition(of app: String) throws -> Definition {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps/\(app).yaml").standardized
    return try DefinitionLoader.load(file: app, text: String(contentsOf: file, encoding: .utf8), limits: .none).definition
  }

  /// Runs cases as `cairn test` does, expects each to pass, and returns their number.
  private func play(_ cases: [String], on definition: Definition) throws -> Int {
    guard !cases.isEmpty else { return 0 }
    let file = try ScenarioReader.read(file: "found", text: ScenarioText.file(app: "app.yaml", cases: cases))
    for scenario in file.scenarios {
      let failure = ScenarioRun.run(scenario, on: definition)
      #expect(failure == nil, "\(scenario.name)\n\(failure?.differences.joined(separator: "\n") ?? "")")
    }
    return file.scenarios.count
  }

  @Test(arguments: ["shop", "qiita", "flow-controller-push", "flow-controller-modal", "load-studies"])
  func `the cases of findings and of a cover pass in the app`(app: String) throws {
    let definition = try definition(of: app)
    var limits = Limits()
    limits.depth = 2
    let found = try Exploration.of(definition, limits: limits, covers: true)
    #expect(try play(found.findings.compactMap(\.scenario), on: definition) <= found.findings.count)
    #expect(try play(found.cover, on: definition) > 0)
  }

  @Test func `a cover runs each branch that can run`() throws {
    let definition = try SeededApp.definition()
    var limits = Limits()
    limits.depth = 3
    let found = try Exploration.of(definition, limits: limits, covers: true)
    let all = found.cover.joined(separator: "\n")
    for step in definition.steps where !step.value.isInternal && step.key != "noticeIsDue" {
      #expect(all.contains("step: \(step.key)"), "\(step.key)")
    }
    #expect(all.contains("kind: sale") && all.contains("kind: one"))
    #expect(found.cover.count < 10)
  }
}
