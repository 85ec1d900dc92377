import CairnRuntime

/// A response without an end. The loop's thread sends its bytes in order. Any thread; never blocks on the network.
package final class ByteStream: Sendable {
  /// The outlet's next operation.
  enum Next {
    case send([UInt8])
    /// Wait until notified.
    case wait
    /// Close, because everything has been sent and no more bytes will follow.
    case finish
    case over(StreamEnd)
  }

  private struct State {
    /// The head of the response and its first bytes, until sending begins.
    var opening: [UInt8]
    var queue = StreamQueue()
    /// The outlet that sends the bytes; `nil` before the beginning and after the end.
    var outlet: Outlet?
    /// Whether the outlet will fetch the next bytes without being woken.
    var isAsked = false
    /// The number of bytes that may still be queued after the client has stopped reading; `nil` if it has read everything so far.
    var room: Int?
    /// The reason why the stream accepts no more bytes; `nil` if it does.
    var closing: StreamEnd?
    /// The reason of the end, if the stream has ended or is about to.
    var end: StreamEnd?
    var isTold = false
    var notes: [@Sendable (StreamEnd) -> Void] = []
    var drained: [@Sendable () -> Void] = []
  }

  let limits: StreamLimits
  private let state: Lock<State>

  /// The factor by which more bytes may be queued before the loop has tried to send them. A single part may always be queued.
  private static let untried = 16

  init(_ limits: StreamLimits, opening: [UInt8]) {
    self.limits = limits
    state = Lock(State(opening: opening))
  }

  /// Whether the stream accepts bytes.
  package var isOpen: Bool { state.withLock { $0.end == nil && $0.closing == nil } }

  /// Queues bytes. Returns `false` if the stream has ended because its client has disconnected, or reads so slowly that more than
  /// `StreamLimits.waiting` bytes are queued.
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
    outlet?.tell()
    return isTaken
  }

  /// Closes the stream after the queued bytes and these. Has no effect on a stream that is closing or has ended.
  package func end(_ last: [UInt8] = []) { close(.ended, last) }

  /// Calls `note` once when the stream ends for any reason, at once if it has ended. `note` runs on the loop's thread and must not block.
  package func whenOver(_ note: @escaping @Sendable (StreamEnd) -> Void) {
    let end = state.withLock { state -> StreamEnd? in
      if state.isTold { return state.end }
      state.notes.append(note)
      return nil
    }
    if let end { note(end) }
  }

  /// Calls `note` once when all bytes have been sent or the stream has ended, at once if that is the case already. `note` runs on the loop's thread
  /// and must not block. A producer of much data waits for this call between its parts.
  package func whenDrained(_ note: @escaping @Sendable () -> Void) {
    let isDrained = state.withLock { state in
      if state.isTold || state.outlet != nil && !state.isAsked { return true }
      state.drained.append(note)
      return false
    }
    if isDrained { note() }
  }

  /// Accepts no more bytes. The stream ends with `reason` when all bytes have been sent.
  func close(_ reason: StreamEnd, _ last: [UInt8] = []) {
    let outlet = state.withLock { state -> Outlet? in
      guard state.end == nil, state.closing == nil else { return nil }
      state.queue.add(last)
      state.closing = reason
      return state.outlet
    }
    outlet?.tell()
  }

  // MARK: the loop's thread

  /// Starts sending through an outlet. Returns the first bytes.
  func begin(_ outlet: Outlet) -> [UInt8] {
    state.withLock { state in
      state.outlet = outlet
      state.isAsked = true
      defer { state.opening = [] }
      return state.opening
    }
  }

  /// The next operation after everything before has been sent.
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

  /// Notes that the socket accepts no more bytes for now. From here on the queue is limited until everything has been sent. Returns the reason of the
  /// stream's end, if it has ended.
  func rest() -> StreamEnd? {
    state.withLock { state in
      state.room = min(state.room ?? .max, state.queue.count + limits.waiting)
      return state.end
    }
  }

  /// Whether the stream accepts no more bytes.
  var isClosing: Bool { state.withLock { $0.closing != nil } }

  /// Ends the stream, with `reason` unless another reason was set before. Notifies its observers.
  func finish(_ reason: StreamEnd?) {
    let (end, notes, drained) = state.withLock { state in
      let end = state.end ?? reason ?? state.closing ?? .left
      defer {
        state.end = end
        state.isTold = true
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
