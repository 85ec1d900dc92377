import Synchronization

/// Passes a request's response from any thread to the loop's thread, once.
///
/// Unchecked: `content` belongs to the thread that has changed `state` to `filling`, and then to the thread that changes it to `taken`.
final class Delivery: @unchecked Sendable {
  /// The response to a request.
  enum Content {
    case response(Response)
    /// A response that is built when it is about to be sent.
    case work(@Sendable () -> Response)
    case fault(Fault)
    /// A response without an end.
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

  /// Whether a response is still wanted. Any thread.
  var isOpen: Bool { state.load(ordering: .relaxed) <= State.suspended }

  /// Delivers a response. Only the first one counts: the result is `late` if there was one, or if the request has ended. If the result is
  /// `suspended`, the caller must resume the connection. Any thread.
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

  /// Returns the response if it has been delivered. The loop's thread.
  func takeIfReady() -> Content? {
    guard state.compareExchange(expected: State.ready, desired: State.taken, ordering: .acquiringAndReleasing).exchanged else { return nil }
    defer { content = nil }
    return content
  }

  /// Returns the response if it has been delivered. Any other response is late from now on. The loop's thread.
  func takeForGood() -> Content? {
    guard state.exchange(State.taken, ordering: .acquiringAndReleasing) == State.ready else { return nil }
    defer { content = nil }
    return content
  }

  /// Prepares the object for the next request. The loop's thread, and only if no other thread has a reference.
  func reset() {
    content = nil
    state.store(State.open, ordering: .relaxed)
  }

  /// Requires the thread that delivers the response to resume the connection. Returns `false` if the response has been delivered or is about to be.
  /// The loop's thread.
  func suspend() -> Bool {
    state.compareExchange(expected: State.open, desired: State.suspended, ordering: .acquiringAndReleasing).exchanged
  }
}
