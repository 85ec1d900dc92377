import CairnCore
import Testing

@Suite struct `Migration of a selection that waits` {
  private let gated = """
    app: gates
    language: 1
    root: main
    facts: { isOpen: { type: boolean, default: false, by: client } }
    screens: { home: { emits: [wanted] }, trips: {}, login: {} }
    flows:
      main: { tabs: [home, { flow: trip, requires: { fact: isOpen }, else: needed }], handle: { wanted: { select: trip }, needed: { present: login } } }
      trip: { stack: trips }
    steps: { needed: }
    """

  @Test func `a tab that has lost the app's last gate is selected at once`() throws {
    var drive = try MigrationDrive(gated)
    drive.step("wanted")
    #expect(drive.sketch == "main<*home, trip[trips]> ^ login" && drive.state.question?.isGate == true)
    let free = gated.replacing("{ flow: trip, requires: { fact: isOpen }, else: needed }", with: "trip")
    try drive.migrate(to: free, Migration())
    #expect(drive.broken == [] && drive.state.question == nil)
    #expect(drive.sketch == "main<home, *trip[trips]> ^ login")
  }
}
