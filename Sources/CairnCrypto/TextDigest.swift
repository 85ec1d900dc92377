/// A hash under which a journal finds a text that the journal does not store.
package enum TextDigest {
  /// Returns the first 16 bytes of the text's SHA-256.
  package static func bytes(of text: String) -> [UInt8] { Array(SHA256.hash(text).prefix(16)) }
}
