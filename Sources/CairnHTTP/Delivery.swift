import Synchronization

/// The place where a request's answer is put by any thread, once, and taken from by its loop's.
///
/// Unchecked: `content` belongs to the thread that has moved `state` to `filling`, and afterwards to the one that moves it to `taken`.
final class Delivery: @unchecked Sendable {
  /// The response to a request.
  enum Content {
    case response(Response)
    /// A response that is made when it is about to be sent.
    case work(@Sendable () -> Response)
    case fault(Fault)
    /// An answer without an end.
    case stream(ByteStream)
  }

  /// The result of delivering a response.
  enum Outcome { case late, awaited, suspended }

  private enum State {
    static let open: UInt8 = 0
    static let suspended: UInt8 = 1
    static let filling: UInt8 = 2
    static let ready: UInt8 = 3
    static let taken: UInt8 = 4
  }

  private let state = Atomic(State.open)
  private var content: Content?

  /// Any thread: whether an answer is still wanted.
  var isOpen: Bool { state.load(ordering: .relaxed) <= State.suspended }

  /// Any thread. The first response counts; `late`: there was one, or the request has ended. `suspended`: the connection must be resumed.
  func fill(_ new: Content) -> Outcome {
    var (isOurs, before) = state.compareExchange(expected: State.open, desired: State.filling, ordering: .acquiringAndReleasing)
    if before == State.suspended {
      (isOurs, _) = state.compareExchange(expected: before, desired: State.filling, ordering: .acquiringAndReleasing)
    }
    guard isOurs else { return .late }
    content = new
    guard state.compareExchange(expected: State.filling, desired: State.ready, ordering: .acquiringAndReleasing).exchanged else {
      content = nil
      return .late
    }
    return before == State.suspended ? .suspended : .awaited
  }

  /// The loop's thread: the answer, if it is there.
  func takeIfReady() -> Content? {
    guard state.compareExchange(expected: State.ready, desired: State.taken, ordering: .acquiringAndReleasing).exchanged else { return nil }
    defer { content = nil }
    return content
  }

  /// The loop's thread: the answer, if it is there; any other is late from now on.
  func takeForGood() -> Content? {
    guard state.exchange(State.taken, ordering: .acquiringAndReleasing) == State.ready else { return nil }
    defer { content = nil }
    return content
  }

  /// The loop's thread, when no other has a reference: open for the answer to another request.
  func reset() {
    content = nil
    state.store(State.open, ordering: .relaxed)
  }

  /// The loop's thread: who fills this shall resume the connection; false: the answer is there, or about to be.
  func suspend() -> Bool {
    state.compareExchange(expected: State.open, desired: State.suspended, ordering: .acquiringAndReleasing).exchanged
  }
}
