import Synchronization

/// Contains the response to one request. Any thread may store the response, once; the loop's thread takes it.
///
/// Unchecked: `content` belongs to the thread that has moved `state` to `filling`, and afterwards to the thread that moves `state` to
/// `taken`.
final class Delivery: @unchecked Sendable {
  /// The response to a request.
  enum Content {
    case response(Response)
    /// A closure that makes the response when it is about to be sent.
    case work(@Sendable () -> Response)
    case fault(Fault)
    /// A response without a fixed end.
    case stream(ByteStream)
  }

  /// The result of delivering a response: it was dropped, the loop is checking for it, or the caller must resume the connection.
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

  /// Whether a response can still be delivered. Can be called on any thread.
  var isOpen: Bool { state.load(ordering: .relaxed) <= State.suspended }

  /// Stores the first response. Returns `late` if a response was stored before or the request has ended. Returns `suspended` if the caller
  /// must resume the connection, otherwise `awaited`. Can be called on any thread.
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

  /// Removes and returns the response; `nil` if no response has been stored yet. Called on the loop's thread.
  func takeIfReady() -> Content? {
    guard state.compareExchange(expected: State.ready, desired: State.taken, ordering: .acquiringAndReleasing).exchanged else { return nil }
    defer { content = nil }
    return content
  }

  /// Removes and returns the response, and rejects every later one. Returns `nil` if there is no response. Called on the loop's thread.
  func takeForGood() -> Content? {
    guard state.exchange(State.taken, ordering: .acquiringAndReleasing) == State.ready else { return nil }
    defer { content = nil }
    return content
  }

  /// Prepares for the response to another request. Called on the loop's thread, while no other thread has a reference.
  func reset() {
    content = nil
    state.store(State.open, ordering: .relaxed)
  }

  /// Obliges the thread that delivers the response to resume the connection. Returns `false` if a response has been stored or is being
  /// stored. Called on the loop's thread.
  func suspend() -> Bool {
    state.compareExchange(expected: State.open, desired: State.suspended, ordering: .acquiringAndReleasing).exchanged
  }
}
