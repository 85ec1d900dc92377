import CairnCore
import CairnRuntime

/// One walk over the sessions of an app that a rollout concerns. A rollout whose moment has not come for all of them has further rounds.
struct RolloutRound {
  private let parts: StoreParts
  private let version: Identity
  /// The definitions whose sessions are still to be visited.
  private var definitions: [String]
  private var place: String?
  /// What this round has found of sessions that do not move.
  private var stays = RolloutReport()
  /// Whether a session could not be moved because of a fault that may pass.
  private var hasFault = false

  /// What makes two versions of a rollout the same work.
  private struct Identity: Hashable {
    var since: Int
    var isReverting: Bool
  }

  /// The number of sessions per step.
  private static let stride = 32

  struct Result {
    var rollout: Rollout
    /// The number of sessions that were visited.
    var count = 0
    /// Whether the round is over.
    var isOver = false
  }

  init(_ rollout: Rollout, _ parts: StoreParts) {
    self.parts = parts
    version = Identity(since: rollout.since, isReverting: rollout.state == .reverting)
    let uses = ((try? parts.journal.uses(of: rollout.app)) ?? []).map(\.definition)
    definitions = rollout.state == .reverting ? uses.filter { $0 == rollout.to } : uses.filter { $0 != rollout.to }
  }

  func isOf(_ rollout: Rollout) -> Bool {
    version == Identity(since: rollout.since, isReverting: rollout.state == .reverting)
  }

  /// Visits the next sessions. Blocks until they are moved.
  mutating func step(_ rollout: Rollout) -> Result {
    guard let definition = definitions.first else { return end(rollout) }
    let query = SessionQuery(app: rollout.app, definition: definition, after: place, limit: Self.stride)
    var result = Result(rollout: rollout)
    guard let page = try? parts.page(query) else {
      hasFault = true
      definitions.removeFirst()
      return result
    }
    place = page.next
    if page.next == nil { definitions.removeFirst() }
    result.count = page.ids.count
    let sessions = page.ids.compactMap { id -> Session? in
      guard case .found(let session)? = try? parts.glance(id) else { return nil }
      return rollout.includes(label: session.label, id: session.id) ? session : nil
    }
    if rollout.state == .reverting {
      goBack(sessions, &result.rollout)
    } else {
      move(sessions, &result.rollout)
    }
    return result
  }

  private func end(_ rollout: Rollout) -> Result {
    var result = Result(rollout: rollout, isOver: true)
    result.rollout.report.stays = stays.stays
    result.rollout.report.waiting = stays.waiting
    guard !hasFault, rollout.isDryRun || stays.waiting == 0 else { return result }
    result.rollout.state = rollout.state == .reverting ? .reverted : .done
    return result
  }

  // MARK: moving

  private mutating func move(_ sessions: [Session], _ rollout: inout Rollout) {
    guard let target = try? parts.library.definition(rollout.to, in: parts.journal) else {
      hasFault = true
      return
    }
    var ready: [(session: Session, lines: [String])] = []
    for session in sessions where session.definition.hash != rollout.to {
      guard let chain = try? parts.way(from: session.definition.hash, to: rollout.to, of: rollout.app) else {
        stays.note(stay: "there is no migration from its definition", of: session.id)
        continue
      }
      guard rollout.isDryRun || isDue(session, rollout.moment) else {
        stays.waiting += 1
        continue
      }
      guard rollout.isDryRun else {
        ready.append((session, chain.lines(for: session.state)))
        continue
      }
      plan(session, chain, to: target, &rollout.report)
    }
    let environment = parts.environment(target.definition)
    let results = wait(for: ready.map(\.session)) { session, reply in
      let alteration = Alteration.migration(
        to: target, environment: environment, isReady: { [moment = rollout.moment] in Self.mayMove($0, moment) })
      return .alter(
        alteration, session: session.id, matching: [session.tag], origin: EntryOrigin(author: rollout.author), reply)
    }
    for ((session, lines), result) in zip(ready, results) {
      switch result {
      case .success(let posted) where posted.performed.first?.transition.outcome == .performed:
        note(lines, of: session.id, in: &rollout.report)
      case .success: stays.waiting += 1
      case .failure(.notMigrated(let reason)): stays.note(stay: Self.general(reason), of: session.id)
      case .failure(.refused(let refusal, _, _)): stays.note(stay: refusal.detail, of: session.id)
      case .failure(.unknownSession): break
      // It was used at the same time, so it is tried again in the next round.
      case .failure(.conflict): stays.waiting += 1
      case .failure: hasFault = true
      }
    }
  }

  private func note(_ lines: [String], of session: String, in report: inout RolloutReport) {
    report.moved += 1
    if lines.isEmpty { report.unchanged += 1 }
    for line in lines { report.note(line: line, of: session) }
  }

  /// Counts what a move would do.
  private mutating func plan(_ session: Session, _ chain: MigrationChain, to target: PinnedDefinition, _ report: inout RolloutReport) {
    let staged = Staged(session, parts.hashKey)
    var meter = Meter(parts.limits.bounds)
    do throws(MigrationObstacle) {
      _ = try staged.migrate(
        to: target, by: chain, environment: parts.environment(target.definition), now: parts.clock.now(), nonce: parts.nonce(),
        meter: &meter)
      note(chain.lines(for: session.state), of: session.id, in: &report)
    } catch {
      stays.note(stay: Self.general(error.reason), of: session.id)
    }
  }

  /// A reason without the ids of nodes, so that equal ones are counted together.
  private static func general(_ reason: String) -> String { reason.replacing(#/ \(n[0-9]+\)/#, with: "") }

  // MARK: moments

  /// Whether the moment of a session has come. Reads its newest entries if it depends on the last action of a client.
  private func isDue(_ session: Session, _ moment: Rollout.Moment?) -> Bool {
    guard case .idle(let milliseconds)? = moment else { return Self.mayMove(session, moment) }
    let now = parts.clock.now()
    if now - session.updatedAt >= milliseconds { return true }
    let first = max(0, session.state.revision - Self.stride)
    guard let entries = try? parts.journal.entries(of: session.id, after: first, limit: Self.stride) else { return false }
    // Ticks of timers and ends of loads are no actions of a client.
    let last = entries.last { if case .action(.effect) = $0.entry.cause { false } else { true } } ?? entries.first
    return last.map { now - $0.entry.stamp.time >= milliseconds } ?? false
  }

  /// Whether a state fits the moment, as far as the state alone tells.
  private static func mayMove(_ session: Session, _ moment: Rollout.Moment?) -> Bool {
    switch moment {
    case .now, .idle, nil: true
    case .visible(let screen): session.definition.reducer.visible(in: session.state)?.screen == screen
    case .foreground: session.state.facts[FactDefinition.appState] == .string(Action.Activity.foreground.rawValue)
    }
  }

  // MARK: going back

  /// Takes sessions back that have had no entry since they moved. Others go back by a migration in the other direction, if there is one.
  private mutating func goBack(_ sessions: [Session], _ rollout: inout Rollout) {
    let home = try? parts.library.definition(rollout.from, in: parts.journal)
    var ready: [(session: Session, alteration: Alteration)] = []
    for session in sessions {
      let newest = try? parts.journal.entries(of: session.id, after: session.state.revision - 1, limit: 1).first
      if case .replacement(.migrated(_, rollout.to))? = newest?.entry.cause, let past = past(of: session) {
        ready.append((session, .undo(to: past, reason: "rollout reverted")))
      } else if let home, (try? parts.way(from: rollout.to, to: rollout.from, of: rollout.app)) != nil {
        let environment = parts.environment(home.definition)
        ready.append((session, .migration(to: home, environment: environment, isReady: { _ in true })))
      } else {
        stays.note(stay: "it began with the definition or has had entries since, and there is no migration back", of: session.id)
      }
    }
    let results = wait(for: ready.map(\.session)) { session, reply in
      let alteration = ready.first { $0.session.id == session.id }?.alteration
      return alteration.map {
        .alter($0, session: session.id, matching: [session.tag], origin: EntryOrigin(author: rollout.author), reply)
      }
    }
    for ((session, _), result) in zip(ready, results) {
      switch result {
      case .success: rollout.report.reverted += 1
      case .failure(.notMigrated(let reason)): stays.note(stay: Self.general(reason), of: session.id)
      case .failure(.refused(let refusal, _, _)): stays.note(stay: refusal.detail, of: session.id)
      case .failure(.unknownSession): break
      case .failure(.conflict): stays.waiting += 1
      case .failure: hasFault = true
      }
    }
  }

  private func past(of session: Session) -> Session? {
    var read = PastRead(session.id, at: session.state.revision - 1)
    return (try? read.step(parts)) ?? nil
  }

  // MARK: the writer

  /// Sends a message for each session to the writer, and blocks until all have their replies, in the order of the sessions.
  private func wait(
    for sessions: [Session], _ message: (Session, @escaping Reply<Posted>) -> Message?
  ) -> [Swift.Result<Posted, StoreFault>] {
    let answers = Monitor([Swift.Result<Posted, StoreFault>?](repeating: nil, count: sessions.count))
    for (index, session) in sessions.enumerated() {
      let reply: Reply<Posted> = { result in answers.change { $0[index] = result } }
      guard let message = message(session, reply) else {
        reply(.failure(.unknownSession))
        continue
      }
      if let fault = parts.mailbox.offer(message) { reply(.failure(fault)) }
    }
    return answers.wait { all in all.contains { $0 == nil } ? nil : all.compactMap { $0 } } ?? []
  }
}
