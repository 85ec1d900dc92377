import CairnAPI
package import CairnCore
import CairnDefinition

/// Runs scenarios in process, on the reducer itself, with a manual clock.
package struct ScenarioRun {
  private let reducer: Reducer
  private var state: State
  private var refusal: Refusal?
  private var events: [Event] = []
  private var changes: [Change] = []
  private var last = Transition(outcome: .performed)
  /// The newest node of each name, also when it is gone.
  private var names: [String: NodeID] = [:]
  private var count = 0

  /// What did not hold; nil when all did.
  package static func run(_ scenario: Scenario, on definition: Definition) -> ScenarioFailure? {
    do {
      var run = try ScenarioRun(scenario, definition)
      // What the start said counts where nothing else happens before the first expectation.
      if scenario.steps.first?.occurrences.isEmpty == false { run.events = [] }
      for step in scenario.steps {
        for occurrence in step.occurrences {
          // Of several the last one may be refused: an expectation speaks of that.
          if let refusal = run.refusal {
            throw ScenarioFailure(line: step.line, differences: ["refused: \(refusal.code.rawValue), \(refusal.detail)"])
          }
          try run.take(occurrence)
        }
        if let expectation = step.expectation, let failure = run.judge(expectation, line: step.line) { return failure }
        run.events = []
        run.changes = []
        if step.expectation != nil { run.refusal = nil }
      }
      return nil
    } catch let failure as ScenarioFailure {
      return failure
    } catch {
      return ScenarioFailure(line: scenario.line, differences: ["\(error)"])
    }
  }

  private init(_ scenario: Scenario, _ definition: Definition) throws {
    let given = scenario.given
    reducer = Reducer(definition)
    let creation = Creation(
      hasToken: given.accessToken != nil, facts: given.facts, environment: given.environment, manualClock: true)
    do {
      (state, last) = try reducer.create(creation, stamp: Stamp(time: 0, nonce: "state0"))
    } catch {
      throw ScenarioFailure(line: scenario.line, differences: ["the session does not start: \(error.detail)"])
    }
    events = last.events
    remember()
    if let arrival = given.arrival { try take(arrival) }
  }

  private mutating func take(_ occurrence: Scenario.Occurrence) throws {
    refusal = nil
    do throws(Refusal) {
      switch occurrence {
      case .action(let action): for command in try commands(of: action) { try perform(command) }
      case .open(let url): try perform(.open(url: filled(url)))
      case .notification(let payload, let tap, let appState):
        try perform(command(of: payload, tap: tap, appState: appState))
      case .advance(let milliseconds): try advance(by: milliseconds)
      case .loaded(let value): try end(.loaded(value)) { !$0.isExchange }
      case .failed(let reason): try end(.failed(reason)) { !$0.isExchange }
      case .exchanged: try end(.exchanged) { $0.isExchange }
      case .exchangeFailed(let reason): try end(.failed(reason)) { $0.isExchange }
      }
    } catch {
      refusal = error
      last = Transition(outcome: .unchanged)
    }
    remember()
  }

  private mutating func perform(_ command: Command) throws(Refusal) {
    count += 1
    let nonce = "state\(count)"
    var meter = Meter(Bounds())
    if case .advance(let milliseconds) = command {
      last = try reducer.advance(&state, by: milliseconds, nonce: nonce, meter: &meter) { _, _, _ in }
    } else {
      let action = try reducer.seal(command, for: state).action
      last = try reducer.reduce(&state, action, stamp: Stamp(time: state.manualTime ?? 0, nonce: nonce), meter: &meter)
    }
    events += last.events
    changes += last.changes
  }

  /// The clock goes on; a request that nobody answers ends on the way, when the service would end it.
  private mutating func advance(by milliseconds: Int) throws(Refusal) {
    var left = milliseconds
    var isPerformed = false
    while let request = state.effects.filter(\.isRequest).min(by: { ($0.due, $0.id) < ($1.due, $1.id) }), let now = state.manualTime {
      let wait = max(0, request.due - now + CallLimit.time)
      guard wait <= left else { break }
      try perform(.advance(by: wait))
      left -= wait
      isPerformed = isPerformed || last.outcome == .performed
      guard state.effects.contains(where: { $0.id == request.id }) else { continue }
      try perform(.action(.effect(id: request.id, .failed("timeout"))))
      isPerformed = true
    }
    if left > 0 || !isPerformed { try perform(.advance(by: left)) }
    if isPerformed { last = Transition(outcome: .performed, events: last.events, changes: last.changes) }
  }

  private mutating func end(_ completion: Action.Completion, where isMeant: (Effect) -> Bool) throws(Refusal) {
    guard let effect = state.effects.first(where: { $0.isRequest && isMeant($0) }) else {
      throw Refusal(.effectGone, "no request is running")
    }
    try perform(.action(.effect(id: effect.id, completion)))
  }

  /// The notification as the API reads it.
  private func command(of payload: Value, tap: Bool, appState: Action.AppState) throws(Refusal) -> Command {
    do {
      return try NotificationRequest(payload).command(reducer.definition.notifications, tap: tap, appState: appState)
    } catch {
      throw Refusal(.invalid, "not a notification: \(error)")
    }
  }

  /// The action as the API reads it, with names in the place of ids.
  private func commands(of action: Value) throws(Refusal) -> [Command] {
    var action = action
    for member in ["from", "node"] {
      if case .string(let name)? = action[member], NodeID(name) == nil, let id = names[name] {
        action.set(.string(id.description), at: [member])
      }
    }
    do {
      return try ActionRequest(action, byOperator: true).commands
    } catch {
      throw Refusal(.invalid, "not an action: \(error)")
    }
  }

  /// `{state}` in a URL is the OAuth state of the login page that is open.
  private func filled(_ url: String) -> String {
    let newest = state.nodes.values.filter { $0.authorization != nil }.max { $0.id < $1.id }
    return url.split(separator: "{state}", omittingEmptySubsequences: false).joined(separator: newest?.authorization ?? "{state}")
  }

  private mutating func remember() {
    for node in state.nodes.values.sorted(by: { $0.id < $1.id }) { names[node.name] = node.id }
  }

  private func judge(_ expected: Expectation, line: Int) -> ScenarioFailure? {
    var differences: [String] = []
    func compare<T: Equatable>(_ what: String, _ wanted: T?, _ found: T) {
      guard let wanted, wanted != found else { return }
      differences.append("\(what): expected \(wanted)\n\(String(repeating: " ", count: what.count))  found    \(found)")
    }
    if let code = refusal?.code.rawValue, expected.refused == nil {
      differences.append("refused: \(code), \(refusal?.detail ?? "")")
    }
    compare("refused", expected.refused, refusal?.code.rawValue ?? "nothing")
    compare("outcome", expected.outcome, last.outcome.rawValue)
    compare("reason", expected.reason, last.reason ?? "none")
    let tree = reducer.tree(of: state).sketch
    if let wanted = expected.tree, wanted != tree { differences.append("tree:\n" + TreeDifference.text(expected: wanted, found: tree)) }
    let routes = reducer.routes(of: state)
    compare("stack", expected.stack, routes.map(\.screen))
    compare("visible", expected.visible, reducer.visible(in: state)?.screen ?? "nothing")
    compare("steps", expected.steps, events.filter { $0.type == .willNavigate }.map { "\($0.flow ?? "") \($0.step ?? "")" })
    compare("dropped", expected.dropped, events.filter { $0.type == .dropped }.map { "\($0.step ?? "") \($0.reason ?? "")" })
    compare("events", expected.events, events.map(\.type.rawValue))
    compare("changes", expected.changes, changes.map(\.name))
    for (name, value) in (expected.facts ?? [:]).sorted(by: { $0.key < $1.key }) {
      compare("fact \(name)", value, state.facts[name] ?? .null)
    }
    compare("login", expected.login, state.login.status.rawValue)
    compare("accepts", expected.accepts, reducer.accepts(state).steps.map(\.step))
    compare("guarded", expected.guarded, reducer.accepts(state).guarded)
    compare("pendingLink", expected.pendingLink, state.pendingLink?.url ?? "null")
    compare("loads", expected.loads, state.effects.filter(\.isLoad).count)
    return differences.isEmpty ? nil : ScenarioFailure(line: line, differences: differences)
  }
}

/// Why a scenario failed.
package struct ScenarioFailure: Error, Sendable {
  /// Of the expectation.
  package var line: Int
  package var differences: [String]
}
