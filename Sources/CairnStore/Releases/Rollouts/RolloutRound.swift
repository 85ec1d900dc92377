import CairnCore
import CairnJournal
import CairnRuntime

/// One pass over the sessions that a rollout concerns. Other rounds follow until all sessions have met the rollout's condition.
struct RolloutRound {
  private let parts: StoreParts
  private let version: Identity
  /// The definitions whose sessions have not all been visited yet.
  private var definitions: [String]
  private var place: String?
  /// The counts of this round: the sessions that cannot move, by reason, and the sessions for which the rollout's condition was not true.
  private var stays = RolloutReport()
  /// The start of the round, in nanoseconds on the monotonic clock.
  let start = Monotonic.now()
  /// Numbers of sessions: those moved before the round, and those to visit in it. `visited` is the number visited so far.
  private let before, population: Int
  private var visited = 0
  /// Whether no step has been run yet.
  private var isFirst = true
  /// Whether a session could not be moved because of a temporary fault.
  private var hasFault = false

  /// Identifies the rollout and its direction. A change of the rollout that keeps both does not restart the round.
  private struct Identity: Hashable {
    var since: Int
    var isReverting: Bool
  }

  /// The number of sessions per step.
  private static let stride = 32

  struct Result {
    var rollout: Rollout
    /// The number of moves that were attempted.
    var count = 0
    var isOver = false
  }

  init(_ rollout: Rollout, _ parts: StoreParts) {
    self.parts = parts
    version = Identity(since: rollout.since, isReverting: rollout.state == .reverting)
    let uses = parts.faults.attempt(.rollout) { () throws(JournalError) in try parts.sessions.uses(of: rollout.app) }
    hasFault = uses == nil
    let visits = (uses ?? []).filter { ($0.definition == rollout.to) == (rollout.state == .reverting) }
    definitions = visits.map(\.definition)
    // The sessions in the share are selected one by one, so their number is an estimate until all have been visited.
    population = visits.reduce(0) { $0 + $1.sessions } * rollout.share / Rollout.whole
    before = rollout.isDryRun ? 0 : rollout.state == .reverting ? rollout.report.reverted : rollout.report.moved
  }

  /// Runs a part of the round. If it throws, records the failure and returns `nil`.
  private func attempt<Output, Failure: Error>(of session: String? = nil, _ work: () throws(Failure) -> Output) -> Output? {
    parts.faults.attempt(.rollout, of: session, work)
  }

  /// Records that a session could not be moved because of a temporary fault.
  private mutating func note(_ fault: any Error, of session: String) {
    hasFault = true
    parts.faults.note(.rollout, of: session, fault)
  }

  func isOf(_ rollout: Rollout) -> Bool {
    version == Identity(since: rollout.since, isReverting: rollout.state == .reverting)
  }

  /// Visits the next sessions. Blocks until they are moved.
  mutating func step(_ rollout: Rollout) -> Result {
    var rollout = rollout
    // An interrupted dry run starts again with an empty report.
    if isFirst, rollout.isDryRun { rollout.report = RolloutReport() }
    isFirst = false
    guard let definition = definitions.first else { return end(rollout) }
    let query = SessionQuery(app: rollout.app, definition: definition, after: place, limit: Self.stride)
    var result = Result(rollout: rollout)
    guard let page = attempt({ () throws(StoreFault) in try parts.page(query) }) else {
      hasFault = true
      place = nil
      definitions.removeFirst()
      return result
    }
    place = page.next
    if page.next == nil { definitions.removeFirst() }
    let known = parts.nodes.read(page.ids)
    let sessions = page.ids.compactMap { known[$0] ?? read($0) }.filter { rollout.includes(label: $0.label, id: $0.id) }
    visited += sessions.count
    result.count = rollout.state == .reverting ? goBack(sessions, &result.rollout) : move(sessions, &result.rollout)
    if result.count > 0 || result.rollout.report != rollout.report || rollout.report.progress == nil { noteProgress(of: &result.rollout) }
    return result
  }

  /// Adds the progress of the round to the report. Called only if the step changed something else, because storing a report is a commit.
  private func noteProgress(of rollout: inout Rollout, isOver: Bool = false) {
    let elapsed = Int(max(1, (Monotonic.now() - start) / 1_000_000))
    rollout.report.progress = RolloutProgress(
      total: before + (isOver ? visited : max(population, visited)), left: isOver ? 0 : max(0, population - visited),
      perMinute: visited * 60_000 / elapsed, node: NodeName.current, time: parts.clock.now())
  }

  /// Reads a session; `nil` if it has ended or cannot be read.
  private mutating func read(_ id: String) -> Session? {
    do throws(StoreFault) {
      switch try parts.lookup(id) {
      case .found(let session): return session
      case .gone: return nil
      case .damaged: stays.note(stay: "its stored data is damaged", of: id)
      }
    } catch {
      note(error, of: id)
    }
    return nil
  }

  /// Returns the chain of migrations from a session's definition to `target`. `known` is the chain of the previous session; it is returned
  /// if it begins with the same definition. If no chain exists, returns `nil` and counts the session among those that cannot move.
  private mutating func way(of session: Session, to target: String, _ known: KnownWay?) -> KnownWay? {
    let old = session.definition.hash
    if let known, known.from == old { return known }
    do throws(StoreFault) {
      if let chain = try parts.way(from: old, to: target, of: session.app) { return KnownWay(from: old, chain: chain) }
      stays.note(stay: "no migration leads from its definition", of: session.id)
    } catch {
      stays.note(stay: "the migration from its definition cannot be read", of: session.id)
      note(error, of: session.id)
    }
    return nil
  }

  private func end(_ rollout: Rollout) -> Result {
    var result = Result(rollout: rollout, isOver: true)
    result.rollout.report.stays = stays.stays
    result.rollout.report.waiting = stays.waiting
    if result.rollout.report != rollout.report || rollout.report.progress?.left != 0 { noteProgress(of: &result.rollout, isOver: true) }
    guard !hasFault, rollout.isDryRun || stays.waiting == 0 else { return result }
    result.rollout.state = rollout.state == .reverting ? .reverted : .done
    return result
  }

  // MARK: moving

  /// Moves the sessions for which the rollout's condition is true. A dry run ignores the condition, and only plans the moves. Returns the
  /// number of attempted moves. Blocks until all attempts are done.
  private mutating func move(_ sessions: [Session], _ rollout: inout Rollout) -> Int {
    guard let target = definition(rollout.to) else {
      hasFault = true
      return 0
    }
    var ready: [(session: Session, lines: [String])] = []
    // All sessions of a step have the same definition, unless they were moved since the page was read.
    var known: KnownWay?
    for session in sessions where session.definition.hash != rollout.to {
      guard let way = way(of: session, to: rollout.to, known) else { continue }
      known = way
      guard rollout.moment != .foreground || session.definition.definition.notesAppState else {
        stays.note(stay: "its definition has no fact appState, so it is unknown whether the app is in the foreground", of: session.id)
        continue
      }
      guard rollout.isDryRun || isDue(session, rollout.moment) else {
        stays.waiting += 1
        continue
      }
      guard rollout.isDryRun else {
        ready.append((session, way.chain.lines(for: session.state)))
        continue
      }
      plan(session, way.chain, to: target, &rollout.report)
    }
    let environment = parts.environment(target.definition)
    let move = Alteration.migration(
      to: target, environment: environment, way: known, isReady: { [moment = rollout.moment] in Self.mayMove($0, moment) })
    let results = alter(ready.map { ($0.session, move) }, by: rollout.author)
    for ((session, lines), result) in zip(ready, results) {
      switch result {
      case .success(let posted) where posted.performed.first?.transition.outcome == .performed:
        note(lines, of: session.id, in: &rollout.report)
      case .success: stays.waiting += 1
      case .failure(.notMigrated(let reason)): stays.note(stay: Self.general(reason), of: session.id)
      case .failure(.refused(let refusal, _, _)): stays.note(stay: refusal.detail, of: session.id)
      case .failure(.unknownSession): break
      // A caller changed the session at the same time, so the move is attempted again in the next round.
      case .failure(.conflict): stays.waiting += 1
      case .failure(let fault): note(fault, of: session.id)
      }
    }
    return ready.count
  }

  private func note(_ lines: [String], of session: String, in report: inout RolloutReport) {
    report.moved += 1
    if lines.isEmpty { report.unchanged += 1 }
    for line in lines { report.note(line: line, of: session) }
  }

  /// Plans the move of a session without storing it, and adds the result to the report.
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

  /// A reason without the ids of nodes, so that sessions with the same reason are counted together.
  private static func general(_ reason: String) -> String { reason.replacing(#/ \(n[0-9]+\)/#, with: "") }

  // MARK: moments

  /// Whether a session may move now. Reads its newest entries if that depends on the last action of a client.
  private func isDue(_ session: Session, _ moment: Rollout.Moment?) -> Bool {
    guard case .idle(let milliseconds)? = moment else { return Self.mayMove(session, moment) }
    // The entries of a session with a manual clock have the times of this clock.
    let latest = (session.state.manualTime ?? parts.clock.now()) - milliseconds
    if session.updatedAt <= latest { return true }
    var end = session.state.revision
    while end > session.beginning {
      let first = max(session.beginning, end - Self.stride)
      let found = attempt(of: session.id) { () throws(JournalError) in
        try parts.history.entries(of: session.id, after: first, limit: end - first)
      }
      guard let entries = found, let oldest = entries.first else { return false }
      if let last = entries.last(where: { Self.isOfClient($0.entry) }) { return last.entry.stamp.time <= latest }
      // All earlier entries are at least as old as this one.
      if oldest.entry.stamp.time <= latest { return true }
      end = first
    }
    guard session.beginning > 0 else { return true }
    // The journal has no action of a client any more. The forgotten ones are at least as old as the journal's first state.
    let oldest = attempt(of: session.id) { () throws(JournalError) in
      try parts.history.past(of: session.id, at: session.beginning)
    }
    return (oldest ?? nil).map { $0.time <= latest } ?? false
  }

  /// Whether an entry is the session's creation or an action of a client: not a tick of a timer, the end of a load, or an operator's action.
  private static func isOfClient(_ entry: Entry) -> Bool {
    switch entry.cause {
    case .creation: true
    case .action(.effect), .replacement: false
    case .action: entry.author == nil
    }
  }

  /// Whether the session's state allows the move at `moment`; `true` for a moment that does not depend on the state.
  private static func mayMove(_ session: Session, _ moment: Rollout.Moment?) -> Bool {
    switch moment {
    case .now, .idle, nil: true
    case .visible(let screen): session.definition.reducer.visible(in: session.state)?.screen == screen
    case .foreground: session.state.facts[FactDefinition.appState] == .string(Action.Activity.foreground.rawValue)
    }
  }

  // MARK: going back

  /// Sets back the sessions that have had no entry since they moved. Other sessions are moved by a migration in the opposite direction, if
  /// one exists. Returns the number of attempts. Blocks until all attempts are done.
  private mutating func goBack(_ sessions: [Session], _ rollout: inout Rollout) -> Int {
    let home = definition(rollout.from)
    let way = attempt { () throws(StoreFault) in try parts.way(from: rollout.to, to: rollout.from, of: rollout.app) }
    var ready: [(session: Session, alteration: Alteration)] = []
    for session in sessions {
      let past: Session?
      do throws(JournalError) {
        past = try stateBefore(session, rollout)
      } catch {
        if error.isDamage { stays.note(stay: "its stored data is damaged", of: session.id) } else { note(error, of: session.id) }
        continue
      }
      if let past {
        ready.append((session, .undo(to: past, reason: "rollout reverted")))
      } else if home == nil || way == nil {
        // Because of a temporary fault, it is unknown whether a migration leads back, so another round tries again.
        hasFault = true
      } else if let home, way ?? nil != nil {
        let environment = parts.environment(home.definition)
        ready.append((session, .migration(to: home, environment: environment, way: nil, isReady: { _ in true })))
      } else {
        stays.note(stay: "it started on the new definition or has entries since its move, and no migration leads back", of: session.id)
      }
    }
    let results = alter(ready, by: rollout.author)
    for ((session, _), result) in zip(ready, results) {
      switch result {
      case .success: rollout.report.reverted += 1
      case .failure(.notMigrated(let reason)): stays.note(stay: Self.general(reason), of: session.id)
      case .failure(.refused(let refusal, _, _)): stays.note(stay: refusal.detail, of: session.id)
      case .failure(.unknownSession): break
      case .failure(.conflict): stays.waiting += 1
      case .failure(let fault): note(fault, of: session.id)
      }
    }
    return ready.count
  }

  /// The state of a session before the rollout moved it; `nil` if the session has had other entries since, or if that state is forgotten.
  private func stateBefore(_ session: Session, _ rollout: Rollout) throws(JournalError) -> Session? {
    let before = session.state.revision - 1
    guard before >= max(1, session.beginning) else { return nil }
    let newest = try parts.history.entries(of: session.id, after: before, limit: 1).first
    guard case .replacement(.migrated(_, rollout.to))? = newest?.entry.cause, let past = try parts.history.past(of: session.id, at: before)
    else { return nil }
    let definition = try parts.library.definition(past.definition, in: parts.documents)
    return session.at(past.state, definition: definition, updatedAt: past.time, hash: past.hash)
  }

  private func definition(_ hash: String) -> PinnedDefinition? {
    attempt { () throws(JournalError) in try parts.library.definition(hash, in: parts.documents) }
  }

  // MARK: the writer

  /// Sends alterations of sessions to the writer, and blocks until all are done. Returns the results in the order of the sessions.
  private func alter(
    _ alterations: [(session: Session, alteration: Alteration)], by author: String?
  ) -> [Swift.Result<Posted, StoreFault>] {
    let answers = Monitor([Swift.Result<Posted, StoreFault>?](repeating: nil, count: alterations.count))
    for (index, (session, alteration)) in alterations.enumerated() {
      let post = Post(.alteration(alteration), to: session.id, matching: [session.tag], origin: EntryOrigin(author: author))
      parts.mailbox.send(PostJob(post) { result in answers.change { $0[index] = result } })
    }
    return answers.wait { all in all.contains { $0 == nil } ? nil : all.compactMap { $0 } } ?? []
  }
}
