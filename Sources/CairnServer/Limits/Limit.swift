import Foundation

/// The limit that a refused request or connection exceeded. The raw value is a metric's label.
package enum Limit: String, CaseIterable, Sendable {
  case requestsPerAddress = "requests-per-address"
  case requestsPerSession = "requests-per-session"
  case creationsPerAddress = "creations-per-address"
  case failuresPerAddress = "failures-per-address"
  case failuresPerSession = "failures-per-session"
  case sessionsPerAddress = "sessions-per-address"
  case connectionsPerAddress = "connections-per-address"
  case streamsPerSession = "streams-per-session"
  case tickets

  /// The name of the limit's setting, as the end of the problem's detail; empty if the limit has no setting.
  var remark: String {
    let words = rawValue.split(separator: "-")
    guard self != .tickets, let first = words.first else { return "" }
    return " (the setting \(first + words.dropFirst().map(\.capitalized).joined()))"
  }

  /// The limited resource, as a part of the problem's detail.
  var words: String {
    switch self {
    case .requestsPerAddress: "requests from this address"
    case .requestsPerSession: "requests of this session"
    case .creationsPerAddress: "sessions started from this address"
    case .failuresPerAddress: "wrong credentials from this address"
    case .failuresPerSession: "wrong credentials for this session"
    case .sessionsPerAddress: "sessions of this address; end some"
    case .connectionsPerAddress: "simultaneous requests from this address"
    case .streamsPerSession: "streams of this session; end one"
    case .tickets: "unused tickets"
    }
  }
}
