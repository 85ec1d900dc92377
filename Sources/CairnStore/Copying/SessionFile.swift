/// The form of an exported session: lines of JSON, each ended by a line feed.
///
/// The first line is the head. Then come, in this order, the entries, the secrets, the newest state and the end. A line that announces stored JSON is
/// followed by that JSON, unchanged, on lines of its own: a definition by its canonical text, an entry by its cause and its difference, a state by
/// itself. A definition stands before the first entry that sets it. The end has the SHA-256 of all bytes before its line.
package enum SessionFile {
  /// The version of the form. A file of a newer one is refused.
  package static let version = 2
  package static let mediaType = "application/vnd.cairn.session+jsonl"

  /// The cryptography of files, which this room does not import. Any thread.
  package struct Crypto: Sendable {
    /// The SHA-256 of some bytes.
    package var digest: @Sendable (ArraySlice<UInt8>) -> [UInt8]
    /// Encrypts a secret for the caller's key, and authenticates its purpose; `nil` without a key.
    package var seal: (@Sendable (_ secret: String, _ purpose: String) -> [UInt8]?)?
    /// Decrypts a secret; `nil` without a key. Returns `nil` if the key or the purpose is another one.
    package var open: (@Sendable (_ box: [UInt8], _ purpose: String) -> String?)?

    package init(
      digest: @escaping @Sendable (ArraySlice<UInt8>) -> [UInt8], seal: (@Sendable (String, String) -> [UInt8]?)? = nil,
      open: (@Sendable ([UInt8], String) -> String?)? = nil
    ) {
      self.digest = digest
      self.seal = seal
      self.open = open
    }
  }
}
