import Synchronization

/// A stream's slot among those of its session. Released once, at the latest when the object is.
final class StreamPlace: Sendable {
  private let session: String?
  private let streams: Streams
  private let isLeft = Atomic(false)

  /// nil: it is not counted.
  init(_ session: String?, _ streams: Streams) {
    self.session = session
    self.streams = streams
  }

  deinit { leave() }

  /// It is free again.
  func leave() {
    guard let session, !isLeft.exchange(true, ordering: .relaxed) else { return }
    streams.leave(session)
  }
}
