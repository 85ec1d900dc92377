import CairnAPI
import CairnCore
import CairnDefinition
import CairnScenario
import CairnTesting
import Testing

/// The history of a session that moved to another definition, as a scenario. A history with an undo has no scenario.
@Suite struct `History of a moved session as a scenario` {
  /// A session with the clock of the machine, and the scenario of its entries.
  private struct Running {
    let old, new: Reducer
    let migration: Migration
    var reducer: Reducer
    var state: State
    var time = 1_000_000
    var past: [Int: (State, Reducer)] = [:]
    var scenario = HistoryScenario()

    init(_ old: Definition, _ new: Definition, _ migration: Migration, _ creation: Creation = Creation()) throws {
      (self.old, self.new, self.migration) = (Reducer(old), Reducer(new), migration)
      reducer = self.old
      let stamp = Stamp(time: time, nonce: "born")
      state = try reducer.create(creation, stamp: stamp).state
      scenario.add(Happening(Entry(revision: 1, stamp: stamp, cause: .creation(creation)), from: nil, to: state, reducer))
      past[1] = (state, reducer)
    }

    private mutating func add(_ cause: Entry.Cause, _ stamp: Stamp, from before: State) {
      scenario.add(Happening(Entry(revision: state.revision, stamp: stamp, cause: cause), from: before, to: state, reducer))
      past[state.revision] = (state, reducer)
    }

    private func stamp() -> Stamp { Stamp(time: state.manualTime ?? time, nonce: "nonce\(state.revision)") }

    /// Runs an action after a number of milliseconds. A refused action changes nothing.
    mutating func run(_ action: Action, after wait: Int = 0) {
      time += wait
      let (before, stamp) = (state, stamp())
      guard let transition = try? reducer.reduce(&state, action, stamp: stamp), transition.outcome != .unchanged else { return }
      add(.action(action), stamp, from: before)
    }

    mutating func step(_ name: String, _ params: [String: Value] = [:], after wait: Int = 0) {
      run(.step(Step(name, params: params), from: nil), after: wait)
    }

    /// Advances a manual clock.
    mutating func advance(_ milliseconds: Int) {
      var meter = Meter.idle
      var entries: [(Entry, State, State)] = []
      guard
        (try? reducer.advance(
          &state, by: milliseconds, nonce: "nonce\(state.revision)", meter: &meter, note: { entries.append(($0, $1, $2)) }))
          != nil
      else { return }
      for (entry, before, after) in entries {
        scenario.add(Happening(entry, from: before, to: after, reducer))
        past[after.revision] = (after, reducer)
      }
    }

    mutating func migrate(after wait: Int = 0) throws {
      time += wait
      let (before, stamp) = (state, stamp())
      _ = try Migrator(from: old, to: new, by: migration).migrate(&state, stamp: stamp)
      reducer = new
      add(.replacement(.migrated(from: "the-old-hash", to: "the-new-hash")), stamp, from: before)
    }

    /// Moves the session to the same definition once more.
    mutating func moveAgain(after wait: Int) throws {
      time += wait
      let (before, stamp) = (state, stamp())
      _ = try Migrator(from: new, to: new, by: Migration()).migrate(&state, stamp: stamp)
      add(.replacement(.migrated(from: "the-new-hash", to: "a-third-hash")), stamp, from: before)
    }

    mutating func undo(to revision: Int, after wait: Int = 0) throws {
      time += wait
      let (before, stamp) = (state, stamp())
      let (earlier, other) = try #require(past[revision])
      _ = other.restore(earlier, in: &state, of: reducer, stamp: stamp)
      reducer = other
      add(.replacement(.undone(to: revision, reason: nil)), stamp, from: before)
    }

    var text: String { scenario.text(app: "a", title: "t", notes: []) }

    /// The failure of the scenario; `nil` if it passes. Also checks that it ends with the session's tree.
    func failure() throws -> String? {
      #expect(scenario.obstacle == nil)
      let file = try ScenarioReader.read(file: "x", text: text)
      var run = ScenarioRun(new.definition, from: old.definition, by: migration)
      if file.migration == nil { run = ScenarioRun(old.definition) }
      let failure = try #require(file.scenarios.first).play(on: &run)
      if let failure { return failure.differences.joined(separator: "\n") + "\n" + text }
      #expect(run.look().tree == reducer.tree(of: state).sketch)
      return nil
    }
  }

  private static let app = """
    app: a
    language: 1
    compat: { emits: any }
    root: { flow: main, start: begin }
    screens:
      home: { emits: [termsAreRequired, sleep] }
      terms: { params: { page: integer } }
    steps:
      begin:
      termsAreRequired: { page: integer }
      sleep:
      wake:
    flows:
      main:
        stack: []
        handle:
          begin: { set: [home] }
          termsAreRequired: { push: terms, with: { page: $page } }
          sleep: { timer: { after: 10s, send: wake } }
          wake: { push: terms, with: { page: 100 } }
    """

  private static func running(_ creation: Creation = Creation()) throws -> Running {
    let old = try DefinitionLoader.load(file: "a.yaml", text: app).definition
    let renamed = app.replacing("termsAreRequired", with: "conditionsAreRequired").replacing("terms", with: "conditions")
    let new = try DefinitionLoader.load(file: "a.yaml", text: renamed).definition
    let migration = Migration(
      screens: ["terms": .keep(as: "conditions", params: [:])],
      steps: ["termsAreRequired": .keep(as: "conditionsAreRequired", params: [:])])
    return try Running(old, new, migration, creation)
  }

  @Test func `a move is the line migrate, with the first definition in given`() throws {
    var running = try Self.running()
    running.step("termsAreRequired", ["page": 1], after: 10)
    try running.migrate(after: 20)
    running.step("conditionsAreRequired", ["page": 2], after: 30)
    #expect(
      running.text == """
        # The session moved. Save its first definition, the-old-hash, as a-the-old-hash.yaml, and the migration as a.migrate.yaml.
        app: a.yaml
        migration: a.migrate.yaml
        scenarios:
          - name: "t"
            given:
              definition: a-the-old-hash.yaml
            steps:
              - then: { visible: home }
              - when: [{ advance: 10ms }, { step: termsAreRequired, params: { page: 1 } }]
                then: { visible: terms }
              - when: [{ advance: 20ms }, migrate]
                then: { visible: conditions }
              - when: [{ advance: 30ms }, { step: conditionsAreRequired, params: { page: 2 } }]
                then: { visible: conditions, tree: "main[home, conditions(page: 1), conditions(page: 2)]" }

        """)
    #expect(try running.failure() == nil)
  }

  @Test func `a timer goes on over a move, late or not`() throws {
    for late in [0, 5, 1_500] {
      var running = try Self.running()
      running.step("sleep", after: 10)
      try running.migrate(after: 4_000)
      running.run(.effect(id: try #require(running.state.effects.first).id, .due(tick: 1)), after: 6_000 + late)
      running.step("conditionsAreRequired", ["page": 1], after: 5)
      #expect(try running.failure() == nil)
      #expect(running.text.contains(#"tree: "main[home, conditions(page: 100), conditions(page: 1)]""#))
    }
  }

  @Test func `a session that was taken back has no scenario`() throws {
    var running = try Self.running()
    running.step("termsAreRequired", ["page": 1], after: 10)
    try running.undo(to: 1, after: 10)
    #expect(running.scenario.obstacle == "the session was restored to an earlier revision")
  }

  @Test func `a session that moved more than once has no scenario`() throws {
    var running = try Self.running()
    try running.migrate(after: 1)
    #expect(running.scenario.obstacle == nil)
    try running.moveAgain(after: 1)
    #expect(running.scenario.obstacle == "the session moved to another definition more than once")
  }

  /// Both definitions are the same, so that a random session can move at any time.
  @Test(arguments: 0..<8, [false, true]) func `scenarios of random sessions with a move end with the same tree`(
    block: Int, isOdd: Bool
  ) throws {
    var count = 0
    for seed in (block * 40)..<(block * 40 + 20) {
      let definition = RandomDefinition.make(seed: UInt64(seed), isOdd: isOdd)
      guard var running = try? Running(definition, definition, Migration(), Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 104_729)
      let moment = chance.below(30)
      for number in 0..<30 where running.state.nodes.count < 100 {
        if number == moment {
          try running.migrate()
          if running.state.hasDueTimer { running.advance(0) }
        }
        let action = RandomAction.make(&chance, for: running.state, isOdd: isOdd)
        if case .effect = action { running.advance(chance.below(4_000)) } else { running.run(action) }
        // A service runs a timer at once if it is already due.
        if running.state.hasDueTimer { running.advance(0) }
      }
      count += 1
      let failure = try running.failure()
      #expect(failure == nil, "seed \(seed): \(failure ?? "")")
    }
    #expect(count > 10)
  }
}
