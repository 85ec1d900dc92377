import CairnCore
import CairnTesting
import Testing

@Suite struct `Steps of operators, and steps that cannot be posted` {
  private static let app = """
    app: campaign
    language: 1
    root: { flow: main }
    screens: { home: { emits: [open] }, ad: , notice: { params: { id: integer } } }
    steps: { begin: { by: operator, id: integer } }
    flows:
      main: { stack: home, handle: { open: { present: { flow: inner } }, begin: { present: notice, with: { id: $id }, level: 9 }, due: pop } }
      inner: { stack: ad, handle: { begin: dismiss } }
    """

  @Test func `a step by operator goes to the root flow, whatever is visible, and is accepted from no client`() throws {
    var drive = try Drive(Self.app)
    drive.step("open")
    #expect(drive.reducer.accepts(drive.state).steps == [])
    drive.step("begin", ["id": 3])
    #expect(drive.steps == ["main begin"])
    #expect(drive.sketch == "main[home] ^ inner[ad] ^9 notice(id: 3)")
    drive.step("begin", ["id": "three"])
    #expect(drive.outcome == "invalid")
  }

  @Test func `the refusal of a step that no screen emits names the member to add`() throws {
    var drive = try Drive(Self.app)
    drive.step("due")
    #expect(drive.outcome == "internal-step")
    #expect(drive.refusal?.detail == "no screen emits due; add emits: [due] to home")
  }
}
