import CairnCore
import CairnTesting
import Testing

private let naps = """
  app: naps
  language: 1
  compat: { emits: any }
  root: { flow: main }
  screens: { home: {}, page: {} }
  steps: { begin: {}, mine: {}, open: {}, stop: {}, stopAll: {}, due: }
  flows:
    main:
      stack: home
      handle:
        begin: { timer: { after: 5s, send: due, name: nap }, of: flow }
        mine: { timer: { after: 5s, send: due, name: nap } }
        open: { push: page }
        stop: { cancel: nap }
        stopAll: { cancel: all }
        due: []
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
