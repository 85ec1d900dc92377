import Foundation

/// Base64url without padding (RFC 4648, 5).
package enum Base64URL {
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text = Data(bytes).base64EncodedString()
    text.replace("+", with: "-")
    text.replace("/", with: "_")
    return String(text.prefix { $0 != "=" })
  }

  /// Returns the bytes of a text; `nil` if the text has other characters, padding included, or a wrong length.
  package static func bytes(of text: String) -> [UInt8]? {
    guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
    var padded = text.replacing("-", with: "+").replacing("_", with: "/")
    padded += String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)
    return Data(base64Encoded: padded).map { Array($0) }
  }
}
