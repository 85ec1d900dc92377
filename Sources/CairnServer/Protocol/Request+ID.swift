import CairnHTTP

extension Request {
  /// The `X-Request-Id` of the client, so that its line and the service's can be joined, or else the id that the service gave. A client's
  /// is taken if it has 1 to 64 characters, each a letter or a digit of ASCII or one of `-_.`: it is written to logs and stored.
  var knownID: String {
    guard let given = headers["X-Request-Id"], (1...64).contains(given.utf8.count), given.utf8.allSatisfy(Self.isSafe) else { return id }
    return given
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
