import CairnHTTP
import CairnStore

/// The reason why a stream ended. The raw value is a metric's label. The client receives it in the `end` event, if there is one (`isSent`).
enum StreamReason: String, CaseIterable {
  case deleted, expired, stopping, credential
  /// The client has disconnected, or it reads too slowly.
  case left, slow
  /// The missed entries could not be read, or the session contains a number that JSON cannot represent.
  case fault

  init(_ ending: FeedEnding) {
    switch ending {
    case .deleted: self = .deleted
    case .expired: self = .expired
    case .fault: self = .fault
    case .stopping: self = .stopping
    }
  }

  /// Creates the reason for a stream that the HTTP server ended.
  init(_ end: StreamEnd) {
    switch end {
    case .ended, .left: self = .left
    case .slow: self = .slow
    case .stopping: self = .stopping
    }
  }

  /// Whether the client receives an `end` event. After a fault the client receives no event; it reconnects and gets the error as a
  /// response.
  var isSent: Bool {
    switch self {
    case .deleted, .expired, .stopping, .credential: true
    case .left, .slow, .fault: false
    }
  }
}
