import DequeModule

/// The order of requests: quick ones before those that may take long, so that a request of a thousand actions does not delay others. Among
/// the long ones each session has its turn, one request at a time; within a session the order stays. Only for the writer.
struct Lanes {
  /// The share of long requests in a batch; the last may exceed it.
  static let share = Duration.milliseconds(20)
  /// Steps of work from which on a session's next request counts as long too.
  private static let longWork = 10_000
  /// Sessions that are remembered as slow.
  private static let memory = 10_000

  private var waiting: [String: Deque<Message>] = [:]
  /// The sessions that wait, in the order of their turns.
  private var turns: Deque<String> = []
  private var count = 0
  private var slowSessions: Set<String> = []
  private let limit: Int

  /// `limit`: requests that may wait here; one more is `queueFull`.
  init(limit: Int) { self.limit = limit }

  /// Nothing waits here.
  var isEmpty: Bool { count == 0 }

  /// The message, if it is to be run at once; else it waits here.
  mutating func quick(_ message: Message) -> Message? {
    guard let (session, isLong) = message.request else { return message }
    guard isLong || !slowSessions.isEmpty && slowSessions.contains(session) || count > 0 && waiting[session] != nil else { return message }
    guard count < limit else {
      message.refuse(.queueFull)
      return nil
    }
    count += 1
    if waiting[session] == nil { turns.append(session) }
    waiting[session, default: []].append(message)
    return nil
  }

  /// The next of those that wait.
  mutating func slow() -> Message? {
    guard let session = turns.popFirst(), let message = waiting[session]?.popFirst() else { return nil }
    count -= 1
    if waiting[session]?.isEmpty ?? true { waiting[session] = nil } else { turns.append(session) }
    return message
  }

  /// Notes the work of a session's request.
  mutating func note(_ session: String, took work: Int) {
    if work >= Self.longWork {
      if slowSessions.count >= Self.memory { slowSessions = [] }
      slowSessions.insert(session)
    } else if !slowSessions.isEmpty {
      slowSessions.remove(session)
    }
  }
}
