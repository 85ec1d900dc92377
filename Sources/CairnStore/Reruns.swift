/// Requests whose session another node changed between the read and the commit (decision 16). They run again on the new state, from the second time on
/// after a random pause, so that two nodes do not collide in step. The requests of a session keep their order: later ones wait behind. Used by the writer's thread only.
struct Reruns {
  /// The number of attempts before the session is held.
  static let most = 3
  private struct Line {
    var messages: [Message] = []
    /// The time of the next attempt in milliseconds since 1970.
    var time = 0
    var attempts = 0
  }

  /// The requests of a session that are due.
  struct Due {
    let session: String
    let messages: [Message]
    /// Whether the session must be held, because the other attempts have failed.
    let isHeld: Bool
  }

  private var lines: [String: Line] = [:]
  /// The sessions whose requests run in the current batch, with the number of attempts.
  private var running: [String: Int] = [:]

  private let longestPause: Int

  /// `longestPause` is in milliseconds.
  init(longestPause: Int) { self.longestPause = longestPause }

  var isEmpty: Bool { lines.isEmpty }

  /// The time of the next attempt in milliseconds since 1970; `nil` if nothing waits.
  var earliest: Int? { lines.isEmpty ? nil : lines.values.lazy.map(\.time).min() }

  /// Whether requests of a session wait, so that another one must wait behind them.
  func hasWaiting(_ session: String) -> Bool { lines[session] != nil }

  /// Queues a request behind the waiting ones of its session.
  mutating func add(_ message: Message, behind session: String) { lines[session]?.messages.append(message) }

  /// Queues requests whose commit conflicted. `chance`, from 0 up to 1, determines the pause. The first rerun has none: usually the other node has
  /// only written once.
  mutating func conflict(_ session: String, _ messages: [Message], at now: Int, chance: Double) {
    let attempts = 1 + (running[session] ?? 0)
    let pause = attempts == 1 ? 0 : Int((chance * Double(longestPause)).rounded(.up))
    lines[session] = Line(messages: messages, time: now + pause, attempts: attempts)
  }

  /// Removes and returns the requests that are due at a time; all of them if it is `nil`.
  mutating func take(at now: Int?) -> [Due] {
    guard !lines.isEmpty else { return [] }
    var due: [Due] = []
    for (session, line) in lines where now.map({ line.time <= $0 }) ?? true {
      due.append(Due(session: session, messages: line.messages, isHeld: line.attempts >= Self.most))
      running[session] = line.attempts
    }
    for line in due { lines[line.session] = nil }
    return due
  }

  /// Ends a batch: the sessions that did not conflict again start with no attempts next time.
  mutating func endBatch() {
    if !running.isEmpty { running.removeAll() }
  }
}
