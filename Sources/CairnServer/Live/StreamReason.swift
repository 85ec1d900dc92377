import CairnHTTP
import CairnStore

/// The reason why a stream ended. The raw value is the label of a metric, and is sent to the client if the service ended the stream.
enum StreamReason: String, CaseIterable {
  case deleted, expired, stopping, credential
  /// The client disconnected, or reads too slowly.
  case left, slow
  /// Entries that the client missed could not be read.
  case fault

  init(_ ending: FeedEnding) {
    switch ending {
    case .deleted: self = .deleted
    case .expired: self = .expired
    case .fault: self = .fault
    case .stopping: self = .stopping
    }
  }

  /// The reason for an end that the HTTP server reports.
  init(_ end: StreamEnd) {
    switch end {
    case .ended, .left: self = .left
    case .slow: self = .slow
    case .stopping: self = .stopping
    }
  }

  /// Whether the client receives an `end` event. After a fault it reconnects, and receives the error then.
  var isTold: Bool {
    switch self {
    case .deleted, .expired, .stopping, .credential: true
    case .left, .slow, .fault: false
    }
  }
}
