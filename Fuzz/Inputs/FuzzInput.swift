/// A place where bytes from outside come in, and what has to hold whatever they are.
package enum FuzzInput: String, CaseIterable, Sendable {
  /// A line of JSON an action, posted to a session; the first byte says of which app.
  case action
  /// URLs, one per line, opened in a session; the first byte selects the app.
  case link
  /// An APNs payload or an FCM message; the first byte says for which app.
  case notification
  /// A definition's file.
  case definition
  /// A file of scenarios.
  case scenario
  /// A record of a database: the first byte selects a state, a difference or a cause.
  case state
  /// The bytes of a connection: a head and the bytes behind it; the first byte selects how they are divided.
  case http
  /// Header fields, a line each.
  case headers

  /// Takes the bytes in and returns every promise that was broken; a trap or an endless loop is the fuzzer's to notice.
  package func broken(by bytes: [UInt8]) -> [String] {
    switch self {
    case .action: FuzzSession.posting(bytes)
    case .link: FuzzSession.opening(bytes)
    case .notification: FuzzSession.notifying(bytes)
    case .definition: FuzzFile.definition(bytes)
    case .scenario: FuzzFile.scenarios(bytes)
    case .state: FuzzDisk.reading(bytes)
    case .http: FuzzWire.following(bytes)
    case .headers: FuzzHeaders.reading(bytes)
    }
  }
}
