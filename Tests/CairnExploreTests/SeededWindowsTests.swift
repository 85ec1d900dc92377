import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Testing

@Suite struct SeededWindowsTests {
  private func explore(_ fault: SeededWindows.Fault?, claims more: [Claim] = []) throws -> (definition: Definition, found: Exploration) {
    let definition = try SeededWindows.definition(fault)
    var limits = Limits()
    limits.depth = 3
    let claims = try SeededWindows.claims(about: definition) + more
    return (definition, try Exploration.of(definition, claims: claims, limits: limits))
  }

  @Test func `the app without a fault has no finding`() throws {
    let (_, found) = try explore(nil)
    #expect(found.findings.map(\.text) == [])
    #expect(found.end == nil)
    #expect(found.states > 50)
  }

  @Test(arguments: [
    (SeededWindows.Fault.holeInTheLock, Finding.Kind.claim, "the claim is not always true: the lock covers everything"),
    (.linkNeverResumed, .unresumed, "the link /form is held but never followed"),
    (.modalNeverShown, .unreached, "the screen bell is never shown"),
    (.leaveNeverLetsGo, .kept, "no action removes form"),
    (.resultIsTakenByNobody, .dropped, "the step choiceIsKnown is dropped: not-handled"),
  ])
  func `a fault is found by name, and its path passes as a scenario`(fault: SeededWindows.Fault, kind: Finding.Kind, text: String) throws {
    let (definition, found) = try explore(fault)
    let told = found.findings.map { "\($0.kind.rawValue): \($0.text)" }
    #expect(told.contains("\(kind.rawValue): \(text)"), "\(told.joined(separator: "\n"))")
    let cases = found.findings.compactMap(\.scenario)
    // A modal that is never shown has no path.
    guard !cases.isEmpty else { return }
    let file = try ScenarioReader.read(file: "found", text: ScenarioText.file(app: "windows.yaml", cases: cases))
    #expect(file.scenarios.count == cases.count)
    for scenario in file.scenarios {
      let failure = ScenarioRun.run(scenario, on: definition)
      #expect(failure == nil, "\(scenario.name)\n\(failure?.differences.joined(separator: "\n") ?? "")\n\(cases.joined(separator: "\n"))")
    }
  }

  @Test func `each of many reachability claims is evaluated`() throws {
    let claims = (1...40).map { number in
      Claim(name: "way \(number)", .reachable(from: nil, to: .visible([number == 37 ? "nowhere" : "home"], with: [:])))
    }
    let (_, found) = try explore(nil, claims: claims)
    #expect(found.findings.map(\.text) == ["no state that satisfies the claim's `to` can be reached from the end of this scenario: way 37"])
  }

  @Test func `waiting modals and held links have limits, which are reported`() throws {
    let definition = try SeededWindows.definition()
    var limits = Limits()
    (limits.depth, limits.waiting, limits.held) = (3, 0, 1)
    let found = try Exploration.of(definition, limits: limits)
    #expect(found.unknown.contains { $0.hasSuffix(" states with more than 0 queued modals (--waiting) were not explored") })
    #expect(found.unknown.contains { $0.hasSuffix(" states with more than 1 held link (--held) were not explored") })
  }
}
