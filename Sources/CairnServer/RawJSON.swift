import CairnCore

/// JSON that has been encoded before.
struct RawJSON: JSONWritable, Sendable {
  let bytes: [UInt8]

  /// Encodes a value. Throws if it contains a number that JSON cannot represent; states contain none.
  init(_ value: some JSONWritable) throws(UnwritableNumber) {
    var writer = JSONWriter()
    value.write(to: &writer)
    bytes = try writer.bytes()
  }

  func write(to writer: inout JSONWriter) { writer.raw(bytes) }
}
