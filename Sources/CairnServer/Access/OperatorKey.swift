/// An operator's name and key.
package struct OperatorKey: Sendable, Equatable {
  /// The operator's name, which appears in the log and in a session's history.
  package let name: String
  package let key: String

  package init(name: String, key: String) {
    self.name = name
    self.key = key
  }

  /// Whether a text can be the name of an operator: 1 to 64 letters, digits, or any of `- _ . @`.
  package static func isName(_ text: some StringProtocol) -> Bool { (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isOfName) }

  /// The error message for a text that `isName` rejects.
  package static let wrongName = "must have 1 to 64 letters, digits, or any of - _ . @"

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: "-_.@".utf8.contains(byte)
    }
  }
}
