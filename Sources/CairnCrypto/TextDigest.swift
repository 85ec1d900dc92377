/// A hash by which a journal identifies a text without storing it.
package enum TextDigest {
  /// Returns the first 16 bytes of the text's SHA-256.
  package static func bytes(of text: String) -> [UInt8] { Array(SHA256.hash(text).prefix(16)) }
}
