/// The format of an exported session: lines of JSON, each ended by a line feed. The first line is the head. The other parts are, in this
/// order: the first state (only if earlier entries were forgotten), the entries, the secrets, the newest state, and the end.
///
/// A line that announces stored JSON is followed by that JSON, unchanged, in separate lines: the canonical text of a definition, the cause
/// and the difference of an entry, or a state. A definition precedes the first state or entry that names it. The end contains the SHA-256
/// of all bytes before its line.
package enum SessionFile {
  /// The version of the format. A file of any other version is refused.
  package static let version = 2
  package static let mediaType = "application/vnd.cairn.session+jsonl"

  /// The cryptographic functions for session files. Thread-safe.
  package struct Crypto: Sendable {
    /// The SHA-256 of some bytes.
    package var digest: @Sendable (ArraySlice<UInt8>) -> [UInt8]
    /// Encrypts a secret with the caller's key, and authenticates its purpose. The function is `nil` if the caller gave no key.
    package var seal: (@Sendable (_ secret: String, _ purpose: String) -> [UInt8]?)?
    /// Decrypts a secret. Returns `nil` if the key or the purpose differs from that of the encryption. The property is `nil` if the caller
    /// gave no key.
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
