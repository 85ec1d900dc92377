import CairnCore
import CairnTesting
import Testing

@Suite struct `Migration of layouts and bounds` {
  private static let app = """
    app: layouts
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { isNarrow: { type: boolean, default: false, by: client }, isWide: { type: boolean, default: true, by: client } }
    screens: { list: {}, a: {}, b: {}, empty: {} }
    steps: { open: {}, more: {}, tick: {} }
    flows:
      main:
        collapse: { fact: isNarrow }
        split: { master: [list], detail: { screen: empty, timer: { every: 1s, send: tick } } }
        handle: { open: { detail: a }, more: { push: b }, tick: [] }
    """
  private static let other = app.replacing("collapse: { fact: isNarrow }", with: "collapse: { fact: isWide }")
  private static let none = app.replacing("    collapse: { fact: isNarrow }\n", with: "")

  private func drive(_ steps: String..., isNarrow: Bool = false) throws -> MigrationDrive {
    var drive = try MigrationDrive(Self.app)
    if isNarrow { drive.run(.facts(["isNarrow": true])) }
    for step in steps { drive.step(step) }
    return drive
  }

  private func moved(_ drive: MigrationDrive, _ new: String, _ migration: Migration = Migration()) throws -> MigrationDrive {
    var drive = drive
    try drive.migrate(to: new, migration)
    #expect(drive.broken == [])
    return drive
  }

  @Test func `a split that collapses by another condition is laid out again`() throws {
    let drive = try drive("open")
    #expect(drive.sketch == "main{master[list] | a}")
    var folded = try moved(drive, Self.other)
    #expect(folded.sketch == "main[list, a]" && folded.changes == ["set"] && folded.steps == [])
    folded.run(.facts(["isWide": false]))
    #expect(folded.sketch == "main{master[list] | a}" && folded.broken == [])
    #expect(
      try moved(try self.drive("open"), Self.other, Migration(values: ["isWide": .literal(false)])).sketch == "main{master[list] | a}")
  }

  @Test func `a collapsed split is a split again if nothing collapses it`() throws {
    let drive = try drive("more", isNarrow: true)
    #expect(drive.sketch == "main[list, b]" && drive.state.effects == [])
    let wide = try moved(drive, Self.none)
    #expect(wide.sketch == "main{master[list, b] | empty}" && wide.changes == ["set"] && wide.last.started.count == 1)
  }

  @Test func `a collapsed split has no place in a stack of the same name`() throws {
    let stack = Self.none.replacing(
      "split: { master: [list], detail: { screen: empty, timer: { every: 1s, send: tick } } }", with: "stack: list"
    )
    .replacing("detail: a", with: "push: a")
    #expect(try moved(try drive(), stack).reason == "the flow main of n1 is no longer a split")
    #expect(try moved(try drive(isNarrow: true), stack).reason == "the flow main of n1 is no longer a split")
  }

  @Test func `a migration that would make an impossible tree is an obstacle`() throws {
    let app = """
      app: switch
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { a: {}, b: {} }
      steps: { open: {} }
      flows:
        main: { switch: [one, two], handle: { open: { set: two } } }
        one: { stack: a }
        two: { stack: b }
      """
    var drive = try MigrationDrive(app)
    let one = drive.id("one")
    try drive.migrate(to: app, Migration(flows: ["one": .replace(.screen("b"), with: [:])]))
    #expect(
      drive.reason == "the new state would be inconsistent: n1 main: all children of a switch must be flows"
        && drive.sketch == "main{one[a]}")
    try drive.migrate(to: app, Migration(flows: ["one": .replace(.flow("two"), with: [:])]))
    #expect(drive.reason == nil && drive.sketch == "main{two[b]}" && drive.state.nodes[one] == nil)
    try drive.migrate(to: app, Migration(flows: ["two": .remove]))
    #expect(drive.reason == nil && drive.sketch == "main{}" && drive.broken == [])
  }

  @Test func `new nodes beyond the bounds of a session are an obstacle`() throws {
    let reducer = Reducer(try MigrationDrive.definition(Self.app))
    var bounds = Bounds()
    bounds.nodes = 4
    var state = try reducer.create(Creation(), stamp: Stamp(time: 1, nonce: "a")).state
    _ = try reducer.reduce(&state, .facts(["isNarrow": true]), stamp: Stamp(time: 2, nonce: "b"))
    let migrator = Migrator(from: reducer, to: reducer, by: Migration(screens: ["list": .replace(.flow("main"), with: [:])]))
    var (meter, before, reason) = (Meter(bounds), state, String?.none)
    for _ in 0..<4 where reason == nil {
      before = state
      do {
        _ = try migrator.migrate(&state, stamp: Stamp(time: 3, nonce: "c"), meter: &meter)
      } catch {
        reason = error.reason
      }
    }
    #expect(reason == "the session has the maximum of 4 nodes; pop or dismiss some nodes first")
    #expect(reducer.tree(of: state).sketch == "main[main[main[list]]]" && state == before)
  }
}
