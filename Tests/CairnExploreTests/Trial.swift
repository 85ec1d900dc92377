import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Testing

/// A definition in YAML, and the result of its exploration.
struct Trial {
  let definition: Definition
  let found: Exploration

  init(
    _ text: String, claims: String? = nil, given: Start = Start(), covers: Bool = false, _ set: (inout Limits) -> Void = { $0.depth = 3 }
  ) throws {
    definition = try DefinitionLoader.load(file: "trial.yaml", text: text, limits: .manualClock).definition
    var limits = Limits()
    set(&limits)
    let claims = try claims.map { [definition] text throws in
      try DefinitionLoader.claims(Document.read(file: "claims", text: text), about: definition, file: "claims")
    }
    found = try Exploration.of(definition, claims: claims ?? [], given: given, limits: limits, covers: covers)
  }

  /// The findings, each as its kind and its text.
  var told: [String] { found.findings.map { "\($0.kind.rawValue): \($0.text)" } }

  /// Runs cases as `cairn test` does, expects each to pass, and returns their number.
  @discardableResult
  func play(_ cases: [String]) throws -> Int {
    let file = try ScenarioReader.read(file: "found", text: ScenarioText.file(app: "trial.yaml", cases: cases))
    for scenario in file.scenarios {
      let failure = ScenarioRun.run(scenario, on: definition)
      #expect(failure == nil, "\(scenario.name)\n\(failure?.differences.joined(separator: "\n") ?? "")")
    }
    return file.scenarios.count
  }

  /// The scenario of the finding with this text.
  func way(to text: String) throws -> String {
    try #require(found.findings.first { "\($0.kind.rawValue): \($0.text)" == text }?.scenario, "\(told)")
  }
}
