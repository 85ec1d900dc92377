import CairnCore

/// A JSON value that is already encoded.
struct RawJSON: JSONWritable, Sendable {
  let bytes: [UInt8]

  /// Encodes the value. Throws if the value contains a number that JSON cannot represent. No state contains such a number.
  init(_ value: some JSONWritable) throws(UnwritableNumber) {
    var writer = JSONWriter()
    value.write(to: &writer)
    bytes = try writer.bytes()
  }

  func write(to writer: inout JSONWriter) { writer.raw(bytes) }
}
