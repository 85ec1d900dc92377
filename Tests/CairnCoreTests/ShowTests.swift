import CairnCore
import CairnTesting
import Testing

/// `show` with every kind of child.
@Suite struct `Show in a switch` {
  private static let app = """
    app: shows
    language: 1
    compat: { covered: accept, emits: any, words: [end, show] }
    root: { flow: main }
    screens: { a: {}, b: {}, x: {} }
    steps: { stack: {}, bar: {}, halves: {}, page: {}, hollow: {}, push: {}, onStack: {}, onBar: {}, onHalves: {}, onPage: {}, onHollow: {}, stop: {}, over: {} }
    flows:
      main:
        switch: [stack, bar, halves, page, hollow]
        handle:
          stack: { set: stack }
          bar: { set: bar }
          halves: { set: halves }
          page: { set: page }
          hollow: { set: hollow }
          onStack: { show: { flow: stack, screen: x } }
          onBar: { show: { flow: bar, screen: x } }
          onHalves: { show: { flow: halves, screen: x } }
          onPage: { show: { flow: page, screen: x } }
          onHollow: { show: { flow: hollow, screen: x } }
          over: []
      stack: { stack: a, handle: { push: { push: b }, stop: { end: over } } }
      bar: { tabs: [a, b, x], handle: { push: { select: 1 } } }
      halves: { split: { master: [a], detail: b }, handle: { push: { push: x } } }
      page: { screen: a }
      hollow: { stack: [] }
    """

  private func drive(_ steps: String...) throws -> Drive {
    var drive = try Drive(Self.app)
    for step in steps { drive.step(step, from: drive.state.root) }
    return drive
  }

  @Test func `tabs keep all their children and the selection`() throws {
    var drive = try drive("bar")
    drive.step("push", from: drive.id("bar"))
    drive.step("bar", from: drive.state.root)
    #expect(drive.outcome == "unchanged (already-there)")
    #expect(drive.sketch == "main{bar<a, *b, x>}")
  }

  @Test func `a split keeps its detail, and its master is popped to its root`() throws {
    var drive = try drive("halves")
    drive.step("push", from: drive.id("halves"))
    #expect(drive.sketch == "main{halves{master[a, x] | b}}")
    drive.step("halves", from: drive.state.root)
    #expect(drive.sketch == "main{halves{master[a] | b}}")
    #expect(drive.broken == [])
  }

  @Test func `a screen is pushed on the stack of the child or of its master`() throws {
    #expect(try drive("onStack").sketch == "main{stack[a, x]}")
    #expect(try drive("onHalves").sketch == "main{halves{master[a, x] | b}}")
    #expect(try drive("onHollow").sketch == "main{hollow[x]}")
    let again = try drive("onHalves", "onHalves")
    #expect(again.outcome == "unchanged (already-on-top)")
  }

  @Test(arguments: ["onBar", "onPage"]) func `a child without a stack rejects a screen, and the previous child stays`(step: String) throws {
    let drive = try drive(step)
    #expect(drive.outcome == "no-stack")
    #expect(drive.sketch == "main{stack[a]}")
  }

  @Test func `an ended child is replaced`() throws {
    var drive = try drive()
    let old = drive.id("stack")
    drive.step("stop", from: old)
    #expect(drive.tree.children?.first?.isEnded == true)
    drive.step("stack", from: drive.state.root)
    #expect(drive.id("stack") != old && drive.tree.children?.first?.isEnded == false)
    drive.step("push")
    #expect(drive.sketch == "main{stack[a, b]}")
  }
}
