/// The requests whose session another node changed between the read and the commit (decision 16). They run again in the next batch, on the
/// new state. The requests of a session keep their order: later ones wait behind them. Used only by the writer's thread.
struct Reruns {
  /// The number of failed attempts after which the next attempt locks the session against other nodes (`JournalWriter.holding`). The lock
  /// makes two nodes that post to one session at the same time take turns.
  private static let most = 2

  private struct Line {
    var jobs: [any Job] = []
    var attempts = 0
  }

  /// The requests of a session that are to run again.
  struct Due {
    let session: String
    let jobs: [any Job]
    /// Whether the session is held during the attempt, so that other nodes cannot change it. This is necessary after several failed
    /// attempts.
    let isHeld: Bool
  }

  private var lines: [String: Line] = [:]
  /// The sessions whose requests run in the current batch, with the number of attempts.
  private var running: [String: Int] = [:]

  var isEmpty: Bool { lines.isEmpty }

  /// Whether requests of a session wait. If so, later requests must wait behind them.
  func hasWaiting(_ session: String) -> Bool { lines[session] != nil }

  /// Whether requests of a session run again in the current batch.
  func isRunning(_ session: String) -> Bool { !running.isEmpty && running[session] != nil }

  /// Queues a request behind the waiting ones of its session.
  mutating func add(_ job: any Job, behind session: String) { lines[session]?.jobs.append(job) }

  /// Queues requests whose commit conflicted.
  mutating func conflict(_ session: String, _ jobs: [any Job]) {
    lines[session] = Line(jobs: jobs, attempts: 1 + (running[session] ?? 0))
  }

  /// Removes and returns the waiting requests.
  mutating func take() -> [Due] {
    guard !lines.isEmpty else { return [] }
    var due: [Due] = []
    for (session, line) in lines {
      due.append(Due(session: session, jobs: line.jobs, isHeld: line.attempts >= Self.most))
      running[session] = line.attempts
    }
    lines = [:]
    return due
  }

  /// Ends a batch. The attempts of sessions without a new conflict are forgotten.
  mutating func endBatch() {
    if !running.isEmpty { running.removeAll() }
  }
}
