import CairnCore
import CairnTesting
import Testing

private let kiosk = """
  app: kiosk
  language: 1
  compat: { emits: any }
  root: { flow: main }
  screens: { home: {}, page: {} }
  steps: { open: {}, leave: {}, only: {}, undone: {}, twice: {} }
  flows:
    main:
      stack: home
      handle:
        open: { push: page }
        leave: [forget, popToRoot]
        only: forget
        undone: [forget, { popTo: page }]
        twice: { send: undone }
  """

@Suite struct `The operation forget` {
  private func transition(_ drive: Drive, _ step: String) throws -> Transition {
    try drive.preview(.step(Step(step), from: nil)).get()
  }

  @Test func `the transition says that the history is to be forgotten, and nothing else is different`() throws {
    var drive = try Drive(kiosk)
    drive.step("open")
    let left = try transition(drive, "leave")
    #expect(left.forgets && left.outcome == .performed && left.changes.count == 1)
    #expect(try !transition(drive, "open").forgets)
    drive.step("leave")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `an action that changes nothing forgets, too`() throws {
    let drive = try Drive(kiosk)
    let left = try transition(drive, "leave")
    #expect(left.forgets && left.outcome == .unchanged && left.reason == "at-root")
    let only = try transition(drive, "only")
    #expect(only.forgets && only.outcome == .unchanged && only.reason == "forgotten")
  }

  @Test func `a refused action and a dropped turn forget nothing`() throws {
    let drive = try Drive(kiosk)
    #expect(throws: Refusal.self) { try transition(drive, "undone") }
    #expect(try !transition(drive, "twice").forgets)
  }
}
