import CairnCore
import CairnTesting
import Testing

/// Screens, flows and modals that the new definition may lack. Most nodes have a step for their removal, which a migration does not send.
private let app = """
  app: nodes
  language: 1
  compat: { emits: any }
  root: { flow: main }
  screens: { home: {}, a: { params: { n: optional integer } }, b: {}, c: {}, new: { params: { n: optional integer } } }
  steps: { goA: { n: optional integer }, goB: {}, goC: {}, area: {}, modalA: {}, modalB: {}, over: {}, raise: {}, wait: {}, say: {}, left: {}, lost: {}, made: {} }
  flows:
    main:
      stack: home
      handle: &handle
        goA: { push: a, with: { n: $n }, removed: left }
        goB: { push: b, removed: left }
        goC: { push: c }
        area: { push: { flow: area, then: made, else: lost, removed: left } }
        modalA: { present: a, removed: left }
        modalB: { present: b, removed: left }
        over: { present: { flow: area, else: lost } }
        raise: { present: a, level: 3 }
        wait: { present: b, level: 3, queue: true }
        left: []
        lost: []
        made: { push: b }
    area:
      stack: b
      gives: {}
      handle: *handle
    fresh: { stack: { screen: new, with: { n: 1 } }, handle: { made: { push: new } } }
  """

@Suite struct `Migration of removed screens on stacks` {
  private func drive(_ steps: String...) throws -> MigrationDrive {
    var drive = try MigrationDrive(app)
    for step in steps { drive.step(step) }
    return drive
  }

  /// The session after a migration to the same definition, in which the screens and flows have these fates.
  private func moved(
    _ drive: MigrationDrive, _ screens: [String: Migration.NodeFate] = [:], flows: [String: Migration.NodeFate] = [:]
  ) throws -> MigrationDrive {
    var drive = drive
    try drive.migrate(to: app, Migration(screens: screens, flows: flows))
    #expect(drive.broken == [])
    if drive.reason == nil { #expect(drive.steps == [] && drive.last.started == []) }
    return drive
  }

  // MARK: popTo

  @Test func `popTo removes everything above the nearest instance on the same stack`() throws {
    let drive = try drive("goB", "goC", "goB", "goA", "goC")
    #expect(drive.sketch == "main[home, b, c, b, a, c]")
    let moved = try moved(drive, ["a": .popTo(screen: "b")])
    #expect(moved.sketch == "main[home, b, c, b]" && moved.changes == ["pop"])
    #expect(try self.moved(drive, ["a": .popTo(screen: "home")]).sketch == "main[home]")
  }

  @Test func `popTo finds an instance on a stack further out, and removes the flow`() throws {
    let drive = try drive("goC", "area", "goA")
    #expect(drive.sketch == "main[home, c, area[b, a]]")
    let moved = try moved(drive, ["a": .popTo(screen: "c")])
    #expect(moved.sketch == "main[home, c]" && moved.changes == ["pop"])
  }

  @Test func `popTo uses the new names, and no instance that goes itself`() throws {
    var drive = try drive("goC", "goB", "goA")
    let fates: [String: Migration.NodeFate] = ["a": .popTo(screen: "b"), "b": .remove, "c": .keep(as: "b", params: [:])]
    try drive.migrate(to: app, Migration(screens: fates))
    #expect(drive.sketch == "main[home, b]" && drive.reason == nil && drive.broken == [])
  }

  @Test func `popTo without an instance is an obstacle`() throws {
    let drive = try moved(try drive("goA", "goB"), ["a": .popTo(screen: "b")])
    #expect(drive.reason == "a (n3) cannot be popped to b, because no b is below it")
    #expect(drive.sketch == "main[home, a, b]")
  }

  @Test func `popTo of a modal dismisses it, and pops the stack below it`() throws {
    let drive = try drive("goB", "goC", "modalA", "goC")
    #expect(drive.sketch == "main[home, b, c, c] ^ a")
    #expect(try moved(drive, ["a": .popTo(screen: "c")]).sketch == "main[home, b, c, c]")
    let moved = try moved(drive, ["a": .popTo(screen: "b")])
    #expect(moved.sketch == "main[home, b]" && moved.changes == ["dismiss", "pop"])
    #expect(try self.moved(drive, ["a": .popTo(screen: "new")]).reason == "a (n5) cannot be popped to new, because no new is below it")
  }

  @Test func `popTo from a flow in a modal ends at its root, or below the modal`() throws {
    var drive = try drive("goC", "over", "goA")
    #expect(drive.sketch == "main[home, c] ^ area[b, a]")
    #expect(try moved(drive, ["a": .popTo(screen: "b")]).sketch == "main[home, c] ^ area[b]")
    #expect(try moved(drive, ["a": .popTo(screen: "home")]).sketch == "main[home]")
    drive.step("modalA")
    #expect(drive.sketch == "main[home, c] ^ area[b, a] ^ a")
    #expect(try moved(drive, ["a": .popTo(screen: "c")]).sketch == "main[home, c]")
  }

  @Test func `popTo of a modal on a level removes it, and the next one is presented`() throws {
    let drive = try drive("goC", "raise", "wait")
    #expect(drive.sketch == "main[home, c] ^3 a")
    let moved = try moved(drive, ["a": .popTo(screen: "home")])
    #expect(moved.sketch == "main[home] ^3 b" && moved.changes == ["dismiss", "pop", "present"])
  }

  // MARK: remove

  @Test func `a removed screen leaves the middle of a stack`() throws {
    let drive = try drive("goA", "goC", "goA", "goB")
    #expect(drive.sketch == "main[home, a, c, a, b]")
    #expect(try moved(drive, ["a": .remove]).sketch == "main[home, c, b]")
    let top = try moved(drive, ["b": .remove])
    #expect(top.sketch == "main[home, a, c, a]" && top.changes == ["pop"])
  }

  @Test func `a removed modal takes the modals above it away, and a waiting one is presented`() throws {
    let drive = try drive("modalA", "modalB")
    #expect(try moved(drive, ["a": .remove]).sketch == "main[home]")
    let raised = try self.drive("raise", "wait")
    let moved = try moved(raised, ["a": .remove])
    #expect(moved.sketch == "main[home] ^3 b" && moved.changes == ["dismiss", "present"])
    #expect(try self.moved(raised, ["b": .remove]).state.nodes.count == 3)
  }

  @Test func `a removed flow takes its nodes with it, whatever their own fate`() throws {
    let drive = try drive("area", "goA")
    let moved = try moved(drive, ["a": .popTo(screen: "new")], flows: ["area": .remove])
    #expect(moved.sketch == "main[home]" && moved.changes == ["pop"])
  }

  @Test func `a stack that would be empty is an obstacle, unless it goes too`() throws {
    let drive = try drive("area")
    #expect(try moved(drive, ["b": .remove]).reason == "b (n4) cannot be removed, because its stack area would be empty")
    #expect(try moved(drive, ["b": .remove], flows: ["area": .remove]).sketch == "main[home]")
    let above = try self.drive("area", "area", "goA")
    #expect(above.sketch == "main[home, area[b, area[b, a]]]")
    #expect(try moved(above, ["b": .remove, "a": .popTo(screen: "home")]).sketch == "main[home]")
    #expect(try moved(try self.drive(), flows: ["main": .remove]).reason == "the root flow main cannot be removed, only replaced")
  }
}
