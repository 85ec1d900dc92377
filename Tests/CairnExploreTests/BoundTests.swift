import CairnCore
import CairnExplore
import Testing

/// The limits of an exploration, and the report about the states beyond them.
@Suite struct `Limits of an exploration` {
  private static let stack = """
    app: trial
    language: 1
    root: { flow: main }
    screens: { home: { emits: [go] }, page: { emits: [go] } }
    steps: { go: }
    flows: { main: { stack: home, handle: { go: { push: page } } } }
    """

  @Test(arguments: [1, 2, 3, 5]) func `a stack is explored up to the depth, and one node beyond is visited`(depth: Int) throws {
    let trial = try Trial(Self.stack) { $0.depth = depth }
    #expect(trial.found.states == depth + 1 && trial.found.end == nil)
    let nodes = depth == 1 ? "1 node" : "\(depth) nodes"
    #expect(trial.found.unknown.contains("1 state with more than \(nodes) on a stack (--depth) was not explored"))
  }

  @Test func `a state beyond the limits causes no finding`() throws {
    // The page beyond the depth is visited, but no action on it is tried.
    let trial = try Trial(
      Self.stack.replacing("go: { push: page }", with: "go: [{ when: { visible: home }, do: { push: page } }, { do: { set: [home] } }]")
    ) {
      $0.depth = 1
    }
    #expect(trial.told == [])
    #expect(trial.found.unknown.contains("within the limits of the exploration, main go, branch 2 never runs"))
  }

  @Test func `an unreached part is a finding only if a greater depth reaches nothing new`() throws {
    let text = """
      app: trial
      language: 1
      compat: { emits: any, words: [end] }
      root: { flow: main }
      screens: { home: { emits: [go] }, page: { emits: [go] }, more: { emits: [go] }, end: { emits: [go] }, lost: }
      steps: { go: }
      flows:
        main:
          stack: home
          handle:
            go:
              - { when: { visible: home }, do: { push: page } }
              - { when: { visible: page }, do: { push: more } }
              - { do: { push: end } }
      """
    // A depth of two visits a third screen, which a depth of one does not visit.
    for depth in [1, 2] {
      let near = try Trial(text) { $0.depth = depth }
      #expect(near.told == [], "depth \(depth)")
      #expect(near.found.unknown.contains("within the limits of the exploration, the screen end is never shown"), "depth \(depth)")
    }
    // A depth of five visits nothing that a depth of four does not visit.
    let far = try Trial(text) { $0.depth = 5 }
    #expect(far.told == ["unreached: the screen lost is never shown"] && !far.found.unknown.contains { $0.contains("never") })
  }

  @Test func `a limit on the states ends the exploration, and unreached parts are no findings`() throws {
    let text = Self.stack.replacing("page: { emits: [go] } }", with: "page: { emits: [go] }, lost: }")
    #expect(try Trial(text).told == ["unreached: the screen lost is never shown"])
    let trial = try Trial(text) { $0.states = 2 }
    #expect(trial.found.states == 2 && trial.found.end == "2 states" && trial.told == [])
    #expect(
      trial.found.unknown.contains {
        $0.hasPrefix("the exploration stopped at the limit of 2 states; ") && $0.hasSuffix(" states were not explored")
      })
    #expect(trial.found.unknown.contains("within the limits of the exploration, the screen lost is never shown"))
  }

  @Test func `the depth limits stacked modals`() throws {
    let text = """
      app: trial
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go] }, page: { emits: [go] } }
      steps: { go: }
      flows:
        main: { stack: home, handle: { go: { present: { flow: over } } } }
        over: { stack: page, handle: { go: { present: { flow: over } } } }
      """
    let trial = try Trial(text) { $0.depth = 2 }
    let line = "1 state with more than 2 modals on top of one another (--depth) was not explored"
    #expect(trial.found.unknown == [line], "\(trial.found.unknown)")
  }

  @Test func `the number of timers and loads is limited`() throws {
    let text = """
      app: trial
      language: 1
      root: { flow: main }
      screens: { home: { emits: [go, stay] } }
      steps: { go: , stay: , due: }
      flows:
        main:
          stack: home
          handle:
            go: [{ cancel: one }, { timer: { after: 5s, send: due, name: one }, of: flow }]
            stay: [{ cancel: two }, { timer: { after: 9s, send: due, name: two }, of: flow }]
            due: []
      """
    let trial = try Trial(text) { ($0.depth, $0.effects) = (2, 1) }
    #expect(trial.found.unknown == ["1 state with more than 1 timer or load (--effects) was not explored"])
    let whole = try Trial(text) { ($0.depth, $0.effects) = (2, 2) }
    #expect(whole.found.unknown == [] && whole.found.transitions > trial.found.transitions)
  }

  @Test func `a rejected creation is reported with its parameters`() throws {
    let text = """
      app: trial
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { mode: { type: optional string, in: [a, b] } }
      screens: { home: }
      steps: { go: }
      flows: { main: { stack: home, handle: { go: [] } } }
      """
    let trial = try Trial(text, given: Start(facts: ["mode": "wrong"]))
    #expect(
      trial.found.states == 0 && trial.found.unknown.contains { $0.hasPrefix("a session cannot start with { facts: { mode: wrong } }: ") }
    )
  }

  @Test func `the report counts states and moves, and names the limit that ended the exploration`() throws {
    let trial = try Trial(Self.stack)
    #expect(trial.found.transitions >= trial.found.states - 1)
    #expect(trial.found.summary.hasPrefix("nothing found in 4 states and \(trial.found.transitions) moves, "))
    let faulty = try Trial(Self.stack.replacing("page: { emits: [go] } }", with: "page: { emits: [go] }, lost: }"))
    #expect(faulty.found.summary.hasPrefix("1 finding in 4 states and "))
  }

  @Test func `an exploration reports its progress until no state is left`() throws {
    let trial = try Trial(Self.stack)
    var told: [(states: Int, transitions: Int, waiting: Int)] = []
    var limits = Limits()
    limits.depth = 3
    _ = try Exploration.of(trial.definition, limits: limits) { told.append(($0, $1, $2)) }
    let first = told.prefix(4)
    #expect(
      first.map(\.states) == [2, 3, 4, 4] && first.last?.waiting == 0 && first.map(\.transitions) == first.map(\.transitions).sorted())
  }
}
