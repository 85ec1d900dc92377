import CairnAPI
import CairnCore
import CairnDefinition
import CairnScenario
import CairnTesting
import Testing

/// A session's history as a scenario: played again, it leads where the session was.
@Suite struct `A history as a scenario` {
  /// What a service tells of entries.
  private static func text(of entries: [Entry], _ reducer: Reducer) throws -> (text: String, tree: String) {
    var scenario = HistoryScenario()
    var state: State?
    for entry in entries {
      let before = state
      switch (entry.cause, before) {
      case (.creation(let creation), _): state = try reducer.create(creation, stamp: entry.stamp).state
      case (.action(let action), var next?):
        _ = try reducer.reduce(&next, action, stamp: entry.stamp)
        state = next
      case (.action, nil): break
      }
      if let state { scenario.add(Happening(entry, from: before, to: state, reducer)) }
    }
    return (scenario.text(app: "a", title: "t", notes: ["note"]), try #require(state.map { reducer.tree(of: $0).sketch }))
  }

  private static func failure(of text: String, on definition: Definition) throws -> ScenarioFailure? {
    ScenarioRun.run(try #require(try ScenarioReader.read(file: "x", text: text).scenarios.first), on: definition)
  }

  @Test(arguments: 0..<8, [false, true]) func `random sessions are played again, and end with the same tree`(block: Int, isOdd: Bool) throws
  {
    var count = 0
    for seed in (block * 40)..<(block * 40 + 20) {
      let definition = RandomDefinition.make(seed: UInt64(seed), isOdd: isOdd)
      guard var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 104_729)
      for _ in 0..<40 where drive.state.nodes.count < 100 {
        let action = RandomAction.make(&chance, for: drive.state, isOdd: isOdd)
        // A timer runs when its time has come.
        if case .effect = action { drive.advance(chance.below(4_000)) } else { drive.run(action) }
      }
      count += 1
      let (text, tree) = try Self.text(of: drive.entries, drive.reducer)
      #expect(drive.sketch == tree)
      let failure = try Self.failure(of: text, on: definition)
      #expect(failure == nil, "seed \(seed): \(failure?.differences.joined(separator: "\n") ?? "")\n\(text)")
    }
    #expect(count > 10)
  }
}
