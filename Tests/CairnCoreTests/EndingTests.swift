import CairnCore
import CairnTesting
import Testing

private let ending = """
  app: ending
  language: 1
  compat: { unhandled: drop, emits: any, words: [end] }
  root: { flow: top, start: begin }
  screens: { s: { emits: [finish, all, stop, note, open] }, list: { emits: [pick, note, more] }, page: { emits: [note, back] }, alert: {} }
  steps: { begin: {}, finish: {}, all: {}, stop: {}, pick: {}, note: {}, back: {}, open: {}, more: {} }
  flows:
    top:
      stack: []
      handle:
        begin: { push: { flow: middle, start: begin } }
        finish: pop
        stop: { end: finish }
        open: { present: { flow: panes } }
    middle:
      stack: []
      handle:
        begin: { push: { flow: inner } }
        finish: { end: finish }
        all: { end: finish }
    inner: { stack: s, handle: { finish: { end: finish }, all: { push: s }, note: [] } }
    panes:
      split: { master: [list], detail: page }
      handle:
        note: { content: { noted: 1 } }
        pick: { detail: page }
        back: popToRoot
        more: { present: alert, style: alert }
  links: [ { scheme: x, path: "/all", send: all, to: all } ]
  """

@Suite struct `Ends of flows, and panes of splits` {
  @Test func `each flow has ended before its parent handles the end`() throws {
    var drive = try Drive(ending)
    #expect(drive.sketch == "top[middle[inner[s]]]")
    drive.step("finish")
    #expect(drive.steps == ["inner finish", "middle finish", "top finish"])
    #expect(drive.tree.children?.first?.isEnded == true)
    drive.step("note", from: drive.id("s"))
    #expect(drive.outcome == "flow-gone")
    #expect(drive.broken == [])
  }

  @Test func `a flow that a broadcast ends does not get the broadcast, and its parent gets the end step afterwards`() throws {
    var drive = try Drive(ending)
    drive.run(.open(url: "x://all"))
    #expect(drive.steps == ["top all", "middle all", "top finish"])
    #expect(drive.drops == ["all not-handled", "all flow-gone"])
    #expect(drive.sketch == "top[middle[inner[s]]]")
  }

  @Test func `the end of the root flow has no receiver, ends the flows below and not the root`() throws {
    var drive = try Drive(ending)
    drive.step("stop", from: drive.state.root)
    #expect(drive.drops == ["finish no-parent"])
    drive.step("note", from: drive.id("s"))
    #expect(drive.outcome == "flow-gone")
    drive.step("open", from: drive.state.root)
    #expect(drive.routes.last == "page")
    #expect(drive.broken == [])
  }

  @Test func `both panes are visible, and a step comes from the pane whose contract has it, the detail first`() throws {
    var drive = try Drive(ending)
    drive.step("open", from: drive.state.root)
    let panes = "panes{master[list] | page"
    drive.step("note")
    #expect(drive.sketch.hasSuffix("\(panes)~{noted:1}}"))
    drive.step("pick")
    #expect(drive.sketch.hasSuffix("\(panes)}"))
    #expect(drive.last.changes.map(\.name) == ["replace"])
    drive.step("note", from: drive.id("list"))
    #expect(drive.sketch.hasSuffix("panes{master[list~{noted:1}] | page}"))
    #expect(drive.broken == [])
  }

  @Test func `back in a split applies to its master`() throws {
    var drive = try Drive(ending)
    drive.step("open", from: drive.state.root)
    drive.step("back")
    #expect(drive.outcome == "unchanged (at-root)")
    drive.run(.popToRoot)
    #expect(drive.outcome == "unchanged (at-root)")
  }

  @Test func `under an alert both panes are covered`() throws {
    var drive = try Drive(ending)
    drive.step("open", from: drive.state.root)
    drive.step("more", from: drive.id("panes"))
    for name in ["list", "page"] {
      drive.step("note", from: drive.id(name))
      #expect(drive.outcome == "hidden")
    }
    drive.step("more", from: drive.id("panes"))
    #expect(drive.outcome == "hidden")
    #expect(drive.broken == [])
  }
}
