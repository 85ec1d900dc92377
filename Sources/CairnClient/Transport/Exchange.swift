import CairnTransfer
import Foundation

/// The response to one request as a sequence of parts: the head, bytes, and the end. The transfers' thread writes it, and one task reads it.
final class Exchange: Sendable {
  enum Part: Sendable {
    case head(TransferHead)
    case bytes(Data)
    /// The end of the response; the error is `nil` if the response is complete.
    case end(ClientError?)
  }

  private struct State {
    var parts: [Part] = []
    /// The number of bytes in `parts`.
    var waiting = 0
    var isOver = false
    var taker: CheckedContinuation<Part, Never>?
  }

  private let state = Guarded(State())
  /// The maximum number of unread bytes.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Appends a part, unless the end has already been appended. Returns `false` if the unread bytes exceed the limit.
  func put(_ part: Part) -> Bool {
    let (taker, fits) = state.withLock { state -> (CheckedContinuation<Part, Never>?, Bool) in
      guard !state.isOver else { return (nil, true) }
      if case .end = part { state.isOver = true }
      if let taker = state.taker {
        state.taker = nil
        return (taker, true)
      }
      if case .bytes(let data) = part { state.waiting += data.count }
      state.parts.append(part)
      return (nil, state.waiting <= limit)
    }
    taker?.resume(returning: part)
    return fits
  }

  /// Returns the next part, and waits for it if necessary. Only one task may call this method, and only until the end has been returned.
  func next() async -> Part {
    await withCheckedContinuation { taker in
      let part = state.withLock { state -> Part? in
        guard !state.parts.isEmpty else {
          state.taker = taker
          return nil
        }
        let part = state.parts.removeFirst()
        if case .bytes(let data) = part { state.waiting -= data.count }
        return part
      }
      if let part { taker.resume(returning: part) }
    }
  }
}
