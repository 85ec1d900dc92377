import CairnHTTP

extension Request {
  /// The id under which the request is logged: the client's `X-Request-Id` if it is valid, otherwise the id that the service assigned. A
  /// valid id has 1 to 64 characters, each an ASCII letter, an ASCII digit or one of `-_.`. Other ids are not used, because the id is
  /// logged and stored.
  var knownID: String {
    guard let given = headers["X-Request-Id"], Self.isID(given) else { return id }
    return given
  }

  /// Whether a text can be the id of a request: 1 to 64 ASCII letters, digits, or any of `-_.`.
  static func isID(_ text: String) -> Bool { (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isSafe) }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
