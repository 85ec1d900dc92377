import CairnCore
import CairnTesting
import Testing

/// An app for the promises of RxFlow's own tests that apply to a service.
private let rx = """
  app: rx
  language: 1
  compat: { unhandled: drop, emits: any, words: [adapt, listen] }
  root: { flow: top, start: [one] }
  screens: { s: {}, deaf: {}, heard: {} }
  steps: { one: {}, two: {}, three: {}, several: {}, unauthorized: {}, leave: {} }
  flows:
    top:
      stack: []
      handle:
        one: { push: deaf }
        several: [ { push: { flow: child, start: two } }, { send: three } ]
        two: { push: heard, listen: { hidden: true } }
        three: []
        leave: { popTo: deaf }
    child:
      stack: s
      handle: { two: { push: s, listen: { dismissed: true } }, three: [], leave: pop }
  links: [ { scheme: x, path: "/three", send: three, to: all } ]
  """

@Suite struct `Tests of RxFlow` {
  @Test func `the first step is handled before the start is complete`() throws {
    let drive = try Drive(rx)
    #expect(drive.steps == ["top one"])
    #expect(drive.sketch == "top[deaf]")
  }

  @Test func `a covered screen may send steps only if it was created with that option`() throws {
    var drive = try Drive(rx)
    let deaf = drive.id("deaf")
    drive.step("two")
    let heard = drive.id("heard")
    drive.step("two", from: deaf)
    #expect(drive.outcome == "hidden")
    drive.step("two", from: heard)
    drive.step("three", from: heard)
    #expect(drive.steps == ["top three"])
  }

  @Test func `the start step of a new node comes before a step that the flow forwards to itself`() throws {
    var drive = try Drive(rx)
    drive.step("several")
    #expect(drive.steps == ["top several", "child two", "top three"])
  }

  @Test func `adapt filters a start step and a screen's step alike`() throws {
    let adapting = rx.replacing(
      "  top:\n    stack: []\n",
      with: "  top:\n    stack: []\n    adapt: { one: [ { when: { not: { flow: child } }, to: unauthorized } ] }\n")
    var drive = try Drive(adapting)
    #expect(drive.steps == ["top unauthorized"])
    drive.step("two")
    let heard = drive.id("heard")
    drive.step("two")
    drive.step("one", from: heard)
    #expect(drive.steps == ["top unauthorized"])
  }

  @Test func `a step without a sender reaches every flow`() throws {
    var drive = try Drive(rx)
    drive.run(.step(Step("several"), from: drive.state.root))
    drive.run(.step(Step("several"), from: drive.state.root))
    drive.run(.open(url: "x://three"))
    #expect(drive.steps == ["top three", "child three", "child three"])
  }

  @Test func `a popped flow leaves nothing, and neither do its screens`() throws {
    var drive = try Drive(rx)
    drive.step("several")
    drive.step("two")
    let screen = drive.id("s")
    drive.run(.pop(count: 1, node: screen))
    #expect(drive.state.listeners.map(\.node) == [screen])
    drive.step("three", from: screen)
    #expect(drive.steps == ["child three"])
    drive.run(.pop(count: 1, node: drive.id("child")))
    #expect(drive.sketch == "top[deaf]")
    #expect(drive.state.listeners == [])
    drive.step("three", from: screen)
    #expect(drive.outcome == "dismissed")
    #expect(drive.broken == [])
  }

  @Test func `a screen is visible, covered, and visible again`() throws {
    var drive = try Drive(rx)
    let deaf = drive.id("deaf")
    for _ in 0..<3 {
      drive.step("three", from: deaf)
      #expect(drive.outcome == "unchanged (no-change)")
      drive.step("two")
      drive.step("three", from: deaf)
      #expect(drive.outcome == "hidden")
      drive.run(.pop(count: 1, node: nil))
    }
  }

  @Test func `several initial steps run in their order, and the resulting steps after them`() throws {
    let drive = try Drive(rx.replacing("start: [one]", with: "start: [one, several, three]"))
    #expect(drive.steps == ["top one", "top several", "top three", "child two", "top three"])
  }
}
