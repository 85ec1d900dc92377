import Synchronization

/// A stream's slot among those of its session. It is freed once, at the latest when the object is released.
final class StreamPlace: Sendable {
  private let session: String?
  private let streams: Streams
  private let isLeft = Atomic(false)

  /// `session` is `nil` if the stream is not counted.
  init(_ session: String?, _ streams: Streams) {
    self.session = session
    self.streams = streams
  }

  deinit { leave() }

  /// Frees the slot.
  func leave() {
    guard let session, !isLeft.exchange(true, ordering: .relaxed) else { return }
    streams.leave(session)
  }
}
