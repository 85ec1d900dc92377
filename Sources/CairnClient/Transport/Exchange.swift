import CairnTransfer
import Foundation

/// The response to one request, part by part: the head, bytes, the end. Written by the transfers' thread, read by one task.
final class Exchange: Sendable {
  enum Part: Sendable {
    case head(TransferHead)
    case bytes(Data)
    /// nil: the answer is whole.
    case end(ClientError?)
  }

  private struct State {
    var parts: [Part] = []
    /// Bytes in `parts`.
    var waiting = 0
    var isOver = false
    var taker: CheckedContinuation<Part, Never>?
  }

  private let state = Guarded(State())
  /// Bytes that may wait to be taken.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Adds a part; passed over behind the end. False: more bytes wait than may.
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

  /// Takes the next part, and waits for it. One task's; not to be asked again behind the end.
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
