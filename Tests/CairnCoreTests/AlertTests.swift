import CairnCore
import CairnTesting
import Testing

/// An alert is closed by the steps that it may send. A step in `emits` of a flow leaves the alert open, unless an alert without a contract sends the step.
@Suite struct `Steps that close an alert` {
  private static let app = """
    app: alerts
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, asking: { emits: [yes] }, open: {}, page: {} }
    steps: { ask: , askOpen: , yes: , moved: , other: }
    flows:
      main:
        stack: home
        emits: [moved]
        handle:
          ask: { present: asking, style: alert }
          askOpen: { present: open, style: alert }
          yes: { push: page }
          moved: []
          other: []
    """

  @Test func `a step from emits of a flow leaves the visible alert open`() throws {
    var drive = try Drive(Self.app)
    drive.step("ask")
    drive.step("moved")
    #expect(drive.outcome == "unchanged (no-change)")
    drive.step("moved", from: drive.id("asking"))
    #expect(drive.sketch == "main[home] ^ asking")
    drive.step("yes")
    #expect(drive.sketch == "main[home, page]")
    #expect(drive.broken == [])
  }

  @Test func `an alert without a contract is closed by any other step, and by a step in emits that the alert sends`() throws {
    var drive = try Drive(Self.app)
    drive.step("askOpen")
    drive.step("moved")
    #expect(drive.sketch == "main[home] ^ open")
    drive.step("other")
    #expect(drive.sketch == "main[home]")
    drive.step("askOpen")
    drive.step("moved", from: drive.id("open"))
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }
}
