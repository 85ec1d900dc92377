import CairnCore
import CairnScenario

/// Plays a scenario in process, and records its session for engines: each action of a client is predicted, and everything else arrives from the service.
struct ScenarioRecording: Player {
  private var run: ScenarioRun
  /// A recording for each definition of the session, because an engine begins again after a migration.
  private(set) var sessions: [EngineRecording] = []
  private var current: Definition?

  init(_ definition: Definition) { run = ScenarioRun(definition) }

  var definition: Definition { run.definition }

  mutating func start(_ given: Scenario.Given) throws -> Played {
    let played = try run.start(given)
    try begin()
    return played
  }

  mutating func play(_ occurrence: Scenario.Occurrence) throws -> Played {
    let played = try run.play(occurrence)
    guard run.definition == current else {
      try begin()
      return played
    }
    for state in run.delivered { sessions[sessions.count - 1].reach(Self.sent(state)) }
    // If one of several commands is refused, all of them are undone.
    if played.refusal == nil || run.commands.count == 1 {
      for command in run.commands {
        var command = command
        command.before = Self.sent(command.before)
        command.states = command.states.map(Self.sent)
        // The commands of the run do not include an undo, but they include a timer that is due after the undo. So the recording first reaches the state after
        // the undo.
        if sessions[sessions.count - 1].state.revision < command.before.revision { sessions[sessions.count - 1].reach(command.before) }
        sessions[sessions.count - 1].act(command)
      }
    }
    sessions[sessions.count - 1].reach(Self.sent(run.state))
    return played
  }

  func look() -> Look { run.look() }

  /// The state as if the service sent the session's requests. A client's definition does not mark the loads that are requests, so no tester can answer them.
  private static func sent(_ state: State) -> State {
    var state = state
    state.manualRequests = false
    return state
  }

  private mutating func begin() throws {
    current = run.definition
    sessions.append(try EngineRecording(Reducer(run.definition), state: Self.sent(run.state)))
  }
}
