import CairnDefinition
import CairnScenario
import CairnTesting
import Foundation
import Testing

/// The scenarios in Tests/Acceptance, which also run over HTTP (`Scenarios over HTTP`).
@Suite struct `Acceptance scenarios` {
  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: Drive.acceptance.path)) ?? [])
    .filter { $0.hasSuffix(".scenarios.yaml") }.sorted()

  @Test func `there are some`() { #expect(!Self.names.isEmpty) }

  @Test(arguments: names) func `hold in the process`(name: String) throws {
    let file = try ScenarioReader.read(file: name, text: try String(contentsOf: Drive.acceptance.appending(path: name), encoding: .utf8))
    let app = name.replacing(".scenarios", with: "")
    let text = try String(contentsOf: Drive.acceptance.appending(path: app), encoding: .utf8)
    let checked = try DefinitionLoader.check(file: app, text: text)
    for scenario in file.scenarios {
      #expect(ScenarioRun.run(scenario, on: checked.definition)?.differences == nil, "\(scenario.name)")
    }
  }
}
