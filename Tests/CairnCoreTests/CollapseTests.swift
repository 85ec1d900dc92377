import CairnCore
import CairnDefinition
import CairnStore
import CairnTesting
import Foundation
import Testing

/// `collapse` turns a split into a stack while a condition holds.
@Suite struct `Collapsing splits` {
  private static let app = """
    app: folds
    language: 1
    compat: { emits: any }
    root: { flow: app }
    facts: { isWide: { type: boolean, default: false, by: client } }
    screens: { list: {}, filter: {}, card: { params: { id: integer } }, empty: {}, about: {}, help: {} }
    steps: { pick: { id: integer }, filter: {}, about: {}, home: {}, all: { id: integer }, help: {}, swap: { id: integer } }
    flows:
      app:
        tabs: [{ flow: halves }, about]
        handle:
          home: { reveal: list }
      halves:
        split: { master: [list], detail: empty }
        collapse: { fact: isWide, is: false }
        handle:
          pick: { detail: card, with: { id: $id } }
          filter: { push: filter }
          help: { present: help, of: screen }
          swap: { replace: card, with: { id: $id } }
          all: { set: { master: [list, filter], detail: { screen: card, with: { id: $id } } } }
    """

  private func drive(isWide: Bool = false) throws -> Drive { try Drive(Self.app, creation: Creation(facts: ["isWide": .bool(isWide)])) }

  private func check(_ drive: Drive, _ sketch: String) throws {
    #expect(drive.sketch == "app<*\(sketch), about>")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `the split is created as a stack, without an unopened detail`() throws {
    let drive = try drive()
    try check(drive, "halves[list]")
    #expect(drive.tree.children?[0].kind == .stack && drive.tree.children?[0].isCollapsed == true)
    try check(try self.drive(isWide: true), "halves{master[list] | empty}")
  }

  @Test func `in the stack a detail is pushed and popped`() throws {
    var drive = try drive()
    drive.step("pick", ["id": 1])
    try check(drive, "halves[list, card(id: 1)]")
    #expect(drive.last.changes.map(\.name) == ["push"])
    #expect(drive.routes == ["list", "card"])
    drive.step("pick", ["id": 2])
    try check(drive, "halves[list, card(id: 2)]")
    #expect(drive.last.changes.map(\.name) == ["replace"])
    drive.run(.pop(count: 1, node: nil))
    try check(drive, "halves[list]")
    drive.run(.facts(["isWide": true]))
    try check(drive, "halves{master[list] | empty}")
  }

  @Test func `an opened detail and all ids are kept when the layout changes back and forth`() throws {
    var drive = try drive()
    drive.step("filter")
    drive.step("pick", ["id": 1])
    let ids = ["list", "filter", "card"].map(drive.id)
    drive.run(.facts(["isWide": true]))
    try check(drive, "halves{master[list, filter] | card(id: 1)}")
    #expect(ids == ["list", "filter", "card"].map(drive.id))
    #expect(drive.last.changes.map(\.name) == ["set"])
    guard case .set(let container, let kind, let children)? = drive.last.changes.first else { return }
    #expect(container == drive.id("halves") && kind == .split && children.map(\.name) == ["master", "card"])
    drive.run(.facts(["isWide": false]))
    try check(drive, "halves[list, filter, card(id: 1)]")
    #expect(ids == ["list", "filter", "card"].map(drive.id))
    #expect(drive.last.changes.map(\.name) == ["set"])
  }

  @Test func `modals over the detail stay open`() throws {
    var drive = try drive(isWide: true)
    drive.step("pick", ["id": 1])
    drive.step("help")
    drive.run(.facts(["isWide": false]))
    try check(drive, "halves[list, card(id: 1) ^ help]")
    drive.run(.facts(["isWide": true]))
    try check(drive, "halves{master[list] | card(id: 1) ^ help}")
  }

  @Test func `an initial detail with a modal over it is kept`() throws {
    var drive = try drive(isWide: true)
    drive.step("help")
    try check(drive, "halves{master[list] | empty ^ help}")
    drive.run(.facts(["isWide": false]))
    try check(drive, "halves[list, empty ^ help]")
  }

  @Test func `a node pushed above the detail belongs to the master after the expansion`() throws {
    var drive = try drive()
    drive.step("pick", ["id": 1])
    drive.step("filter")
    try check(drive, "halves[list, card(id: 1), filter]")
    drive.run(.facts(["isWide": true]))
    try check(drive, "halves{master[list, filter] | card(id: 1)}")
  }

  @Test func `gestures, reveal and covering rules are those of a stack`() throws {
    var drive = try drive()
    let list = drive.id("list")
    drive.step("pick", ["id": 1])
    drive.step("filter", from: list)
    #expect(drive.refusal?.code == .hidden)
    #expect(drive.reducer.accepts(drive.state).primitives.contains("pop"))
    drive.run(.popToRoot)
    try check(drive, "halves[list]")
    drive.step("filter")
    drive.step("pick", ["id": 3])
    drive.step("home")
    try check(drive, "halves[list]")
    drive.step("all", ["id": 4])
    try check(drive, "halves[list, filter, card(id: 4)]")
    drive.step("swap", ["id": 5])
    try check(drive, "halves[list, filter, card(id: 5)]")
    drive.run(.facts(["isWide": true]))
    try check(drive, "halves{master[list, filter] | card(id: 5)}")
    drive.step("filter", from: drive.id("list"))
    #expect(drive.refusal?.code == .hidden)
  }

  @Test func `setting the current layout again changes nothing`() throws {
    var drive = try drive()
    drive.run(.facts(["isWide": false]))
    #expect(drive.outcome == "unchanged (no-change)")
  }

  @Test func `both layouts are restored from differences and snapshots`() throws {
    var drive = try drive(isWide: true)
    drive.step("pick", ["id": 1])
    let wide = drive.state
    drive.run(.facts(["isWide": false]))
    for (old, new) in [(wide, drive.state), (drive.state, wide)] {
      var back = old
      try StateFormat.apply(StateFormat.difference(from: old, to: new), to: &back)
      #expect(back == new)
      #expect(try StateFormat.state(StateFormat.snapshot(new), version: StateFormat.version) == new)
    }
  }

  @Test(arguments: 0..<20) func `invariants of the engine hold for random actions`(seed: Int) throws {
    var drive = try drive(isWide: seed.isMultiple(of: 2))
    var chance = Chance(seed: UInt64(seed) &* 7_919 + 1)
    for _ in 0..<60 {
      switch chance.below(9) {
      case 0, 1: drive.run(.facts(["isWide": .bool(chance.isHeads(oneIn: 2))]))
      case 2: drive.step("pick", ["id": .integer(chance.below(3))])
      case 3: drive.step("filter")
      case 4: drive.step("help")
      case 5: drive.run(.dismiss(node: nil))
      case 6: drive.step(["home", "filter"][chance.below(2)])
      case 7: drive.step(["swap", "all"][chance.below(2)], ["id": 9])
      default: drive.run([.pop(count: 1, node: nil), .popToRoot, .select(.tab(chance.below(2)), node: nil)][chance.below(3)])
      }
      #expect(drive.broken == [])
      #expect(drive.falsePromises.filter { !$0.hasSuffix(": invalid") } == [])
    }
    #expect(try drive.replayed() == drive.state)
    #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
  }
}
