import CairnCore
import CairnTesting
import Testing

@Suite struct `Migration through several definitions` {
  private static let first = """
    app: chain
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { count: { type: integer, default: 1 } }
    screens: { home: {}, a: { params: { id: integer } } }
    steps: { open: { id: integer }, ring: {}, tick: {} }
    flows:
      main:
        stack: home
        handle: { open: { push: a, with: { id: $id } }, ring: { timer: { every: 1s, send: tick }, of: flow }, tick: [] }
    """
  private static let second = first.replacing("a: { params: { id", with: "b: { params: { number")
    .replacing("push: a, with: { id: $id }", with: "push: b, with: { number: $id }").replacing("open", with: "show").replacing(
      "count", with: "sum")
  private static let third = second.replacing("b: { params: { number: integer", with: "c: { params: { key: any, sum: any")
    .replacing("push: b, with: { number: $id }", with: "push: c, with: { key: $id, sum: 0 }").replacing("every: 1s", with: "every: 2s")
    .replacing("show", with: "reveal")
  private static let toSecond = Migration(
    screens: ["a": .keep(as: "b", params: ["number": .reference(.param("id"))])], steps: ["open": .keep(as: "show", params: [:])],
    facts: ["count": .keep(as: "sum")])
  private static let toThird = Migration(
    screens: ["b": .keep(as: "c", params: ["key": .array([.reference(.param("number"))]), "sum": .reference(.fact("sum"))])],
    steps: ["show": .keep(as: "reveal", params: [:])])

  private func chain() throws -> (MigrationChain, [Reducer]) {
    let reducers = try [Self.first, Self.second, Self.third].map { Reducer(try MigrationDrive.definition($0)) }
    let migrators = [
      Migrator(from: reducers[0], to: reducers[1], by: Self.toSecond), Migrator(from: reducers[1], to: reducers[2], by: Self.toThird),
    ]
    return (MigrationChain(migrators), reducers)
  }

  private func drive() throws -> MigrationDrive {
    var drive = try MigrationDrive(Self.first)
    drive.step("open", ["id": 7])
    drive.step("ring")
    return drive
  }

  @Test func `two migrations at once are like two in turn, except for the revision`() throws {
    let (chain, reducers) = try chain()
    var (once, twice) = (try drive(), try drive())
    let revision = once.state.revision
    once.migrate(by: chain, to: reducers[2])
    twice.migrate(to: reducers[1], by: Self.toSecond)
    twice.migrate(to: reducers[2], by: Self.toThird)
    #expect(once.reason == nil && twice.reason == nil)
    #expect(once.sketch == "main[home, c(key: array, sum: 1)]" && once.state.revision == revision + 1)
    var state = twice.state
    state.revision -= 1
    #expect(once.state == state && once.tree == twice.tree)
    #expect(once.last.changes == [.replace(at: once.state.root, node: once.tree)] && once.last.cancelled == [1])
    once.step("reveal", ["id": 8])
    #expect(once.sketch == "main[home, c(key: array, sum: 1), c(key: 8, sum: 0)]" && once.broken == [] && twice.broken == [])
  }

  @Test func `a chain stops with the reason of any part, and changes nothing`() throws {
    let (_, reducers) = try chain()
    var drive = try drive()
    let before = drive.state
    drive.migrate(
      by: MigrationChain([
        Migrator(from: reducers[0], to: reducers[1], by: Self.toSecond), Migrator(from: reducers[1], to: reducers[2], by: Migration()),
      ]), to: reducers[2])
    #expect(
      drive.reason == "the screen b of n3 does not exist in the new definition" && drive.state == before
        && drive.sketch == "main[home, a(id: 7)]")
    #expect(drive.broken == [])
  }

  @Test func `a post is renamed by each part`() throws {
    let (chain, _) = try chain()
    let state = try drive().state
    let stamp = Stamp(time: 1, nonce: "a")
    let step = Command.action(.step(Step("open", params: ["id": 1]), from: nil))
    #expect(try chain.mapped(step, in: state, stamp: stamp) == .action(.step(Step("reveal", params: ["id": 1]), from: nil)))
    #expect(try chain.mapped(.action(.popTo(.screen("a"))), in: state, stamp: stamp) == .action(.popTo(.screen("c"))))
    #expect(try chain.mapped(.token("t"), in: state, stamp: stamp) == .token("t"))
  }
}
