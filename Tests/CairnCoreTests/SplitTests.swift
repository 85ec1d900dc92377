import CairnTesting
import Testing

@testable import CairnCore

/// Splits that are created empty, and effects of the master pane.
@Suite struct `Panes of a split` {
  private static let app = """
    app: panes
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { isNarrow: { type: boolean, default: false, by: client } }
    screens: { a: {}, b: {}, list: {} }
    steps: { open: , more: , fill: , later: , ring: }
    flows:
      main:
        split: []
        handle:
          open: { detail: a }
          more: { push: b }
          fill: { set: { master: [list], detail: a } }
    """

  private func check(_ drive: Drive, _ sketch: String) throws {
    #expect(drive.sketch == sketch)
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `the first detail of an empty split goes into the detail pane`() throws {
    var drive = try Drive(Self.app)
    try check(drive, "main{}")
    drive.step("open")
    try check(drive, "main{master[] | a}")
    drive.step("open")
    try check(drive, "main{master[] | a}")
  }

  @Test func `a push into an empty pane or into its detail is rejected`() throws {
    var drive = try Drive(Self.app)
    drive.step("more")
    #expect(drive.outcome == "no-stack")
    drive.step("open")
    drive.step("more")
    #expect(drive.outcome == "no-stack")
    try check(drive, "main{master[] | a}")
    #expect(drive.state.nodes.count == 3)
  }

  @Test func `a raw push finds no stack in an empty pane`() throws {
    var drive = try Drive(Self.app)
    drive.run(.push(.init("b")))
    #expect(drive.outcome == "no-stack")
    drive.step("open")
    drive.run(.push(.init("b")))
    #expect(drive.outcome == "no-stack")
    try check(drive, "main{master[] | a}")
  }

  @Test func `a master that was filled by split accepts pushes`() throws {
    var drive = try Drive(Self.app)
    drive.step("open")
    drive.step("fill")
    drive.step("more")
    try check(drive, "main{master[list, b] | a}")
  }

  @Test func `a push from an empty split goes to the stack around it`() throws {
    var drive = try Drive(
      """
      app: around
      language: 1
      compat: { emits: any }
      root: { flow: outer }
      screens: { a: {}, b: {} }
      steps: { open: , more: }
      flows:
        outer: { stack: { flow: main } }
        main: { split: [], handle: { open: { detail: a }, more: { push: b } } }
      """)
    drive.step("open", from: drive.id("main"))
    drive.step("more")
    try check(drive, "outer[main{master[] | a}, b]")
  }

  @Test func `show cannot place a screen in the empty pane of a split`() throws {
    var drive = try Drive(
      """
      app: shown
      language: 1
      compat: { emits: any, words: [show] }
      root: { flow: outer }
      screens: { a: {}, b: {} }
      steps: { go: , stay: , open: }
      flows:
        outer: { switch: [main], handle: { go: { show: { flow: main, screen: b } }, stay: { set: main } } }
        main: { split: [], handle: { open: { detail: a } } }
      """)
    drive.step("go")
    #expect(drive.outcome == "no-stack")
    drive.step("open", from: drive.id("main"))
    drive.step("go")
    #expect(drive.outcome == "no-stack")
    drive.step("stay")
    try check(drive, "outer{main{master[] | a}}")
  }

  @Test func `the table of nodes rejects a child of a leaf, and a child of a node outside the tree`() throws {
    var drive = try Drive(Self.app)
    drive.step("open")
    var nodes = drive.state.nodes
    let before = nodes
    #expect(throws: NodeTable.Misplacement.leaf) { try nodes.appendChild(drive.id("master"), to: drive.id("a")) }
    #expect(throws: NodeTable.Misplacement.leaf) { try nodes.move([], to: drive.id("a")) }
    #expect(throws: NodeTable.Misplacement.outside) { try nodes.appendChild(drive.id("a"), to: NodeID(99)) }
    #expect(throws: NodeTable.Misplacement.outside) { try Limits.depth(of: NodeID(99), in: nodes) }
    let outside = NodeID(98)
    nodes.append(NodeRecord(id: outside, kind: .stack, name: 0, owner: drive.state.root, parent: nil))
    #expect(throws: NodeTable.Misplacement.outside) { try nodes.appendChild(drive.id("a"), to: outside) }
    nodes.remove(outside)
    #expect(nodes == before)
    #expect(try Limits.depth(of: drive.id("a"), in: nodes) == 2)
  }

  @Test func `the checks of a drive find a node that is unreachable from the root`() throws {
    var drive = try Drive(Self.app)
    drive.step("open")
    var state = drive.state
    #expect(state.uncounted == [])
    let screen = drive.id("a")
    state.nodes[NodeID(9)] = Node(id: NodeID(9), kind: .screen, name: "b", owner: state.root, parent: screen)
    state.nodes[screen]?.children = [NodeID(9)]
    #expect(state.uncounted == [NodeID(9)])
  }

  @Test func `a timer of the master pane ends with the pane when the split collapses`() throws {
    var drive = try Drive(
      """
      app: timers
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { isNarrow: { type: boolean, default: false, by: client } }
      screens: { list: {}, empty: {} }
      steps: { later: , ring: }
      flows:
        main:
          split: { master: [list], detail: empty }
          collapse: { fact: isNarrow }
          handle:
            later: { timer: { after: 5s, send: ring }, of: screen }
            ring: { push: list }
      """, creation: Creation(manualClock: true))
    drive.step("later", from: drive.id("master"))
    let timer = try #require(drive.state.effects.first)
    #expect(timer.owner == drive.id("master"))
    drive.run(.facts(["isNarrow": true]))
    #expect(drive.last.cancelled == [timer.id])
    #expect(drive.state.effects == [])
    drive.advance(5_000)
    try check(drive, "main[list]")
  }

  @Test(arguments: 0..<8) func `random splits keep the client tree, the effects and every node`(block: Int)
    throws
  {
    var (count, seed) = (0, block * 1_000_000)
    while count < 500 {
      seed += 1
      guard var drive = try? Drive(RandomDefinition.panes(seed: UInt64(seed)), creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 7919)
      for _ in 0..<40 where drive.state.nodes.count < 80 {
        count += 1
        if chance.isHeads(oneIn: 8) {
          drive.advance(chance.below(4_000))
        } else {
          drive.run(RandomAction.panes(&chance, for: drive.state))
        }
        try #require(drive.broken == [], "seed \(seed): \(drive.broken.first ?? "")")
      }
      #expect(try drive.replayed() == drive.state, "seed \(seed): the replay differs")
    }
  }
}
