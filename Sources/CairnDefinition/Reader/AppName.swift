/// The names of apps.
package enum AppName {
  /// The form of a name, as the end of a sentence that begins with "must".
  package static let form = "consist of lowercase letters, digits and `-`, and begin with a letter, like `my-app`"

  /// Whether a text has the form of a name.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, "a"..."z" ~= first else { return false }
    return text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "-" }
  }
}
