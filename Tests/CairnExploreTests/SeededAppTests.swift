import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Testing

@Suite struct SeededAppTests {
  private func explore(_ fault: SeededApp.Fault?, threads: Int = 1) throws -> (definition: Definition, found: Exploration) {
    let definition = try SeededApp.definition(fault)
    var limits = Limits()
    limits.depth = 3
    limits.threads = threads
    return (definition, try Exploration.of(definition, claims: try SeededApp.claims(about: definition), limits: limits))
  }

  @Test func `the app without a fault has no finding`() throws {
    let (_, found) = try explore(nil)
    #expect(found.findings.map(\.text) == [])
    #expect(found.end == nil)
    #expect(found.states > 10)
  }

  @Test(arguments: [
    (SeededApp.Fault.deadLogin, Finding.Kind.dead, "no action on start makes progress, because the flow that handles its steps has ended"),
    (.holeInTheLock, .claim, "the claim is not always true: the lock covers everything"),
    (.growingStack, .growth, "shop hintIsDue, branch 1 keeps adding nodes without any input"),
    (.unreachableBranch, .unreached, "shop kindIsPicked, branch 1 never runs"),
    (.linkNeverResumed, .unresumed, "the link /notice is held but never followed"),
    (.droppedStep, .dropped, "the step noteIsWritten is dropped: not-handled"),
    (.stepLoop, .stepLoop, "shop circleIsDrawn leads to steps that send each other without end"),
    (.brokenPromise, .refused, "shop returnIsRequired is in accepts, but is refused: screen-not-found"),
  ])
  func `a fault is found by name`(fault: SeededApp.Fault, kind: Finding.Kind, text: String) throws {
    let (definition, found) = try explore(fault)
    let told = found.findings.map { "\($0.kind.rawValue): \($0.text)" }
    #expect(told.contains("\(kind.rawValue): \(text)"), "\(told.joined(separator: "\n"))")
    try expectToHold(found.findings, on: definition)
  }

  @Test func `an exploration stops between two states once its time has passed`() throws {
    var limits = Limits()
    // The limit is 0, because the number of states that are visited in a longer time depends on the machine.
    limits.time = 0
    let found = try Exploration.of(try SeededApp.definition(nil), limits: limits)
    #expect(found.end == "0ms")
    #expect(found.states == 1 && found.findings.isEmpty)
  }

  @Test func `a missing way home is found`() throws {
    let (definition, found) = try explore(.deadLogin)
    let claim = try #require(found.findings.first { $0.kind == .claim })
    #expect(claim.text == "no state that satisfies the claim's `to` can be reached from the end of this scenario: there is a way home")
    try expectToHold([claim], on: definition)
  }

  @Test func `several threads have the same findings as one, in the same order`() throws {
    for fault in [SeededApp.Fault.holeInTheLock, .growingStack, .linkNeverResumed] {
      let (_, one) = try explore(fault)
      let (_, two) = try explore(fault, threads: 3)
      #expect(one.states == two.states && one.transitions == two.transitions)
      #expect(one.findings.map(\.scenario) == two.findings.map(\.scenario))
    }
  }

  /// Runs the scenarios of findings as `cairn test` does.
  private func expectToHold(_ findings: [Finding], on definition: Definition) throws {
    let cases = findings.compactMap(\.scenario)
    let text = "app: seeded.yaml\nscenarios:\n" + cases.joined(separator: "\n") + "\n"
    let file = try ScenarioReader.read(file: "found.scenarios.yaml", text: text)
    #expect(file.scenarios.count == cases.count)
    for scenario in file.scenarios {
      let failure = ScenarioRun.run(scenario, on: definition)
      #expect(failure == nil, "\(scenario.name)\n\(failure?.differences.joined(separator: "\n") ?? "")\n\(text)")
    }
  }
}
