import CairnCore
import CairnRuntime

/// Where the last replay of a session stopped, so that the next page of its history goes on from there instead of from the start.
final class ReplayCache: Sendable {
  private let states: Lock<RecentlyUsed<String, State>>

  init(capacity: Int) { states = Lock(RecentlyUsed(capacity: capacity)) }

  /// A state of the session that is not beyond a revision; nil: it has to be made from the first entry. Any thread.
  func state(of session: String, upTo revision: Int) -> State? {
    states.withLock { states in states[session].flatMap { $0.revision <= revision ? $0 : nil } }
  }

  /// Any thread.
  func keep(_ state: State, of session: String) { states.withLock { $0[session] = state } }

  /// Of a session that is no more. Any thread.
  func forget(_ session: String) { states.withLock { $0[session] = nil } }
}
