import CairnAPI
package import CairnCore
import CairnRuntime

/// A session that runs in this process, without a server or a network, and without waiting for real time.
package struct ScenarioRun: Player {
  /// The reducer of the session's current definition.
  private(set) var reducer: Reducer
  /// The definition with which sessions start, and its migration to the file's definition; `nil` if sessions start with the file's
  /// definition.
  private let migration: (old: Reducer, migrator: Migrator)?
  /// The reducer of the file's definition.
  private let newest: Reducer
  package private(set) var state = State()
  /// The states by revision, each with the reducer of its definition, for `undo`.
  private var past: [Int: (state: State, reducer: Reducer)] = [:]
  /// The times of the next attempts of requests that have had a response.
  var calls: [Effect.ID: CallPlan] = [:]
  /// The occurrences that the last call of `play` performed: the given occurrence itself or, for an HTTP response, the parts that replace
  /// it. A timer that was due afterwards adds an advance by 0.
  package private(set) var performed: [Scenario.Occurrence] = []
  /// The commands that the last occurrence ran, in order, without those of a delivered queue. If a command was refused, the changes of the commands
  /// before it were undone.
  package private(set) var commands: [Ran] = []
  /// The states after the numbered actions that the last occurrence posted and that changed the session, in order.
  package internal(set) var delivered: [State] = []
  /// The id of the newest node with each name, including nodes that have been removed.
  private(set) var names: [String: NodeID] = [:]
  /// The actions of the user while the client has no network; `nil` while it has one.
  package internal(set) var queue: OfflineQueue?
  /// The number of the last numbered action that the client has posted; 0 if it has posted none.
  var lastNumber: WideInt = 0
  private var count = 0
  /// `time` is the start time of a session for which the scenario gives none, in milliseconds since 1970. `bounds` are the limits of the
  /// session and of each action.
  private let time: Int
  private let bounds: Bounds
  /// Returns the nonce of the command with the given number, from 1; 0 means the start.
  private let nonce: @Sendable (Int) -> String
  /// The newest token and the newest authorization code that the session received; each is `nil` if the session received none.
  package private(set) var token: String?
  package private(set) var code: String?
  /// The texts of the secret params that were sent, by their numbers.
  package private(set) var params: [Int: String] = [:]

  /// A command that ran, or was refused.
  package struct Ran {
    package var command: Command
    package var before: State
    /// The states after each revision of the command, in order. Empty if the command was refused or changed nothing; several if it advanced
    /// the clock over several deadlines.
    package var states: [State]
    package var result: Result<Transition, Refusal>
  }

  /// Creates a run without a session; `start` creates the session.
  package init(
    _ definition: Definition, time: Int = 0, bounds: Bounds = Bounds(), nonce: @escaping @Sendable (Int) -> String = { "state\($0)" }
  ) {
    (self.time, self.bounds, self.nonce) = (time, bounds, nonce)
    newest = Reducer(definition, zones: ZoneFiles.content)
    reducer = newest
    migration = nil
  }

  /// Creates a run of a session that starts with an old definition and moves to a new one by a migration.
  package init(_ definition: Definition, from old: Definition, by migration: Migration) {
    (time, bounds, nonce) = (0, Bounds(), { "state\($0)" })
    newest = Reducer(definition, zones: ZoneFiles.content)
    reducer = Reducer(old, zones: ZoneFiles.content)
    self.migration = (reducer, Migrator(from: reducer, to: newest, by: migration))
  }

  /// Runs a scenario. Returns its failure, or `nil` if it passed.
  package static func run(_ scenario: Scenario, on definition: Definition) -> ScenarioFailure? {
    var run = ScenarioRun(definition)
    return scenario.play(on: &run)
  }

  package var definition: Definition { reducer.definition }

  package mutating func start(_ given: Scenario.Given) throws -> Played {
    if given.definition == nil { reducer = newest }
    let creation = Creation(
      hasToken: given.accessToken != nil, facts: given.facts, environment: given.environment, manualClock: true, manualRequests: true)
    token = given.accessToken
    var started: Played
    do throws(Refusal) {
      if let token { try TokenText.check(token, at: "/accessToken") }
      let (first, transition) = try reducer.create(creation, stamp: Stamp(time: given.time ?? time, nonce: nonce(0)))
      state = first
      started = Played(transition)
      started.changes = []
    } catch {
      throw Played.Refusal(error)
    }
    remember()
    guard let arrival = given.arrival else { return started }
    var opened = try play(arrival)
    opened.events = started.events + opened.events
    return opened
  }

  package mutating func play(_ occurrence: Scenario.Occurrence) throws -> Played {
    defer { remember() }
    let before = (state, calls)
    do throws(Refusal) {
      (performed, commands, delivered) = ([], [], [])
      var played = try perform(occurrence)
      // With the machine's clock, the service runs a timer that is already due as the next entry. An advance by 0 has the same effect here.
      if played.refusal == nil, state.hasDueTimer { played.addConsequences(try take(.advance(0))) }
      queue?.note(commands, from: before.0, to: state)
      return played
    } catch {
      (state, calls) = before
      return Played(Played.Refusal(error))
    }
  }

  private mutating func perform(_ occurrence: Scenario.Occurrence) throws(Refusal) -> Played {
    switch occurrence {
    case .migrate:
      performed.append(occurrence)
      return try migrate()
    case .undo(let revision):
      performed.append(occurrence)
      return try undo(to: revision)
    case .response(let answer): return try take(answer)
    case .offline(let taps):
      performed.append(occurrence)
      return try leave(taps)
    case .online:
      performed.append(occurrence)
      return try deliver()
    default: return try take(occurrence)
    }
  }

  package func look() -> Look {
    Look(
      tree: reducer.tree(of: state).sketch, stack: reducer.routes(of: state).map(\.screen), visible: reducer.visible(in: state)?.screen,
      facts: state.facts, login: state.login.status.rawValue, accepts: reducer.accepts(state).steps.map(\.step),
      guarded: reducer.accepts(state).guarded, question: state.question.flatMap { state[$0.node]?.name },
      pendingLinks: ((state.question?.aim.url.map { [$0] } ?? []) + state.pendingLinks.map(\.url)).map(SealedURL.shown),
      waiting: state.waitingModals.map(\.name), loads: state.effects.filter { $0.isLoad && !$0.isIdle }.count,
      messages: state.effects.compactMap { $0.message?.key })
  }

  /// Performs an occurrence that consists of commands: actions, a link, a notification, an advance, or the end of a request. Throws if the occurrence
  /// is invalid, or if a command is refused.
  mutating func take(_ occurrence: Scenario.Occurrence) throws(Refusal) -> Played {
    performed.append(occurrence)
    var played = Played(outcome: "unchanged")
    for command in try commands(of: occurrence) {
      let transition = try perform(command)
      played.outcome = transition.outcome.rawValue
      played.reason = transition.reason
      played.events += Played(transition).events
      played.changes += transition.changes.map(\.name)
    }
    return played
  }

  private func commands(of occurrence: Scenario.Occurrence) throws(Refusal) -> [Command] {
    switch occurrence {
    case .action(let action): try commands(of: action)
    case .actions(let actions): try commands(of: .array(actions))
    case .open(let url): [.open(url: filled(url))]
    case .notification(let payload, let tap, let appState, let action, let reply):
      [try command(of: payload, tap: tap, appState: appState, action: action, reply: reply)]
    case .advance(let milliseconds): [.advance(by: milliseconds)]
    case .answer(let answer): [.answer(answer)]
    case .response, .migrate, .undo, .offline, .online: []
    }
  }

  private mutating func migrate() throws(Refusal) -> Played {
    guard let migration else {
      throw Refusal(.invalid, "migrate needs a scenario that starts with an old definition: set definition in given")
    }
    count += 1
    let stamp = Stamp(time: state.manualTime ?? 0, nonce: nonce(count))
    do throws(MigrationObstacle) {
      var meter = Meter(Bounds())
      let transition = try migration.migrator.migrate(&state, environment: state.environment, stamp: stamp, meter: &meter)
      reducer = newest
      return Played(transition)
    } catch {
      return Played(Played.Refusal(code: Self.notMigrated, detail: error.reason))
    }
  }

  /// The problem code of a session that cannot be migrated to the new definition.
  package static let notMigrated = ProblemCode.notMigrated.rawValue

  private mutating func undo(to revision: Int) throws(Refusal) -> Played {
    guard let (earlier, other) = past[revision] else { throw Refusal(.invalid, "the session has no revision \(revision)") }
    count += 1
    let stamp = Stamp(time: state.manualTime ?? 0, nonce: nonce(count))
    let transition = other.restore(earlier, in: &state, of: reducer, stamp: stamp)
    reducer = other
    return Played(transition)
  }

  private mutating func perform(_ command: Command) throws(Refusal) -> Transition {
    let before = state
    do throws(Refusal) {
      let transition = try run(command)
      let states = before.revision == state.revision ? [] : (before.revision + 1..<state.revision).compactMap { past[$0]?.state } + [state]
      commands.append(Ran(command: command, before: before, states: states, result: .success(transition)))
      return transition
    } catch {
      commands.append(Ran(command: command, before: before, states: [], result: .failure(error)))
      throw error
    }
  }

  /// Runs a command, and throws if it is refused. `sender` and `covers` are set only for a numbered action.
  mutating func run(_ command: Command, sender: Sender? = nil, covers: [Cover] = []) throws(Refusal) -> Transition {
    count += 1
    let nonce = nonce(count)
    var meter = Meter(bounds)
    if case .advance(let milliseconds) = command {
      var passed: [State] = []
      let transition = try reducer.advance(&state, by: milliseconds, nonce: nonce, meter: &meter) { _, _, after in passed.append(after) }
      for state in passed { past[state.revision] = (state, reducer) }
      return transition
    }
    let sealed = try reducer.seal(command, for: state)
    let stamp = Stamp(time: state.manualTime ?? 0, nonce: nonce, sender: sender, covers: covers)
    let transition = try reducer.reduce(&state, sealed.action, stamp: stamp, meter: &meter)
    switch sealed.secret {
    case .token(let text)?: token = text
    case .code(let text)?: code = text
    case .params(let texts)?: params.merge(texts) { $1 }
    case nil: break
    }
    return transition
  }

  /// Reads a notification in the same way as the API. Throws if it is invalid.
  private func command(
    of payload: Value, tap: Bool, appState: Action.AppState, action: String?, reply: String?
  ) throws(Refusal) -> Command {
    do {
      return try NotificationRequest(payload, action: action, reply: reply).command(
        reducer.definition.notifications, tap: tap, appState: appState)
    } catch {
      throw Refusal(.invalid, error.text)
    }
  }

  /// Reads an action in the same way as the API, and throws if it is invalid. First replaces names of nodes by their ids, and `{state}` by the OAuth
  /// state of the open login page.
  func commands(of action: Value) throws(Refusal) -> [Command] {
    do {
      return try ActionRequest(action.naming(names, state: openState), byOperator: true).commands
    } catch {
      throw Refusal(.invalid, "this is not an action: \(error.text)")
    }
  }

  /// Replaces `{state}` in a URL with the OAuth state of the open login page.
  private func filled(_ url: String) -> String {
    url.split(separator: "{state}", omittingEmptySubsequences: false).joined(separator: openState ?? "{state}")
  }

  /// The OAuth state of the newest open login page; `nil` if no login page is open.
  var openState: String? { state.nodes.values.filter { $0.authorization != nil }.max { $0.id < $1.id }?.authorization }

  mutating func remember() {
    past[state.revision] = (state, reducer)
    for node in state.nodes.values.sorted(by: { $0.id < $1.id }) { names[node.name] = node.id }
  }
}

extension Value {
  /// Prepares an action or an array of actions for posting. Names in `from` and `node` are replaced by the ids of these nodes, and
  /// `{state}` in a login by the OAuth state of the open page.
  package func naming(_ names: [String: NodeID], state: String?) -> Value {
    if case .array(let actions) = self { return .array(actions.map { $0.naming(names, state: state) }) }
    var action = self
    for member in ["from", "node"] {
      if case .string(let name)? = action[member], NodeID(name) == nil, let id = names[name] {
        action.set(.string(id.description), at: [member])
      }
    }
    if action["state"] == "{state}", let state { action.set(.string(state), at: ["state"]) }
    return action
  }
}

extension Played {
  init(_ transition: Transition) {
    self.init(
      outcome: transition.outcome.rawValue, reason: transition.reason,
      events: transition.events.map { Event(type: $0.type.rawValue, flow: $0.flow, step: $0.step, reason: $0.reason) },
      changes: transition.changes.map(\.name))
  }
}

extension Played.Refusal {
  /// Appends the faults to the explanation, because they name the valid alternatives.
  init(_ refusal: Refusal) {
    self.init(code: refusal.code.rawValue, detail: ([refusal.detail] + refusal.faults.map(\.text)).joined(separator: "; "))
  }
}
