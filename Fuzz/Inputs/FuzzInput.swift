/// An interface that receives bytes from outside, with the properties that must hold for any bytes.
package enum FuzzInput: String, CaseIterable, Sendable {
  /// Actions as JSON, one per line, posted to a session; the first byte selects the app.
  case action
  /// URLs, one per line, opened in a session; the first byte selects the app.
  case link
  /// APNs payloads or FCM messages, one per line; the first byte selects the app.
  case notification
  /// The text of a definition.
  case definition
  /// The text of a scenario file.
  case scenario
  /// A record of a database: the first byte selects a state, a difference or a cause.
  case state
  /// A session's file without its last line.
  case session
  /// The bytes of a connection: a head and the bytes after it. The first byte selects how they are divided into reads.
  case http
  /// Header fields, one per line.
  case headers

  /// Processes the bytes and returns every violated property. Traps and endless loops are detected by the fuzzer.
  package func broken(by bytes: [UInt8]) -> [String] {
    switch self {
    case .action: FuzzSession.posting(bytes)
    case .link: FuzzSession.opening(bytes)
    case .notification: FuzzSession.notifying(bytes)
    case .definition: FuzzFile.definition(bytes)
    case .scenario: FuzzFile.scenarios(bytes)
    case .state: FuzzDisk.reading(bytes)
    case .session: FuzzImport.importing(bytes)
    case .http: FuzzWire.following(bytes)
    case .headers: FuzzHeaders.reading(bytes)
    }
  }
}
