import CairnCore
import CairnTesting
import Testing

private let naps = """
  app: naps
  root: { flow: main }
  screens: { home: {}, page: {} }
  steps: { begin: {}, mine: {}, open: {}, stop: {}, stopAll: {}, due: { internal: true } }
  flows:
    main:
      container: stack
      root: home
      handle:
        begin: { after: { in: 5s, step: due, name: nap }, on: flow }
        mine: { after: { in: 5s, step: due, name: nap } }
        open: { push: page }
        stop: { cancel: nap }
        stopAll: { cancel: all }
        due: none
  """

@Suite struct `Cancelling effects` {
  private func drive(_ steps: String...) throws -> Drive {
    var drive = try Drive(naps, creation: Creation(manualClock: true))
    for step in steps { drive.step(step) }
    return drive
  }

  @Test func `a timer of the flow is cancelled by its name from any screen`() throws {
    #expect(try drive("begin").state.effects.count == 1)
    #expect(try drive("begin", "stop").state.effects == [])
    let later = try drive("begin", "open", "stop")
    #expect(later.state.effects == [])
    #expect(later.broken == [])
    #expect(try later.replayed() == later.state)
  }

  @Test func `a timer of another screen is not cancelled, and cancel all covers only the effects of the screen`() throws {
    #expect(try drive("mine", "open", "stop").state.effects.count == 1)
    #expect(try drive("mine", "stop").state.effects == [])
    #expect(try drive("begin", "mine", "stopAll").state.effects.count == 1)
  }
}
