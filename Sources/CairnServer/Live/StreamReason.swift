import CairnHTTP
import CairnStore

/// Why a stream ended. The name is a metric's label, and where the service ended it the client's reason too.
enum StreamReason: String, CaseIterable {
  case deleted, expired, stopping, credential
  /// Its client has gone, or reads too slowly.
  case left, slow
  /// What it missed could not be read.
  case fault

  init(_ ending: FeedEnding) {
    switch ending {
    case .deleted: self = .deleted
    case .expired: self = .expired
    case .fault: self = .fault
    case .stopping: self = .stopping
    }
  }

  /// What the front says of a stream that the service has not ended.
  init(_ end: StreamEnd) {
    switch end {
    case .ended, .left: self = .left
    case .slow: self = .slow
    case .stopping: self = .stopping
    }
  }

  /// Whether the client is told. Where something failed it comes again, and finds out.
  var isTold: Bool {
    switch self {
    case .deleted, .expired, .stopping, .credential: true
    case .left, .slow, .fault: false
    }
  }
}
