import Synchronization

/// A slot for one stream. The number of slots per session is limited. The slot is released once, at the latest on deinitialization.
final class StreamPlace: Sendable {
  private let session: String?
  private let streams: Streams
  private let isLeft = Atomic(false)

  /// Creates the slot of a stream. `session` is the id of the session to which the occupied slot belongs; `nil` if the stream is not
  /// counted.
  init(_ session: String?, _ streams: Streams) {
    self.session = session
    self.streams = streams
  }

  deinit { leave() }

  /// Releases the slot. Later calls have no effect.
  func leave() {
    guard let session, !isLeft.exchange(true, ordering: .relaxed) else { return }
    streams.leave(session)
  }
}
