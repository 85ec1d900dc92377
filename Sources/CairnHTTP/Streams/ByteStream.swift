import CairnRuntime

/// A response without a fixed end. Its loop's thread sends the bytes in the order in which they were added. May be used on any thread;
/// never blocks on the network.
package final class ByteStream: Sendable {
  /// The outlet's next operation.
  enum Next {
    case send([UInt8])
    /// Nothing can be sent until the outlet is notified again.
    case wait
    /// All bytes have been sent, and the producer has closed the stream.
    case finish
    case over(StreamEnd)
  }

  private struct State {
    /// The head of the response and the first bytes of its body; empty once sending has begun.
    var opening: [UInt8]
    var queue = StreamQueue()
    /// The outlet that sends the bytes on the connection; `nil` before sending has begun and after the stream has ended.
    var outlet: Outlet?
    /// Whether the outlet has been notified and will call `next()`.
    var isAsked = false
    /// The maximum of `queue.count`. Set when the socket accepts no more bytes; `nil` again after all bytes have been sent.
    var room: Int?
    /// The reason for a requested close; `nil` if no close was requested. After the request, the stream accepts no more bytes.
    var closing: StreamEnd?
    /// The reason why the stream has ended or is about to end; `nil` while it is open.
    var end: StreamEnd?
    var isNotified = false
    var notes: [@Sendable (StreamEnd) -> Void] = []
    var drained: [@Sendable () -> Void] = []
  }

  let limits: StreamLimits
  private let state: Lock<State>

  /// The multiple of `StreamLimits.waiting` up to which bytes may be queued before the loop has tried to send them. A single piece may be
  /// larger.
  private static let untried = 16

  init(_ limits: StreamLimits, opening: [UInt8]) {
    self.limits = limits
    state = Lock(State(opening: opening))
  }

  /// Whether the stream accepts more bytes.
  package var isOpen: Bool { state.withLock { $0.end == nil && $0.closing == nil } }

  /// Appends bytes to the stream. Returns `false`, and drops the bytes, if the stream has ended or is being closed. The stream ends when
  /// its client disconnects, or when more than `StreamLimits.waiting` bytes are queued because the client reads too slowly.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    let (isTaken, outlet) = state.withLock { state -> (Bool, Outlet?) in
      guard state.end == nil, state.closing == nil else { return (false, nil) }
      let room = state.room ?? limits.waiting * Self.untried
      guard state.queue.count + bytes.count <= room || state.room == nil && state.queue.count == 0 else {
        state.queue.clear()
        state.end = .slow
        return (false, state.outlet)
      }
      state.queue.add(bytes)
      defer { state.isAsked = true }
      return (true, state.isAsked ? nil : state.outlet)
    }
    outlet?.requestSending()
    return isTaken
  }

  /// Sends the queued bytes, then `last`, then closes the stream. Has no effect on a stream that has ended or is being closed.
  package func end(_ last: [UInt8] = []) { close(.ended, last) }

  /// Calls `note` once when the stream ends for any reason. The call is made on the loop's thread and must not block. If the stream has
  /// already ended, `note` is called immediately on the caller's thread.
  package func whenOver(_ note: @escaping @Sendable (StreamEnd) -> Void) {
    let end = state.withLock { state -> StreamEnd? in
      if state.isNotified { return state.end }
      state.notes.append(note)
      return nil
    }
    if let end { note(end) }
  }

  /// Calls `note` once when all bytes have been passed to the kernel or the stream has ended. The call is made on the loop's thread and
  /// must not block. If all bytes have already been passed or the stream has already ended, `note` is called immediately on the caller's
  /// thread. A producer with much data waits for this call between its parts.
  package func whenDrained(_ note: @escaping @Sendable () -> Void) {
    let isDrained = state.withLock { state in
      if state.isNotified || state.outlet != nil && !state.isAsked { return true }
      state.drained.append(note)
      return false
    }
    if isDrained { note() }
  }

  /// Queues `last`, then accepts no more bytes. The stream ends with `reason` when all bytes have been sent. Has no effect on a stream that
  /// has ended or is being closed.
  func close(_ reason: StreamEnd, _ last: [UInt8] = []) {
    let outlet = state.withLock { state -> Outlet? in
      guard state.end == nil, state.closing == nil else { return nil }
      state.queue.add(last)
      state.closing = reason
      return state.outlet
    }
    outlet?.requestSending()
  }

  // MARK: the loop's thread

  /// Attaches the stream to an outlet, which will call `next()`. Returns the bytes to send first.
  func begin(_ outlet: Outlet) -> [UInt8] {
    state.withLock { state in
      state.outlet = outlet
      state.isAsked = true
      defer { state.opening = [] }
      return state.opening
    }
  }

  /// Returns the outlet's next operation. Called when all earlier bytes have been sent.
  func next() -> Next {
    let (next, drained) = state.withLock { state -> (Next, [@Sendable () -> Void]) in
      if let end = state.end { return (.over(end), []) }
      if let piece = state.queue.take() { return (.send(piece), []) }
      if state.closing != nil { return (.finish, []) }
      state.isAsked = false
      state.room = nil
      defer { state.drained = [] }
      return (.wait, state.drained)
    }
    for note in drained { note() }
    return next
  }

  /// Called when the socket accepts no more bytes. Until all bytes are sent, `StreamLimits.waiting` bytes may be added to the queued bytes.
  /// Returns the reason if the stream has ended, otherwise `nil`.
  func rest() -> StreamEnd? {
    state.withLock { state in
      state.room = min(state.room ?? .max, state.queue.count + limits.waiting)
      return state.end
    }
  }

  /// Whether a close was requested: no more bytes are accepted, and the stream ends when all queued bytes have been sent.
  var isClosing: Bool { state.withLock { $0.closing != nil } }

  /// Ends the stream. Its reason is the first of these that is not `nil`: the reason that was set before, `reason`, the reason of the
  /// requested close, `left`. Notifies the observers.
  func finish(_ reason: StreamEnd?) {
    let (end, notes, drained) = state.withLock { state in
      let end = state.end ?? reason ?? state.closing ?? .left
      defer {
        state.end = end
        state.isNotified = true
        state.outlet = nil
        state.notes = []
        state.drained = []
        state.opening = []
        state.queue.clear()
      }
      return (end, state.notes, state.drained)
    }
    for note in drained { note() }
    for note in notes { note(end) }
  }
}
