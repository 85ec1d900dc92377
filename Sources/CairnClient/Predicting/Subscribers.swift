import CairnTransfer
import Foundation

/// The subscribers of a sequence of values. The sequences end when this object is released.
final class Subscribers<Element: Sendable>: Sendable {
  /// The subscribers that still read; `nil` after the end.
  private let listeners = Guarded<[UUID: AsyncStream<Element>.Continuation]?>([:])

  deinit { finish() }

  /// Returns a sequence of `first`, if it is given, and of the values that are sent after this call.
  func subscribe(first: Element? = nil) -> AsyncStream<Element> {
    let (stream, listener) = AsyncStream.makeStream(of: Element.self)
    if let first { listener.yield(first) }
    let id = UUID()
    let isOpen = listeners.withLock { listeners in
      listeners?[id] = listener
      return listeners != nil
    }
    if isOpen {
      listener.onTermination = { [weak self] _ in self?.listeners.withLock { $0?[id] = nil } }
    } else {
      listener.finish()
    }
    return stream
  }

  func send(_ value: Element) {
    for listener in current { listener.yield(value) }
  }

  /// Ends all sequences. A sequence that begins later ends at once.
  func finish() {
    let ended = current
    listeners.withLock { $0 = nil }
    // Called without the lock, because the end of a sequence takes the lock.
    for listener in ended { listener.finish() }
  }

  private var current: [AsyncStream<Element>.Continuation] { listeners.withLock { $0.map { Array($0.values) } ?? [] } }
}
