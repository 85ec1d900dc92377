import CairnHTTP
import CairnStore

/// Why a stream ended. The name is a metric's label, and where the service ended it the client's reason too.
enum StreamReason: String, CaseIterable {
  case deleted, expired, stopping, credential
  /// Its client has gone, or reads too slowly.
  case left, slow
  /// Missed entries could not be read.
  case fault

  init(_ ending: FeedEnding) {
    switch ending {
    case .deleted: self = .deleted
    case .expired: self = .expired
    case .fault: self = .fault
    case .stopping: self = .stopping
    }
  }

  /// The reason of an end that came from the front and not from the service.
  init(_ end: StreamEnd) {
    switch end {
    case .ended, .left: self = .left
    case .slow: self = .slow
    case .stopping: self = .stopping
    }
  }

  /// Whether the client gets an `end` event. After a failure it reconnects, and gets the error then.
  var isTold: Bool {
    switch self {
    case .deleted, .expired, .stopping, .credential: true
    case .left, .slow, .fault: false
    }
  }
}
