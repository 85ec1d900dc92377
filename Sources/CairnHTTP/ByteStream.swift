import CairnRuntime

/// An answer without an end: what is put into it leaves in order, by its loop's thread. Any thread; never blocks on the network.
package final class ByteStream: Sendable {
  /// The outlet's next operation.
  enum Next {
    case send([UInt8])
    /// Nothing, until it is notified.
    case wait
    /// All is sent, and nothing more comes.
    case finish
    case over(StreamEnd)
  }

  private struct State {
    /// The head of the answer and its first bytes, until it begins.
    var opening: [UInt8]
    var queue = StreamQueue()
    /// Where it leaves; nil before the beginning, and after the end.
    var outlet: Outlet?
    /// The outlet will ask for more by itself.
    var isAsked = false
    /// The number of bytes that may wait, since its client stopped reading; `nil`: it has read everything so far.
    var room: Int?
    /// Nothing more is taken, and why.
    var closing: StreamEnd?
    /// Its end, if it has ended or is about to.
    var end: StreamEnd?
    var isTold = false
    var notes: [@Sendable (StreamEnd) -> Void] = []
    var drained: [@Sendable () -> Void] = []
  }

  let limits: StreamLimits
  private let state: Lock<State>

  /// How many times as much may wait before its loop has tried to send it; one piece may always.
  private static let untried = 16

  init(_ limits: StreamLimits, opening: [UInt8]) {
    self.limits = limits
    state = Lock(State(opening: opening))
  }

  /// Whether more may be put into it.
  package var isOpen: Bool { state.withLock { $0.end == nil && $0.closing == nil } }

  /// Sends these bytes after all others. Returns false if the stream has ended, because its client has left or reads so slowly that more
  /// than `StreamLimits.waiting` bytes wait in vain.
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

  /// Sends the waiting bytes, then these, then closes. Later calls have no effect, nor has a call on a stream that has ended.
  package func end(_ last: [UInt8] = []) { close(.ended, last) }

  /// Calls `note` once when the stream ends for any reason, on its loop's thread, which must not be blocked; at once if it has ended.
  package func whenOver(_ note: @escaping @Sendable (StreamEnd) -> Void) {
    let end = state.withLock { state -> StreamEnd? in
      if state.isTold { return state.end }
      state.notes.append(note)
      return nil
    }
    if let end { note(end) }
  }

  /// Calls `note` once when all bytes are on their way or the stream has ended, on its loop's thread, which must not be blocked; at once if
  /// that is the case. A producer with much to send waits for this call between its parts.
  package func whenDrained(_ note: @escaping @Sendable () -> Void) {
    let isDrained = state.withLock { state in
      if state.isTold || state.outlet != nil && !state.isAsked { return true }
      state.drained.append(note)
      return false
    }
    if isDrained { note() }
  }

  /// Takes no more bytes; the stream ends with `reason` when all are sent.
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

  /// It leaves there from now on, and is asked for what waits. Gives what is sent first.
  func begin(_ outlet: Outlet) -> [UInt8] {
    state.withLock { state in
      state.outlet = outlet
      state.isAsked = true
      defer { state.opening = [] }
      return state.opening
    }
  }

  /// The next thing to do, now that everything before is sent.
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

  /// The socket takes no more for now: from the bytes that wait already the further room is counted, until all are sent. Returns the
  /// stream's end, if it has one.
  func rest() -> StreamEnd? {
    state.withLock { state in
      state.room = min(state.room ?? .max, state.queue.count + limits.waiting)
      return state.end
    }
  }

  /// Whether nothing more is taken, so that it comes to an end.
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
