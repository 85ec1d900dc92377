import Foundation

/// An answer as bytes.
package enum JSONText {
  /// UTF-8 JSON, members sorted, a newline at its end; `pretty` for people. Throws what `EncodingError` says of a number that JSON has not.
  package static func bytes(_ body: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = pretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(body)) + [UInt8(ascii: "\n")]
  }
}
