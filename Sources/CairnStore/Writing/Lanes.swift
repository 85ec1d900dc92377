import DequeModule

/// Orders requests so that quick requests run before those that may take long, such as a request with a thousand actions. The sessions with
/// long requests take turns, one request each. Requests of one session keep their order. Used only by the writer's thread.
struct Lanes {
  /// The time for long requests per batch. The last request may exceed it.
  static let share = Duration.milliseconds(20)
  /// The amount of work (`Meter.spent`) of a request above which its session counts as slow. The next request of a slow session is treated
  /// as long.
  private static let longWork = 10_000
  /// The maximum number of sessions that are marked as slow. When it is reached, all marks are removed.
  private static let memory = 10_000

  private var waiting: [String: Deque<any Job>] = [:]
  /// The sessions with waiting requests, in the order of their turns.
  private var turns: Deque<String> = []
  private var count = 0
  private var slowSessions: Set<String> = []
  private let limit: Int

  /// Creates the lanes. `limit` is the maximum number of waiting requests. Requests beyond it are rejected with `queueFull`.
  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { count == 0 }

  /// Returns the job if it can run without waiting. Otherwise queues it, or refuses it if the queue is full, and returns `nil`. The service's own jobs never
  /// wait.
  mutating func quick(_ job: any Job) -> (any Job)? {
    guard job.isExternal, let session = job.session else { return job }
    guard job.isLong || !slowSessions.isEmpty && slowSessions.contains(session) || count > 0 && waiting[session] != nil else { return job }
    guard count < limit else {
      job.refuse(.queueFull)
      return nil
    }
    count += 1
    if waiting[session] == nil { turns.append(session) }
    waiting[session, default: []].append(job)
    return nil
  }

  /// Removes and returns the next waiting request; `nil` if no request waits.
  mutating func slow() -> (any Job)? {
    guard let session = turns.popFirst(), let job = waiting[session]?.popFirst() else { return nil }
    count -= 1
    if waiting[session]?.isEmpty ?? true { waiting[session] = nil } else { turns.append(session) }
    return job
  }

  /// Records the work of a session's request, which decides whether the session counts as slow.
  mutating func note(_ session: String, took work: Int) {
    if work >= Self.longWork {
      if slowSessions.count >= Self.memory { slowSessions = [] }
      slowSessions.insert(session)
    } else if !slowSessions.isEmpty {
      slowSessions.remove(session)
    }
  }
}
